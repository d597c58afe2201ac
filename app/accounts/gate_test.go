package accounts_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

type gateBench struct {
	secret string
	*storage.Store
	gate *admission.Gate
}

func newGateBench(t *testing.T) *gateBench {
	t.Helper()
	secret, hash := domain.MintKey(domain.LiveKey, [32]byte{7})
	b := &gateBench{secret: secret, Store: storage.New(t, storage.ProAccount())}
	require.NoError(t, b.Keys.Rotate(t.Context(), domain.APIKey{ID: "key-1", AccountID: "account-1", Kind: domain.LiveKey, Hash: hash, IssuedAt: b.Now}, domain.SecurityEvent{}))
	b.gate = &admission.Gate{Keys: b.Keys, Windows: b.Windows, Clock: b.Clock, Sandbox: true}
	return b
}

// window is the rate window of the account's keys, after change.
func (b *gateBench) window(change func(*domain.RateWindow)) (w domain.RateWindow) {
	hash, _ := only.Both(domain.CheckKey(b.secret))(b.T)
	require.NoError(b.T, b.Keys.Present(context.Background(), hash, b.Now, func(use ports.KeyUse) (domain.RateWindow, bool, error) {
		w = use.Window
		if change != nil {
			change(&w)
		}
		return w, change != nil, nil
	}))
	return w
}

func (b *gateBench) admit() error {
	_, err := b.gate.Admit(context.Background(), b.secret)
	return err
}

func TestGateLetsAKeyIn(t *testing.T) {
	t.Parallel()
	b := newGateBench(t)
	caller := only.Value(b.gate.Admit(t.Context(), b.secret))(t)
	require.Equal(t, storage.ProAccount(), caller.Account)
	require.Equal(t, []time.Time{b.Now}, b.window(nil).Admitted, "a repeated decision counts once")
}

func TestGateKeepsMalformedKeysFromTheDatabase(t *testing.T) {
	t.Parallel()
	b := newGateBench(t)
	for _, secret := range []string{
		"", " ", "Bearer", "milaan_live_", b.secret[:len(b.secret)-1], b.secret + "0", " " + b.secret,
		strings.Replace(b.secret, domain.LiveKeyPrefix, domain.SandboxKeyPrefix, 1),
		b.secret[:20] + "~" + b.secret[21:],
	} {
		caller, err := b.gate.Admit(t.Context(), secret)
		require.ErrorIs(t, err, domain.ErrKey, secret)
		require.Zero(t, caller)
	}
	require.Zero(t, b.Calls["present"])
}

func TestGateRefusesUnknownKeys(t *testing.T) {
	t.Parallel()
	b := newGateBench(t)
	known := b.secret
	b.secret, _ = domain.MintKey(domain.LiveKey, [32]byte{8})
	require.ErrorIs(t, b.admit(), domain.ErrKey)
	require.Equal(t, 1, b.Calls["present"])

	b.gate = &admission.Gate{Keys: wrongKeys{}, Windows: b.Windows, Clock: b.Clock, Sandbox: true}
	require.ErrorIs(t, b.admit(), domain.ErrKey, "a storage that finds the wrong key is not believed")
	b.secret = known
	require.Zero(t, b.window(nil))
}

// wrongKeys finds another key than the one asked for.
type wrongKeys struct{ ports.Keys }

func (wrongKeys) Present(_ context.Context, _ domain.KeyHash, _ time.Time, decide func(ports.KeyUse) (domain.RateWindow, bool, error)) error {
	_, changed, err := decide(ports.KeyUse{Account: storage.ProAccount()})
	if changed {
		return errors.New("the request was counted")
	}
	return err
}

func TestGateChecksTheAccountBeforeTheRate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		bend func(*domain.Account)
		want error
	}{
		{"phone first", func(a *domain.Account) { a.PhoneVerified, a.Subscription = false, domain.SubscriptionEnded }, domain.ErrPhone},
		{"setup", func(a *domain.Account) { a.Subscription = domain.SubscriptionIncomplete }, domain.ErrSetup},
		{"subscription before plan", func(a *domain.Account) { a.Subscription, a.Plan = domain.SubscriptionEnded, domain.Solo }, domain.ErrSubscription},
		{"plan", func(a *domain.Account) { a.Plan = domain.Solo }, domain.ErrPlan},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newGateBench(t)
			b.Change(c.bend)
			before := b.window(func(w *domain.RateWindow) { w.BlockedUntil = b.Now.Add(time.Minute) })
			caller, err := b.gate.Admit(t.Context(), b.secret)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, "account-1", caller.Account.ID, "the log says whose request was refused")
			require.Equal(t, before, b.window(nil))
			b.window(func(w *domain.RateWindow) { *w = domain.RateWindow{} })
			require.ErrorIs(t, b.admit(), c.want)
			require.Zero(t, b.window(nil), "nothing is counted")
		})
	}
}

func TestPollsHaveTheirOwnRate(t *testing.T) {
	t.Parallel()
	b := newGateBench(t)
	for range 10 {
		require.NoError(t, b.admit())
	}
	storage.RequireWait(t, b.admit(), 5*time.Minute)
	blocked := b.window(nil)
	poll := func() error {
		caller, err := b.gate.AdmitPoll(t.Context(), b.secret)
		require.Equal(t, "account-1", caller.Account.ID, "the log says whose request was refused")
		return err
	}
	for range 60 {
		require.NoError(t, poll(), "a key that is blocked may poll")
	}
	b.Now = b.Now.Add(10 * time.Second)
	for range 3 {
		storage.RequireWait(t, poll(), 50*time.Second)
	}
	b.Now = b.Now.Add(50 * time.Second)
	require.NoError(t, poll(), "a breach blocks nothing")
	require.Equal(t, blocked, b.window(nil), "the key's own window is left alone")

	b.Change(func(a *domain.Account) { a.Plan = domain.Solo })
	visits := b.Calls["window"]
	require.ErrorIs(t, poll(), domain.ErrPlan)
	b.Change(func(a *domain.Account) { a.Plan = domain.Pro })
	require.ErrorIs(t, only.Err(b.gate.AdmitPoll(t.Context(), "milaan_live_x")), domain.ErrKey)
	require.Equal(t, visits, b.Calls["window"])
	b.Fault = storage.Failing("window", domain.ErrDatabase)
	require.ErrorIs(t, poll(), domain.ErrDatabase, "an uncounted poll is not let in")
}
