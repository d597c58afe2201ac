package service

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDuplicates holds section 2.2: identical runs within 30 s.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	duplicate := func(t *testing.T, c *Customer, b Body) bool {
		t.Helper()
		return c.Run(t, b).Duplicate != nil
	}
	t.Run("a run is a duplicate up to exactly 30 s after the first", func(t *testing.T) {
		c := s.Customer(t)
		require.False(t, duplicate(t, c, Small()))
		require.True(t, duplicate(t, c, Small()))
		s.Clock.Advance(30 * time.Second)
		require.True(t, duplicate(t, c, Small()))
		s.Clock.Advance(time.Microsecond)
		require.False(t, duplicate(t, c, Small()))
	})
	t.Run("a duplicate is not stored, not counted and succeeds at the cap", func(t *testing.T) {
		c := s.Customer(t, Capped(1))
		before := s.Runs(t)
		first := c.Reconcile(t, Small())
		for range 3 {
			again := c.Run(t, Small())
			require.True(t, *again.Duplicate)
			require.Equal(t, first.Header.Get("X-Run-Id"), *again.RunID)
			require.Equal(t, first.Run(t).Results, again.Results)
		}
		require.Equal(t, before+1, s.Runs(t))
		c.Reconcile(t, Named("other")).Refused(t, 429, "Run limit of 1/month reached")
		s.Clock.Advance(30*time.Second + time.Microsecond)
		c.Reconcile(t, Small()).Refused(t, 429, "Run limit of 1/month reached")
	})
}
