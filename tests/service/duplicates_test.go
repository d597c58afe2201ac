package service

import (
	"net/http"
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
	t.Run("2.2 8 a run is a duplicate up to exactly 30 s after the first", func(t *testing.T) {
		c := s.Customer(t)
		require.False(t, duplicate(t, c, Small()))
		require.True(t, duplicate(t, c, Small()))
		s.Clock.Advance(30 * time.Second)
		require.True(t, duplicate(t, c, Small()))
		s.Clock.Advance(time.Microsecond)
		require.False(t, duplicate(t, c, Small()))
	})
	t.Run("2.2 a duplicate does not prolong the 30 s", func(t *testing.T) {
		c := s.Customer(t)
		require.False(t, duplicate(t, c, Small()))
		s.Clock.Advance(20 * time.Second)
		require.True(t, duplicate(t, c, Small()))
		s.Clock.Advance(20 * time.Second)
		require.False(t, duplicate(t, c, Small()))
	})
	t.Run("2.2 duplicates have user, brand, courierName, row counts and flag counts in common", func(t *testing.T) {
		c := s.Customer(t)
		first := Body{
			"shopify": Export(Order{Name: "#1", Total: "10", AWB: "A1"}, Order{Name: "#2", Total: "10", AWB: "A2"}),
			"courier": Report(Line{AWB: "A1", Remitted: "10", RemittedOn: "2026-10-10"}, Line{AWB: "A2", Remitted: "10", RemittedOn: "2026-10-10"}),
		}
		require.False(t, duplicate(t, c, first))
		require.False(t, duplicate(t, s.Customer(t), first), "another user")
		require.False(t, duplicate(t, c, first.With("brand", "b")), "another brand")
		require.False(t, duplicate(t, c, first.With("courierName", "dtdc")), "another courierName")
		require.False(t, duplicate(t, c, first.With("shopify", first["shopify"].(string)+"#2,,,,,,,,\n")), "another row of orders")
		require.False(t, duplicate(t, c, first.With("courier", first["courier"].(string)+"A9,,1,1,2026-10-10,\n")), "another line")
		require.False(t, duplicate(t, c, first.With("courier", Report(Line{AWB: "A1", Remitted: "10", RemittedOn: "2026-10-10"}, Line{AWB: "A2", Remitted: "5", RemittedOn: "2026-10-10"}))), "other flags")
		require.True(t, duplicate(t, c, first.With("courier", Report(Line{AWB: "A1", Remitted: "10", RemittedOn: "2026-10-09"}, Line{AWB: "A2", Remitted: "10", RemittedOn: "2026-10-09"}))), "the same counts from other text")
		require.True(t, duplicate(t, c, first), "the first one is still known after all these")
	})
	t.Run("2.2 4.1 8 a duplicate is not stored, not counted and succeeds at the cap", func(t *testing.T) {
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
	t.Run("2.2 a run that failed is no first run", func(t *testing.T) {
		c := s.Customer(t)
		require.Equal(t, http.StatusBadRequest, c.Reconcile(t, badFile()).Status)
		require.Equal(t, http.StatusBadRequest, c.Reconcile(t, badFile()).Status)
		require.False(t, duplicate(t, c, Small()))
	})
}
