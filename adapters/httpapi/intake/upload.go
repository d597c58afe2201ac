package intake

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"milaan/domain"
)

// upload is how far the body of a request has come.
type upload struct {
	control *http.ResponseController
	header  http.Header // of the answer
	length  int64       // negative: nobody knows
	linger  time.Duration
	http1   bool
	last    bool // of its connection, whatever becomes of the body
	state   uploadState
}

type uploadState uint8

const (
	uploadNone    uploadState = iota // nothing to read, or all is read
	uploadWaits                      // bytes are on their way that nobody has read yet
	uploadHeld                       // the client waits for 100 Continue before it sends
	uploadAborted                    // the rest will never come
)

// drainedByHTTP is how much of an unread body net/http itself reads before it
// answers.
const drainedByHTTP = 256 << 10

// uploadKey is by what the context of a request knows its upload.
type uploadKey struct{}

func newUpload(w http.ResponseWriter, r *http.Request, last bool, linger time.Duration) *upload {
	up := &upload{control: http.NewResponseController(w), header: w.Header(), length: r.ContentLength, linger: linger, http1: r.ProtoMajor == 1, last: last}
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

// expectRefusal prepares an HTTP/1 connection for an answer that comes before
// the body is read: the answer will be the connection's last, and may be
// written while the client still sends. Up to 256 KiB net/http sees to itself.
func (up *upload) expectRefusal() {
	if up.http1 && (up.length < 0 || up.length > drainedByHTTP) {
		up.header.Set("Connection", "close")
		_ = up.control.EnableFullDuplex() // of HTTP/1 only a test's recorder cannot
	}
}

// begin is called before the first byte is read, which is what makes net/http
// tell the client to go on.
func (up *upload) begin() {
	if up.state == uploadHeld {
		up.state = uploadWaits
		up.expectRefusal()
	}
}

// complete is called when the whole body is there: the connection can go on,
// and its read deadline must not end the work that follows.
func (up *upload) complete() {
	up.state = uploadNone
	if !up.last {
		up.header.Del("Connection")
	}
	_ = up.control.SetReadDeadline(time.Time{})
}

// failed finds the error that a failure to read the body is. But for a body
// that is merely too large, or for which there is no room, nothing more can be
// read from an HTTP/1 connection.
func (up *upload) failed(err error) error {
	if errors.Is(err, ErrTooLarge) || errors.Is(err, domain.ErrBusy) {
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

// lingerBytes is what lingering reads at most from a client that is refused.
const lingerBytes = MaxBody + 7<<20

// lingerers is from how many connections at once is read like that at most. Those
// beyond may see a reset: what a crowd of refused clients sends is not worth the
// processor's time.
const lingerers = 64

// linger throws away what still comes of a body.
func (in *Intake) linger(up *upload, body io.Reader) {
	defer in.lingering.Add(-1)
	if in.lingering.Add(1) > lingerers {
		return
	}
	_ = up.control.SetReadDeadline(time.Now().Add(up.linger))
	_, _ = io.CopyN(io.Discard, body, lingerBytes)
}

// answering is called before the answer is written. net/http reads the rest of a
// small body first, so that has a deadline.
func (up *upload) answering() {
	if up.http1 && up.state == uploadWaits {
		_ = up.control.SetReadDeadline(time.Now().Add(up.linger))
	}
}
