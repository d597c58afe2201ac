package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

func accountRoundTrip(t *testing.T, one, other Storage) {
	full := created(t, one, "full")
	require.Equal(t, full, AccountOf(t, other, full.Email))

	none := 0
	for name, runCap := range map[string]*int{"uncapped": nil, "capped-at-nothing": &none} {
		a := anAccount(name)
		a.RunCap, a.PhoneVerified, a.OverdueDays, a.Plan, a.Subscription = runCap, false, 0, domain.Enterprise, domain.SubscriptionIncomplete
		a.CreatedAt = noon.In(domain.Kolkata)
		require.NoError(t, one.Accounts.Create(t.Context(), a))
		a.CreatedAt = noon
		require.Equal(t, a, AccountOf(t, one, a.Email))
	}
}

func accountTaken(t *testing.T, one, other Storage) {
	first := created(t, one, "taken")
	second := anAccount("second")
	second.Email = first.Email
	require.ErrorIs(t, other.Accounts.Create(t.Context(), second), domain.ErrAccountTaken)
	require.Equal(t, first, AccountOf(t, one, first.Email))

	require.Len(t, Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		a := anAccount("wanted")
		a.ID += runID(i)
		return s.Accounts.Create(t.Context(), a)
	}), domain.ErrAccountTaken), 1)
}

// Two addresses that become one in lower case, by rules beyond ASCII, are two
// people's.
func accountByteForByte(t *testing.T, one, other Storage) {
	kim := created(t, one, "kim")
	for _, address := range []string{"\u212Aim@shop.example", "KIM@shop.example", "kim@shop.example ", "k\u0131m@shop.example"} {
		require.ErrorIs(t, only.Err(other.Accounts.ByEmail(t.Context(), address)), domain.ErrNoAccount, "%q", address)
		_, err := other.Accounts.Update(t.Context(), address, domain.SecurityEvent{}, func(*domain.Account) error {
			t.Errorf("%q is taken for %s", address, kim.Email)
			return nil
		})
		require.ErrorIs(t, err, domain.ErrNoAccount, "%q", address)
	}
	kelvin := anAccount("kelvin")
	kelvin.Email = "\u212Aim@shop.example"
	require.NoError(t, other.Accounts.Create(t.Context(), kelvin))
	for _, account := range []domain.Account{kim, kelvin} {
		require.Equal(t, account, AccountOf(t, one, account.Email))
	}
}

func accountMissing(t *testing.T, one, _ Storage) {
	require.ErrorIs(t, only.Err(one.Accounts.ByEmail(t.Context(), "nobody@shop.example")), domain.ErrNoAccount)
}

func accountUpdate(t *testing.T, one, other Storage) {
	was := created(t, one, "update")
	want := was
	want.Plan, want.PlanSince, want.RunCap = domain.Enterprise, domain.DayFromDate(2026, 10, 1), nil
	want.PhoneVerified, want.BillingDay, want.OverdueDays, want.Subscription = false, 1, 0, domain.SubscriptionEnded
	got := Change(t, one.Accounts, was.Email, func(a *domain.Account) {
		require.Equal(t, was, *a)
		*a = want
		a.ID, a.Email, a.CreatedAt = "other", "other@shop.example", noon.Add(time.Hour)
	})
	require.Equal(t, want, got)
	require.Equal(t, want, AccountOf(t, other, was.Email))
}

var accountUpdates = updates(func(s Storage) updating[domain.Account] { return s.Accounts },
	func(a *domain.Account) { a.OverdueDays++ }, func(a domain.Account) int { return a.OverdueDays })
