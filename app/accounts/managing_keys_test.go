package accounts_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

func (b *issuingBench) replace(prefix string) (ports.IssuedKey, error) {
	return b.manage.ReplaceKey(b.T.Context(), b.Account, domain.LiveKey, prefix, domain.ByDashboard)
}

func TestReplaceAKey(t *testing.T) {
	t.Parallel()
	b := newIssuingBench(t, storage.ProAccount())
	require.ErrorIs(t, only.Err(b.manage.ActiveKey(t.Context(), "account-1", domain.LiveKey)), domain.ErrNoKey)
	require.ErrorIs(t, only.Err(b.replace("milaan_live_abcdefgh")), domain.ErrKeyChanged, "there is none to replace")
	first := only.Value(b.replace(""))(t)
	require.Equal(t, "account-1", first.AccountID)
	active := only.Value(b.manage.ActiveKey(t.Context(), "account-1", domain.LiveKey))(t)
	require.Equal(t, ports.ActiveKey{Prefix: first.Prefix, IssuedAt: b.Now}, active)

	b.Now = b.Now.Add(time.Minute)
	for _, other := range []string{"", first.Secret, "milaan_live_", "\x00"} {
		refused, err := b.replace(other)
		require.ErrorIs(t, err, domain.ErrKeyChanged)
		require.Equal(t, ports.IssuedKey{AccountID: "account-1"}, refused)
	}
	gate := &admission.Gate{Keys: b.Keys, Windows: b.Windows, Clock: b.Clock, Sandbox: true}
	require.NoError(t, only.Err(gate.Admit(t.Context(), first.Secret)), "the key stays")
	active = only.Value(b.manage.ActiveKey(t.Context(), "account-1", domain.LiveKey))(t)
	require.Equal(t, b.Now, active.UsedAt)

	second := only.Value(b.replace(first.Prefix))(t)
	require.ErrorIs(t, only.Err(gate.Admit(t.Context(), first.Secret)), domain.ErrKey)
	require.NoError(t, only.Err(gate.Admit(t.Context(), second.Secret)))
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

func TestRevokeAKey(t *testing.T) {
	t.Parallel()
	b := newIssuingBench(t, storage.ProAccount())
	revoke := func(prefix string) error {
		return b.manage.RevokeKey(t.Context(), b.Account, domain.LiveKey, prefix, domain.ByDashboard)
	}
	require.ErrorIs(t, revoke("milaan_live_abcdefgh"), domain.ErrNoKey)
	key := only.Value(b.replace(""))(t)
	for _, other := range []string{"", key.Secret, "milaan_live_abcdefgh"} {
		require.ErrorIs(t, revoke(other), domain.ErrKeyChanged)
	}
	require.Len(t, b.activeKey(), 1)
	b.Change(func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded })
	require.NoError(t, revoke(key.Prefix), "an account that may not use the API may still revoke")
	require.Empty(t, b.activeKey())
	_, err := (&admission.Gate{Keys: b.Keys, Windows: b.Windows, Clock: b.Clock, Sandbox: true}).Admit(t.Context(), key.Secret)
	require.ErrorIs(t, err, domain.ErrKey)
	require.ErrorIs(t, revoke(key.Prefix), domain.ErrNoKey)
}

// Of many who replace the same key at once, one does; the others are told to look again,
// or to wait.
func TestOneOfManyReplaces(t *testing.T) {
	t.Parallel()
	b := newIssuingBench(t, storage.ProAccount())
	first := only.Value(b.replace(""))(t)
	b.Now = b.Now.Add(time.Hour)
	const callers = 16
	keys, faults := make([]ports.IssuedKey, callers), make([]error, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() { keys[i], faults[i] = b.replace(first.Prefix) })
	}
	all.Wait()
	done, changed, throttled := 0, 0, 0
	for i, err := range faults {
		_, code, _ := domain.KindOf(err)
		switch {
		case err == nil:
			done++
			require.NotEmpty(t, keys[i].Secret)
			active := only.Value(b.manage.ActiveKey(t.Context(), "account-1", domain.LiveKey))(t)
			require.Equal(t, keys[i].Prefix, active.Prefix)
		case errors.Is(err, domain.ErrKeyChanged):
			changed++
		case code == domain.CodeRate:
			throttled++
		default:
			require.NoError(t, err)
		}
	}
	require.Equal(t, []int{1, 4, 11}, []int{done, changed, throttled})
	require.Len(t, b.activeKey(), 1)
}
