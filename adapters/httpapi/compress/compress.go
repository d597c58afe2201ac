// Package compress compresses answers with gzip for the clients that accept it. Of 50,000
// orders an answer has 13 MB, and 1.6 MB when compressed, in 50 ms on one core.
//
// A compressed answer could betray a secret in it by its length, if an attacker chose
// another part of it and saw many of them (BREACH). The answers that are compressed repeat
// no secret: keys and tokens are in no answer but that of POST /generate-api-key, which is
// not compressed.
package compress

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Least is how many bytes an answer must have to be compressed: a smaller one fits a packet
// or two as it is.
const Least = 1 << 10

// Memory is about how many bytes a Writer takes.
const Memory = 900 << 10

// level is the fastest one that compresses well: in the standard library the same level
// takes three times as long, and in this one the next level saves 5 % for 40 % more time.
const level = gzip.BestSpeed

// outBuffer gathers what the compressor writes in pieces of some hundred bytes.
const outBuffer = 32 << 10

// Writer compresses one answer. Close writes the end of it. Whoever has called New must
// call Drop.
type Writer struct {
	gzip *gzip.Writer
	out  *bufio.Writer
}

var free = sync.Pool{New: func() any {
	w := &Writer{out: bufio.NewWriterSize(nil, outBuffer)}
	w.gzip, _ = gzip.NewWriterLevel(w.out, level) // the level is valid
	return w
}}

// New returns a Writer that writes to out.
func New(out io.Writer) *Writer {
	w := free.Get().(*Writer)
	w.out.Reset(out)
	w.gzip.Reset(w.out)
	return w
}

// Write compresses a piece. It returns the errors of out, some of them late.
func (w *Writer) Write(p []byte) (int, error) { return w.gzip.Write(p) }

// Close writes what is left and the end of the answer. Without it a client sees that the
// answer is broken off.
func (w *Writer) Close() error {
	if err := w.gzip.Close(); err != nil {
		return err
	}
	return w.out.Flush()
}

// Drop gives the Writer's memory to the next one.
func (w *Writer) Drop() {
	w.out.Reset(nil)
	free.Put(w)
}

// Accepted says whether an answer to a request is to be compressed: the answer to HEAD has no body.
func Accepted(r *http.Request) bool { return r.Method != http.MethodHead && accepts(r) }

// accepts says whether a request accepts an answer in gzip, and likes it no less than one
// that is not compressed (RFC 9110, section 12.5.3). A weight that cannot be read counts
// as 0.
func accepts(r *http.Request) bool {
	weights := map[string]float64{}
	for _, list := range r.Header.Values("Accept-Encoding") {
		for entry := range strings.SplitSeq(list, ",") {
			name, params, _ := strings.Cut(entry, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if _, given := weights[name]; !given && (name == "gzip" || name == "x-gzip" || name == "*" || name == "identity") {
				weights[name] = weight(params)
			}
		}
	}
	for _, name := range []string{"gzip", "x-gzip", "*"} {
		if of, given := weights[name]; given {
			return of > 0 && of >= weights["identity"]
		}
	}
	return false
}

// weight reads the parameter q, which is 1 if it is not given.
func weight(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(param, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(0 <= q && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}

// Fast returns a text compressed, as a Writer does it.
func Fast(text []byte) []byte {
	var out bytes.Buffer
	w := New(&out)
	defer w.Drop()
	_, _ = w.Write(text) // a Buffer never fails
	_ = w.Close()
	return out.Bytes()
}

// Small returns a text compressed as small as possible, for documents that are sent again
// and again.
func Small(text []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	_, _ = w.Write(text)
	_ = w.Close()
	return out.Bytes()
}
