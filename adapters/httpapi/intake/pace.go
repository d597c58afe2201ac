package intake

import (
	"net"
	"net/http"
	"time"
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

// sendBuffer is how many bytes of an answer the system is told to keep for a
// connection; Linux takes it for twice as many. Left to itself, Linux lets it grow
// to some megabytes, and wakes a writer who waits only once a third of it is free:
// a client whose rate is honest would not have taken that in time.
const sendBuffer = 512 << 10

// boundSendBuffer is for connections just accepted. One that has no such buffer
// stays as it is.
func boundSendBuffer(conn net.Conn) {
	if tcp, ok := conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = tcp.SetWriteBuffer(sendBuffer)
	}
}

// timeForPiece is how long a client at the slowest rate may take until a piece of
// so many bytes is written to its connection, which may be full.
func timeForPiece(bytes int) time.Duration {
	return paceGrace + time.Duration(bytes+2*sendBuffer/3)*time.Second/slowestRate
}

// pacedWriter gives every piece of an answer the time in which the client must
// take it at the slowest rate. The whole answer has a time of its own, or longer
// for as long as the client is no slower than that on average. What is in the
// client's window and in the buffers of the system counts as taken.
type pacedWriter struct {
	http.ResponseWriter
	upload *upload
	most   time.Duration // for the whole answer
	begun  time.Time     // zero before its first byte
	taken  int           // bytes
}

// Unwrap is for http.ResponseController.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush is for those who ask for an http.Flusher, as gin does.
func (w *pacedWriter) Flush() { _ = w.upload.control.Flush() }

func (w *pacedWriter) WriteHeader(status int) {
	w.upload.answering()
	w.ResponseWriter.WriteHeader(status)
}

func (w *pacedWriter) Write(p []byte) (written int, err error) {
	for {
		part := p[written:min(len(p), written+pacedPiece)]
		w.giveTime(len(part))
		n, err := w.ResponseWriter.Write(part)
		w.taken += n
		if written += n; err != nil || written == len(p) {
			return written, err
		}
	}
}

func (w *pacedWriter) giveTime(bytes int) {
	now, piece := time.Now(), timeForPiece(bytes)
	if w.begun.IsZero() {
		w.begun = now
	}
	deadline := now.Add(piece)
	if end := w.begun.Add(max(w.most, timeFor(w.taken)+piece)); deadline.After(end) {
		deadline = end
	}
	_ = w.upload.control.SetWriteDeadline(deadline)
}
