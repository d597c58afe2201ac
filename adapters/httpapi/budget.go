package httpapi

import (
	"context"
	"math/rand/v2"
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
// An eighth of it is a lane of its own for small bodies. In each lane an account
// has a share, and of both together requestsAtOnce. The share is such that two
// accounts which have used up theirs, and never give it back, leave room for the
// largest request of a third.
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

// lane is the memory for bodies up to a size, in bytes. Whoever holds memory of
// arriving waits for more of all, and never the other way round; and all is
// larger than arriving by what one request's work takes at most. So a body that
// has arrived whole always comes to be worked on, and then gives its memory back.
type lane struct {
	size     int64               // bytes
	all      *semaphore.Weighted // bodies and what is made of them
	arriving *semaphore.Weighted // bodies alone
	work     int64               // what is made of one body is charged with at most
	share    int64               // one account's
	waiting  atomic.Int32        // requests that wait for some of it
}

// newLane divides size bytes for bodies of at most largest bytes. Half is for
// bodies at least. What work is charged with is not so much that only one body
// could be worked on while the next one arrives, or most processors would be
// idle: with little memory, and where the body is the worst that there is, that
// is less than the work takes.
func newLane(size, largest int64) *lane {
	size = max(size, largest)
	work := min(ports.WorkBytes(largest), max(size/2-largest, size/4))
	arriving := max(size-work, largest)
	return &lane{size: size, all: semaphore.NewWeighted(size), arriving: semaphore.NewWeighted(arriving), work: size - arriving,
		share: max(largest, (arriving-largest)/2)}
}

func newBudget(s Settings, f *figures) *budget {
	small := s.BodyMemory / 8
	return &budget{small: newLane(small, smallBody), large: newLane(s.BodyMemory-small, maxBody), wait: s.BodyWait,
		waiting: f.waiting, bytes: f.bodyBytes, accounts: map[string]*allowance{}}
}

// allowance is what one account may have in flight.
type allowance struct {
	requests     *semaphore.Weighted
	small, large *semaphore.Weighted // its shares of the lanes, in bytes
	present      int                 // requests in flight or waiting
}

// allowanceOf is what bounds the account's requests. It is forgotten when the
// last of them leaves.
func (b *budget) allowanceOf(account string) *allowance {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[account]
	if a == nil {
		a = &allowance{requests: semaphore.NewWeighted(requestsAtOnce),
			small: semaphore.NewWeighted(b.small.share), large: semaphore.NewWeighted(b.large.share)}
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
	share   *semaphore.Weighted // the account's, of the lane
	left    time.Duration       // of the time that the request may wait for memory
	inTurn  time.Duration       // and for its turn

	stake, body, work int64 // bytes
}

// admit lets a request in whose body will fill a buffer of so many bytes, once
// its account has room for it. Nothing is charged yet. Errors: domain.ErrBusy if
// there was no room in time, errClientOff.
func (b *budget) admit(ctx context.Context, account string, buffer int64) (*holding, error) {
	h := &holding{budget: b, account: account, own: b.allowanceOf(account), left: b.wait, inTurn: b.wait}
	if err := h.acquire(ctx, h.own.requests, 1, &h.left); err != nil {
		b.leave(account, h.own)
		return nil, err
	}
	if err := h.enter(ctx, buffer); err != nil {
		h.release()
		return nil, err
	}
	return h, nil
}

// enter takes the whole buffer's part of the account's share, in the lane that
// it belongs to: bodies of one account must not stop each other half-way.
func (h *holding) enter(ctx context.Context, buffer int64) error {
	l, share := h.budget.large, h.own.large
	if buffer <= smallBody {
		l, share = h.budget.small, h.own.small
	}
	if err := h.acquire(ctx, share, buffer, &h.left); err != nil {
		return err
	}
	h.lane, h.share, h.stake = l, share, buffer
	return nil
}

// hurry gives a body that has begun to arrive less time to wait, and each
// another: bodies that have all the memory together, and each wait for more, do
// not all give up at the same moment.
func (h *holding) hurry() { h.left = h.left/2 + rand.N(h.left/2+1) }

// grow charges what the body's buffer grows by.
func (h *holding) grow(ctx context.Context, bytes int64) error {
	if err := h.acquireOf(ctx, h.lane.arriving, bytes); err != nil {
		return err
	}
	if err := h.acquireOf(ctx, h.lane.all, bytes); err != nil {
		h.lane.arriving.Release(bytes)
		return err
	}
	h.body += bytes
	h.budget.bytes.Add(float64(bytes))
	return nil
}

// tryGrow does so without waiting.
func (h *holding) tryGrow(bytes int64) bool {
	if !h.lane.arriving.TryAcquire(bytes) {
		return false
	}
	if !h.lane.all.TryAcquire(bytes) {
		h.lane.arriving.Release(bytes)
		return false
	}
	h.body += bytes
	h.budget.bytes.Add(float64(bytes))
	return true
}

// outgrow moves a body whose length nobody knew to the lane for large ones. It
// takes its place there first: whoever holds memory of that lane never waits for
// the other.
func (h *holding) outgrow(ctx context.Context) error {
	former := *h
	if err := h.enter(ctx, maxBody); err != nil {
		return err
	}
	h.body = 0
	if err := h.grow(ctx, former.body); err != nil {
		h.share.Release(h.stake)
		h.lane, h.share, h.stake, h.body = former.lane, former.share, former.stake, former.body
		return err
	}
	former.shed()
	former.share.Release(former.stake)
	return nil
}

// isSmall says that the body is in the lane for small ones.
func (h *holding) isSmall() bool { return h.lane == h.budget.small }

// charge takes the memory for what is made of the body, or for an answer.
func (h *holding) charge(ctx context.Context, bytes int64) error {
	bytes = min(bytes, h.lane.work)
	if err := h.acquireOf(ctx, h.lane.all, bytes); err != nil {
		return err
	}
	h.work += bytes
	h.budget.bytes.Add(float64(bytes))
	return nil
}

// keep gives back what was charged for the work but for so many bytes, which are
// still in use.
func (h *holding) keep(bytes int64) {
	if surplus := h.work - bytes; surplus > 0 {
		h.lane.all.Release(surplus)
		h.work -= surplus
		h.budget.bytes.Sub(float64(surplus))
	}
}

// shed gives back what the body was charged with.
func (h *holding) shed() {
	h.lane.all.Release(h.body)
	h.lane.arriving.Release(h.body)
	h.budget.bytes.Sub(float64(h.body))
	h.body = 0
}

// release gives everything back.
func (h *holding) release() {
	if h.lane != nil {
		h.shed()
		h.keep(0)
		h.share.Release(h.stake)
	}
	h.own.requests.Release(1)
	h.budget.leave(h.account, h.own)
}

// acquireOf is acquire for memory of the lane.
func (h *holding) acquireOf(ctx context.Context, from *semaphore.Weighted, n int64) error {
	h.lane.waiting.Add(1)
	defer h.lane.waiting.Add(-1)
	return h.acquire(ctx, from, n, &h.left)
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
