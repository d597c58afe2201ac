package intake

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSpareBuffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s spares
		require.Nil(t, s.get())
		first, second := make([]byte, 1), make([]byte, 2)
		s.put(first)
		time.Sleep(spareTime / 2) // synctest's clock
		for range spareBuffers {
			s.put(second)
		}
		require.Equal(t, spareBuffers, held(&s), "there are enough")

		time.Sleep(spareTime / 2)
		synctest.Wait()
		require.Equal(t, spareBuffers-1, held(&s), "nobody wanted the first for long")
		for range spareBuffers - 1 {
			require.Len(t, s.get(), 2)
		}
		require.Nil(t, s.get())

		s.put(first)
		time.Sleep(spareTime - 1)
		require.Len(t, s.get(), 1)
		s.put(first)
		time.Sleep(spareTime - 1)
		synctest.Wait()
		require.Len(t, s.get(), 1, "a buffer that is in use stays")
	})
}

// held is how many buffers are kept.
func held(s *spares) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.free)
}
