package app

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"milaan/ports"
)

const (
	// passesOfHost is how many passes connect to one host at once, and passesOfAccount how
	// many one account has under way, both in one instance of the service.
	passesOfHost    = 4
	passesOfAccount = 2
	// passPace is how far apart passes without a slot are called again, at the earliest
	// after passPause, at the latest after longestPassPause.
	passPace         = 500 * time.Millisecond
	passPause        = 2 * time.Second
	longestPassPause = time.Minute
	// mostPassMemory is how many bytes the orders and reports of all passes of one instance
	// take together. The pass that began first may take more, so that it comes to its end.
	mostPassMemory = 256 << 20
)

// passSlots shares the passes of this instance among accounts and hosts, so that a slow host
// does not keep all workers busy.
type passSlots struct {
	clock ports.Clock

	mu     sync.Mutex
	taken  map[string]int       // passes under way by host and by account
	booked map[string]time.Time // until when passes without a slot have been called again
}

func newPassSlots(clock ports.Clock) *passSlots {
	return &passSlots{clock: clock, taken: map[string]int{}, booked: map[string]time.Time{}}
}

// passSubjects returns what bounds a pass, each once, with its bound.
func passSubjects(accountID string, hosts []string) map[string]int {
	subjects := map[string]int{"account " + accountID: passesOfAccount}
	for _, host := range hosts {
		if host != "" {
			subjects["host "+host] = passesOfHost
		}
	}
	return subjects
}

// take takes a slot for a pass of an account that connects to hosts. If none is free, leave is
// nil, and wait is after how long to ask again: the more passes wait, the longer.
func (s *passSlots) take(accountID string, hosts []string) (leave func(), wait time.Duration) {
	subjects := passSubjects(accountID, hosts)
	s.mu.Lock()
	defer s.mu.Unlock()
	for subject, most := range subjects {
		if s.taken[subject] >= most {
			return nil, s.book(subject)
		}
	}
	for subject := range subjects {
		s.taken[subject]++
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for subject := range subjects {
			if s.taken[subject]--; s.taken[subject] == 0 {
				delete(s.taken, subject)
			}
		}
	}), 0
}

// book puts a pass at the end of those that wait for a subject, and returns how long that is
// from now.
func (s *passSlots) book(subject string) time.Duration {
	now := s.clock()
	for other, until := range s.booked {
		if until.Before(now) {
			delete(s.booked, other)
		}
	}
	until := s.booked[subject].Add(passPace)
	if earliest := now.Add(passPause); until.Before(earliest) {
		until = earliest
	}
	if latest := now.Add(longestPassPause); until.After(latest) {
		until = latest
	}
	s.booked[subject] = until
	return until.Sub(now) + rand.N(passPause)
}

// passMemory shares memory among the passes of this instance.
type passMemory struct {
	mu     sync.Mutex
	most   int64
	shares []*passShare // in the order in which their passes began
}

// passShare is the memory of one pass.
type passShare struct {
	of    *passMemory
	bytes int64
}

func (m *passMemory) join() *passShare {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &passShare{of: m}
	m.shares = append(m.shares, s)
	return s
}

// grow says whether the pass may have so many bytes in all, and if so, it has them then.
func (s *passShare) grow(bytes int64) bool {
	m := s.of
	m.mu.Lock()
	defer m.mu.Unlock()
	others := int64(0)
	for _, other := range m.shares {
		if other != s {
			others += other.bytes
		}
	}
	if bytes > s.bytes && others+bytes > m.most && m.shares[0] != s {
		return false
	}
	s.bytes = bytes
	return true
}

// leave gives the memory back.
func (s *passShare) leave() {
	m := s.of
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shares = slices.DeleteFunc(m.shares, func(other *passShare) bool { return other == s })
}
