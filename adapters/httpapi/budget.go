package httpapi

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"milaan/domain"
	"milaan/ports"
)

// budget bounds the memory of all requests in flight: their bodies, as the bytes
// arrive, and what is made of them, from the moment that the body is there until
// the answer is written.
//
// An eighth of it is a lane of its own for small bodies. A body begins in a small
// buffer. For more it reserves memory for all that it may become, once, and never
// waits for memory of its body again. Its account has a share of each lane, for
// bodies and work together, and of both lanes requestsAtOnce. Whoever waits waits
// for the account's share first, and only then together with others.
type budget struct {
	small, large *lane
	wait         time.Duration // in all, of one request
	waiting      prometheus.Gauge
	bytes        prometheus.Gauge

	mu       sync.Mutex
	accounts map[string]*allowance // of those with requests in flight
}

// requestsAtOnce is how many bodies one account may have in flight. A further
// request waits, before anything of its body is read.
const requestsAtOnce = 4

// smallBody is up to how many bytes a body is small.
const smallBody = 1 << 20

// memory is so many bytes for bodies and what is made of them, of which bodies
// leave some to the work. So a body that has arrived whole always comes to be
// worked on, and then gives its memory back.
type memory struct {
	all     *semaphore.Weighted
	bodies  *semaphore.Weighted // their part of it; taken before all, never after
	waiting atomic.Int32        // requests that wait for some of it
}

func newMemory(size, work int64) *memory {
	return &memory{all: semaphore.NewWeighted(size), bodies: semaphore.NewWeighted(size - work)}
}

// lane is the memory for bodies up to a size, in bytes.
type lane struct {
	*memory
	begun *semaphore.Weighted // first buffers, which have memory of their own
	size  int64               // of all
	work  int64               // what is made of one body is charged with at most
	share int64               // one account's
}

// newLane divides size bytes for bodies of at most largest bytes, of which an
// account may always have bodies bytes at once. Two accounts which have used up
// their shares, and never give them back, leave room for the largest request of
// a third, and for the work on it, as that is charged. Where there is too little
// memory for that, there is still room for the largest request and some work.
func newLane(size, largest, bodies int64) *lane {
	begun := max(min(size/8, (size-largest)/4), firstBuffer)
	size = max(size-begun, largest+largest/32)
	work := min(ports.WorkBytes(largest), max(size/3-bodies, min(size/6, size-largest)))
	share := max(size/3, largest+work)
	return &lane{memory: newMemory(size, work), begun: semaphore.NewWeighted(begun), size: size, work: work, share: share}
}

// firstBuffer is how many bytes a body's first buffer has at most.
const firstBuffer = 16 << 10

func newBudget(s Settings, f *figures) *budget {
	small := s.BodyMemory / 8
	return &budget{small: newLane(small, smallBody, 2*smallBody), large: newLane(s.BodyMemory-small, maxBody, maxBody),
		wait: s.BodyWait, waiting: f.waiting, bytes: f.bodyBytes, accounts: map[string]*allowance{}}
}

// laneFor is the lane for a body that fills a buffer of so many bytes.
func (b *budget) laneFor(buffer int64) *lane {
	if buffer <= smallBody {
		return b.small
	}
	return b.large
}

// allowance is what one account may have in flight.
type allowance struct {
	requests     *semaphore.Weighted
	small, large *memory // its shares of the lanes
	present      int     // requests in flight or waiting
}

// allowanceOf is what bounds the account's requests. It is forgotten when the
// last of them leaves.
func (b *budget) allowanceOf(account string) *allowance {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[account]
	if a == nil {
		a = &allowance{requests: semaphore.NewWeighted(requestsAtOnce),
			small: newMemory(b.small.share, b.small.work), large: newMemory(b.large.share, b.large.work)}
		b.accounts[account] = a
	}
	a.present++
	return a
}

func (b *budget) leave(account string, a *allowance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.present--; a.present == 0 {
		delete(b.accounts, account)
	}
}

// holding is what one request holds of the budget. It is used by one goroutine.
type holding struct {
	budget  *budget
	account string
	own     *allowance
	lane    *lane
	left    time.Duration // of the time that the request may wait for memory
	inTurn  time.Duration // and for its turn

	first, body, work int64 // bytes
}

// admit lets a request in whose body will fill a buffer of so many bytes, once
// its account has fewer than requestsAtOnce. No memory is charged yet. Errors:
// domain.ErrBusy if there was no room in time, errClientOff.
func (b *budget) admit(ctx context.Context, account string, buffer int64) (*holding, error) {
	h := &holding{budget: b, account: account, own: b.allowanceOf(account), lane: b.laneFor(buffer), left: b.wait, inTurn: b.wait}
	if err := h.acquire(ctx, h.own.requests, 1, &h.left); err != nil {
		b.leave(account, h.own)
		return nil, err
	}
	return h, nil
}

// begin charges a body's first buffer.
func (h *holding) begin(ctx context.Context, bytes int64) error {
	if err := h.acquire(ctx, h.lane.begun, bytes, &h.left); err != nil {
		return err
	}
	h.first = bytes
	h.budget.bytes.Add(float64(bytes))
	return nil
}

// reserve charges a body with a buffer of so many bytes, in the lane that it
// belongs to, in place of what it was charged with before. A body whose length
// nobody knows may do so in either lane, the one for small ones first: whoever
// holds memory of the other never waits for that.
func (h *holding) reserve(ctx context.Context, bytes int64) error {
	l := h.budget.laneFor(bytes)
	if err := h.take(ctx, l, bytes, true); err != nil {
		return err
	}
	h.reserved(l, bytes)
	return nil
}

// tryReserve does so without waiting.
func (h *holding) tryReserve(bytes int64) bool {
	l := h.budget.laneFor(bytes)
	from := []*semaphore.Weighted{h.shareOf(l).bodies, h.shareOf(l).all, l.bodies, l.all}
	for i, s := range from {
		if !s.TryAcquire(bytes) {
			for _, taken := range from[:i] {
				taken.Release(bytes)
			}
			return false
		}
	}
	h.reserved(l, bytes)
	return true
}

func (h *holding) reserved(l *lane, bytes int64) {
	h.shed()
	h.lane, h.body = l, bytes
	h.budget.bytes.Add(float64(bytes))
}

// charge takes the memory for what is made of the body, or for an answer.
func (h *holding) charge(ctx context.Context, bytes int64) error {
	bytes = min(bytes, h.lane.work)
	if err := h.take(ctx, h.lane, bytes, false); err != nil {
		return err
	}
	h.work += bytes
	h.budget.bytes.Add(float64(bytes))
	return nil
}

// tryCharge does so without waiting.
func (h *holding) tryCharge(bytes int64) bool {
	bytes = min(bytes, h.lane.work)
	share := h.shareOf(h.lane).all
	if !share.TryAcquire(bytes) {
		return false
	}
	if !h.lane.all.TryAcquire(bytes) {
		share.Release(bytes)
		return false
	}
	h.work += bytes
	h.budget.bytes.Add(float64(bytes))
	return true
}

// keep gives back what was charged for the work but for so many bytes, which are
// still in use.
func (h *holding) keep(bytes int64) {
	if surplus := h.work - bytes; surplus > 0 {
		h.lane.all.Release(surplus)
		h.shareOf(h.lane).all.Release(surplus)
		h.work -= surplus
		h.budget.bytes.Sub(float64(surplus))
	}
}

// shed gives back what the body was charged with.
func (h *holding) shed() {
	h.lane.begun.Release(h.first)
	for _, m := range []*memory{h.lane.memory, h.shareOf(h.lane)} {
		m.all.Release(h.body)
		m.bodies.Release(h.body)
	}
	h.budget.bytes.Sub(float64(h.first + h.body))
	h.first, h.body = 0, 0
}

// release gives everything back.
func (h *holding) release() {
	h.shed()
	h.keep(0)
	h.own.requests.Release(1)
	h.budget.leave(h.account, h.own)
}

// shareOf is the account's share of a lane.
func (h *holding) shareOf(l *lane) *memory {
	if l == h.budget.small {
		return h.own.small
	}
	return h.own.large
}

// take waits for so many bytes of the account's share, and then of the lane, for
// a body or for work.
func (h *holding) take(ctx context.Context, l *lane, bytes int64, body bool) error {
	share := h.shareOf(l)
	if err := h.takeOf(ctx, share, bytes, body); err != nil {
		return err
	}
	if err := h.takeOf(ctx, l.memory, bytes, body); err != nil {
		share.all.Release(bytes)
		if body {
			share.bodies.Release(bytes)
		}
		return err
	}
	return nil
}

func (h *holding) takeOf(ctx context.Context, m *memory, bytes int64, body bool) error {
	m.waiting.Add(1)
	defer m.waiting.Add(-1)
	if body {
		if err := h.acquire(ctx, m.bodies, bytes, &h.left); err != nil {
			return err
		}
	}
	err := h.acquire(ctx, m.all, bytes, &h.left)
	if err != nil && body {
		m.bodies.Release(bytes)
	}
	return err
}

// acquire waits for its turn; whoever came first is served first. left is how
// long the request may still wait, for all that it waits for by it. Errors:
// domain.ErrBusy if there was no room in time, errClientOff.
func (h *holding) acquire(ctx context.Context, from *semaphore.Weighted, n int64, left *time.Duration) error {
	if from.TryAcquire(n) {
		return nil
	}
	h.budget.waiting.Inc()
	defer h.budget.waiting.Dec()
	began := time.Now()
	patient, cancel := context.WithTimeout(ctx, *left)
	defer cancel()
	err := from.Acquire(patient, n)
	*left = max(0, *left-time.Since(began))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errClientOff
	}
	return domain.ErrBusy
}
