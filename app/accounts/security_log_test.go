package accounts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/logo"
	"milaan/app/accounts"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// What changes an account's security is logged, with the way it was done, and without
// secrets; what changes nothing is not.
func TestChangesAreLogged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(*storage.Store) error
		want []storage.Logged
	}{
		"account": {func(b *storage.Store) error {
			_, err := newAccounts(b).Change(t.Context(), "asha@shop.example", domain.ByDashboard, func(a *domain.Account, _ domain.Day) error {
				a.OverdueDays, a.BillingDay = 9, 5
				return nil
			})
			return err
		}, []storage.Logged{{Kind: domain.SecurityAccount, Detail: "billing_day, overdue_days", By: domain.ByDashboard}}},
		"account as it was": {func(b *storage.Store) error {
			_, err := newAccounts(b).Change(t.Context(), "asha@shop.example", domain.ByDashboard, func(*domain.Account, domain.Day) error { return nil })
			return err
		}, nil},
		"branding": {func(b *storage.Store) error {
			m := &accounts.Managing{Brandings: b.Brandings, Clean: logo.Clean, Clock: b.Clock}
			if _, err := m.SetBranding(t.Context(), b.Account, domain.ByDashboard, ports.BrandingChange{Name: new("Asha")}); err != nil {
				return err
			}
			b.Now = b.Now.Add(time.Second)
			return m.RemoveBranding(t.Context(), b.Account.ID, domain.ByCommandLine)
		}, []storage.Logged{{Kind: domain.SecurityBranding, Detail: "", By: domain.ByCommandLine}, {Kind: domain.SecurityBranding, Detail: "", By: domain.ByDashboard}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := storage.New(t, storage.EnterpriseAccount())
			require.NoError(t, c.do(b))
			require.Equal(t, c.want, b.SecurityLog())
		})
	}
}

// An issue is logged in the transaction that stores the key.
func TestKeysAreLogged(t *testing.T) {
	t.Parallel()
	b := newIssuingBench(t, storage.ProAccount())
	b.Fault = storage.Failing("rotate", domain.ErrDatabase)
	require.ErrorIs(t, only.Err(b.issue("session")), domain.ErrDatabase)
	require.Empty(t, b.SecurityLog())

	b.Fault = storage.Failing("", nil)
	first := only.Value(b.issue("session"))(t)
	b.Now = b.Now.Add(time.Second)
	second := only.Value(b.manage.ReplaceKey(t.Context(), b.Account, domain.LiveKey, first.Prefix, domain.ByDashboard))(t)
	b.Now = b.Now.Add(time.Second)
	require.NoError(t, b.manage.RevokeKey(t.Context(), b.Account, domain.LiveKey, second.Prefix, domain.ByDashboard))
	program := domain.Actor{Way: domain.WayAPI, Name: "asha@shop.example", Address: "192.0.2.1"}
	require.Equal(t, []storage.Logged{
		{Kind: domain.SecurityKeyRevoked, Detail: second.Prefix, By: domain.ByDashboard},
		{Kind: domain.SecurityKeyReplaced, Detail: first.Prefix + " → " + second.Prefix, By: domain.ByDashboard},
		{Kind: domain.SecurityKeyIssued, Detail: first.Prefix, By: program},
	}, b.SecurityLog())
}

// The identity provider may say, as a key is issued, that a phone is verified.
func TestAVerifiedPhoneIsLogged(t *testing.T) {
	t.Parallel()
	account := storage.ProAccount()
	account.PhoneVerified, account.Plan = false, domain.Solo
	b := newIssuingBench(t, account)
	b.sessions.identity.PhoneVerified = true
	require.ErrorIs(t, only.Err(b.issue("session")), domain.ErrPlan)
	require.Equal(t, []storage.Logged{{Kind: domain.SecurityAccount, Detail: "phone_verified",
		By: domain.Actor{Way: domain.WayAPI, Name: "asha@shop.example", Address: "192.0.2.1"}}}, b.SecurityLog())
}
