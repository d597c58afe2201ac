package autopilot

import (
	"context"
	"slices"
	"sync"
	"time"

	"milaan/ports"
)

const (
	// mostPassMemory is how many bytes the orders and reports of all passes of one instance
	// take together. The pass that began first may take more, so that it comes to its end.
	mostPassMemory = 256 << 20
	// passMemoryStep is in how large parts a pass takes the memory of the instance, so that most
	// take it once.
	passMemoryStep = 4 << 20
	// passMemoryWait is how long the pass that began first waits for the memory of the instance.
	passMemoryWait = time.Minute
)

// passMemory shares memory among the passes of this instance.
type passMemory struct {
	most     int64
	instance ports.Memory // which they share with all else; nil: nobody shares it

	mu     sync.Mutex
	shares []*passShare // in the order in which their passes began
}

type passShare struct {
	of       *passMemory
	bytes    int64
	taken    int64 // of the memory of the instance
	giveBack func()
	waited   bool // for the memory of the instance, while a shop or a source was left waiting
}

func (m *passMemory) join() *passShare {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &passShare{of: m, giveBack: func() {}}
	m.shares = append(m.shares, s)
	return s
}

// grow says whether the pass may have that number of bytes in all, and if so, it has them then. Only
// the pass that began first waits for the memory of the instance; others come again.
func (s *passShare) grow(ctx context.Context, bytes int64) bool {
	first, may := s.count(bytes)
	if !may || s.of.instance == nil || bytes <= s.taken {
		return may
	}
	// If it waited while it holds some, it and a request could wait for each other.
	s.giveBack()
	s.giveBack, s.taken = func() {}, 0
	bytes = (bytes + passMemoryStep - 1) / passMemoryStep * passMemoryStep
	giveBack, taken := s.of.instance.TryTake(bytes)
	if !taken && first {
		s.waited = true
		ctx, cancel := context.WithTimeout(ctx, passMemoryWait)
		defer cancel()
		var err error
		giveBack, err = s.of.instance.Take(ctx, bytes)
		taken = err == nil
	}
	if taken {
		s.giveBack, s.taken = giveBack, bytes
	}
	return taken
}

// count counts the given number of bytes as those of the pass, if passes may have as many. first says that
// the pass began first.
func (s *passShare) count(bytes int64) (first, may bool) {
	m := s.of
	m.mu.Lock()
	defer m.mu.Unlock()
	others := int64(0)
	for _, other := range m.shares {
		if other != s {
			others += other.bytes
		}
	}
	first = m.shares[0] == s
	if bytes > s.bytes && others+bytes > m.most && !first {
		return first, false
	}
	s.bytes = bytes
	return first, true
}

// leave gives the memory back.
func (s *passShare) leave() {
	s.giveBack()
	m := s.of
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shares = slices.DeleteFunc(m.shares, func(other *passShare) bool { return other == s })
}

// reserve reserves memory for the orders, for what the lists have brought, and the given number of
// further bytes.
func (t *attempt) reserve(ctx context.Context, bytes int64) error {
	if !t.share.grow(ctx, t.ordered+t.listed+bytes) {
		return errNoMemory
	}
	return nil
}
