package accounts_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/accounts"
	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// sessionOf accepts every token as one identity, or none.
type sessionOf struct {
	identity ports.Identity
	err      error
	asked    int
}

func (s *sessionOf) Verify(context.Context, string) (ports.Identity, error) {
	s.asked++
	return s.identity, s.err
}

type issuingBench struct {
	*storage.Store
	sessions *sessionOf
	issuing  *accounts.SigningIn
	manage   *accounts.Managing
}

func newIssuingBench(t *testing.T, account domain.Account) *issuingBench {
	t.Helper()
	b := &issuingBench{
		sessions: &sessionOf{identity: ports.Identity{Email: "Asha@Shop.example ", EmailVerified: true, IssuedAt: storage.LateEvening}},
		Store:    storage.New(t, account),
	}
	b.manage = &accounts.Managing{Keys: b.Keys, Windows: b.Windows, Clock: b.Clock, Sandbox: true}
	b.issuing = &accounts.SigningIn{Verify: b.sessions.Verify, People: b.People, Accounts: b.Accounts, Clock: b.Clock, Managing: *b.manage,
		Refusals: admission.Refusals{Events: b.Security, Windows: b.Windows, Clock: b.Clock, Log: slog.New(slog.DiscardHandler)},
	}
	return b
}

// activeKey is the id of the key in use, if there is one.
func (b *issuingBench) activeKey() []string {
	return storage.Column[string](b.Store, "SELECT id FROM api_keys WHERE revoked_at_us IS NULL")
}

func (b *issuingBench) issue(token string) (ports.IssuedKey, error) {
	return b.issuing.IssueKey(context.Background(), token, "", "192.0.2.1", domain.LiveKey)
}

func TestIssueRefusesAKeyAsSession(t *testing.T) {
	t.Parallel()
	b := newIssuingBench(t, storage.ProAccount())
	for _, token := range []string{"milaan_live_x", "milaan_sandbox_x", "milaan_live_"} {
		require.EqualError(t, only.Err(b.issue(token)), domain.ErrKeyAsSession.Error())
	}
	require.Zero(t, b.sessions.asked)
}

func TestIssueChecks(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	for _, c := range []struct {
		name string
		bend func(b *issuingBench, a *domain.Account)
		want error
	}{
		{"bad session", func(b *issuingBench, _ *domain.Account) { b.sessions.err = domain.ErrSession }, domain.ErrSession},
		{"e-mail not verified", func(b *issuingBench, _ *domain.Account) { b.sessions.identity.EmailVerified = false }, domain.ErrSetup},
		{"no e-mail", func(b *issuingBench, _ *domain.Account) { b.sessions.identity.Email = "" }, domain.ErrSetup},
		{"no account", func(b *issuingBench, _ *domain.Account) { b.sessions.identity.Email = "ravi@shop.example" }, domain.ErrSetup},
		{"database away", func(b *issuingBench, _ *domain.Account) { b.Fault = storage.Failing("find account", away) }, away},
		{"phone", func(_ *issuingBench, a *domain.Account) { a.PhoneVerified, a.Plan = false, domain.Solo }, domain.ErrPhone},
		{"setup", func(_ *issuingBench, a *domain.Account) { a.Subscription = domain.SubscriptionIncomplete }, domain.ErrSetup},
		{"subscription", func(_ *issuingBench, a *domain.Account) { a.Subscription = domain.SubscriptionEnded }, domain.ErrSubscription},
		{"plan", func(_ *issuingBench, a *domain.Account) { a.Plan = domain.Solo }, domain.ErrPlan},
		{"plan, phone verified on the way", func(b *issuingBench, a *domain.Account) {
			a.PhoneVerified, a.Plan = false, domain.Solo
			b.sessions.identity.PhoneVerified = true
		}, domain.ErrPlan},
	} {
		t.Run(c.name, func(t *testing.T) {
			account := storage.ProAccount()
			b := newIssuingBench(t, account)
			c.bend(b, &account)
			b.Change(func(a *domain.Account) { *a = account })
			require.ErrorIs(t, only.Err(b.issue("session")), c.want)
			require.Empty(t, b.activeKey(), "no key was stored")
			require.Empty(t, storage.Column[string](b.Store, "SELECT subject FROM rate_windows"), "nothing is counted")
		})
	}
}

func TestIssueHoldsTheRate(t *testing.T) {
	t.Parallel()
	b := newIssuingBench(t, storage.ProAccount())
	for range 5 {
		require.NoError(t, only.Err(b.issue("session")))
		b.Now = b.Now.Add(time.Second)
	}
	kept := b.activeKey()
	for range 3 {
		refused, err := b.issue("session")
		storage.RequireWait(t, err, 55*time.Second)
		require.Equal(t, ports.IssuedKey{AccountID: "account-1"}, refused)
	}
	require.Equal(t, kept, b.activeKey(), "the key in use stays")
	b.Now = b.Now.Add(55 * time.Second)
	require.NoError(t, only.Err(b.issue("session")), "nothing is blocked")
	require.NotEqual(t, kept, b.activeKey())

	kept = b.activeKey()
	b.Fault = storage.Failing("window", domain.ErrDatabase)
	require.ErrorIs(t, only.Err(b.issue("session")), domain.ErrDatabase)
	require.Equal(t, kept, b.activeKey(), "a request that cannot be counted is not served")
}

func TestIssueRecordsAVerifiedPhone(t *testing.T) {
	t.Parallel()
	account := storage.ProAccount()
	account.PhoneVerified = false
	b := newIssuingBench(t, account)
	b.sessions.identity.PhoneVerified = true
	require.NoError(t, only.Err(b.issue("session")))
	require.True(t, b.Stored().PhoneVerified)

	b.sessions.identity.PhoneVerified = false
	require.NoError(t, only.Err(b.issue("session")), "a number that is verified stays so, whatever the provider has not verified")
	require.True(t, b.Stored().PhoneVerified)
}
