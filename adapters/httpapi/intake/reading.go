package intake

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"milaan/ports"
)

// MaxBody is the largest body of the API, in bytes: the contract's 25 MB. MaxUpload is the
// largest body that ReadUpload reads.
const (
	MaxBody   = 25 << 20
	MaxUpload = 64 << 20
)

// Arrival is a body that has arrived whole. Its text is valid until Free or Release.
type Arrival struct {
	Text []byte
	// Free gives the buffer back; it is for when the text has been read. Release also
	// gives back what is charged for the work on it; it is for when the answer is
	// written. The caller must call Release. Both may be called again.
	Free, Release func()
	// Keep gives back what is charged for the work but for the given number of bytes, which are still
	// in use.
	Keep func(bytes int64)
	// Claim is called before the workbooks of the body take the given number of further bytes of memory. It
	// may wait. Errors: domain.ErrBusy.
	Claim func(bytes int64) error
	// Charge charges what the work takes, if that is more than what is charged for it, which it gives back first. It may
	// wait. Errors: domain.ErrBusy, ErrClientGone.
	Charge func(bytes int64) error
	// WithPlace calls write once fewer documents are being written than there are cores, and
	// as much memory as bytes says is free, which it takes. The request that came first goes
	// first. WithPlace waits for as long as the request may still wait. Errors: those of write,
	// domain.ErrBusy, ErrClientGone.
	WithPlace func(bytes int64, write func() error) error
}

// Read reads the body of a request of an account, and reserves the memory that the work on
// it needs. The request must have come through Handler. The body is read into a small
// buffer first, and then into one for its whole length, so that a client that announces a
// large body and sends little of it holds little memory. arrived is called again and again
// with all that has arrived so far, and may change it. Errors: ErrTooLarge,
// domain.ErrBusy, ErrSlow, ErrCutShort, ErrClientGone.
func (in *Intake) Read(r *http.Request, account string, arrived func([]byte)) (Arrival, error) {
	return in.ReadRun(r, account, arrived, func([]byte) ports.WorkbookMemory { return ports.WorkbookMemory{} })
}

// ReadRun is Read for a body that may have files whose work shows only once they are there; work is as that of
// ReadFiles.
func (in *Intake) ReadRun(
	r *http.Request, account string, arrived func([]byte), work func(body []byte) ports.WorkbookMemory,
) (Arrival, error) {
	return in.read(r, account, &uptake{arrived: arrived, work: work})
}

// ReadFiles is Read for a body with files as programs write them. work is called once with the
// whole body, and returns the work on it if a file of it may be a workbook or is a ledger, else nothing. The
// text of a workbook may be larger than the body, which shows only when it is read: then
// Arrival.Claim charges it. An account has one body with workbooks at a time, until Free. A
// body without a workbook is charged as by Read.
func (in *Intake) ReadFiles(r *http.Request, account string, work func(body []byte) ports.WorkbookMemory) (Arrival, error) {
	return in.ReadRun(r, account, func([]byte) {}, work)
}

// ReadBatch is Read for a batch, which is charged for what it takes to store it. An account has
// one at a time.
func (in *Intake) ReadBatch(r *http.Request, account string) (Arrival, error) {
	return in.ReadFiles(r, account, func(body []byte) ports.WorkbookMemory {
		bytes := ports.BatchBytes(int64(len(body)))
		return ports.WorkbookMemory{Bytes: bytes, Allotted: bytes, Most: bytes}
	})
}

// ReadUpload is ReadFiles for a body of at most MaxUpload bytes. A body that is larger than
// MaxBody is charged in a lane of its own, and has as much more time to arrive as it is
// larger. It returns ErrUploadTooLarge in place of ErrTooLarge.
func (in *Intake) ReadUpload(r *http.Request, account string, work func(body []byte) ports.WorkbookMemory) (Arrival, error) {
	return in.read(r, account, &uptake{uploads: true, arrived: func([]byte) {}, work: work})
}

// read reads a body as u says, in which only the fields about the body are set.
func (in *Intake) read(r *http.Request, account string, u *uptake) (Arrival, error) {
	ctx, length := r.Context(), r.ContentLength
	if length > u.most() {
		return Arrival{}, u.tooLarge()
	}
	// A body of unknown length counts as small until it is larger.
	expected := bufferSize(length)
	if length < 0 {
		expected = smallBody
	}
	held, err := in.budget.admit(ctx, account, int64(expected))
	if err != nil {
		return Arrival{}, err
	}
	up := ctx.Value(uploadKey{}).(*upload)
	u.Intake, u.upload, u.ctx, u.held, u.length = in, up, ctx, held, length
	charge := func(bytes int64) error {
		if bytes <= held.ofInstance {
			return nil
		}
		return held.recharge(ctx, bytes)
	}
	b := Arrival{Keep: held.keep, Claim: func(bytes int64) error { return held.claim(ctx, bytes) }, Charge: charge,
		WithPlace: func(bytes int64, write func() error) error {
			if err := held.acquire(ctx, in.writing, 1, &held.placeWait); err != nil {
				return err
			}
			defer in.writing.Release(1)
			if err := charge(bytes); err != nil {
				return err
			}
			return write()
		}}
	b.Free = sync.OnceFunc(func() {
		b.Text = nil // which Release has until the answer is written
		u.drop()
		held.endReading()
		u.place.end()
	})
	b.Release = sync.OnceFunc(func() {
		b.Free()
		held.release()
	})
	whole := false
	defer func() {
		if !whole { // also where arrived has panicked
			b.Release()
		}
	}()
	if err := u.start(); err != nil {
		return Arrival{}, err
	}
	if err := u.take(r.Body); err != nil {
		return Arrival{}, up.failed(err)
	}
	u.watched.end()
	up.complete()
	if err := u.prepare(); err != nil {
		return Arrival{}, err
	}
	whole = true
	b.Text = u.buf
	return b, nil
}

// uptake is one body on its way into its buffer.
type uptake struct {
	*Intake
	upload  *upload
	ctx     context.Context
	held    *holding
	length  int64 // negative: unknown
	arrived func([]byte)
	uploads bool // the body may have MaxUpload bytes
	pace    bodyPace
	place   *place // nil: none taken yet
	buf     []byte

	work func([]byte) ports.WorkbookMemory

	watched *watch // nil: not watched
}

// piece is how many bytes are read at once at most. They are still in the processor's cache
// when arrived goes through them, and the client sends the next ones meanwhile.
const piece = 512 << 10

// start reserves the first buffer, and tells the client to send.
func (u *uptake) start() error {
	first := int64(firstBuffer)
	if u.length >= 0 {
		first = min(first, u.length)
	}
	if err := u.held.begin(u.ctx, int64(bufferSize(first))); err != nil {
		return err
	}
	u.buf = u.buffers.get(first)[:0]
	u.pace = bodyPace{control: u.upload.control, most: u.time()}
	if u.length > MaxBody {
		u.upload.expectLater(u.time() - u.settings.BodyTimeout)
	}
	u.upload.begin()
	return nil
}

// most is how many bytes the body may have.
func (u *uptake) most() int64 {
	if u.uploads {
		return MaxUpload
	}
	return MaxBody
}

func (u *uptake) tooLarge() error {
	if u.uploads {
		return ErrUploadTooLarge
	}
	return ErrTooLarge
}

// time is how long the whole body may take to arrive. A body of unknown length has the time
// of one of MaxBody.
func (u *uptake) time() time.Duration {
	return time.Duration(float64(u.settings.BodyTimeout) * float64(max(u.length, MaxBody)) / MaxBody)
}

// take reads the body to its end. A body of unknown length may be too large: take then
// reads one byte more than it may have.
func (u *uptake) take(body io.Reader) error {
	most := int(u.most())
	if u.length >= 0 {
		most = int(u.length)
	}
	read := func(room []byte) (int, error) { return u.pace.read(body, room, len(u.buf)) }
	// What a body unpacks to costs its client nothing, so the bytes that came give it time.
	if packed, is := body.(interface {
		ReadBy(read func(from io.Reader, into []byte, arrived int) (int, error), charge func(bytes int64) (giveBack func(), err error))
	}); is {
		packed.ReadBy(u.pace.read, u.chargeUnpacking)
		read = body.Read
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
		n, err := read(room)
		if n < len(room) {
			u.pace.short++
		}
		if n > 0 && len(u.buf) == most {
			return u.tooLarge()
		}
		u.buf = u.buf[:len(u.buf)+n]
		u.place.moved()
		if u.watched.moved(len(u.buf)) {
			return os.ErrDeadlineExceeded
		}
		switch {
		case errors.Is(err, io.EOF) && u.length < 0:
			return nil
		case err != nil && (u.length < 0 || len(u.buf) < most):
			return err
		}
		u.arrived(u.buf)
	}
	return nil
}

// grow gives the body a buffer for its whole length; if that is unknown, one for a small
// body first, then one of MaxBody, and then one of MaxUpload.
func (u *uptake) grow() error {
	size := bufferSize(u.length)
	switch {
	case u.length >= 0:
	case len(u.buf) < smallBody:
		size = smallBody
	case len(u.buf) < MaxBody:
		size = MaxBody
	default:
		size = MaxUpload
	}
	reserve := func() error { return u.held.reserve(u.ctx, int64(size), true) }
	if isLarge(size) && u.pace.isFast(len(u.buf)) {
		reserve = func() error { return u.reserveWithPlace(int64(size)) }
	}
	u.watched.end()
	u.pace.stop()
	if err := reserve(); err != nil {
		return err
	}
	larger := u.buffers.get(int64(size))
	larger = larger[:copy(larger[:cap(larger)], u.buf)]
	u.buffers.put(u.buf)
	u.buf = larger
	u.watched = watchOver(u.held, u.pace.control, size, len(u.buf))
	return nil
}

// chargeUnpacking charges what unpacking the body takes besides its buffer.
func (u *uptake) chargeUnpacking(bytes int64) (giveBack func(), err error) {
	u.pace.stop()
	return u.held.chargeUnpacking(u.ctx, bytes)
}

// reserveWithPlace waits for a place, and then reserves memory. If none is free, the body gives
// its place back and waits for memory alone: never so much memory becomes free at once that
// too many bodies would go on.
func (u *uptake) reserveWithPlace(size int64) (err error) {
	if u.place, err = u.held.acquirePlace(u.ctx, u.large); err != nil {
		return err
	}
	if u.held.reserve(u.ctx, size, false) == nil {
		return nil
	}
	u.place.end()
	return u.held.reserve(u.ctx, size, true)
}

// prepare waits for the memory that the work on the body needs. Meanwhile the body keeps
// its place, for as long as places last, because others would only fill the memory. If it has
// lost its place, it needs none any more. prepare first tries to reserve the most that a
// body of this length can need; only if that is not free it counts what this body needs.
func (u *uptake) prepare() error {
	u.place.arrived()
	if w := u.work(u.buf); w.Most > 0 {
		return u.held.allot(u.ctx, w)
	}
	if u.held.charge(u.ctx, ports.WorkBytes(int64(len(u.buf))), false) == nil {
		return nil
	}
	return u.held.charge(u.ctx, ports.WorkBytesFor(u.buf), true)
}

// drop gives the buffer back.
func (u *uptake) drop() {
	u.watched.end()
	if u.buf != nil {
		u.buffers.put(u.buf)
		u.buf = nil
	}
	u.held.shed()
}

// Reserve reserves memory for an answer that is read from the database in pieces of at most
// MaxBody bytes each, for an account. Errors: domain.ErrBusy, ErrClientGone.
func (in *Intake) Reserve(ctx context.Context, account string) (giveBack func(), err error) {
	held, err := in.budget.admit(ctx, account, MaxBody)
	if err != nil {
		return nil, err
	}
	if err := held.charge(ctx, MaxBody, true); err != nil {
		held.release()
		return nil, err
	}
	return held.release, nil
}
