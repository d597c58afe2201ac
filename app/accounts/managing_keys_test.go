package accounts_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

func (b *issuingBench) replace(prefix string) (ports.IssuedKey, error) {
	return b.manage.ReplaceKey(b.T.Context(), b.Account, domain.LiveKey, prefix, domain.ByDashboard)
}

// The checks of the account are those of POST /generate-api-key, and so is the rate.
func TestReplaceChecks(t *testing.T) {
	t.Parallel()
	for want, change := range map[error]func(*domain.Account){
		domain.ErrPlan:         func(a *domain.Account) { a.Plan = domain.Solo },
		domain.ErrPhone:        func(a *domain.Account) { a.PhoneVerified = false },
		domain.ErrSubscription: func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded },
		domain.ErrSetup:        func(a *domain.Account) { a.Subscription = domain.SubscriptionIncomplete },
	} {
		b := newIssuingBench(t, storage.ProAccount())
		b.Change(change)
		require.ErrorIs(t, only.Err(b.replace("")), want)
		require.Empty(t, b.activeKey())
		require.Empty(t, storage.Column[string](b.Store, "SELECT subject FROM rate_windows"), "nothing is counted")
	}
	b := newIssuingBench(t, storage.ProAccount())
	for i := range 5 {
		var err error
		if i%2 == 0 {
			_, err = b.issue("session")
		} else {
			_, err = b.replace("another")
		}
		require.True(t, err == nil || errors.Is(err, domain.ErrKeyChanged), err)
	}
	_, err := b.replace("")
	storage.RequireWait(t, err, time.Minute)
	_, err = b.issue("session")
	storage.RequireWait(t, err, time.Minute)
}
