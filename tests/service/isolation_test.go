package service

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestIsolation holds that what one account does is invisible to another, on
// every route that knows accounts.
func TestIsolation(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		t.Run("another account's run is no first run", func(t *testing.T) {
			a, b := s.Customer(t), s.Customer(t)
			first := a.Reconcile(t, Small())
			other := b.Reconcile(t, Small())
			require.Nil(t, other.Run(t).Duplicate)
			require.NotEqual(t, first.Header.Get("X-Run-Id"), other.Header.Get("X-Run-Id"))
			require.Equal(t, other.Header.Get("X-Run-Id"), *b.Run(t, Small()).RunID, "its own is")
		})
		t.Run("another account's runs do not count", func(t *testing.T) {
			a, b := s.Customer(t, Capped(1)), s.Customer(t, Capped(1))
			a.Run(t, Small())
			a.Reconcile(t, Named(2)).Refused(t, 429, "Run limit of 1/month reached")
			b.Run(t, Small())
		})
		t.Run("another account's requests do not count", func(t *testing.T) {
			a, b := s.Customer(t), s.Customer(t)
			blockedBy(t, a)
			b.Run(t, Small())
			a.Reconcile(t, Small()).Refused(t, 429, "Rate limit exceeded")
		})
		t.Run("another account's new key changes nothing", func(t *testing.T) {
			a, b := s.Customer(t), s.Customer(t)
			a.Rotate(t)
			b.Run(t, Named(1))
			a.Change(t, func(account *domain.Account) { account.Subscription = domain.SubscriptionEnded })
			b.Run(t, Named(2))
			require.Equal(t, http.StatusForbidden, a.Reconcile(t, Small()).Status)
		})
		t.Run("another account's Idempotency-Key is another key", func(t *testing.T) {
			a, b := s.Customer(t), s.Customer(t)
			first := a.Keyed(t, "/reconcile", "k", Small())
			other := b.Keyed(t, "/reconcile", "k", Small())
			require.Nil(t, other.Run(t).Duplicate)
			b.Keyed(t, "/reconcile", "k", Named("another request")).Refused(t, 409, keyReused)
			c := s.Customer(t)
			require.Nil(t, c.Keyed(t, "/reconcile", "k", Named("another request")).Run(t).Duplicate)
			a.Keyed(t, "/reconcile", "k", Small()).Repeats(t, first)
			b.Keyed(t, "/reconcile", "k", Small()).Repeats(t, other)
		})
		t.Run("another account's mapping is not used", func(t *testing.T) {
			a, b := s.Customer(t, OnPlan(domain.Enterprise)), s.Customer(t, OnPlan(domain.Enterprise))
			require.Equal(t, "500", paid(t, a, byOrderValue))
			require.Equal(t, "500", paid(t, a, byBoth), "by its own saved mapping")
			require.Equal(t, "400", paid(t, b, byBoth))
		})
	})
}
