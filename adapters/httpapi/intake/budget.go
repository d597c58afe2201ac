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

// budget limits the memory of all requests in flight: that of their bodies while they
// arrive, and that of the work on them, from the arrival of the body until the answer is
// written.
//
// The memory is divided into two lanes: an eighth is for small bodies, the rest for large
// ones. A third lane, with memory of its own, is for the uploads that are larger than
// MaxBody: so they take none from the API. A body begins in a small first buffer. If it needs more, it reserves memory for its
// whole length at once, and then never waits for memory of its body again. Of each lane, an
// account has a share at most, for bodies and work together; in all lanes together it has
// requestsAtOnce requests. A request first waits for the share of its account, and only
// then, together with others, for the lane.
//
// What unpacking bodies takes besides their buffers is apart from that, another eighth. An account
// has a third of it at most. It is acquired after the first buffer, and before the lanes.
//
// What large bodies take, and the work on them, counts in the instance's Memory as well, in
// full: the lanes share it with each other and with jobs. It is acquired last.
type budget struct {
	small, large, uploads *lane
	unpacking             *gate
	unpackingShare        int64 // of an account
	instance              *Memory
	wait                  time.Duration // in all, of one request
	figures               figures

	mu       sync.Mutex
	accounts map[string]*allowance // only accounts with requests in flight
}

// requestsAtOnce is how many bodies one account may have in flight. Further requests wait
// before any byte of their bodies is read.
const requestsAtOnce = 4

// smallBody is how many bytes a small body has at most.
const smallBody = 1 << 20

// gate is a semaphore that counts the requests that wait for it.
type gate struct {
	*semaphore.Weighted
	waiting atomic.Int32
}

func newGate(size int64) *gate { return &gate{Weighted: semaphore.NewWeighted(size)} }

// memory is a number of bytes for bodies and for the work on them. Bodies cannot take all of
// it: a part is left for work. So the work on a body that has arrived whole always begins,
// and at its end gives the body's memory back.
type memory struct {
	all    *gate
	bodies *gate // the part for bodies; acquired before all, never after it
}

func newMemory(size, work int64) *memory {
	return &memory{all: newGate(size), bodies: newGate(size - work)}
}

// lane is the memory for bodies up to a size, in bytes.
type lane struct {
	*memory
	begun      *gate // memory of first buffers, apart from the rest
	size       int64 // of all
	work       int64 // the most that is charged for the work on one body
	perAccount int64 // the share of an account

	instance *Memory // nil: what the lane has does not count there
}

// newLane divides size bytes for bodies of at most largest bytes. An account may always have
// bodies bytes of bodies at once. Even if two accounts have used up their shares and never
// give them back, the largest request of a third account has enough memory, for its body
// and for what is charged for its work. If size is too small for that, there is still
// enough for the largest request and some work.
func newLane(size, largest, bodies int64) *lane {
	begun := max(min(size/8, (size-largest)/4, mostBegun), firstBuffer)
	size = max(size-begun, largest+largest/32)
	work := min(ports.WorkBytes(largest), max(size/3-bodies, min(size/6, size-largest)))
	share := max(size/3, largest+work)
	return &lane{memory: newMemory(size, work), begun: newGate(begun), size: size, work: work, perAccount: share}
}

// MostUnpacking is the most that unpacking one body may take besides its buffers, in bytes.
const MostUnpacking = 10 << 20

// firstBuffer is how many bytes a body's first buffer has at most, and mostBegun how many the first
// buffers of a lane have at most.
const (
	firstBuffer = 16 << 10
	mostBegun   = 4 << 20
)

func newBudget(s Settings, f figures) *budget {
	all := int64(s.BodyMemory)
	small, unpacking := all/8, max(all/8, MostUnpacking)
	b := &budget{small: newLane(small, smallBody, 2*smallBody), large: newLane(all-small-unpacking, MaxBody, MaxBody),
		unpacking: newGate(unpacking), unpackingShare: max(unpacking/3, MostUnpacking),
		uploads: newLane(int64(s.UploadMemory), MaxUpload, MaxUpload), instance: s.Memory, wait: s.BodyWait, figures: f,
		accounts: map[string]*allowance{}}
	b.large.instance, b.uploads.instance = b.instance, b.instance
	return b
}

// allowance limits what one account has in flight.
type allowance struct {
	requests              *gate
	workbooks             *gate // of requests whose workbooks are read
	unpacking             *gate
	small, large, uploads *share
	present               int // requests in flight or waiting
}

// share is an account's share of a lane. Its gates must be acquired in their order: those
// of the account before those of the lane, and of each the part for bodies before all.
type share struct {
	*lane
	body []*gate
	made []*gate // for the work on bodies
}

func (l *lane) newShare() *share {
	own := newMemory(l.perAccount, l.work)
	s := &share{lane: l, body: []*gate{own.bodies, own.all, l.bodies, l.all}, made: []*gate{own.all, l.all}}
	if l.instance != nil {
		s.body = append(s.body, l.instance.bodies, l.instance.all)
	}
	return s
}

// shareFor returns the share for a body that fills a buffer of the given number of bytes.
func (a *allowance) shareFor(buffer int64) *share {
	switch {
	case buffer <= smallBody:
		return a.small
	case buffer <= MaxBody:
		return a.large
	}
	return a.uploads
}

// allowanceOf returns the allowance of an account, for one more request. leave forgets the
// allowance when the last request leaves.
func (b *budget) allowanceOf(account string) *allowance {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[account]
	if a == nil {
		a = &allowance{requests: newGate(requestsAtOnce), workbooks: newGate(1), unpacking: newGate(b.unpackingShare),
			small: b.small.newShare(), large: b.large.newShare(), uploads: b.uploads.newShare()}
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

// holding is the part of the budget that one request holds. Only one goroutine may use it.
type holding struct {
	budget    *budget
	account   string
	own       *allowance
	share     *share        // of the lane that the body belongs to
	worksIn   *share        // of the lane in which the work is charged; nil: none is
	left      time.Duration // how long the request may still wait for memory
	placeWait time.Duration // how long it may still wait for its place

	first, body, work int64 // bytes charged for the first buffer, the body and the work
	ofInstance        int64 // bytes charged for the work in the instance's Memory
	reading           bool  // it has its account's turn to read workbooks

	claiming sync.Mutex // guards what follows while files are read
	allotted int64      // bytes that workbooks may take without another charge
	claimed  int64
	whole    int64 // is charged for all that the workbooks of a request may take; 0: it is
}

// admit waits until the account has fewer than requestsAtOnce requests. buffer is how many
// bytes of buffer the body will fill. admit charges no memory yet. Errors: domain.ErrBusy
// if the account had too many requests for too long, ErrClientGone.
func (b *budget) admit(ctx context.Context, account string, buffer int64) (*holding, error) {
	own := b.allowanceOf(account)
	h := &holding{budget: b, account: account, own: own, share: own.shareFor(buffer), left: b.wait, placeWait: b.wait}
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

// reserve charges a buffer of the given number of bytes for the body, in the lane for its size, in
// place of the buffer that was charged before. A body of unknown length may go from the lane for
// small bodies to that for large ones and then to that for uploads, but never back, so that no
// two requests wait for each other. wait is as for take.
func (h *holding) reserve(ctx context.Context, bytes int64, wait bool) error {
	to := h.own.shareFor(bytes)
	if err := h.take(ctx, to.body, bytes, wait); err != nil {
		return err
	}
	h.shed()
	h.share, h.body = to, bytes
	h.budget.figures.bytes.Add(float64(bytes))
	return nil
}

func (h *holding) chargeUnpacking(ctx context.Context, bytes int64) (_ func(), err error) {
	from := []*gate{h.own.unpacking, h.budget.unpacking}
	if err := h.take(ctx, from, bytes, true); err != nil {
		return nil, err
	}
	h.budget.figures.bytes.Add(float64(bytes))
	return func() {
		giveBack(from, bytes)
		h.budget.figures.bytes.Sub(float64(bytes))
	}, nil
}

// charge takes memory for the work on the body, or for an answer. wait is as for take.
func (h *holding) charge(ctx context.Context, bytes int64, wait bool) error {
	return h.chargeIn(ctx, h.share, bytes, wait)
}

// chargeLarge waits for memory of the lane of large bodies for the work on a body of up to
// MaxBody, and of the body's own lane for the work on a larger one. No request waits for
// memory of a lane for smaller bodies than its own, so that no two requests wait for each
// other.
func (h *holding) chargeLarge(ctx context.Context, bytes int64) error {
	in := h.share
	if in == h.own.small {
		in = h.own.large
	}
	return h.chargeIn(ctx, in, bytes, true)
}

// chargeIn charges in a lane, which must be the same until the charge is given back. A lane
// bears only so much of the work on one body; the instance's Memory bears all of it.
func (h *holding) chargeIn(ctx context.Context, in *share, bytes int64, wait bool) error {
	ofLane := min(bytes, in.work)
	if err := h.take(ctx, in.made, ofLane, wait); err != nil {
		return err
	}
	if in.instance != nil {
		all := []*gate{in.instance.all}
		bytes = min(bytes, in.instance.size)
		if err := h.take(ctx, all, bytes, wait); err != nil {
			giveBack(in.made, ofLane)
			return err
		}
		collectFor(bytes)
		h.ofInstance += bytes
	}
	h.worksIn = in
	h.work += ofLane
	h.budget.figures.bytes.Add(float64(ofLane))
	return nil
}

// keep gives back what was charged for the work, except the given number of bytes, which are still in
// use.
func (h *holding) keep(bytes int64) {
	if surplus := h.work - bytes; surplus > 0 {
		giveBack(h.worksIn.made, surplus)
		h.work -= surplus
		h.budget.figures.bytes.Sub(float64(surplus))
	}
	if surplus := h.ofInstance - bytes; surplus > 0 {
		h.worksIn.instance.all.Release(surplus)
		h.ofInstance -= surplus
	}
}

// shed gives back what was charged for the body and its first buffer.
func (h *holding) shed() {
	h.share.begun.Release(h.first)
	giveBack(h.share.body, h.body)
	h.budget.figures.bytes.Sub(float64(h.first + h.body))
	h.first, h.body = 0, 0
}

// release gives everything back.
func (h *holding) release() {
	h.shed()
	h.keep(0)
	h.endReading()
	h.own.requests.Release(1)
	h.budget.leave(h.account, h.own)
}

// take acquires the given number of bytes of each gate, in their order. If it returns an error, it has
// acquired none. Unless wait is true, it returns domain.ErrBusy instead of waiting.
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

// acquire acquires n of a gate. The request that came first is served first. left is how
// long the request may still wait; acquire subtracts the time for which it has waited.
// Errors: domain.ErrBusy if that was not long enough, ErrClientGone.
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
	limited, cancel := context.WithTimeout(ctx, *left)
	defer cancel()
	err := from.Acquire(limited, n)
	*left = max(0, *left-time.Since(began))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ErrClientGone
	}
	return domain.ErrBusy
}
