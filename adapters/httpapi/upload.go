package httpapi

import (
	"context"
	"errors"
	"io"
	"math/bits"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/semaphore"

	"milaan/domain"
)

// maxBody is the contract's 25 MB: the largest body that is let in, in bytes.
const maxBody = 25 << 20

// intake takes request bodies in, each into one buffer, and bounds the memory
// of all that are in flight, from before the first byte arrives until the answer
// is written. The memory is counted in whole buffers: a body takes the next
// power of two, one of unknown length as much as the largest.
//
// Whoever sends slowly holds memory for long, so nobody may hold all of it: an
// account has half of it at most, and an eighth is set aside for small bodies.
type intake struct {
	small, large *semaphore.Weighted
	share        int64 // of large, that one account may hold
	turns        turns
	wait         time.Duration // for room
	timeout      time.Duration // for the bytes to arrive
	figures      *figures
	pools        [firstLargePool]sync.Pool // of small buffers
	spares       [poolCount - firstLargePool]spares

	mu       sync.Mutex
	accounts map[string]*allowance // of those with bodies in flight
}

// allowance is what one account holds of the memory.
type allowance struct {
	memory *semaphore.Weighted
	bodies int // in flight or waiting
}

// smallBody is up to how many bytes a body is small.
const smallBody = 1 << 20

func newIntake(s Settings, f *figures) *intake {
	small := s.BodyMemory / 8
	large := max(s.BodyMemory-small, maxBody)
	in := &intake{
		small: semaphore.NewWeighted(max(small, smallBody)), large: semaphore.NewWeighted(large), share: max(large/2, maxBody),
		turns: newTurns(s.BodyWait, f),
		wait:  s.BodyWait, timeout: s.BodyTimeout, figures: f, accounts: map[string]*allowance{},
	}
	for i := range in.spares {
		in.spares[i].most, in.spares[i].idle = spareBuffers, spareTime
	}
	return in
}

// arrival is a body that has been taken in. Its text is good until free or release.
type arrival struct {
	text []byte
	// free gives the buffer back when the text has been read, release also its
	// place in the memory that all bodies share, when the answer is written.
	// The caller must call release; both may be called again.
	free, release func()
}

// read takes in the body of a request of an account. arrived is called with all
// that has come so far, again and again, and may alter it. Errors: errTooLarge,
// domain.ErrBusy if there was no room in time, errSlowBody, errCutShort,
// errClientOff.
func (in *intake) read(c *gin.Context, account string, arrived func([]byte)) (b arrival, err error) {
	length := c.Request.ContentLength
	if length > maxBody {
		return arrival{}, errTooLarge
	}
	size := bufferSize(length)
	if length < 0 {
		size = maxBody
	}
	giveBack, err := in.reserve(c.Request.Context(), account, int64(size))
	if err != nil {
		return arrival{}, err
	}
	endTurn := func() {}
	if poolOf(int64(size)) >= firstLargePool {
		endTurn, err = in.turns.take(c.Request.Context())
	}
	if err != nil {
		giveBack()
		return arrival{}, err
	}
	in.figures.bodyBytes.Add(float64(size))
	var buf []byte
	b.free = sync.OnceFunc(func() {
		in.put(buf)
		endTurn()
	})
	b.release = sync.OnceFunc(func() {
		b.free()
		in.figures.bodyBytes.Sub(float64(size))
		giveBack()
	})

	up := uploadOf(c)
	up.begin(c, time.Now().Add(in.timeout))
	if length >= 0 {
		buf = in.get(length)[:length]
		err = readFull(c.Request.Body, buf, arrived)
	} else {
		buf, err = in.readAll(c.Request.Body, arrived)
	}
	if err != nil {
		b.release()
		return arrival{}, up.failed(c, err)
	}
	up.complete(c)
	b.text = buf
	return b, nil
}

// reserve waits for its turn: first among the account's own bodies, so that an
// account at its share keeps nobody else waiting, then among all. Whoever came
// first is served first.
func (in *intake) reserve(ctx context.Context, account string, size int64) (giveBack func(), err error) {
	lane := in.large
	if size <= smallBody {
		lane = in.small
	}
	own, leave := in.allowanceOf(account)
	size = min(size, in.share)
	if own.TryAcquire(size) {
		if lane.TryAcquire(size) {
			return func() { lane.Release(size); own.Release(size); leave() }, nil
		}
		own.Release(size)
	}
	in.figures.waiting.Inc()
	defer in.figures.waiting.Dec()
	patient, cancel := context.WithTimeout(ctx, in.wait)
	defer cancel()
	if err = own.Acquire(patient, size); err == nil {
		if err = lane.Acquire(patient, size); err == nil {
			return func() { lane.Release(size); own.Release(size); leave() }, nil
		}
		own.Release(size)
	}
	leave()
	if ctx.Err() != nil {
		return nil, errClientOff
	}
	return nil, domain.ErrBusy
}

// allowanceOf is what bounds the account's bodies. It is forgotten when the last
// of them leaves.
func (in *intake) allowanceOf(account string) (memory *semaphore.Weighted, leave func()) {
	in.mu.Lock()
	defer in.mu.Unlock()
	a := in.accounts[account]
	if a == nil {
		a = &allowance{memory: semaphore.NewWeighted(in.share)}
		in.accounts[account] = a
	}
	a.bodies++
	return a.memory, func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		if a.bodies--; a.bodies == 0 {
			delete(in.accounts, account)
		}
	}
}

// piece is how many bytes are read at once at most: they are still in the
// processor's cache when arrived goes through them, and meanwhile the client
// sends on.
const piece = 512 << 10

// readFull reads a body of known length.
func readFull(body io.Reader, buf []byte, arrived func([]byte)) error {
	for at := 0; at < len(buf); {
		n, err := body.Read(buf[at:min(at+piece, len(buf))])
		if at += n; at < len(buf) && err != nil {
			return err
		}
		arrived(buf[:at])
	}
	return nil
}

// readAll reads a body of unknown length and stops at the first byte too many.
func (in *intake) readAll(body io.Reader, arrived func([]byte)) (buf []byte, err error) {
	buf = in.get(firstBuffer)[:0]
	for {
		if len(buf) == cap(buf) && len(buf) < maxBody {
			larger := in.get(int64(len(buf)) + 1)
			larger = larger[:copy(larger[:cap(larger)], buf)]
			in.put(buf)
			buf = larger
		}
		room := buf[len(buf):cap(buf)]
		var surplus [1]byte
		if room = room[:min(len(room), piece)]; len(room) == 0 {
			room = surplus[:]
		}
		n, err := body.Read(room)
		if n > 0 && len(buf) == maxBody {
			return buf, errTooLarge
		}
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		arrived(buf)
	}
}

// Buffers come in powers of two from 4 KiB to 16 MiB, and of maxBody. Small free
// ones lie in pools that the garbage collector empties; a few of the large ones
// are kept, but not for long after the last large body.
const (
	smallestBits = 12
	largestBits  = 24
	poolCount    = largestBits - smallestBits + 2
	firstBuffer  = 64 << 10

	firstLargePool = 23 - smallestBits // 8 MiB and more
	spareBuffers   = 4                 // of each size
	spareTime      = 30 * time.Second
)

// poolOf is the pool whose buffers hold length bytes.
func poolOf(length int64) int {
	return min(max(bits.Len64(uint64(max(length, 1)-1)), smallestBits)-smallestBits, poolCount-1)
}

// bufferSize is the size of the buffer that holds length bytes.
func bufferSize(length int64) int {
	pool := poolOf(length)
	if pool == poolCount-1 {
		return maxBody
	}
	return 1 << (pool + smallestBits)
}

func (in *intake) get(length int64) []byte {
	pool := poolOf(length)
	if pool >= firstLargePool {
		if b := in.spares[pool-firstLargePool].get(); b != nil {
			return b
		}
	} else if b, ok := in.pools[pool].Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, bufferSize(length))
}

func (in *intake) put(buf []byte) {
	buf = buf[:cap(buf)]
	if pool := poolOf(int64(len(buf))); pool >= firstLargePool {
		in.spares[pool-firstLargePool].put(buf)
	} else {
		in.pools[pool].Put(&buf)
	}
}

// upload is how far the body of a request has come.
type upload struct {
	control *http.ResponseController
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

const uploadKey = "upload"

func uploadOf(c *gin.Context) *upload { return c.MustGet(uploadKey).(*upload) }

func newUpload(c *gin.Context) *upload {
	up := &upload{control: http.NewResponseController(c.Writer), http1: c.Request.ProtoMajor == 1}
	switch {
	case c.Request.ContentLength == 0:
	case c.GetHeader("Expect") != "":
		up.state = uploadHeld
	default:
		up.state = uploadWaits
		up.expectRefusal(c)
	}
	return up
}

// expectRefusal prepares an HTTP/1 connection for an answer that comes before
// the body is read: the answer will be the connection's last, and may be
// written while the client still sends. Up to 256 KiB net/http sees to itself.
func (up *upload) expectRefusal(c *gin.Context) {
	if up.http1 && (c.Request.ContentLength < 0 || c.Request.ContentLength > drainedByHTTP) {
		c.Header("Connection", "close")
		_ = up.control.EnableFullDuplex() // of HTTP/1 only a test's recorder cannot
	}
}

// begin is called before the first byte is read, which is what makes net/http
// tell the client to go on.
func (up *upload) begin(c *gin.Context, deadline time.Time) {
	_ = up.control.SetReadDeadline(deadline)
	if up.state == uploadHeld {
		up.state = uploadWaits
		up.expectRefusal(c)
	}
}

// complete is called when the whole body is there: the connection can go on,
// and its read deadline must not end the work that follows.
func (up *upload) complete(c *gin.Context) {
	up.state = uploadNone
	if !up.last {
		c.Writer.Header().Del("Connection")
	}
	_ = up.control.SetReadDeadline(time.Time{})
}

// failed finds the error that a failure to read the body is. But for a body
// that is merely too large, nothing more can be read from an HTTP/1 connection.
func (up *upload) failed(c *gin.Context, err error) error {
	if errors.Is(err, errTooLarge) {
		return err
	}
	up.state = uploadAborted
	if up.http1 {
		c.Header("Connection", "close")
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlowBody
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errCutShort
	}
	return errClientOff
}

// lingerBytes is what lingering reads at most from a client that is refused.
const lingerBytes = maxBody + 7<<20

// lingering makes sure that a client sees the refusal of a body that is still
// on its way. If the connection were closed at once, the bytes that nobody read
// would reset it, and a client that sends all before it reads would see the
// reset and not the answer. So the answer goes out first, with Connection:
// close; then what comes is thrown away, for LingerTimeout and 32 MiB at most.
// Clients that read as they send, such as curl, stop at once. A body that waits
// for 100 Continue is not asked for, and HTTP/2 ends the one stream by itself.
//
// It also sets a deadline for every answer that nobody gives a nearer one.
func (s *Server) lingering(c *gin.Context) {
	up := newUpload(c)
	c.Set(uploadKey, up)
	if s.draining.Load() {
		up.last = true
		c.Header("Connection", "close")
	}
	_ = up.control.SetWriteDeadline(time.Now().Add(2*s.settings.BodyWait + s.settings.BodyTimeout + s.settings.WriteTimeout))
	body := c.Request.Body
	c.Next()
	if up.http1 && up.state == uploadWaits && c.Writer.Header().Get("Connection") == "close" {
		c.Writer.Flush()
		_ = up.control.SetReadDeadline(time.Now().Add(s.settings.LingerTimeout))
		_, _ = io.CopyN(io.Discard, body, lingerBytes)
	}
}

// answering gives the answer its time, from now on. net/http reads the rest of a small body
// before it answers, so that has a deadline too.
func (up *upload) answering(s Settings) {
	now := time.Now()
	_ = up.control.SetWriteDeadline(now.Add(s.WriteTimeout))
	if up.http1 && up.state == uploadWaits {
		_ = up.control.SetReadDeadline(now.Add(s.LingerTimeout))
	}
}
