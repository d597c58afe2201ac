package service

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCaps holds the monthly runs of section 8.
func TestCaps(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		// runs sends as many runs as are let through, and one more.
		runs := func(t *testing.T, c *Customer) int {
			t.Helper()
			for n := range 40 {
				if n%10 == 0 {
					s.Clock.Advance(time.Minute)
				}
				a := c.Reconcile(t, Named(n))
				if a.Status == http.StatusTooManyRequests {
					a.Refused(t, 429, fmt.Sprintf("Run limit of %d/month reached", n))
					return n
				}
				require.Equal(t, http.StatusOK, a.Status)
			}
			return 40
		}
		t.Run("the message has the exact limit of the account", func(t *testing.T) {
			require.Equal(t, 12, runs(t, s.Customer(t, Capped(12))))
			a := s.Customer(t, Capped(0)).Reconcile(t, Small())
			a.Refused(t, 429, "Run limit of 0/month reached")
		})
		t.Run("a refused or faulty run is not counted", func(t *testing.T) {
			c := s.Customer(t, Capped(1))
			c.Reconcile(t, badFile()).Refused(t, 400, "courier file (courier)")
			c.Reconcile(t, Body{}).Refused(t, 400, "shopify is missing")
			c.Run(t, Small())
		})
		t.Run("a cap that was raised holds at once", func(t *testing.T) {
			c := s.Customer(t, Capped(1))
			require.Equal(t, 1, runs(t, c))
			c.Change(t, Capped(2))
			c.Run(t, Named("one more"))
			c.Reconcile(t, Named("two more")).Refused(t, 429, "Run limit of 2/month reached")
		})
	})
}
