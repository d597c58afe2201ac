package intake

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// turns lets as many large bodies in at once as there are cores. A body that arrives fast
// has a turn from its first buffer until its files have been read. More of them at a time
// would not finish sooner, and would fill the memory. A body that pauses or takes long
// loses its turn and goes on without, because a few such bodies would else keep all others
// waiting.
type turns struct{ free *gate }

const (
	// turnTime is how long a turn lasts at most.
	turnTime = time.Second
	// turnPause is how long a body may pause before it loses its turn.
	turnPause = 100 * time.Millisecond
)

func newTurns() turns {
	return turns{free: newGate(int64(runtime.GOMAXPROCS(0)))}
}

// turn is the turn of one body. The methods of a nil turn do nothing.
type turn struct {
	pass  func()
	late  *time.Timer
	still *time.Timer
}

// take waits for a turn, for as long as the request may wait. The request that came first
// gets the first turn. Errors: domain.ErrBusy if there was none in time, ErrClientGone.
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

// moved notes that bytes of the body have arrived.
func (t *turn) moved() {
	if t != nil {
		t.still.Reset(turnPause)
	}
}

// arrived notes that the whole body has arrived, which then may pause.
func (t *turn) arrived() {
	if t != nil {
		t.still.Stop()
	}
}

// end gives the turn back, unless it was lost. It may be called again.
func (t *turn) end() {
	if t != nil {
		t.late.Stop()
		t.still.Stop()
		t.pass()
	}
}
