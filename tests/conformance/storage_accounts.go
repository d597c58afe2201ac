package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

var _ = promises.add("an account comes back as it was stored", func(t *testing.T, one, other Storage) {
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
})

var _ = promises.add("an e-mail address is one account's", func(t *testing.T, one, other Storage) {
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
})

// Two addresses that become one in lower case, by rules beyond ASCII, are two
// people's.
var _ = promises.add("an e-mail address is compared byte for byte", func(t *testing.T, one, other Storage) {
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
})

var _ = promises.add("an unknown account is missed", func(t *testing.T, one, _ Storage) {
	require.ErrorIs(t, only.Err(one.Accounts.ByEmail(t.Context(), "nobody@shop.example")), domain.ErrNoAccount)
})

var _ = promises.add("an update alters what it may", func(t *testing.T, one, other Storage) {
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
})

var _ = promises.add("an account's updates are whole and exact", updates(func(s Storage) updating[domain.Account] { return s.Accounts },
	func(a *domain.Account) { a.OverdueDays++ }, func(a domain.Account) int { return a.OverdueDays }))

var _ = promises.add("books come back as they were stored", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "books"), created(t, one, "neighbour of books")
	b := only.Value(one.Books.Of(t.Context(), account.ID))(t)
	require.Zero(t, b)

	full := domain.Books{ByOrder: true}
	for _, ledger := range full.Ledgers() {
		*ledger.Name = "खाता " + ledger.Key
	}
	require.Equal(t, full, Change(t, one.Books, account.ID, func(b *domain.Books) { *b = full }))
	b = only.Value(other.Books.Of(t.Context(), account.ID))(t)
	require.Equal(t, full, b)
	b = only.Value(one.Books.Of(t.Context(), neighbour.ID))(t)
	require.Zero(t, b, "those of another account")
	require.Zero(t, Change(t, other.Books, account.ID, func(b *domain.Books) { *b = domain.Books{} }))
})

var _ = promises.add("updates of books are whole and exact", updates(func(s Storage) updating[domain.Books] { return s.Books },
	func(b *domain.Books) { b.Bank += "x" }, func(b domain.Books) int { return len(b.Bank) }))

var _ = promises.add("a branding comes back as it was stored", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "branding"), created(t, one, "neighbour")
	_, err := one.Brandings.Of(t.Context(), account.ID)
	require.ErrorIs(t, err, domain.ErrNoBranding)

	full := domain.Branding{Name: "आशा ₹", Logo: []byte(strings.Repeat("\x00\xff", domain.MaxLogoBytes/2)), Colour: domain.Colour{1, 128, 255}, Footer: "one line"}
	var was domain.Branding
	for _, want := range []domain.Branding{full, {Name: "name"}, {Logo: []byte("logo")}, {Colour: domain.Colour{255, 0, 0}}, {Footer: "footer"}, full} {
		got := Change(t, one.Brandings, account.ID, func(b *domain.Branding) {
			require.Equal(t, was, *b)
			*b = want
		})
		require.Equal(t, want, got)
		got, err = other.Brandings.Of(t.Context(), account.ID)
		require.NoError(t, err)
		require.Equal(t, want, got)
		was = want
	}
	_, err = one.Brandings.Of(t.Context(), neighbour.ID)
	require.ErrorIs(t, err, domain.ErrNoBranding)
	for range 2 {
		Change(t, one.Brandings, account.ID, func(b *domain.Branding) { *b = domain.Branding{} })
		_, err = other.Brandings.Of(t.Context(), account.ID)
		require.ErrorIs(t, err, domain.ErrNoBranding)
	}
})

var _ = promises.add("a branding's updates are whole and exact", updates(func(s Storage) updating[domain.Branding] { return s.Brandings },
	func(b *domain.Branding) { b.Footer += "x" }, func(b domain.Branding) int { return len(b.Footer) }))
