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
	"milaan/domain"
	"milaan/ports"
)

// maxBody is the contract's 25 MB: the largest body that is let in, in bytes.
const maxBody = 25 << 20

// intake takes request bodies in, each into a small buffer, and then into one for
// all of it: a client that announces much and sends next to nothing holds little.
// What it holds, and what is made of it, is charged to the budget.
type intake struct {
	budget  *budget
	turns   turns
	timeout time.Duration             // for the bytes to arrive
	pools   [firstLargePool]sync.Pool // of small buffers
	spares  [poolCount - firstLargePool]spares
}

func newIntake(s Settings, f *figures) *intake {
	in := &intake{budget: newBudget(s, f), turns: newTurns(), timeout: s.BodyTimeout}
	for i := range in.spares {
		in.spares[i].most, in.spares[i].idle = spareBuffers, spareTime
	}
	return in
}

// arrival is a body that has been taken in. Its text is good until free or
// release.
type arrival struct {
	text []byte
	// free gives the buffer back when the text has been read, release also what
	// is charged for the work on it, when the answer is written. The caller must
	// call release; both may be called again.
	free, release func()
	// keep says how many bytes of memory the work has left in use.
	keep func(bytes int64)
}

// read takes in the body of a request of an account, and takes the memory that
// the work on it needs. arrived is called with all that has come so far, again
// and again, and may alter it. Errors: errTooLarge, domain.ErrBusy if there was
// no room in time, errSlowBody, errCutShort, errClientOff.
func (in *intake) read(c *gin.Context, account string, arrived func([]byte)) (arrival, error) {
	ctx, length := c.Request.Context(), c.Request.ContentLength
	if length > maxBody {
		return arrival{}, errTooLarge
	}
	// A body whose length nobody knows is a small one until it is larger.
	expected := bufferSize(length)
	if length < 0 {
		expected = smallBody
	}
	held, err := in.budget.admit(ctx, account, int64(expected))
	if err != nil {
		return arrival{}, err
	}
	u := &uptake{intake: in, ctx: ctx, held: held, length: length, arrived: arrived}
	b := arrival{keep: held.keep}
	b.free = sync.OnceFunc(func() {
		u.drop()
		u.turn.end()
	})
	b.release = sync.OnceFunc(func() {
		b.free()
		held.release()
	})
	whole := false
	defer func() {
		if !whole { // also where arrived has panicked
			b.release()
		}
	}()
	up := uploadOf(c)
	if err := u.start(c, up); err != nil {
		return arrival{}, err
	}
	if err := u.take(c.Request.Body); err != nil {
		return arrival{}, up.failed(c, err)
	}
	u.watched.end()
	up.complete(c)
	if err := u.prepare(); err != nil {
		return arrival{}, err
	}
	whole = true
	b.text = u.buf
	return b, nil
}

// uptake is one body on its way into its buffer.
type uptake struct {
	*intake
	ctx     context.Context
	held    *holding
	length  int64 // negative: nobody knows
	arrived func([]byte)
	pace    bodyPace
	turn    *turn // nil: none taken yet
	buf     []byte

	watched *watch // nil: not watched
}

// piece is how many bytes are read at once at most: they are still in the
// processor's cache when arrived goes through them, and meanwhile the client
// sends on.
const piece = 512 << 10

// start makes the first buffer ready, and tells the client to go on.
func (u *uptake) start(c *gin.Context, up *upload) error {
	first := int64(firstBuffer)
	if u.length >= 0 {
		first = min(first, u.length)
	}
	if err := u.held.begin(u.ctx, int64(bufferSize(first))); err != nil {
		return err
	}
	u.buf = u.get(first)[:0]
	u.pace = newBodyPace(up.control, u.timeout)
	up.begin(c)
	return nil
}

// take reads the body to its end, and one of unknown length to the first byte
// too many.
func (u *uptake) take(body io.Reader) error {
	most := maxBody
	if u.length >= 0 {
		most = int(u.length)
	}
	for u.length < 0 || len(u.buf) < most {
		if len(u.buf) == cap(u.buf) && len(u.buf) < most {
			if err := u.grow(); err != nil {
				return err
			}
		}
		var surplus [1]byte
		room := u.buf[len(u.buf):min(cap(u.buf), len(u.buf)+piece, most)]
		if len(room) == 0 {
			room = surplus[:]
		}
		u.pace.next(len(u.buf))
		n, err := body.Read(room)
		if n > 0 && len(u.buf) == most {
			return errTooLarge
		}
		u.buf = u.buf[:len(u.buf)+n]
		u.turn.moved()
		if u.watched.moved(len(u.buf)) {
			return os.ErrDeadlineExceeded
		}
		switch {
		case err == io.EOF && u.length < 0:
			return nil
		case err != nil && (u.length < 0 || len(u.buf) < most):
			return err
		}
		u.arrived(u.buf)
	}
	return nil
}

// grow gives the body a buffer for all of it. One whose length nobody knows has
// one for a small body first.
func (u *uptake) grow() error {
	size := bufferSize(u.length)
	switch {
	case u.length >= 0:
	case len(u.buf) < smallBody:
		size = smallBody
	default:
		size = maxBody
	}
	reserve := func() error { return u.held.reserve(u.ctx, int64(size)) }
	if isLarge(size) && u.pace.isFast(len(u.buf)) {
		reserve = func() error { return u.reserveInTurn(int64(size)) }
	}
	u.watched.end()
	if err := u.pace.pause(reserve); err != nil {
		return err
	}
	larger := u.get(int64(size))
	larger = larger[:copy(larger[:cap(larger)], u.buf)]
	u.put(u.buf)
	u.buf = larger
	u.watched = watchOver(u.held, u.pace.control, size, len(u.buf))
	return nil
}

// reserveInTurn waits for a turn. Whoever then finds no memory waits for that
// instead, and needs no turn when it is there: so much of it is never free that
// too many would go on at once.
func (u *uptake) reserveInTurn(size int64) (err error) {
	if u.turn, err = u.turns.take(u.ctx, u.held); err != nil {
		return err
	}
	if u.held.tryReserve(size) {
		return nil
	}
	u.turn.end()
	return u.held.reserve(u.ctx, size)
}

// prepare waits for the memory that the work on a body needs. Meanwhile the body
// keeps a turn that it has, for as long as turns last: others would only fill the
// memory. One that has lost its turn needs none any more. Where the most that a
// body of its length can need is free, the body is not gone through for what it
// needs itself.
func (u *uptake) prepare() error {
	u.turn.arrived()
	if u.held.tryCharge(ports.WorkBytes(int64(len(u.buf)))) {
		return nil
	}
	return u.held.charge(u.ctx, ports.WorkBytesFor(u.buf))
}

// drop gives the buffer back.
func (u *uptake) drop() {
	u.watched.end()
	if u.buf != nil {
		u.put(u.buf)
		u.buf = nil
	}
	u.held.shed()
}

// report takes the memory for an answer of an account that is read from the
// database piece by piece, of so many bytes each.
func (in *intake) report(ctx context.Context, account string, bytes int64) (giveBack func(), err error) {
	held, err := in.budget.admit(ctx, account, bytes)
	if err != nil {
		return nil, err
	}
	if err := held.charge(ctx, bytes); err != nil {
		held.release()
		return nil, err
	}
	return held.release, nil
}

// Buffers come in powers of two from 4 KiB to 16 MiB, and of maxBody. Small free
// ones lie in pools that the garbage collector empties; a few of the large ones
// are kept, but not for long after the last large body.
const (
	smallestBits = 12
	largestBits  = 24
	poolCount    = largestBits - smallestBits + 2

	firstLargePool = 23 - smallestBits // 8 MiB and more
	spareBuffers   = 4                 // of each size
	spareTime      = 30 * time.Second
)

// poolOf is the pool whose buffers hold length bytes.
func poolOf(length int64) int {
	return min(max(bits.Len64(uint64(max(length, 1)-1)), smallestBits)-smallestBits, poolCount-1)
}

// isLarge says that buffers of a size are kept as spares.
func isLarge(size int) bool { return poolOf(int64(size)) >= firstLargePool }

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
func (up *upload) begin(c *gin.Context) {
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
// that is merely too large, or for which there is no room, nothing more can be
// read from an HTTP/1 connection.
func (up *upload) failed(c *gin.Context, err error) error {
	if errors.Is(err, errTooLarge) || errors.Is(err, domain.ErrBusy) {
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

// lingerers is from how many connections at once is read like that at most. Those
// beyond may see a reset: what a crowd of refused clients sends is not worth the
// processor's time.
const lingerers = 64

// lingering makes sure that a client sees the refusal of a body that is still
// on its way. If the connection were closed at once, the bytes that nobody read
// would reset it, and a client that sends all before it reads would see the
// reset and not the answer. So the answer goes out first, with Connection:
// close; then what comes is thrown away, for LingerTimeout and 32 MiB at most.
// Clients that read as they send, such as curl, stop at once. A body that waits
// for 100 Continue is not asked for, and HTTP/2 ends the one stream by itself.
//
// It also has every answer written at a pace, and sets the deadline until which
// it must begin.
func (s *Server) lingering(c *gin.Context) {
	up := newUpload(c)
	c.Set(uploadKey, up)
	if s.draining.Load() {
		up.last = true
		c.Header("Connection", "close")
	}
	_ = up.control.SetWriteDeadline(time.Now().Add(2*s.settings.BodyWait + s.settings.BodyTimeout + s.settings.WriteTimeout))
	c.Writer = newPacedWriter(c.Writer, s.settings.WriteTimeout)
	body := c.Request.Body
	c.Next()
	if up.http1 && up.state == uploadWaits && c.Writer.Header().Get("Connection") == "close" {
		c.Writer.Flush()
		defer s.lingers.Add(-1)
		if s.lingers.Add(1) > lingerers {
			return
		}
		_ = up.control.SetReadDeadline(time.Now().Add(s.settings.LingerTimeout))
		_, _ = io.CopyN(io.Discard, body, lingerBytes)
	}
}

// answering is called before the answer is written. net/http reads the rest of a
// small body first, so that has a deadline.
func (up *upload) answering(s Settings) {
	if up.http1 && up.state == uploadWaits {
		_ = up.control.SetReadDeadline(time.Now().Add(s.LingerTimeout))
	}
}
