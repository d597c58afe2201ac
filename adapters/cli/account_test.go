package cli

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// managed is ports.ManagingAccounts and ports.SigningIn in memory.
type managed struct {
	ports.ManagingAccounts
	ports.SigningIn

	accounts map[string]domain.Account
	changes  []domain.Actor
	closed   int
	linked   int
	fault    error
}

var today = domain.DayFromDate(2026, time.November, 21)

func (m *managed) Create(_ context.Context, a domain.Account) (domain.Account, error) {
	if m.fault != nil {
		return domain.Account{}, m.fault
	}
	a.ID, a.CreatedAt = "0193-id", time.Date(2026, time.November, 21, 15, 30, 0, 0, domain.Kolkata)
	if a.SubscribedOn == domain.NoDay {
		a.SubscribeOn(today)
	}
	if a.BillingDay == 0 {
		_, _, a.BillingDay = a.SubscribedOn.Date()
	}
	if err := a.Validate(today); err != nil {
		return domain.Account{}, err
	}
	m.accounts[a.Email] = a
	return a, nil
}

func (m *managed) Change(ctx context.Context, email string, by domain.Actor, change func(*domain.Account, domain.Day) error) (domain.Account, error) {
	m.changes = append(m.changes, by)
	a, err := m.Show(ctx, email)
	if err != nil {
		return a, err
	}
	if err := change(&a, today); err != nil {
		return domain.Account{}, err
	}
	if err := a.Validate(today); err != nil {
		return domain.Account{}, err
	}
	m.accounts[email] = a
	return a, nil
}

func (m *managed) Show(_ context.Context, email string) (domain.Account, error) {
	a, found := m.accounts[email]
	if !found {
		return domain.Account{}, domain.ErrNoAccount
	}
	return a, nil
}

func (m *managed) Session(_ context.Context, email string, ttl time.Duration) (string, error) {
	if _, err := m.Show(context.Background(), email); err != nil {
		return "", err
	}
	if ttl > 24*time.Hour {
		return "", domain.Faults{{Field: domain.FieldSessionTime, Rule: domain.RuleTime, Min: 1, Max: 24}}.Err()
	}
	return "token of " + email + " for " + ttl.String(), nil
}

func (m *managed) Link(_ context.Context, email, account string) (string, error) {
	m.linked++
	if _, err := m.Show(context.Background(), email); err != nil {
		return "", err
	}
	if account != "" {
		return "token-of-" + email + "-for-" + account, nil
	}
	return "token-of-" + email, nil
}

func (m *managed) deps(more ...fx.Option) Deps {
	return m.depsAt("https://milaan.example", nil, more...)
}

// depsAt is deps for a service of an address, or with settings that are wrong.
func (m *managed) depsAt(base ports.BaseURL, fault error, parts ...fx.Option) Deps {
	return m.depsOf(m, append(parts, fx.Provide(func() (ports.BaseURL, error) { return base, fault }))...)
}

func (m *managed) depsOf(accounts ports.ManagingAccounts, parts ...fx.Option) Deps {
	parts = append(parts, as(accounts), as[ports.SigningIn](m))
	return Deps{Open: opens(&m.closed, parts...), Clock: func() time.Time { return today.Start() }}
}

func (m *managed) RotateSandboxKey(_ context.Context, a domain.Account, by domain.Actor) (ports.IssuedKey, error) {
	return ports.IssuedKey{Secret: "sandbox key of " + a.Email + " by " + string(by.Way)}, nil
}

func TestSandboxKeyIsPrinted(t *testing.T) {
	m := newManaged()
	require.Equal(t, ExitDone, run(m.deps(), "account", "create", "--email", asha, "--plan", "solo").code)
	require.Equal(t, ran{stdout: "sandbox key of asha@shop.example by command_line\n"}, run(m.deps(), "sandbox-key", "--email", asha))
	require.Equal(t, 2, m.closed)
	require.Equal(t, ExitFailed, run(m.deps(), "sandbox-key", "--email", "ravi@shop.example").code)
	require.Equal(t, ExitUsage, run(m.deps(), "sandbox-key").code)
}

func newManaged() *managed { return &managed{accounts: map[string]domain.Account{}} }

const asha = "asha@shop.example"

func TestAccountCreatePrintsTheAccount(t *testing.T) {
	m := newManaged()
	got := run(m.deps(), "account", "create", "--email", asha, "--plan", "pro")
	require.Equal(t, ran{stdout: `{
  "email": "asha@shop.example",
  "id": "0193-id",
  "plan": "pro",
  "subscription": "active",
  "subscribed_on": "2026-11-21",
  "plan_since": "2026-11-21",
  "billing_day": 21,
  "phone_verified": true,
  "run_cap": null,
  "monthly_cap": 10,
  "overdue_days": null,
  "charges": "flag",
  "created_at": "2026-11-21T10:00:00Z"
}
`}, got)
	require.Equal(t, 1, m.closed)
}

func TestAccountCreateWithEveryFlag(t *testing.T) {
	m := newManaged()
	got := run(m.deps(), "account", "create", "--email", asha, "--plan", "enterprise", "--subscription", "incomplete",
		"--subscribed-on", "2025-03-31", "--billing-day", "5", "--phone-verified=false", "--run-cap", "0", "--overdue-days", "12", "--charges", "accept")
	require.Equal(t, ExitDone, got.code, got.stderr)
	require.JSONEq(t, `{"email":"asha@shop.example","id":"0193-id","plan":"enterprise","subscription":"incomplete","subscribed_on":"2025-03-31",
		"plan_since":"2025-03-31","billing_day":5,"phone_verified":false,"run_cap":0,"monthly_cap":0,"overdue_days":12,"charges":"accept","created_at":"2026-11-21T10:00:00Z"}`, got.stdout)
	got = run(newManaged().deps(), "account", "create", "--email", asha, "--plan", "enterprise")
	require.Contains(t, got.stdout, `"monthly_cap": null`, "there is no limit")
}

func TestAccountSetChangesWhatIsNamed(t *testing.T) {
	m := newManaged()
	seven := 7
	before := domain.Account{
		ID: "0193-id", Email: asha, Plan: domain.Pro, Subscription: domain.SubscriptionEnded,
		SubscribedOn: domain.DayFromDate(2026, time.January, 31), PlanSince: domain.DayFromDate(2026, time.January, 31),
		BillingDay: 31, PhoneVerified: false, RunCap: &seven, OverdueDays: 9,
	}
	for name, c := range map[string]struct {
		args []string
		want func(*domain.Account)
	}{
		"plan":           {[]string{"--plan", "enterprise"}, func(a *domain.Account) { a.Plan, a.PlanSince = domain.Enterprise, today }},
		"same plan":      {[]string{"--plan", "pro"}, func(*domain.Account) {}},
		"subscription":   {[]string{"--subscription", "active"}, func(a *domain.Account) { a.Subscription = domain.SubscriptionActive }},
		"phone":          {[]string{"--phone-verified"}, func(a *domain.Account) { a.PhoneVerified = true }},
		"billing day":    {[]string{"--billing-day", "1"}, func(a *domain.Account) { a.BillingDay = 1 }},
		"cap":            {[]string{"--run-cap", "0"}, func(a *domain.Account) { a.RunCap = new(int) }},
		"no cap":         {[]string{"--run-cap", "none"}, func(a *domain.Account) { a.RunCap = nil }},
		"overdue":        {[]string{"--overdue-days", "30"}, func(a *domain.Account) { a.OverdueDays = 30 }},
		"overdue none":   {[]string{"--overdue-days", "none"}, func(a *domain.Account) { a.OverdueDays = 0 }},
		"charges":        {[]string{"--charges", "accept"}, func(a *domain.Account) { a.AcceptCharges = true }},
		"charges again":  {[]string{"--charges", "flag"}, func(*domain.Account) {}},
		"day of joining": {[]string{"--subscribed-on", "2025-02-28"}, func(a *domain.Account) { a.SubscribeOn(domain.DayFromDate(2025, time.February, 28)) }},
	} {
		t.Run(name, func(t *testing.T) {
			m.accounts[asha] = before
			got := run(m.deps(), append([]string{"account", "set", "--email", asha}, c.args...)...)
			require.Equal(t, ExitDone, got.code, got.stderr)
			want := before
			c.want(&want)
			require.Equal(t, want, m.accounts[asha])
			require.Equal(t, domain.ByCommandLine, m.changes[len(m.changes)-1])
		})
	}
}

func TestAccountErrorsAreOneLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"account", "show", "--email", asha}, "no account has this e-mail address", ExitFailed},
		{[]string{"account", "set", "--email", asha, "--plan", "pro"}, "no account has this e-mail address", ExitFailed},
		{[]string{"session", "--email", asha}, "no account has this e-mail address", ExitFailed},
		{[]string{"session", "--email", asha, "--link"}, "no account has this e-mail address", ExitFailed},
		{[]string{"account", "create", "--email", asha, "--plan", "pro", "--subscribed-on", "31/08/2026"}, "--subscribed-on must be a date such as 2026-08-31", ExitUsage},
		{[]string{"account", "create", "--email", asha, "--plan", "pro", "--billing-day", "0"}, "--billing-day must be a day of the month", ExitUsage},
		{[]string{"account", "create", "--email", asha, "--plan", "pro", "--overdue-days", "0"}, "--overdue-days must be 1 to 30, or none", ExitUsage},
		{[]string{"account", "create", "--email", "asha", "--plan", "gold", "--billing-day", "32"}, "--email must be an e-mail address such as accounts@shop.example; --plan must be solo, pro or enterprise; --billing-day must be a day of the month, 1 to 31", ExitUsage},
	} {
		m := newManaged()
		got := run(m.deps(), c.args...)
		require.Equal(t, c.code, got.code, c.args)
		require.Contains(t, got.stderr, "milaan: "+c.want, c.args)
		require.Empty(t, got.stdout)
		require.Empty(t, m.accounts)
		require.Equal(t, 1, m.closed, "the database is closed after an error too")
	}
	m := newManaged()
	m.fault = domain.ErrAccountTaken
	got := run(m.deps(), "account", "create", "--email", asha, "--plan", "pro")
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: an account with this e-mail address exists already: change it with milaan account set\n"}, got)
	for cause, want := range map[error]string{errors.New("no route to db-7"): ": no route to db-7\n", domain.ErrNothingToDo: "retry after 5 seconds\n"} {
		m.fault = domain.ErrDatabase.Caused(cause)
		require.Regexp(t, want+"$", run(m.deps(), "account", "create", "--email", asha, "--plan", "pro").stderr, "no code is shown")
	}

	away := Deps{Open: opens(new(int), fx.Provide(func() (ports.ManagingAccounts, error) { return nil, errors.New("no database") }))}
	got = run(away, "account", "show", "--email", asha)
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: no database\n"}, got)
}

func TestSessionPrintsTheLinkAlone(t *testing.T) {
	m := newManaged()
	m.accounts[asha] = domain.Account{Email: asha}
	require.Equal(t, ran{stdout: "https://milaan.example/app/sign-in#token=token-of-asha@shop.example\n"}, run(m.deps(), "session", "--email", asha, "--link"))
	require.Equal(t, 1, m.closed)

	got := run(m.depsAt("", nil), "session", "--email", asha, "--link")
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: it is not known by which address people reach the service: set MILAAN_PUBLIC_URL, such as https://milaan.example\n"}, got)
	wrong := m.depsAt("", errors.New("MILAAN_ADDR is wrong"))
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: MILAAN_ADDR is wrong\n"}, run(wrong, "session", "--email", asha, "--link"))
	require.Equal(t, 1, m.linked, "no link is made that nobody could open")
}

func TestSessionPrintsTheTokenAlone(t *testing.T) {
	m := newManaged()
	m.accounts[asha] = domain.Account{Email: asha}
	require.Equal(t, ran{stdout: "token of asha@shop.example for 1h0m0s\n"}, run(m.deps(), "session", "--email", asha))
	require.Equal(t, ran{stdout: "token of asha@shop.example for 15m0s\n"}, run(m.deps(), "session", "--email", asha, "--ttl", "15m"))
	run(m.deps(), "session", "--email", asha, "--ttl", "25h").refused(t, ExitUsage, "--ttl must be 1s to 24h")
}
