package intake

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

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
	figures      figures

	mu       sync.Mutex
	accounts map[string]*allowance // of those with requests in flight
}

// requestsAtOnce is how many bodies one account may have in flight. A further
// request waits, before anything of its body is read.
const requestsAtOnce = 4

// smallBody is up to how many bytes a body is small.
const smallBody = 1 << 20

// gate is a semaphore that knows how many requests wait at it.
type gate struct {
	*semaphore.Weighted
	waiting atomic.Int32
}

func newGate(size int64) *gate { return &gate{Weighted: semaphore.NewWeighted(size)} }

// memory is so many bytes for bodies and what is made of them, of which bodies
// leave some to the work. So a body that has arrived whole always comes to be
// worked on, and then gives its memory back.
type memory struct {
	all    *gate
	bodies *gate // their part of it; taken before all, never after
}

func newMemory(size, work int64) *memory {
	return &memory{all: newGate(size), bodies: newGate(size - work)}
}

// lane is the memory for bodies up to a size, in bytes.
type lane struct {
	*memory
	begun      *gate // first buffers, which have memory of their own
	size       int64 // of all
	work       int64 // what is made of one body is charged with at most
	perAccount int64 // one account's
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
	return &lane{memory: newMemory(size, work), begun: newGate(begun), size: size, work: work, perAccount: share}
}

// firstBuffer is how many bytes a body's first buffer has at most.
const firstBuffer = 16 << 10

func newBudget(s Settings, f figures) *budget {
	small := s.BodyMemory / 8
	return &budget{small: newLane(small, smallBody, 2*smallBody), large: newLane(s.BodyMemory-small, MaxBody, MaxBody),
		wait: s.BodyWait, figures: f, accounts: map[string]*allowance{}}
}

// allowance is what one account may have in flight.
type allowance struct {
	requests     *gate
	small, large *share
	present      int // requests in flight or waiting
}

// share is an account's share of a lane. Its gates are passed in order: first those of
// the account, then those of the lane; and a body passes those for bodies first.
type share struct {
	*lane
	body [4]*gate
	made [2]*gate // for what is made of bodies
}

// newShare makes an account's share of a lane.
func (l *lane) newShare() *share {
	own := newMemory(l.perAccount, l.work)
	return &share{lane: l, body: [4]*gate{own.bodies, own.all, l.bodies, l.all}, made: [2]*gate{own.all, l.all}}
}

// shareFor returns the share for a body that fills a buffer of so many bytes.
func (a *allowance) shareFor(buffer int64) *share {
	if buffer <= smallBody {
		return a.small
	}
	return a.large
}

// allowanceOf is what bounds the account's requests. It is forgotten when the
// last of them leaves.
func (b *budget) allowanceOf(account string) *allowance {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[account]
	if a == nil {
		a = &allowance{requests: newGate(requestsAtOnce), small: b.small.newShare(), large: b.large.newShare()}
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
	share   *share        // of the lane that the body belongs to
	left    time.Duration // of the time that the request may wait for memory
	inTurn  time.Duration // and for its turn

	first, body, work int64 // bytes
}

// admit lets a request in whose body will fill a buffer of so many bytes, once
// its account has fewer than requestsAtOnce. No memory is charged yet. Errors:
// domain.ErrBusy if there was no room in time, ErrClientGone.
func (b *budget) admit(ctx context.Context, account string, buffer int64) (*holding, error) {
	own := b.allowanceOf(account)
	h := &holding{budget: b, account: account, own: own, share: own.shareFor(buffer), left: b.wait, inTurn: b.wait}
	if err := h.acquire(ctx, h.own.requests, 1, &h.left); err != nil {
		b.leave(account, h.own)
		return nil, err
	}
	return h, nil
}

// begin charges a body's first buffer.
func (h *holding) begin(ctx context.Context, bytes int64) error {
	if err := h.acquire(ctx, h.share.begun, bytes, &h.left); err != nil {
		return err
	}
	h.first = bytes
	h.budget.figures.bytes.Add(float64(bytes))
	return nil
}

// reserve charges a body with a buffer of so many bytes, in the lane that it
// belongs to, in place of what it was charged with before. A body whose length
// nobody knows may do so in either lane, the one for small ones first: whoever
// holds memory of the other never waits for that. wait is as of take.
func (h *holding) reserve(ctx context.Context, bytes int64, wait bool) error {
	to := h.own.shareFor(bytes)
	if err := h.take(ctx, to.body[:], bytes, wait); err != nil {
		return err
	}
	h.shed()
	h.share, h.body = to, bytes
	h.budget.figures.bytes.Add(float64(bytes))
	return nil
}

// charge takes the memory for what is made of the body, or for an answer. wait is
// as of take.
func (h *holding) charge(ctx context.Context, bytes int64, wait bool) error {
	bytes = min(bytes, h.share.work)
	if err := h.take(ctx, h.share.made[:], bytes, wait); err != nil {
		return err
	}
	h.work += bytes
	h.budget.figures.bytes.Add(float64(bytes))
	return nil
}

// keep gives back what was charged for the work but for so many bytes, which are
// still in use.
func (h *holding) keep(bytes int64) {
	if surplus := h.work - bytes; surplus > 0 {
		giveBack(h.share.made[:], surplus)
		h.work -= surplus
		h.budget.figures.bytes.Sub(float64(surplus))
	}
}

// shed gives back what the body was charged with.
func (h *holding) shed() {
	h.share.begun.Release(h.first)
	giveBack(h.share.body[:], h.body)
	h.budget.figures.bytes.Sub(float64(h.first + h.body))
	h.first, h.body = 0, 0
}

// release gives everything back.
func (h *holding) release() {
	h.shed()
	h.keep(0)
	h.own.requests.Release(1)
	h.budget.leave(h.account, h.own)
}

// take passes each gate in turn with so many bytes. On an error it has taken
// none. Unless it is to wait, the error is domain.ErrBusy where one is closed.
func (h *holding) take(ctx context.Context, from []*gate, bytes int64, wait bool) error {
	left := &h.left
	if !wait {
		left = new(time.Duration)
	}
	for i, g := range from {
		if err := h.acquire(ctx, g, bytes, left); err != nil {
			giveBack(from[:i], bytes)
			return err
		}
	}
	return nil
}

func giveBack(to []*gate, bytes int64) {
	for _, g := range to {
		g.Release(bytes)
	}
}

// acquire waits for its turn; whoever came first is served first. left is how
// long the request may still wait, for all that it waits for by it. Errors:
// domain.ErrBusy if there was no room in time, ErrClientGone.
func (h *holding) acquire(ctx context.Context, from *gate, n int64, left *time.Duration) error {
	switch {
	case from.TryAcquire(n):
		return nil
	case *left == 0 && ctx.Err() == nil:
		return domain.ErrBusy
	}
	from.waiting.Add(1)
	defer from.waiting.Add(-1)
	h.budget.figures.waiting.Inc()
	defer h.budget.figures.waiting.Dec()
	began := time.Now()
	patient, cancel := context.WithTimeout(ctx, *left)
	defer cancel()
	err := from.Acquire(patient, n)
	*left = max(0, *left-time.Since(began))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ErrClientGone
	}
	return domain.ErrBusy
}
