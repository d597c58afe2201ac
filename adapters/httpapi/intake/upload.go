package intake

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"milaan/domain"
)

// upload is the state of a request's body on its connection.
type upload struct {
	control *http.ResponseController
	header  http.Header // of the answer
	length  int64       // negative: unknown
	linger  time.Duration
	http1   bool
	last    bool // the answer is the last one of its connection in any case
	state   uploadState
	begins  time.Time // by when the answer must begin
}

type uploadState uint8

const (
	uploadNone    uploadState = iota // nothing to read, or all of it is read
	uploadWaits                      // bytes may arrive that nobody has read yet
	uploadHeld                       // the client waits for 100 Continue before it sends
	uploadAborted                    // the rest will never come
)

// drainedByHTTP is how many bytes of an unread body net/http itself reads before it
// answers.
const drainedByHTTP = 256 << 10

type uploadKey struct{}

func newUpload(w http.ResponseWriter, r *http.Request, last bool, linger time.Duration) *upload {
	up := &upload{control: http.NewResponseController(w), header: w.Header(), length: r.ContentLength, linger: linger,
		http1: r.ProtoMajor == 1, last: last}
	if last {
		up.header.Set("Connection", "close")
	}
	switch {
	case up.length == 0:
	case r.Header.Get("Expect") != "":
		up.state = uploadHeld
	default:
		up.state = uploadWaits
		up.expectRefusal()
	}
	return up
}

// expectRefusal prepares an HTTP/1 connection for an answer before the body is read: the
// answer is the last one of the connection, and can be written while the client still
// sends. For bodies up to drainedByHTTP, net/http does what is needed.
func (up *upload) expectRefusal() {
	if up.http1 && (up.length < 0 || up.length > drainedByHTTP) {
		up.header.Set("Connection", "close")
		_ = up.control.EnableFullDuplex() // in HTTP/1 it fails only for the recorder of a test
	}
}

// begin is called before the first byte is read. That read makes net/http tell the client
// to send.
func (up *upload) begin() {
	if up.state == uploadHeld {
		up.state = uploadWaits
		up.expectRefusal()
	}
}

// expectLater gives the answer so much more time to begin.
func (up *upload) expectLater(by time.Duration) {
	up.begins = up.begins.Add(by)
	_ = up.control.SetWriteDeadline(up.begins)
}

// complete is called when the whole body has arrived. The connection can serve further
// requests, and the read deadline must not end the work that follows.
func (up *upload) complete() {
	up.state = uploadNone
	if !up.last {
		up.header.Del("Connection")
	}
	_ = up.control.SetReadDeadline(time.Time{})
}

// failed returns the intake's error for a failure to read the body. Nothing more can be
// read from an HTTP/1 connection then, unless the body was too large or damaged, or there was
// no memory for it.
func (up *upload) failed(err error) error {
	if _, known := errors.AsType[*domain.Error](err); known || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrUploadTooLarge) {
		return err
	}
	up.state = uploadAborted
	if up.http1 {
		up.header.Set("Connection", "close")
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrSlow
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return ErrCutShort
	}
	return ErrClientGone
}

// endsUnread says, once the request was served, that the connection ends with its answer
// although bytes of the request may still arrive that nobody reads. net/http ends the
// connection of a client that waits for 100 Continue in vain, and such a client may send its
// body after a while.
func (up *upload) endsUnread() bool {
	return up.http1 && up.state != uploadNone && (up.state == uploadHeld || up.header.Get("Connection") == "close")
}

// answering is called before the answer is written. net/http first reads the rest of a small
// body, for which answering sets a deadline.
func (up *upload) answering() {
	if up.http1 && up.state == uploadWaits {
		_ = up.control.SetReadDeadline(time.Now().Add(up.linger))
	}
}
