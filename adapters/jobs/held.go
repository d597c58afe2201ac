package jobs

import (
	"context"
	"sync"
	"time"

	"milaan/ports"
)

// held is what this copy of the service is doing at the moment.
type held struct {
	mu    sync.Mutex
	jobs  map[attempt]holding
	moved map[ports.JobKind]time.Time // when the last of each kind was begun or ended
}

type holding struct {
	kind ports.JobKind
	ctx  context.Context // its end is the end of the hold
}

func newHeld() *held {
	return &held{jobs: map[attempt]holding{}, moved: map[ports.JobKind]time.Time{}}
}

// take notes that a job is being done, until it is let go.
func (h *held) take(ctx context.Context, a attempt, kind ports.JobKind, now time.Time) (letGo func(now time.Time)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.jobs[a] = holding{kind, ctx}
	h.moved[kind] = now
	return func(now time.Time) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.moved[kind] = now
		delete(h.jobs, a)
	}
}

// alive lists the attempts that are being made. One that goes on although its
// time is over is left out: somebody else may have it.
func (h *held) alive() []attempt {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []attempt
	for a, holding := range h.jobs {
		if holding.ctx.Err() == nil {
			all = append(all, a)
		}
	}
	return all
}

// of says how many jobs of a kind are being done, and when the last was begun or
// ended.
func (h *held) of(kind ports.JobKind) (n int, moved time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, holding := range h.jobs {
		if holding.kind == kind {
			n++
		}
	}
	return n, h.moved[kind]
}
