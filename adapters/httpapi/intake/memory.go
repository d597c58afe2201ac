package intake

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"milaan/domain"
	"milaan/ports"
)

// Memory is the memory of this instance for all that may be large: bodies beyond smallBody,
// what they expand to, the work on them, on jobs and on passes, and documents. Whoever comes
// first is served first.
type Memory struct {
	*memory
	size int64
}

// leastMemory is enough for the largest upload and the work on it.
const leastMemory = MaxUpload + mostWork

// mostWork is the most that is charged for the work on one body: an upload of MaxUpload that
// is UTF-16.
const mostWork = 256 << 20

// NewMemory makes a Memory of size bytes, or of the least that suffices.
func NewMemory(size int64) *Memory {
	size = max(size, leastMemory)
	return &Memory{memory: newMemory(size, mostWork), size: size}
}

func (m *Memory) Take(ctx context.Context, bytes int64) (giveBack func(), err error) {
	bytes = min(bytes, m.size)
	if err := m.all.Acquire(ctx, bytes); err != nil {
		return nil, err
	}
	collectFor(bytes)
	return func() { m.all.Release(bytes) }, nil
}

// collectedFor is how many bytes are charged at least for work before which the garbage is collected.
const collectedFor = 32 << 20

// collectFor collects the garbage if Go's memory would pass its limit with so many bytes more: what
// others have given back is garbage until then, and a collector that begins at the limit comes too
// late for work that takes a hundred megabytes in a few milliseconds. Nearly all memory that is held
// then has no pointers, so it takes some milliseconds.
func collectFor(bytes int64) {
	if bytes < collectedFor {
		return
	}
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(used)
	if int64(used[0].Value.Uint64()-used[1].Value.Uint64()) > debug.SetMemoryLimit(-1)-bytes {
		runtime.GC()
	}
}

func (m *Memory) TryTake(bytes int64) (giveBack func(), taken bool) {
	bytes = min(bytes, m.size)
	if !m.all.TryAcquire(bytes) {
		return nil, false
	}
	return func() { m.all.Release(bytes) }, true
}

// startReading waits for the account's turn to read workbooks: a few bytes of them can take
// seconds. So an account has one request at a time whose workbooks are read.
func (h *holding) startReading(ctx context.Context) error {
	if err := h.acquire(ctx, h.own.workbooks, 1, &h.left); err != nil {
		return err
	}
	h.reading = true
	return nil
}

func (h *holding) endReading() {
	if h.reading {
		h.reading = false
		h.own.workbooks.Release(1)
	}
}

// claim is called before the workbooks of a request take the given number of further bytes. If these are more
// than was charged, claim waits for all that workbooks may take. Errors: domain.ErrBusy.
func (h *holding) claim(ctx context.Context, bytes int64) error {
	h.claiming.Lock()
	defer h.claiming.Unlock()
	if h.claimed += bytes; h.claimed <= h.allotted || h.whole == 0 {
		return nil
	}
	if err := h.recharge(ctx, h.whole); err != nil {
		return domain.ErrBusy
	}
	h.whole = 0
	return nil
}

// recharge charges the given number of bytes for the work in place of what is charged, which it gives back
// first: if it waited while it holds them, two requests could wait for each other.
func (h *holding) recharge(ctx context.Context, bytes int64) error {
	h.keep(0)
	return h.chargeLarge(ctx, bytes)
}

// allot charges the work on a body with workbooks.
func (h *holding) allot(ctx context.Context, w ports.WorkbookMemory) error {
	if err := h.startReading(ctx); err != nil {
		return err
	}
	h.allotted, h.whole = w.Allotted, w.Most
	if h.share == h.own.small && w.Bytes <= h.share.work {
		return h.charge(ctx, w.Bytes, true)
	}
	return h.chargeLarge(ctx, w.Bytes)
}
