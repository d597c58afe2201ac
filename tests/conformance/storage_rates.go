package conformance

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// look presents a key and changes nothing.
func look(t *testing.T, s Storage, hash domain.KeyHash) ports.KeyUse {
	t.Helper()
	var seen ports.KeyUse
	require.NoError(t, s.Keys.Present(t.Context(), hash, func(use ports.KeyUse) (domain.Window, bool, error) {
		seen = use
		return domain.Window{}, false, nil
	}))
	return seen
}

func keyPresented(t *testing.T, one, other Storage) {
	account := created(t, one, "presented")
	key := issued(t, one, account, "k")
	require.Equal(t, ports.KeyUse{Key: key, Account: account}, look(t, other, key.Hash))

	_, err := one.Accounts.Update(t.Context(), account.Email, func(a *domain.Account) error {
		a.Subscription, a.RunCap = domain.SubscriptionEnded, nil
		return nil
	})
	require.NoError(t, err)
	account.Subscription, account.RunCap = domain.SubscriptionEnded, nil
	require.Equal(t, account, look(t, other, key.Hash).Account)
}

func keyUnknown(t *testing.T, one, _ Storage) {
	err := one.Keys.Present(t.Context(), domain.KeyHash{1}, func(ports.KeyUse) (domain.Window, bool, error) {
		t.Error("there is nothing to rule on")
		return domain.Window{}, false, nil
	})
	require.ErrorIs(t, err, domain.ErrKey)
	require.ErrorIs(t, one.Keys.Rotate(t.Context(), aKey(anAccount("unknown"), "k")), domain.ErrNoAccount)
}

func keyWindowRemembered(t *testing.T, one, other Storage) {
	key := issued(t, one, created(t, one, "remembered"), "k")
	first := domain.Window{Admitted: []time.Time{noon, noon.Add(time.Microsecond)}}
	require.NoError(t, one.Keys.Present(t.Context(), key.Hash, func(ports.KeyUse) (domain.Window, bool, error) {
		return first, true, nil
	}))
	require.Equal(t, first, look(t, other, key.Hash).Window)

	second := domain.Window{BlockedUntil: noon.Add(5 * time.Minute)}
	refusal := errors.New("refused")
	err := other.Keys.Present(t.Context(), key.Hash, func(use ports.KeyUse) (domain.Window, bool, error) {
		require.Equal(t, first, use.Window)
		return second, true, refusal
	})
	require.Same(t, refusal, err)
	require.Equal(t, second, look(t, one, key.Hash).Window)
}

func keyWindowUnchanged(t *testing.T, one, _ Storage) {
	key := issued(t, one, created(t, one, "unchanged"), "k")
	refusal := errors.New("refused")
	err := one.Keys.Present(t.Context(), key.Hash, func(ports.KeyUse) (domain.Window, bool, error) {
		return domain.Window{BlockedUntil: noon}, false, refusal
	})
	require.Same(t, refusal, err)
	require.Equal(t, domain.Window{}, look(t, one, key.Hash).Window)
}

func keyRotated(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "rotated"), created(t, one, "neighbour")
	theirs := issued(t, one, neighbour, "k")
	old := issued(t, one, account, "old")
	require.NoError(t, one.Keys.Present(t.Context(), old.Hash, func(ports.KeyUse) (domain.Window, bool, error) {
		return domain.Window{BlockedUntil: noon}, true, nil
	}))
	fresh := issued(t, one, account, "fresh")
	err := other.Keys.Present(t.Context(), old.Hash, func(ports.KeyUse) (domain.Window, bool, error) {
		return domain.Window{}, false, nil
	})
	require.ErrorIs(t, err, domain.ErrKey)
	require.Equal(t, ports.KeyUse{Key: fresh, Account: account}, look(t, other, fresh.Hash))
	require.Equal(t, theirs, look(t, other, theirs.Hash).Key)
}

func keyRotationsParallel(t *testing.T, one, other Storage) {
	account := created(t, one, "parallel")
	for _, err := range inParallel(one, other, func(s Storage, i int) error {
		return s.Keys.Rotate(t.Context(), aKey(account, runID(i)))
	}) {
		require.NoError(t, err)
	}
	active := 0
	for i := range many {
		err := one.Keys.Present(t.Context(), aKey(account, runID(i)).Hash, func(ports.KeyUse) (domain.Window, bool, error) {
			return domain.Window{}, false, nil
		})
		if err == nil {
			active++
			continue
		}
		require.ErrorIs(t, err, domain.ErrKey)
	}
	require.Equal(t, 1, active)
}

func keyLimitParallel(t *testing.T, one, other Storage) {
	key := issued(t, one, created(t, one, "limit"), "k")
	present := func(s Storage, at time.Time) error {
		return s.Keys.Present(t.Context(), key.Hash, func(use ports.KeyUse) (domain.Window, bool, error) {
			next, wait, changed := domain.KeyRate.Admit(use.Window, at)
			if wait > 0 {
				return next, changed, domain.ErrRate(wait)
			}
			return next, changed, nil
		})
	}
	countAdmitted := func(at time.Time) (admitted int) {
		for _, err := range inParallel(one, other, func(s Storage, _ int) error { return present(s, at) }) {
			if err == nil {
				admitted++
				continue
			}
			require.ErrorIs(t, err, &domain.Error{Code: domain.CodeRate})
		}
		return admitted
	}
	require.Equal(t, domain.KeyRate.Limit, countAdmitted(noon))
	require.Equal(t, noon.Add(domain.KeyRate.Block), look(t, one, key.Hash).Window.BlockedUntil)
	require.Error(t, present(other, noon.Add(domain.KeyRate.Block-time.Microsecond)))
	require.Equal(t, domain.KeyRate.Limit, countAdmitted(noon.Add(domain.KeyRate.Block)))
}

// windowOf reads a window and changes nothing.
func windowOf(t *testing.T, s Storage, subject string) (seen domain.Window) {
	t.Helper()
	require.NoError(t, s.Windows.Update(t.Context(), subject, func(w domain.Window) (domain.Window, bool) {
		seen = w
		return domain.Window{BlockedUntil: noon}, false
	}))
	return seen
}

func remember(t *testing.T, s Storage, subject string, w domain.Window) {
	t.Helper()
	require.NoError(t, s.Windows.Update(t.Context(), subject, func(domain.Window) (domain.Window, bool) { return w, true }))
}

func windowRemembered(t *testing.T, one, other Storage) {
	require.Equal(t, domain.Window{}, windowOf(t, one, "a"))
	w := domain.Window{Admitted: []time.Time{noon, noon, noon.Add(time.Microsecond)}, BlockedUntil: noon.Add(time.Second)}
	remember(t, one, "a", w)
	require.Equal(t, w, windowOf(t, other, "a"))
	require.Equal(t, domain.Window{}, windowOf(t, other, "b"))
	remember(t, other, "a", domain.Window{})
	require.Equal(t, domain.Window{}, windowOf(t, one, "a"))
}

func windowLimitParallel(t *testing.T, one, other Storage) {
	var admitted atomic.Int64
	for _, err := range inParallel(one, other, func(s Storage, _ int) error {
		let := false
		err := s.Windows.Update(t.Context(), "client", func(w domain.Window) (domain.Window, bool) {
			next, wait, changed := domain.DemoRate.Admit(w, noon)
			let = wait == 0
			return next, changed
		})
		if let {
			admitted.Add(1)
		}
		return err
	}) {
		require.NoError(t, err)
	}
	require.EqualValues(t, domain.DemoRate.Limit, admitted.Load())
}

func windowsSwept(t *testing.T, one, other Storage) {
	old := domain.Window{Admitted: []time.Time{noon.Add(-time.Microsecond)}}
	kept := domain.Window{Admitted: []time.Time{noon}}
	blocking := domain.Window{Admitted: []time.Time{noon.Add(-time.Hour)}, BlockedUntil: noon}
	remember(t, one, "old", old)
	remember(t, one, "kept", kept)
	remember(t, one, "blocking", blocking)
	require.NoError(t, other.Windows.Sweep(t.Context(), noon))
	require.Equal(t, domain.Window{}, windowOf(t, one, "old"))
	require.Equal(t, kept, windowOf(t, one, "kept"))
	require.Equal(t, blocking, windowOf(t, one, "blocking"))

	remember(t, one, "old", kept)
	require.Equal(t, kept, windowOf(t, other, "old"))
}
