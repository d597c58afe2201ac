package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app"
	"milaan/domain"
)

type gateBench struct {
	secret string
	keys   *keyRing
	clock  *clockAt
	gate   *app.Gate
}

func newGateBench(t *testing.T) *gateBench {
	t.Helper()
	secret, hash := domain.MintKey([32]byte{7})
	account := proAccount()
	b := &gateBench{
		secret: secret,
		keys:   &keyRing{account: account, key: domain.APIKey{ID: "key-1", AccountID: account.ID, Hash: hash}},
		clock:  &clockAt{time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)},
	}
	b.gate = app.NewGate(b.keys, nil, b.clock.time)
	return b
}

func (b *gateBench) admit() error {
	_, err := b.gate.Admit(context.Background(), b.secret)
	return err
}

func TestGateLetsAKeyIn(t *testing.T) {
	b := newGateBench(t)
	caller, err := b.gate.Admit(t.Context(), b.secret)
	require.NoError(t, err)
	require.Equal(t, proAccount(), caller.Account)
	require.Equal(t, []time.Time{b.clock.now}, b.keys.window.Admitted, "a repeated decision counts once")
}

func TestGateKeepsMalformedKeysFromTheDatabase(t *testing.T) {
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
	require.Zero(t, b.keys.looked)
}

func TestGateRefusesUnknownKeys(t *testing.T) {
	b := newGateBench(t)
	b.keys.key.Hash[0]++
	require.ErrorIs(t, b.admit(), domain.ErrKey)
	require.Equal(t, 1, b.keys.looked)

	b.keys.otherHash = true
	require.ErrorIs(t, b.admit(), domain.ErrKey, "a storage that finds the wrong key is not believed")
	require.Zero(t, b.keys.remembers)
}

func TestGateChecksTheAccountBeforeTheRate(t *testing.T) {
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
			c.bend(&b.keys.account)
			b.keys.window = domain.RateWindow{BlockedUntil: b.clock.now.Add(time.Minute)}
			caller, err := b.gate.Admit(t.Context(), b.secret)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, "account-1", caller.Account.ID, "the log says whose request was refused")
			require.Zero(t, b.keys.remembers, "nothing is counted")
		})
	}
}

func TestGateHoldsTheRate(t *testing.T) {
	b := newGateBench(t)
	for range 10 {
		require.NoError(t, b.admit())
		b.clock.now = b.clock.now.Add(time.Second)
	}
	requireWait(t, b.admit(), 5*time.Minute)
	stored := b.keys.remembers

	b.clock.now = b.clock.now.Add(5*time.Minute - time.Millisecond)
	requireWait(t, b.admit(), time.Millisecond)
	require.Equal(t, stored, b.keys.remembers, "a blocked key costs no writing")

	b.clock.now = b.clock.now.Add(time.Millisecond)
	require.NoError(t, b.admit())
}

func TestPollsHaveTheirOwnRate(t *testing.T) {
	b := newGateBench(t)
	windows := &demoWindows{kept: map[string]domain.RateWindow{}}
	b.gate = app.NewGate(b.keys, windows, b.clock.time)
	for range 10 {
		require.NoError(t, b.admit())
	}
	requireWait(t, b.admit(), 5*time.Minute)
	blocked := b.keys.window
	poll := func() error {
		caller, err := b.gate.AdmitPoll(t.Context(), b.secret)
		require.Equal(t, "account-1", caller.Account.ID, "the log says whose request was refused")
		return err
	}
	for range 60 {
		require.NoError(t, poll(), "a key that is blocked may poll")
	}
	b.clock.now = b.clock.now.Add(10 * time.Second)
	for range 3 {
		requireWait(t, poll(), 50*time.Second)
	}
	b.clock.now = b.clock.now.Add(50 * time.Second)
	require.NoError(t, poll(), "a breach blocks nothing")
	require.Equal(t, blocked, b.keys.window, "the key's own window is left alone")

	b.keys.account.Plan = domain.Solo
	visits := windows.visits
	require.ErrorIs(t, poll(), domain.ErrPlan)
	b.keys.account = proAccount()
	_, err := b.gate.AdmitPoll(t.Context(), "milaan_live_x")
	require.ErrorIs(t, err, domain.ErrKey)
	require.Equal(t, visits, windows.visits)
	windows.away = domain.ErrDatabase
	require.ErrorIs(t, poll(), domain.ErrDatabase, "an uncounted poll is not let in")
}

func requireWait(t *testing.T, err error, wait time.Duration) {
	t.Helper()
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.CodeRate, e.Code)
	require.Equal(t, wait, e.RetryAfter)
}
