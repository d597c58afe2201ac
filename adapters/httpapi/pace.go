package httpapi

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// Who sends or reads slowly holds a connection and memory for long, so there is
// a rate below which nobody may fall.
const (
	// slowestRate is in bytes a second.
	slowestRate = 32 << 10
	// paceGrace is how long a client may be slower.
	paceGrace = 5 * time.Second
)

// timeFor is how long so many bytes take at the slowest rate, and paceGrace for
// those that take less.
func timeFor(bytes int) time.Duration {
	return max(paceGrace, time.Duration(bytes)*time.Second/slowestRate)
}

// bodyPace gives a body the deadline at which it would fall below the slowest
// rate, on average since it began. The time that it waits for us does not count.
type bodyPace struct {
	control *http.ResponseController
	begun   time.Time
	most    time.Duration // for the whole body
	set     time.Time     // deadline that the connection has now; zero: none
}

func newBodyPace(control *http.ResponseController, most time.Duration) bodyPace {
	return bodyPace{control: control, begun: time.Now(), most: most}
}

// next sets the deadline for the next byte of a body of which so many have
// arrived.
func (p *bodyPace) next(arrived int) {
	if deadline := p.begun.Add(min(timeFor(arrived), p.most)); !deadline.Equal(p.set) {
		p.set = deadline
		_ = p.control.SetReadDeadline(deadline)
	}
}

// isFast says that so many bytes came at such a rate that the rest will soon be
// there as well.
func (p *bodyPace) isFast(arrived int) bool {
	return time.Duration(arrived)*time.Second >= time.Since(p.begun)*fastRate
}

// fastRate is in bytes a second.
const fastRate = 4 << 20

// pause stops the clock while do waits for something of ours, if it has to wait
// at all. HTTP/2 would end a body whose deadline passes meanwhile.
func (p *bodyPace) pause(do func() error) error {
	began := time.Now()
	p.set = time.Time{}
	_ = p.control.SetReadDeadline(time.Time{})
	err := do()
	p.begun = p.begun.Add(time.Since(began))
	return err
}

// pacedPiece is how many bytes of an answer are written at once at most: the
// pace of a client shows after each.
const pacedPiece = 256 << 10

// pacedWriter gives every piece of an answer the time in which the client must
// take it at the slowest rate, and the whole answer its own. What is in the
// client's window and in the buffers of the system counts as taken.
type pacedWriter struct {
	gin.ResponseWriter
	control *http.ResponseController
	most    time.Duration // for the whole answer
	end     time.Time     // of it; zero before its first byte
}

func newPacedWriter(w gin.ResponseWriter, most time.Duration) *pacedWriter {
	return &pacedWriter{ResponseWriter: w, control: http.NewResponseController(w), most: most}
}

// Unwrap is for http.ResponseController.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *pacedWriter) Write(p []byte) (written int, err error) {
	for {
		part := p[written:min(len(p), written+pacedPiece)]
		w.giveTime(len(part))
		n, err := w.ResponseWriter.Write(part)
		if written += n; err != nil || written == len(p) {
			return written, err
		}
	}
}

// WriteString is for gin's own answers.
func (w *pacedWriter) WriteString(s string) (int, error) {
	w.giveTime(len(s))
	return w.ResponseWriter.WriteString(s)
}

func (w *pacedWriter) giveTime(bytes int) {
	now := time.Now()
	if w.end.IsZero() {
		w.end = now.Add(w.most)
	}
	deadline := now.Add(timeFor(bytes))
	if deadline.After(w.end) {
		deadline = w.end
	}
	_ = w.control.SetWriteDeadline(deadline)
}
