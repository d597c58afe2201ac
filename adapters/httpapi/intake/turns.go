package intake

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// turns lets in as many large bodies at once as there are cores, from when they
// are known to come fast to the moment when their files have been read: more of
// them would finish no sooner, and fill the memory meanwhile. A body that pauses
// or takes long loses its turn and stays, or a few of those would keep everybody
// out.
type turns struct{ free *gate }

const (
	// turnTime is how long a turn lasts at most.
	turnTime = time.Second
	// turnPause is how long a body may pause without losing it.
	turnPause = 100 * time.Millisecond
)

func newTurns() turns {
	return turns{free: newGate(int64(runtime.GOMAXPROCS(0)))}
}

// turn is one of them. A nil one is none: its methods do nothing.
type turn struct {
	pass  func()
	late  *time.Timer
	still *time.Timer
}

// take waits for a turn, for as long as the request may wait; whoever came first
// is served first. Errors: domain.ErrBusy if there was none in time, ErrClientGone.
func (t *turns) take(ctx context.Context, h *holding) (*turn, error) {
	if err := h.acquire(ctx, t.free, 1, &h.inTurn); err != nil {
		return nil, err
	}
	taken := &turn{}
	taken.pass = sync.OnceFunc(func() { t.free.Release(1) })
	taken.late = time.AfterFunc(turnTime, taken.pass)
	taken.still = time.AfterFunc(turnPause, taken.pass)
	return taken, nil
}

// moved says that some of the body has come.
func (t *turn) moved() {
	if t != nil {
		t.still.Reset(turnPause)
	}
}

// arrived says that the body is there.
func (t *turn) arrived() {
	if t != nil {
		t.still.Stop()
	}
}

// end gives the turn back, if it was not lost. It may be called again.
func (t *turn) end() {
	if t != nil {
		t.late.Stop()
		t.still.Stop()
		t.pass()
	}
}
