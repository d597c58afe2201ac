package conformance

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// ruled presents a key with a ruling, and returns what that was made on.
func ruled(t *testing.T, s Storage, hash domain.KeyHash, w domain.RateWindow, changed bool, refusal error) (seen ports.KeyUse, err error) {
	err = s.Keys.Present(t.Context(), hash, noon, func(use ports.KeyUse) (domain.RateWindow, bool, error) {
		seen = use
		return w, changed, refusal
	})
	return seen, err
}

// look presents a key and changes nothing.
func look(t *testing.T, s Storage, hash domain.KeyHash) ports.KeyUse {
	t.Helper()
	return only.Value(ruled(t, s, hash, domain.RateWindow{}, false, nil))(t)
}

var _ = promises.add("a key comes with its account and its window", func(t *testing.T, one, other Storage) {
	account := created(t, one, "presented")
	key := issued(t, one, account, "k")
	require.Equal(t, ports.KeyUse{Key: key, Account: account}, look(t, other, key.Hash))

	Change(t, one.Accounts, account.Email, func(a *domain.Account) { a.Subscription, a.RunCap = domain.SubscriptionEnded, nil })
	account.Subscription, account.RunCap = domain.SubscriptionEnded, nil
	require.Equal(t, account, look(t, other, key.Hash).Account)
})

// A key is presented with whether its account has mappings, of either kind.
var _ = promises.add("a key comes with whether there are mappings", func(t *testing.T, one, other Storage) {
	named, saved, neighbour := created(t, one, "named"), created(t, one, "saved"), created(t, one, "neighbour")
	mapping := domain.Mapping{domain.RoleAWB: "Waybill"}
	require.NoError(t, one.Mappings.Save(t.Context(), named.ID, domain.NamedMapping{Name: "Godown", Mapping: mapping}, false, domain.SecurityEvent{}))
	require.NoError(t, one.Write(t.Context(), saved.ID, ports.Entry{Mappings: []ports.SavedMapping{{CourierName: "dtdc", Mapping: mapping}}, SavedAt: noon}))
	for account, want := range map[domain.Account]bool{named: true, saved: true, neighbour: false} {
		require.Equal(t, want, look(t, other, issued(t, one, account, account.ID).Hash).Mappings)
	}
})

var _ = promises.add("an unknown key is refused unasked", func(t *testing.T, one, _ Storage) {
	err := one.Keys.Present(t.Context(), domain.KeyHash{1}, noon, func(ports.KeyUse) (domain.RateWindow, bool, error) {
		t.Error("there is nothing to rule on")
		return domain.RateWindow{}, false, nil
	})
	require.ErrorIs(t, err, domain.ErrKey)
	require.ErrorIs(t, one.Keys.Rotate(t.Context(), aKey(anAccount("unknown"), "k"), domain.SecurityEvent{}), domain.ErrNoAccount)
})

var _ = promises.add("a window is remembered whatever the ruling", func(t *testing.T, one, other Storage) {
	key := issued(t, one, created(t, one, "remembered"), "k")
	first := domain.RateWindow{Admitted: []time.Time{noon, noon.Add(time.Microsecond)}}
	require.NoError(t, only.Err(ruled(t, one, key.Hash, first, true, nil)))
	require.Equal(t, first, look(t, other, key.Hash).Window)

	second := domain.RateWindow{BlockedUntil: noon.Add(5 * time.Minute)}
	refusal := errors.New("refused")
	use, err := ruled(t, other, key.Hash, second, true, refusal)
	require.Equal(t, first, use.Window)
	require.Same(t, refusal, err)
	require.Equal(t, second, look(t, one, key.Hash).Window)
})

var _ = promises.add("a window that did not change is not remembered", func(t *testing.T, one, _ Storage) {
	key := issued(t, one, created(t, one, "unchanged"), "k")
	refusal := errors.New("refused")
	require.Same(t, refusal, only.Err(ruled(t, one, key.Hash, domain.RateWindow{BlockedUntil: noon}, false, refusal)))
	require.Equal(t, domain.RateWindow{}, look(t, one, key.Hash).Window)
})

var _ = promises.add("a rotated key is dead at once", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "rotated"), created(t, one, "neighbour")
	theirs := issued(t, one, neighbour, "k")
	old := issued(t, one, account, "old")
	fresh := issued(t, one, account, "fresh")
	require.ErrorIs(t, present(t, other, old.Hash, noon), domain.ErrKey)
	require.Equal(t, ports.KeyUse{Key: fresh, Account: account}, look(t, other, fresh.Hash))
	require.Equal(t, theirs, look(t, other, theirs.Hash).Key)
})

var _ = promises.add("parallel rotations leave one key", func(t *testing.T, one, other Storage) {
	account := created(t, one, "parallel")
	requireInParallel(t, one, other, func(s Storage, i int) error {
		return s.Keys.Rotate(t.Context(), aKey(account, runID(i)), domain.SecurityEvent{})
	})
	presented := InParallel(one, other, func(s Storage, i int) error { return present(t, s, runIDHash(account, i), noon) })
	require.Len(t, Succeeded(t, presented, domain.ErrKey), 1)
})

// A block outlasts rotations, however many.
var _ = promises.add("a new key begins with the window of the former one", func(t *testing.T, one, other Storage) {
	account := created(t, one, "inherits")
	key := issued(t, one, account, "k")
	used := domain.RateWindow{Admitted: []time.Time{noon, noon.Add(time.Microsecond)}, BlockedUntil: noon.Add(5 * time.Minute)}
	require.NoError(t, only.Err(ruled(t, one, key.Hash, used, true, nil)))
	remember(t, one, "status:"+account.ID, domain.RateWindow{Admitted: []time.Time{noon}})
	for _, name := range []string{"second", "third"} {
		key = issued(t, other, account, name)
		require.Equal(t, ports.KeyUse{Key: key, Account: account, Window: used}, look(t, one, key.Hash))
	}
	require.Equal(t, domain.RateWindow{}, look(t, one, issued(t, one, created(t, one, "neighbour"), "k").Hash).Window)
})

// present counts a request with a key at a moment.
func present(t *testing.T, s Storage, hash domain.KeyHash, at time.Time) error {
	return s.Keys.Present(t.Context(), hash, at, func(use ports.KeyUse) (domain.RateWindow, bool, error) {
		next, wait, changed := domain.KeyRate.Admit(use.Window, at)
		if wait > 0 {
			return next, changed, domain.ErrRate(wait)
		}
		return next, changed, nil
	})
}

// While keys are rotated, a caller that presents the latest key that it knows is admitted no
// more often than with one key alone.
var _ = promises.add("a key's limit is exact through rotations", func(t *testing.T, one, other Storage) {
	account := created(t, one, "rotating")
	var latest atomic.Pointer[domain.APIKey]
	first := issued(t, one, account, "k")
	latest.Store(&first)
	var admitted, refused, dead atomic.Int64
	requireInParallel(t, one, other, func(s Storage, i int) error {
		if i%8 == 0 {
			key := aKey(account, runID(i))
			if err := s.Keys.Rotate(t.Context(), key, domain.SecurityEvent{}); err != nil {
				return err
			}
			latest.Store(&key)
		}
		switch err := present(t, s, latest.Load().Hash, noon); {
		case err == nil:
			admitted.Add(1)
		case errors.Is(err, &domain.Error{Code: domain.CodeRate}):
			refused.Add(1)
		case errors.Is(err, domain.ErrKey):
			dead.Add(1)
		default:
			return err
		}
		return nil
	})
	require.LessOrEqual(t, admitted.Load(), int64(domain.KeyRate.Limit))
	require.EqualValues(t, many, admitted.Load()+refused.Load()+dead.Load())
	key := issued(t, one, account, "last")
	for range domain.KeyRate.Limit - int(admitted.Load()) {
		require.NoError(t, present(t, one, key.Hash, noon))
	}
	require.Error(t, present(t, other, key.Hash, noon))
	key = issued(t, one, account, "after the block began")
	require.Error(t, present(t, other, key.Hash, noon.Add(domain.KeyRate.Block-time.Microsecond)))
})

var _ = promises.add("keys revoked long ago are swept away", func(t *testing.T, one, other Storage) {
	account := created(t, one, "swept")
	for i := range 4 { // each is revoked when the next one is issued
		key := aKey(account, runID(i))
		key.IssuedAt = noon.Add(time.Duration(i) * time.Hour)
		require.NoError(t, one.Keys.Rotate(t.Context(), key, domain.SecurityEvent{}))
	}
	reuse := func(i int) error { // a key that is stored cannot be stored again
		key := aKey(account, runID(i))
		key.IssuedAt = noon.Add(10 * time.Hour)
		return one.Keys.Rotate(t.Context(), key, domain.SecurityEvent{})
	}
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Keys: noon.Add(2 * time.Hour)}))
	require.Equal(t, runIDHash(account, 3), look(t, one, runIDHash(account, 3)).Key.Hash, "the active key stays, however old")
	for i := range 3 {
		require.ErrorIs(t, present(t, one, runIDHash(account, i), noon), domain.ErrKey, "kept or not")
	}
	require.Error(t, reuse(1), "revoked at the moment itself")
	require.NoError(t, reuse(0), "revoked an hour before")
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Keys: noon.Add(100 * time.Hour)}))
	require.NoError(t, reuse(1))
})

func runIDHash(account domain.Account, i int) domain.KeyHash { return aKey(account, runID(i)).Hash }

var _ = promises.add("a key's limit is exact", func(t *testing.T, one, other Storage) {
	key := issued(t, one, created(t, one, "limit"), "k")
	present := func(s Storage, at time.Time) error { return present(t, s, key.Hash, at) }
	admitted := func(at time.Time) []int {
		return Succeeded(t, InParallel(one, other, func(s Storage, _ int) error { return present(s, at) }), &domain.Error{Code: domain.CodeRate})
	}
	require.Len(t, admitted(noon), domain.KeyRate.Limit)
	require.Equal(t, noon.Add(domain.KeyRate.Block), look(t, one, key.Hash).Window.BlockedUntil)
	require.Error(t, present(other, noon.Add(domain.KeyRate.Block-time.Microsecond)))
	require.Len(t, admitted(noon.Add(domain.KeyRate.Block)), domain.KeyRate.Limit)
})

// windowOf reads a window and changes nothing.
func windowOf(t *testing.T, s Storage, subject string) (seen domain.RateWindow) {
	t.Helper()
	require.NoError(t, s.Windows.Update(t.Context(), subject, func(w domain.RateWindow) (domain.RateWindow, bool) {
		seen = w
		return domain.RateWindow{BlockedUntil: noon}, false
	}))
	return seen
}

func remember(t *testing.T, s Storage, subject string, w domain.RateWindow) {
	t.Helper()
	require.NoError(t, s.Windows.Update(t.Context(), subject, func(domain.RateWindow) (domain.RateWindow, bool) { return w, true }))
}

var _ = promises.add("a client's window is remembered", func(t *testing.T, one, other Storage) {
	require.Equal(t, domain.RateWindow{}, windowOf(t, one, "a"))
	w := domain.RateWindow{Admitted: []time.Time{noon, noon, noon.Add(time.Microsecond)}, BlockedUntil: noon.Add(time.Second)}
	remember(t, one, "a", w)
	require.Equal(t, w, windowOf(t, other, "a"))
	require.Equal(t, domain.RateWindow{}, windowOf(t, other, "b"))
	remember(t, other, "a", domain.RateWindow{})
	require.Equal(t, domain.RateWindow{}, windowOf(t, one, "a"))
})

var _ = promises.add("a client's limit is exact", func(t *testing.T, one, other Storage) {
	errs := inParallel(beyondLimits, one, other, func(s Storage, _ int) error {
		var wait time.Duration
		err := s.Windows.Update(t.Context(), "client", func(w domain.RateWindow) (next domain.RateWindow, changed bool) {
			next, wait, changed = domain.DemoRate.Admit(w, noon)
			return next, changed
		})
		if err == nil && wait > 0 {
			return domain.ErrRate(wait)
		}
		return err
	})
	require.Len(t, Succeeded(t, errs, &domain.Error{Code: domain.CodeRate}), domain.DemoRate.Limit)
})

var _ = promises.add("old windows are swept away", func(t *testing.T, one, other Storage) {
	old := domain.RateWindow{Admitted: []time.Time{noon.Add(-time.Microsecond)}}
	kept := domain.RateWindow{Admitted: []time.Time{noon}}
	blocking := domain.RateWindow{Admitted: []time.Time{noon.Add(-time.Hour)}, BlockedUntil: noon}
	remember(t, one, "old", old)
	remember(t, one, "kept", kept)
	remember(t, one, "blocking", blocking)
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Windows: noon}))
	require.Equal(t, domain.RateWindow{}, windowOf(t, one, "old"))
	require.Equal(t, kept, windowOf(t, one, "kept"))
	require.Equal(t, blocking, windowOf(t, one, "blocking"))

	remember(t, one, "old", kept)
	require.Equal(t, kept, windowOf(t, other, "old"))

	for _, subject := range []string{"days", "day", "a day:"} {
		remember(t, one, subject, old)
	}
	remember(t, one, ports.DaySubject+"old", old)
	remember(t, one, ports.DaySubject+"kept", kept)
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Windows: noon.Add(time.Hour)}))
	require.Equal(t, old, windowOf(t, one, ports.DaySubject+"old"), "a day's windows are kept longer")
	for _, subject := range []string{"days", "day", "a day:"} {
		require.Equal(t, domain.RateWindow{}, windowOf(t, one, subject))
	}
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{DayWindows: noon}))
	require.Equal(t, domain.RateWindow{}, windowOf(t, one, ports.DaySubject+"old"))
	require.Equal(t, kept, windowOf(t, one, ports.DaySubject+"kept"))
})
