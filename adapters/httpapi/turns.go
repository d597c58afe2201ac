package httpapi

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"milaan/domain"
)

// turns lets in as many large bodies at once as there are cores, from their
// first byte to the moment when their files have been read: more of them would
// finish no sooner, and fill the memory meanwhile. A body that takes long,
// because its client sends slowly, loses its turn and stays, or a few of those
// would keep everybody out.
type turns struct {
	free    *semaphore.Weighted
	wait    time.Duration // for a turn
	figures *figures
}

// turnTime is how long a turn lasts at most.
const turnTime = time.Second

func newTurns(wait time.Duration, f *figures) turns {
	return turns{free: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))), wait: wait, figures: f}
}

// take waits for a turn; whoever came first is served first. Errors:
// domain.ErrBusy if there was none in time, errClientOff.
func (t *turns) take(ctx context.Context) (end func(), err error) {
	if !t.free.TryAcquire(1) {
		t.figures.waiting.Inc()
		defer t.figures.waiting.Dec()
		patient, cancel := context.WithTimeout(ctx, t.wait)
		defer cancel()
		if t.free.Acquire(patient, 1) != nil {
			if ctx.Err() != nil {
				return nil, errClientOff
			}
			return nil, domain.ErrBusy
		}
	}
	pass := sync.OnceFunc(func() { t.free.Release(1) })
	late := time.AfterFunc(turnTime, pass)
	return func() {
		late.Stop()
		pass()
	}, nil
}
