package ports

import (
	"context"
	"iter"

	"milaan/domain"
)

// AccountFilter says which accounts are asked for. Blank fields filter nothing.
type AccountFilter struct {
	Plan         domain.Plan
	Subscription domain.Subscription
}

// AllAccounts lists and deletes accounts.
type AllAccounts interface {
	// List yields accounts by their e-mail addresses. It reads them in portions, so however
	// many there are, few are in memory. After an error there are no more.
	List(ctx context.Context, f AccountFilter) iter.Seq2[domain.Account, error]
	// Erase deletes an account with everything that is stored of it, in one transaction:
	// after it, or after the death of the process at any moment, either nothing of the
	// account is stored or nothing has changed. Whoever is about to store something for the
	// account stores nothing afterwards. It returns domain.ErrNoAccount if there is none,
	// and domain.ErrUnsettled if it is not known whether the account was deleted, because
	// the connection broke during the commit.
	Erase(ctx context.Context, id string) error
}

// ListingAccounts lists all accounts, for operators.
type ListingAccounts interface {
	// List yields accounts by their e-mail addresses, as AllAccounts does. It yields an error
	// with CodeField for a plan or a subscription that does not exist.
	List(ctx context.Context, f AccountFilter) iter.Seq2[domain.Account, error]
}

// ClosingAccounts closes accounts for good.
type ClosingAccounts interface {
	// Close deletes an account and everything that is stored of it, if the e-mail address that
	// confirms it is its own; else it returns an error with CodeField. It returns the errors of
	// EndingBilling, and domain.ErrOpenSubscription. If it returns an error, nothing has been
	// deleted, except for domain.ErrUnsettled: then it is not known. Close goes on when ctx is
	// cancelled.
	Close(ctx context.Context, account domain.Account, c Closing) error
}

// Closing is how an account is closed.
type Closing struct {
	Confirm string // its e-mail address
	// LeaveSubscription leaves subscriptions at the billing provider as they are, and does not
	// ask it: it goes on charging for them.
	LeaveSubscription bool
	By                domain.Way
}
