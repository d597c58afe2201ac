package intake

import (
	"io"
	"net"
	"net/http"
	"time"
)

// A client that sends or reads slowly holds a connection and memory for long. So there is
// a rate below which it may not fall.
const (
	// slowestRate is in bytes a second.
	slowestRate = 32 << 10
	// paceGrace is how long a client may be slower.
	paceGrace = 5 * time.Second
)

// timeFor returns how long the given number of bytes take at the slowest rate; at least paceGrace.
func timeFor(bytes int) time.Duration {
	return max(paceGrace, time.Duration(bytes)*time.Second/slowestRate)
}

// bodyPace sets the deadline of a body: the time at which its average rate would fall below
// the slowest rate. Only the time in which the service waits for the client counts, not that
// in which it unpacks or hashes what has come, or makes the body wait for memory.
type bodyPace struct {
	control *http.ResponseController
	waited  time.Duration
	most    time.Duration // for the whole body
	short   int           // reads that found less than they asked for
}

// read reads the next bytes of the connection's body. arrived is how many have arrived.
func (p *bodyPace) read(from io.Reader, into []byte, arrived int) (int, error) {
	began := time.Now()
	_ = p.control.SetReadDeadline(began.Add(min(timeFor(arrived), p.most) - p.waited))
	n, err := from.Read(into)
	p.waited += time.Since(began)
	return n, err
}

// stop ends the deadline before the body waits for memory: HTTP/2 would end a body whose deadline passes.
func (p *bodyPace) stop() { _ = p.control.SetReadDeadline(time.Time{}) }

// isFast says whether the given number of bytes have arrived so fast that the rest will soon be here as
// well. While the cores are busy, reading takes long although all bytes are there. So they may take longer
// if at most one read, that of what came with the header, found less than it asked for.
func (p *bodyPace) isFast(arrived int) bool {
	if p.short <= 1 {
		arrived *= busyFactor
	}
	return time.Duration(arrived)*time.Second >= p.waited*fastRate
}

// fastRate is in bytes a second. busyFactor is how many times as long bytes may take while the cores
// are busy.
const (
	fastRate   = 4 << 20
	busyFactor = 8
)

// pacedPiece is how many bytes of an answer are written at once at most. Each piece has a
// deadline of its own.
const pacedPiece = 256 << 10

// sendBuffer is the size of a connection's send buffer that the service asks the system
// for, in bytes; Linux makes it twice as large. By default Linux would let it grow to some
// megabytes, and would wake a waiting writer only when a third of it is free. A client
// that reads at the slowest rate would not have read so much before the deadline.
const sendBuffer = 512 << 10

// boundSendBuffer sets the send buffer of a new connection, if it has one.
func boundSendBuffer(conn net.Conn) {
	if tcp, ok := conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = tcp.SetWriteBuffer(sendBuffer)
	}
}

// timeForPiece returns how long it may take to write a piece of the given number of bytes to a client
// at the slowest rate, whose send buffer may be full.
func timeForPiece(bytes int) time.Duration {
	return paceGrace + time.Duration(bytes+2*sendBuffer/3)*time.Second/slowestRate
}

// pacedWriter sets a deadline for every piece of an answer: the time that it takes at the
// slowest rate. The whole answer also has a deadline, which is moved for as long as the
// client is not slower than that on average. Bytes in the client's window and in the
// buffers of the system count as taken.
type pacedWriter struct {
	http.ResponseWriter
	upload *upload
	most   time.Duration // for the whole answer
	begun  time.Time     // zero before its first byte
	taken  int           // bytes
}

// Unwrap lets http.ResponseController find the connection.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush makes it an http.Flusher, which gin asks for.
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
