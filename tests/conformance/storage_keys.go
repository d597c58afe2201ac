package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func replaced(t *testing.T, s Storage, key domain.APIKey, replaces string) error {
	return s.Keys.Replace(t.Context(), key, replaces, anEvent(key.ID, noon, domain.SecurityKeyIssued))
}

func activeKey(t *testing.T, s Storage, account domain.Account) ports.ActiveKey {
	t.Helper()
	return only.Value(s.Keys.Active(t.Context(), account.ID, domain.LiveKey))(t)
}

var _ = promises.add("a key is shown while it is active", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "shown"), created(t, one, "neighbour")
	require.ErrorIs(t, only.Err(one.Keys.Active(t.Context(), account.ID, domain.LiveKey)), domain.ErrNoKey)
	key := issued(t, one, account, "k")
	require.Equal(t, ports.ActiveKey{Prefix: key.Prefix, IssuedAt: noon}, activeKey(t, other, account))
	require.ErrorIs(t, only.Err(one.Keys.Active(t.Context(), neighbour.ID, domain.LiveKey)), domain.ErrNoKey)
})

var _ = promises.add("a key is replaced by whoever has seen it", func(t *testing.T, one, other Storage) {
	account := created(t, one, "replaced")
	first, second, third := aKey(account, "first"), aKey(account, "second"), aKey(account, "third")
	require.ErrorIs(t, replaced(t, one, first, "milaan_live_none"), domain.ErrKeyChanged, "there is none")
	require.NoError(t, replaced(t, one, first, ""))
	require.ErrorIs(t, replaced(t, other, second, ""), domain.ErrKeyChanged, "there is one now")
	require.ErrorIs(t, replaced(t, other, second, "milaan_live_"), domain.ErrKeyChanged, "the whole prefix counts")
	require.Equal(t, first, look(t, other, first.Hash).Key, "what is refused changes nothing")
	require.NoError(t, replaced(t, other, second, first.Prefix))
	require.ErrorIs(t, present(t, one, first.Hash, noon), domain.ErrKey)
	require.Equal(t, second, look(t, one, second.Hash).Key)
	require.ErrorIs(t, replaced(t, one, third, first.Prefix), domain.ErrKeyChanged)
	require.ErrorIs(t, present(t, one, third.Hash, noon), domain.ErrKey)
	require.Equal(t, []string{second.ID, first.ID}, eventIDs(t, one, account))
	require.ErrorIs(t, replaced(t, one, aKey(anAccount("unknown"), "k"), ""), domain.ErrNoAccount)
})

var _ = promises.add("one of many replacements of a key succeeds", func(t *testing.T, one, other Storage) {
	account := created(t, one, "parallel")
	replaces := "" // there is none at first
	for round, name := range []string{"first", "second"} {
		which := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
			return replaced(t, s, aKey(account, name+runID(i)), replaces)
		}), domain.ErrKeyChanged)
		require.Len(t, which, 1)
		winner := aKey(account, name+runID(which[0]))
		require.Equal(t, winner, look(t, one, winner.Hash).Key)
		require.Len(t, eventIDs(t, one, account), round+1)
		replaces = winner.Prefix
	}
})

var _ = promises.add("a key is revoked by its prefix", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "revoked"), created(t, one, "neighbour")
	revoke := func(s Storage, prefix string) error {
		return s.Keys.Revoke(t.Context(), account.ID, domain.LiveKey, prefix, noon.Add(time.Hour), anEvent("revoked "+prefix, noon, domain.SecurityKeyRevoked))
	}
	theirs := issued(t, one, neighbour, "k")
	require.ErrorIs(t, revoke(one, theirs.Prefix), domain.ErrNoKey)
	key := issued(t, one, account, "another")
	require.ErrorIs(t, revoke(other, theirs.Prefix), domain.ErrKeyChanged)
	require.ErrorIs(t, revoke(other, ""), domain.ErrKeyChanged)
	require.NoError(t, present(t, one, key.Hash, noon))
	require.Empty(t, eventIDs(t, one, account))

	which := Succeeded(t, InParallel(one, other, func(s Storage, _ int) error { return revoke(s, key.Prefix) }), domain.ErrNoKey)
	require.Len(t, which, 1)
	require.ErrorIs(t, present(t, other, key.Hash, noon), domain.ErrKey)
	require.Equal(t, []string{"revoked " + key.Prefix}, eventIDs(t, other, account))
	require.Equal(t, theirs, look(t, one, theirs.Hash).Key)
	require.ErrorIs(t, one.Keys.Revoke(t.Context(), "nobody", domain.LiveKey, "", noon, domain.SecurityEvent{}), domain.ErrNoAccount)

	reuse := func() error { return one.Keys.Rotate(t.Context(), key, domain.SecurityEvent{}) }
	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{Keys: noon.Add(time.Hour)}))
	require.Error(t, reuse(), "a revoked key is kept like a replaced one")
	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{Keys: noon.Add(time.Hour + time.Microsecond)}))
	require.NoError(t, reuse())
})

// A block outlasts a revocation, or a replacement.
var _ = promises.add("a revoked key leaves its window", func(t *testing.T, one, other Storage) {
	account := created(t, one, "inherits")
	key := issued(t, one, account, "k")
	used := domain.RateWindow{Admitted: []time.Time{noon}, BlockedUntil: noon.Add(5 * time.Minute)}
	require.NoError(t, only.Err(ruled(t, one, key.Hash, used, true, nil)))
	require.NoError(t, one.Keys.Revoke(t.Context(), account.ID, domain.LiveKey, key.Prefix, noon, domain.SecurityEvent{}))
	second, third := aKey(account, "second"), aKey(account, "third")
	require.NoError(t, replaced(t, other, second, ""))
	require.Equal(t, used, look(t, one, second.Hash).Window)
	require.NoError(t, replaced(t, other, third, second.Prefix))
	require.Equal(t, used, look(t, one, third.Hash).Window)
})

var _ = promises.add("a key's last use is known", func(t *testing.T, one, other Storage) {
	account := created(t, one, "used")
	key := issued(t, one, account, "k")
	used := func(s Storage, after time.Duration) time.Time {
		require.NoError(t, s.Keys.Present(t.Context(), key.Hash, noon.Add(after), func(use ports.KeyUse) (domain.RateWindow, bool, error) {
			return use.Window, false, nil
		}))
		return activeKey(t, other, account).UsedAt
	}
	require.Error(t, one.Keys.Present(t.Context(), key.Hash, noon, func(use ports.KeyUse) (domain.RateWindow, bool, error) {
		return use.Window, true, domain.ErrRate(time.Second)
	}))
	require.Zero(t, activeKey(t, other, account).UsedAt, "a refused request is no use")
	require.Equal(t, noon, used(one, 0))
	require.Equal(t, noon, used(other, domain.KeyUseSpan-time.Microsecond), "it is stored once in the span")
	require.Equal(t, noon.Add(domain.KeyUseSpan), used(other, domain.KeyUseSpan))
	require.Equal(t, noon.Add(domain.KeyUseSpan), used(one, 0), "an instance whose clock is behind does not take it back")

	requireInParallel(t, one, other, func(s Storage, i int) error {
		return s.Keys.Present(t.Context(), key.Hash, noon.Add(time.Hour+time.Duration(i)*time.Second), func(use ports.KeyUse) (domain.RateWindow, bool, error) {
			return use.Window, false, nil
		})
	})
	latest := activeKey(t, one, account).UsedAt
	require.False(t, latest.Before(noon.Add(time.Hour)))
	require.Zero(t, activeKey(t, one, withKey(t, one, "neighbour")).UsedAt)
	fresh := issued(t, one, account, "fresh")
	require.Equal(t, ports.ActiveKey{Prefix: fresh.Prefix, IssuedAt: noon}, activeKey(t, one, account), "a new key has not been used")
})

func withKey(t *testing.T, s Storage, name string) domain.Account {
	account := created(t, s, name)
	issued(t, s, account, "k")
	return account
}

func sandboxKeyOf(account domain.Account, name string) domain.APIKey {
	key := aKey(account, "sandbox "+name)
	key.Kind, key.Prefix = domain.SandboxKey, "milaan_sandbox_"+name
	return key
}

// The keys of an account do not know of each other: neither is replaced or revoked with the
// other, and each has its own window, which its successors inherit.
var _ = promises.add("an account has a key of each kind", func(t *testing.T, one, other Storage) {
	account := created(t, one, "kinds")
	live := issued(t, one, account, "k")
	first, second := sandboxKeyOf(account, "first"), sandboxKeyOf(account, "second")
	require.NoError(t, replaced(t, one, first, ""), "there is no sandbox key yet")
	require.Equal(t, live, look(t, other, live.Hash).Key)
	require.Equal(t, first, look(t, other, first.Hash).Key)

	used := domain.RateWindow{Admitted: []time.Time{noon}, BlockedUntil: noon.Add(time.Minute)}
	require.NoError(t, only.Err(ruled(t, one, first.Hash, used, true, nil)))
	require.Zero(t, look(t, other, live.Hash).Window)
	require.NoError(t, only.Err(ruled(t, one, live.Hash, domain.RateWindow{Admitted: []time.Time{noon.Add(1)}}, true, nil)))
	require.Equal(t, used, look(t, other, first.Hash).Window)

	require.NoError(t, other.Keys.Rotate(t.Context(), second, domain.SecurityEvent{}))
	require.ErrorIs(t, present(t, one, first.Hash, noon), domain.ErrKey)
	require.Equal(t, used, look(t, one, second.Hash).Window)
	require.Equal(t, live.Prefix, activeKey(t, one, account).Prefix)
	active := only.Value(one.Keys.Active(t.Context(), account.ID, domain.SandboxKey))(t)
	require.Equal(t, ports.ActiveKey{Prefix: second.Prefix, IssuedAt: noon, UsedAt: noon}, active)

	revoke := func(kind domain.KeyKind, prefix string) error {
		return one.Keys.Revoke(t.Context(), account.ID, kind, prefix, noon, domain.SecurityEvent{})
	}
	require.ErrorIs(t, revoke(domain.LiveKey, second.Prefix), domain.ErrKeyChanged)
	require.ErrorIs(t, revoke(domain.SandboxKey, live.Prefix), domain.ErrKeyChanged)
	require.NoError(t, revoke(domain.LiveKey, live.Prefix))
	require.Equal(t, second, look(t, other, second.Hash).Key)
	require.ErrorIs(t, only.Err(one.Keys.Active(t.Context(), account.ID, domain.LiveKey)), domain.ErrNoKey)
})
