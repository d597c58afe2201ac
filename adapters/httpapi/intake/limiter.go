package intake

import (
	"context"
	"sync"
	"time"
)

// As many large bodies are let in at once as there are cores. A body that arrives fast
// has a place from its first buffer until its files have been read. More of them at a time
// would not finish sooner, and would fill the memory. A body that pauses or takes long
// loses its place and goes on without, because a few such bodies would keep all others
// waiting.
const (
	// placeTime is how long a place lasts at most.
	placeTime = time.Second
	// placePause is how long a body may pause before it loses its place.
	placePause = 100 * time.Millisecond
)

// place is what one large body has while it is taken in. The methods of a nil place do nothing.
type place struct {
	release func()
	late    *time.Timer
	still   *time.Timer
}

// acquirePlace waits for a place, for as long as the request may wait. The request that came first
// gets the first place. Errors: domain.ErrBusy if there was none in time, ErrClientGone.
func (h *holding) acquirePlace(ctx context.Context, from *gate) (*place, error) {
	if err := h.acquire(ctx, from, 1, &h.placeWait); err != nil {
		return nil, err
	}
	taken := &place{release: sync.OnceFunc(func() { from.Release(1) })}
	taken.late = time.AfterFunc(placeTime, taken.release)
	taken.still = time.AfterFunc(placePause, taken.release)
	return taken, nil
}

// moved notes that bytes of the body have arrived.
func (p *place) moved() {
	if p != nil {
		p.still.Reset(placePause)
	}
}

// arrived notes that the whole body has arrived, which then may pause.
func (p *place) arrived() {
	if p != nil {
		p.still.Stop()
	}
}

// end gives the place back, unless it was lost. It may be called again.
func (p *place) end() {
	if p != nil {
		p.late.Stop()
		p.still.Stop()
		p.release()
	}
}
