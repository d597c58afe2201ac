package accounts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/accounts"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

type spyIssuer struct {
	ports.LinkIssuer
	email, account string
	ttl            time.Duration
}

func (s *spyIssuer) Issue(email, account string, ttl time.Duration) (string, error) {
	s.email, s.account, s.ttl = email, account, ttl
	return "token", nil
}

func newAccounts(s *storage.Store) *accounts.Managing {
	return &accounts.Managing{Accounts: s.Accounts, Clock: s.Clock}
}

func TestCreateFillsInWhatIsBlank(t *testing.T) {
	t.Parallel()
	book := storage.New(t, domain.Account{})
	manage := newAccounts(book)
	got := only.Value(manage.Create(t.Context(), domain.Account{Email: " Asha@Shop.Example", Plan: domain.Pro, PhoneVerified: true}))(t)
	first := domain.DayFromDate(2026, time.September, 1)
	require.NotEmpty(t, got.ID)
	require.Equal(t, domain.Account{
		ID: got.ID, Email: "asha@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive,
		SubscribedOn: first, PlanSince: first, BillingDay: 1, PhoneVerified: true, CreatedAt: storage.LateEvening,
	}, got)
	require.Equal(t, got, book.Stored())
	runs, _ := got.MonthlyCap()
	require.Equal(t, 10, runs)
}

func TestCreateKeepsWhatIsGiven(t *testing.T) {
	t.Parallel()
	manage := newAccounts(storage.New(t, domain.Account{}))
	none := 0
	given := domain.Account{
		Email: "asha@shop.example", Plan: domain.Solo, Subscription: domain.SubscriptionIncomplete,
		SubscribedOn: domain.DayFromDate(2025, time.March, 31), BillingDay: 5, RunCap: &none, OverdueDays: 12,
	}
	got := only.Value(manage.Create(t.Context(), given))(t)
	given.ID, given.CreatedAt, given.PlanSince = got.ID, got.CreatedAt, given.SubscribedOn
	require.Equal(t, given, got)
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	book := storage.New(t, storage.ProAccount())
	manage := newAccounts(book)
	require.ErrorIs(t, only.Err(manage.Create(t.Context(), domain.Account{Email: "ASHA@shop.example", Plan: domain.Pro})), domain.ErrAccountTaken)
	_, err := manage.Create(t.Context(), domain.Account{Email: "asha@shop.example\u200b", Plan: domain.Pro})
	require.EqualError(t, err, "field_invalid email/email", "it looks like the other one")
	_, err = manage.Create(t.Context(), domain.Account{Email: "asha", Plan: "gold", SubscribedOn: domain.DayFromDate(2026, time.September, 2)})
	require.EqualError(t, err, "field_invalid email/email plan/one_of subscribed_on/not_past", "all at once")
	require.Equal(t, []int{1}, storage.Column[int](book, "SELECT count(*) FROM accounts"))
}

func TestChange(t *testing.T) {
	t.Parallel()
	book := storage.New(t, storage.ProAccount())
	manage := newAccounts(book)
	got := only.Value(manage.Change(t.Context(), "Asha@shop.example", domain.ByCommandLine, func(a *domain.Account, today domain.Day) error {
		a.ChangePlan(domain.Enterprise, today)
		return nil
	}))(t)
	require.Equal(t, domain.Enterprise, got.Plan)
	require.Equal(t, "2026-09-01", got.PlanSince.String(), "today is India's")

	_, err := manage.Change(t.Context(), "asha@shop.example", domain.ByCommandLine, func(a *domain.Account, _ domain.Day) error {
		a.BillingDay = 0
		return nil
	})
	require.ErrorContains(t, err, "billing_day/whole")
	require.Equal(t, got, book.Stored(), "an account that would not be valid stays as it was")

	_, err = manage.Change(t.Context(), "asha@shop.example", domain.ByCommandLine, func(a *domain.Account, today domain.Day) error {
		a.SubscribeOn(today + 1)
		return nil
	})
	require.Equal(t, domain.Faults{{Field: domain.FieldSubscribedOn, Rule: domain.RuleNotPast, Day: domain.DayFromDate(2026, time.September, 1)}}.Err(), err)
	_, err = manage.Change(t.Context(), "asha@shop.example", domain.ByCommandLine, func(*domain.Account, domain.Day) error { return domain.ErrAccountTaken })
	require.ErrorIs(t, err, domain.ErrAccountTaken)
	_, err = manage.Change(t.Context(), "ravi@shop.example", domain.ByCommandLine, func(*domain.Account, domain.Day) error { return nil })
	require.ErrorIs(t, err, domain.ErrNoAccount)
}

func TestAnAccountIsFoundByItsAddress(t *testing.T) {
	t.Parallel()
	manage := newAccounts(storage.New(t, storage.ProAccount()))
	require.Equal(t, storage.ProAccount(), only.Value(manage.Show(t.Context(), "ASHA@shop.example"))(t))
	require.ErrorIs(t, only.Err(manage.Show(t.Context(), "ravi@shop.example")), domain.ErrNoAccount)

	copied := storage.ProAccount()
	copied.Email += "\u200b" // as an earlier version stored it
	manage = newAccounts(storage.New(t, copied))
	change := func(a *domain.Account, _ domain.Day) error { a.BillingDay = 2; return nil }
	require.Equal(t, 2, only.Value(manage.Change(t.Context(), copied.Email, domain.ByCommandLine, change))(t).BillingDay)
}

func TestSession(t *testing.T) {
	t.Parallel()
	issuer := &spyIssuer{}
	b := storage.New(t, storage.ProAccount())
	sessions := accounts.SigningIn{People: b.People, Links: issuer, Events: b.Security, Clock: b.Clock}
	token := only.Value(sessions.Session(t.Context(), "Asha@shop.example", time.Hour))(t)
	require.Equal(t, "token", token)
	require.Equal(t, spyIssuer{email: "asha@shop.example", account: "account-1", ttl: time.Hour}, *issuer)

	_, err := sessions.Session(t.Context(), "ravi@shop.example", time.Hour)
	require.ErrorIs(t, err, domain.ErrNoAccount)
	for _, ttl := range []time.Duration{0, -time.Hour, 24*time.Hour + time.Second} {
		_, err = sessions.Session(t.Context(), "asha@shop.example", ttl)
		require.Equal(t, domain.Faults{{Field: domain.FieldSessionTime, Rule: domain.RuleTime, Min: 1, Max: 24}}.Err(), err)
	}
}
