package httpapi

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSpareBuffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := spares{most: 2, idle: time.Minute}
		require.Nil(t, s.get())
		first, second := make([]byte, 1), make([]byte, 2)
		s.put(first)
		time.Sleep(30 * time.Second) // synctest's clock
		s.put(second)
		s.put(make([]byte, 3))
		require.Equal(t, 2, held(&s), "there are enough")

		time.Sleep(30 * time.Second)
		synctest.Wait()
		require.Equal(t, 1, held(&s), "nobody wanted the first for a minute")
		require.Len(t, s.get(), 2)
		require.Nil(t, s.get())

		s.put(first)
		time.Sleep(59 * time.Second)
		require.Len(t, s.get(), 1)
		s.put(first)
		time.Sleep(59 * time.Second)
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
