package accounts

import (
	"cmp"
	"context"
	"iter"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// Managing manages accounts, and what an account has of its own: keys, saved mappings, branding and books.
type Managing struct {
	fx.In

	Accounts  ports.Accounts
	All       ports.AllAccounts
	Keys      ports.Keys
	Windows   ports.RateWindows
	Sandbox   ports.SandboxOn
	Saved     ports.SavedMappings
	Named     ports.NamedMappings
	Brandings ports.Brandings
	Clean     ports.CleanLogo
	Books     ports.Books
	Clock     ports.Clock
}

// Create stores a new account. Blank fields get defaults: an active subscription that
// began today, billed on that day of the month.
func (m *Managing) Create(ctx context.Context, a domain.Account) (domain.Account, error) {
	a.ID, a.CreatedAt = ids.New(), m.Clock()
	a.Email, _ = domain.ParseNewEmail(a.Email) // a blank one is a fault, beside the others
	a.Subscription = cmp.Or(a.Subscription, domain.SubscriptionActive)
	if a.SubscribedOn == domain.NoDay {
		a.SubscribedOn = domain.DayOf(a.CreatedAt)
	}
	if a.PlanSince == domain.NoDay {
		a.PlanSince = a.SubscribedOn
	}
	if a.BillingDay == 0 {
		_, _, a.BillingDay = a.SubscribedOn.Date()
	}
	if err := a.Validate(domain.DayOf(a.CreatedAt)); err != nil {
		return domain.Account{}, err
	}
	if err := m.Accounts.Create(ctx, a); err != nil {
		return domain.Account{}, err
	}
	return a, nil
}

// Change alters an account in one transaction. If the result would not be valid, the
// account is not changed.
func (m *Managing) Change(
	ctx context.Context, email string, by domain.Actor, change func(a *domain.Account, today domain.Day) error,
) (domain.Account, error) {
	email, err := domain.ParseEmail(email)
	if err != nil {
		return domain.Account{}, err
	}
	event := m.event(domain.SecurityAccount, "", by)
	today := domain.DayOf(event.At)
	return m.Accounts.Update(ctx, email, event, func(a *domain.Account) error {
		before := a.SubscribedOn
		if err := change(a, today); err != nil {
			return err
		}
		return a.Validate(max(today, before))
	})
}

func (m *Managing) Show(ctx context.Context, email string) (domain.Account, error) {
	email, err := domain.ParseEmail(email)
	if err != nil {
		return domain.Account{}, err
	}
	return m.Accounts.ByEmail(ctx, email)
}

func (m *Managing) List(ctx context.Context, f ports.AccountFilter) iter.Seq2[domain.Account, error] {
	if err := domain.CheckAccounts(f.Plan, f.Subscription); err != nil {
		return func(yield func(domain.Account, error) bool) { yield(domain.Account{}, err) }
	}
	return m.All.List(ctx, f)
}

// event is one of the security log of the account that is changed.
func (m *Managing) event(kind domain.SecurityKind, detail string, by domain.Actor) domain.SecurityEvent {
	return admission.NewEvent(domain.SecurityEvent{At: m.Clock(), Kind: kind, Detail: detail, By: by})
}
