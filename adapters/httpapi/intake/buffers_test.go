package intake

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSpareBuffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s spares
		var spared atomic.Int64
		require.Nil(t, s.get())
		first, second := make([]byte, 1), make([]byte, 2)
		s.put(first, &spared)
		time.Sleep(spareTime / 2) // synctest's clock
		for range spareBuffers {
			s.put(second, &spared)
		}
		require.Equal(t, spareBuffers, held(&s), "there are enough")

		time.Sleep(spareTime / 2)
		synctest.Wait()
		require.Equal(t, spareBuffers-1, held(&s), "nobody wanted the first for long")
		for range spareBuffers - 1 {
			require.Len(t, s.get(), 2)
		}
		require.Nil(t, s.get())

		s.put(first, &spared)
		time.Sleep(spareTime - 1)
		require.Len(t, s.get(), 1)
		s.put(first, &spared)
		time.Sleep(spareTime - 1)
		synctest.Wait()
		require.Len(t, s.get(), 1, "a buffer that is in use stays")
	})
}

// TestSparesHaveALimit holds that free buffers of all sizes keep no more memory than they may.
func TestSparesHaveALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := buffers{most: 40 << 20}
		for _, size := range []int64{8 << 20, 16 << 20, 32 << 20, MaxUpload, 16 << 20, 16 << 20} {
			f.put(make([]byte, size))
			f.put(make([]byte, size))
		}
		require.EqualValues(t, 32<<20, f.spared.Load())
		f.get(8 << 20)
		require.EqualValues(t, 24<<20, f.spared.Load())
		time.Sleep(spareTime) // synctest's clock
		synctest.Wait()
		require.Zero(t, f.spared.Load())
	})
}

// held is how many buffers are kept.
func held(s *spares) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.free)
}
