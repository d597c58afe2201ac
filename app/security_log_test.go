package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/logo"
	"milaan/app/accounts"
	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// logged is an event without its id, which is new each time.
type logged struct {
	Kind   domain.SecurityKind
	Detail string
	By     domain.Way
}

// securityLog is the account's security log, latest first.
func (s *store) securityLog() (all []logged) {
	events, err := admission.NewSecurityLog(s.security).Latest(s.t.Context(), s.account.ID)
	require.NoError(s.t, err)
	for _, e := range events {
		require.NotEmpty(s.t, e.ID)
		require.Equal(s.t, s.account.ID, e.AccountID)
		require.WithinDuration(s.t, lateEvening, e.At, time.Hour)
		all = append(all, logged{e.Kind, e.Detail, e.By})
	}
	return all
}

// What changes an account's security is logged, with the way it was done, and without
// secrets and personal data; what is refused or changes nothing is not.
func TestChangesAreLogged(t *testing.T) {
	nothing := func(*webhooksBench) {}
	const secretive = "https://hooks.example:8443/token-of-asha?key=1"
	for name, c := range map[string]struct {
		prepare func(*webhooksBench)
		do      func(*webhooksBench) error
		want    []logged
	}{
		"account": {nothing, func(b *webhooksBench) error {
			_, err := newAccounts(b.store).Change(t.Context(), owner, domain.ByDashboard, func(a *domain.Account, _ domain.Day) error {
				a.OverdueDays, a.BillingDay = 9, 5
				return nil
			})
			return err
		}, []logged{{domain.SecurityAccount, "billing_day, overdue_days", domain.ByDashboard}}},
		"account as it was": {nothing, func(b *webhooksBench) error {
			_, err := newAccounts(b.store).Change(t.Context(), owner, domain.ByDashboard, func(*domain.Account, domain.Day) error { return nil })
			return err
		}, nil},
		"webhook": {nothing, func(b *webhooksBench) error {
			_, _, err := b.manage.Set(t.Context(), owner, secretive, domain.ByDashboard)
			return err
		}, []logged{{domain.SecurityWebhookSet, "hooks.example", domain.ByDashboard}}},
		"webhook shown": {func(b *webhooksBench) { b.setWebhook(domain.Webhook{Endpoint: endpoint, Secret: testSecret}) }, func(b *webhooksBench) error {
			_, _, err := b.manage.Show(t.Context(), owner)
			return err
		}, nil},
		"webhook rotated": {func(b *webhooksBench) { b.setWebhook(domain.Webhook{Endpoint: endpoint, Secret: testSecret}) }, func(b *webhooksBench) error {
			_, _, err := b.manage.Rotate(t.Context(), owner, domain.ByCommandLine)
			return err
		}, []logged{{domain.SecurityWebhookSecret, "", domain.ByCommandLine}}},
		"webhook removed": {func(b *webhooksBench) { b.setWebhook(domain.Webhook{Endpoint: endpoint, Secret: testSecret}) }, func(b *webhooksBench) error {
			return b.manage.Remove(t.Context(), owner, domain.ByDashboard)
		}, []logged{{domain.SecurityWebhookGone, "", domain.ByDashboard}}},
		"webhook that is not there": {nothing, func(b *webhooksBench) error {
			require.ErrorIs(t, b.manage.Remove(t.Context(), owner, domain.ByDashboard), domain.ErrNoWebhook)
			return nil
		}, nil},
		"branding": {nothing, func(b *webhooksBench) error {
			m := accounts.NewBranding(accounts.BrandingParams{Accounts: b.accounts, Brandings: b.brandings, Logos: logo.New(), Clock: b.clock})
			if _, err := m.Set(t.Context(), owner, domain.ByDashboard, ports.BrandingChange{Name: new("Asha")}); err != nil {
				return err
			}
			b.now = b.now.Add(time.Second)
			return m.Remove(t.Context(), owner, domain.ByCommandLine)
		}, []logged{{domain.SecurityBranding, "", domain.ByCommandLine}, {domain.SecurityBranding, "", domain.ByDashboard}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newWebhooksBench(t, enterpriseAccount())
			c.prepare(b)
			require.NoError(t, c.do(b))
			require.Equal(t, c.want, b.securityLog())
		})
	}
}

// An issue is logged in the transaction that stores the key.
func TestKeysAreLogged(t *testing.T) {
	b := newIssuingBench(t, proAccount())
	b.fault = failing("rotate", domain.ErrDatabase)
	_, err := b.issue("session")
	require.ErrorIs(t, err, domain.ErrDatabase)
	require.Empty(t, b.securityLog())

	b.fault = failing("", nil)
	first, err := b.issue("session")
	require.NoError(t, err)
	b.now = b.now.Add(time.Second)
	second, err := b.manage.Replace(t.Context(), b.account, domain.LiveKey, first.Prefix, domain.ByDashboard)
	require.NoError(t, err)
	b.now = b.now.Add(time.Second)
	require.NoError(t, b.manage.Revoke(t.Context(), b.account, domain.LiveKey, second.Prefix, domain.ByDashboard))
	require.Equal(t, []logged{
		{domain.SecurityKeyRevoked, second.Prefix, domain.ByDashboard},
		{domain.SecurityKeyIssued, second.Prefix, domain.ByDashboard},
		{domain.SecurityKeyIssued, first.Prefix, domain.ByAPI},
	}, b.securityLog())
}

func TestChangesHaveARate(t *testing.T) {
	b := newIssuingBench(t, proAccount())
	changing := admission.NewChanging(b.windows, b.clock)
	for range 30 {
		require.NoError(t, changing.CountChange(t.Context(), "account-1"))
	}
	requireWait(t, changing.CountChange(t.Context(), "account-1"), time.Minute)
	require.NoError(t, changing.CountChange(t.Context(), "account-2"))
	b.now = b.now.Add(time.Minute)
	require.NoError(t, changing.CountChange(t.Context(), "account-1"))
}

// The identity provider may say, as a key is issued, that a phone is verified.
func TestAVerifiedPhoneIsLogged(t *testing.T) {
	account := proAccount()
	account.PhoneVerified, account.Plan = false, domain.Solo
	b := newIssuingBench(t, account)
	b.sessions.identity.PhoneVerified = true
	_, err := b.issue("session")
	require.ErrorIs(t, err, domain.ErrPlan)
	require.Equal(t, []logged{{domain.SecurityAccount, "phone_verified", domain.ByAPI}}, b.securityLog())
}
