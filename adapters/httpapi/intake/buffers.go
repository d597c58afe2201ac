package intake

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// The size of a buffer is a power of two from 4 KiB to 16 MiB, or MaxBody; and 32 MiB or
// MaxUpload for uploads. Small buffers that are free lie in pools, which the garbage
// collector empties. A few of the large ones are kept as spares, for spareTime after their
// last use.
const (
	smallestBits = 12
	largestBits  = 24
	bodyPool     = largestBits - smallestBits + 1 // of buffers of MaxBody
	poolCount    = bodyPool + 3

	firstLargePool = 23 - smallestBits // 8 MiB and more
	spareBuffers   = 4                 // of each size
	spareUploads   = 1                 // of each size beyond MaxBody
	spareTime      = 30 * time.Second
	// sparedPart is which part of the instance's memory the spares may have together.
	sparedPart = 8
)

// halfUpload is how large most uploads beyond MaxBody are at most: an export of
// domain.MaxRows rows with all of Shopify's columns has 31 MB.
const halfUpload = MaxUpload / 2

// buffers are the buffers that are free. The spares have at most the given number of bytes together, as
// nobody is charged for them.
type buffers struct {
	pools  [firstLargePool]sync.Pool
	spares [poolCount - firstLargePool]spares
	most   int64
	spared atomic.Int64
}

// poolOf returns the number of the pool whose buffers hold length bytes.
func poolOf(length int64) int {
	switch {
	case length > halfUpload:
		return bodyPool + 2
	case length > MaxBody:
		return bodyPool + 1
	}
	return min(max(bits.Len64(uint64(max(length, 1)-1)), smallestBits)-smallestBits, bodyPool)
}

// isLarge says whether buffers of a size are kept as spares.
func isLarge(size int) bool { return poolOf(int64(size)) >= firstLargePool }

// bufferSize returns the size of a buffer that holds length bytes.
func bufferSize(length int64) int {
	switch pool := poolOf(length); pool {
	case bodyPool:
		return MaxBody
	case bodyPool + 1:
		return halfUpload
	case bodyPool + 2:
		return MaxUpload
	default:
		return 1 << (pool + smallestBits)
	}
}

func (f *buffers) get(length int64) []byte {
	pool := poolOf(length)
	if pool >= firstLargePool {
		if b := f.spares[pool-firstLargePool].get(); b != nil {
			f.spared.Add(-int64(len(b)))
			return b
		}
	} else if b, ok := f.pools[pool].Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, bufferSize(length))
}

func (f *buffers) put(buf []byte) {
	buf = buf[:cap(buf)]
	if pool := poolOf(int64(len(buf))); pool >= firstLargePool {
		if f.spared.Add(int64(len(buf))) > f.most || !f.spares[pool-firstLargePool].put(buf, &f.spared) {
			f.spared.Add(-int64(len(buf)))
		}
	} else {
		f.pools[pool].Put(&buf)
	}
}

// spares keeps a few free buffers of one size for a while. A sync.Pool would drop them at
// every second garbage collection. A new buffer then costs the time to clear 25 MB, and
// the memory of the old one until the next collection.
type spares struct {
	mu   sync.Mutex
	free []spare
}

type spare struct {
	buf   []byte
	since time.Time
}

// get returns the buffer that was put back last; nil if there is none.
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

// put keeps a buffer, unless there are spareBuffers, or spareUploads, already. A spare that is
// dropped later is taken from the bytes that are spared.
func (s *spares) put(buf []byte, spared *atomic.Int64) (kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := spareBuffers
	if len(buf) > MaxBody {
		most = spareUploads
	}
	if len(s.free) >= most {
		return false
	}
	s.free = append(s.free, spare{buf: buf, since: time.Now()})
	time.AfterFunc(spareTime, func() { s.drop(spared) })
	return true
}

// drop drops the buffers that were not used for spareTime. The oldest are the first in the
// list.
func (s *spares) drop(spared *atomic.Int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.free) > 0 && time.Since(s.free[0].since) >= spareTime {
		spared.Add(-int64(len(s.free[0].buf)))
		s.free[0] = spare{}
		s.free = s.free[1:]
	}
}
