// Package unpack unpacks the bodies of requests that are sent by gzip or zstd.
package unpack

import (
	"errors"
	"io"
	"net/http"
	"strings"
)

// Coding is a content coding that Request unpacks, as headers name it.
type Coding string

// The codings, and what Accept-Encoding says of them.
const (
	Gzip     Coding = "gzip"
	Zstd     Coding = "zstd"
	Accepted        = string(Gzip + ", " + Zstd)
)

// Named returns the coding that a Content-Encoding names (RFC 9110, section 8.4.1); blank if Request
// does not unpack it.
func Named(encoding string) Coding {
	switch strings.ToLower(encoding) {
	case "gzip", "x-gzip":
		return Gzip
	case "zstd":
		return Zstd
	}
	return ""
}

// Errors are those that reading a body returns besides those of its connection: TooLarge if too many
// bytes arrive, Damaged if they are not one whole stream, or something follows it, Window if they
// demand more than MaxWindow, and Blocks if they have more blocks than encoders make.
type Errors struct{ TooLarge, Damaged, Window, Blocks error }

// Request returns a request whose body is a *Body, that of r unpacked, and whose length is not known. It
// reads most packed bytes at most. A gzip stream takes some 45 KB while it is read, for which nothing is
// charged. It may have one member or frame alone, because reading millions of empty ones would take time,
// and give nothing; and for the same reason not more blocks than encoders make. drop gives the memory back,
// and is called once nobody reads the body any more.
func Request(r *http.Request, by Coding, most int64, errs Errors) (_ *http.Request, drop func()) {
	b := &Body{packed: counted{from: r.Body, most: most, tooLarge: errs.TooLarge}, source: r.Body, by: by, errs: errs}
	b.ReadBy(func(from io.Reader, into []byte, _ int) (int, error) { return from.Read(into) },
		func(int64) (func(), error) { return func() {}, nil })
	unpacked := *r
	unpacked.Body, unpacked.ContentLength = b, -1
	return &unpacked, b.drop
}

// Body is a body that is unpacked while it is read.
type Body struct {
	packed counted
	source io.Closer
	by     Coding
	errs   Errors
	charge func(bytes int64) (giveBack func(), err error)

	stream io.Reader // nil: nothing was read yet
	end    func()    // gives back what stream takes; nil: it takes nothing
	ended  bool
}

func (b *Body) Read(p []byte) (n int, err error) {
	if b.ended {
		return 0, io.EOF
	}
	if b.stream == nil {
		begin := b.beginGzip
		if b.by == Zstd {
			begin = b.beginZstd
		}
		if err := begin(); err != nil {
			return 0, b.fault(err)
		}
	}
	n, err = b.stream.Read(p)
	if errors.Is(err, io.EOF) {
		// No more than the stream has been read: counted has ReadByte for gzip, and a frame ends.
		if _, err := b.packed.ReadByte(); !errors.Is(err, io.EOF) {
			return n, b.fault(b.errs.Damaged)
		}
		b.drop()
		return n, io.EOF
	}
	return n, b.fault(err)
}

// fault returns Errors.Damaged in place of the errors of the stream. Those of the connection stay
// what they are, such as the end of a body before its length.
func (b *Body) fault(err error) error {
	switch {
	case err == nil:
		return nil
	case b.packed.failed != nil && !errors.Is(b.packed.failed, io.EOF):
		return b.packed.failed
	case errors.Is(err, errManyBlocks):
		return b.errs.Blocks
	}
	return b.errs.Damaged
}

// ReadBy makes read read from the connection, which learns how many bytes have come over it so far,
// and charge take the memory of a zstd stream, at most MostTaken bytes. Body returns the errors of both.
func (b *Body) ReadBy(read func(from io.Reader, into []byte, arrived int) (int, error), charge func(bytes int64) (func(), error)) {
	b.packed.read, b.charge = read, charge
}

func (b *Body) Close() error { return b.source.Close() }

func (b *Body) drop() {
	if b.end != nil {
		b.end()
	}
	b.stream, b.end, b.ended = nil, nil, true
}
