package httpapi

import (
	"sync"
	"time"
)

// spares keeps a few free buffers of one size for a while. A sync.Pool would let
// go of them at every second garbage collection, and making a new one costs the
// time to clear 25 MB and the memory of the old one until the next.
type spares struct {
	most int           // buffers
	idle time.Duration // after which a buffer is given back to the system

	mu   sync.Mutex
	free []spare
}

type spare struct {
	buf   []byte
	since time.Time
}

// get takes the buffer that was put back last; nil if there is none.
func (s *spares) get() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	if last < 0 {
		return nil
	}
	buf := s.free[last].buf
	s.free[last] = spare{}
	s.free = s.free[:last]
	return buf
}

// put keeps a buffer, unless there are enough.
func (s *spares) put(buf []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == s.most {
		return
	}
	s.free = append(s.free, spare{buf: buf, since: time.Now()})
	time.AfterFunc(s.idle, s.drop)
}

// drop lets go of the buffers that nobody has wanted for long. The oldest are
// the first.
func (s *spares) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.free) > 0 && time.Since(s.free[0].since) >= s.idle {
		s.free[0] = spare{}
		s.free = s.free[1:]
	}
}
