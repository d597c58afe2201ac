package intake

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// permits lets as many large bodies in at once as there are cores. A body that arrives fast
// has a permit from its first buffer until its files have been read. More of them at a time
// would not finish sooner, and would fill the memory. A body that pauses or takes long
// loses its permit and goes on without, because a few such bodies would else keep all others
// waiting.
type permits struct{ free *gate }

const (
	// permitTime is how long a permit lasts at most.
	permitTime = time.Second
	// permitPause is how long a body may pause before it loses its permit.
	permitPause = 100 * time.Millisecond
)

func newPermits() permits {
	return permits{free: newGate(int64(runtime.GOMAXPROCS(0)))}
}

// permit is the permit of one body. The methods of a nil permit do nothing.
type permit struct {
	release func()
	late    *time.Timer
	still   *time.Timer
}

// take waits for a permit, for as long as the request may wait. The request that came first
// gets the first permit. Errors: domain.ErrBusy if there was none in time, ErrClientGone.
func (p *permits) take(ctx context.Context, h *holding) (*permit, error) {
	if err := h.acquire(ctx, p.free, 1, &h.permitWait); err != nil {
		return nil, err
	}
	taken := &permit{}
	taken.release = sync.OnceFunc(func() { p.free.Release(1) })
	taken.late = time.AfterFunc(permitTime, taken.release)
	taken.still = time.AfterFunc(permitPause, taken.release)
	return taken, nil
}

// moved notes that bytes of the body have arrived.
func (p *permit) moved() {
	if p != nil {
		p.still.Reset(permitPause)
	}
}

// arrived notes that the whole body has arrived, which then may pause.
func (p *permit) arrived() {
	if p != nil {
		p.still.Stop()
	}
}

// end gives the permit back, unless it was lost. It may be called again.
func (p *permit) end() {
	if p != nil {
		p.late.Stop()
		p.still.Stop()
		p.release()
	}
}
