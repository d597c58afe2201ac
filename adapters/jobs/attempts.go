package jobs

import (
	"context"
	"sync"
	"time"

	"milaan/ports"
)

// attempts are those that this instance is making at the moment.
type attempts struct {
	mu    sync.Mutex
	made  map[fenced]making
	moved map[ports.JobKind]time.Time // when the last of each kind was begun or ended
}

type making struct {
	kind ports.JobKind
	ctx  context.Context // its end is the end of the lease
}

func newAttempts() *attempts {
	return &attempts{made: map[fenced]making{}, moved: map[ports.JobKind]time.Time{}}
}

// begin notes that an attempt is being made, until end is called.
func (s *attempts) begin(ctx context.Context, a fenced, kind ports.JobKind, now time.Time) (end func(now time.Time)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made[a] = making{kind, ctx}
	s.moved[kind] = now
	return func(now time.Time) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.moved[kind] = now
		delete(s.made, a)
	}
}

// listAlive lists the attempts whose lease is to be renewed. One that goes on although
// its time is over is left out: another instance may have the job.
func (s *attempts) listAlive() []fenced {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []fenced
	for a, making := range s.made {
		if making.ctx.Err() == nil {
			all = append(all, a)
		}
	}
	return all
}

// of returns how many jobs of a kind are being done, and when the last was begun or
// ended.
func (s *attempts) of(kind ports.JobKind) (n int, moved time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, making := range s.made {
		if making.kind == kind {
			n++
		}
	}
	return n, s.moved[kind]
}
