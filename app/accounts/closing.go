package accounts

import (
	"context"
	"errors"
	"iter"
	"log/slog"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// Listing lists all accounts.
type Listing struct {
	fx.In

	Accounts ports.AllAccounts
}

func (l *Listing) List(ctx context.Context, f ports.AccountFilter) iter.Seq2[domain.Account, error] {
	if err := domain.CheckAccounts(f.Plan, f.Subscription); err != nil {
		return func(yield func(domain.Account, error) bool) { yield(domain.Account{}, err) }
	}
	return l.Accounts.List(ctx, f)
}

// Closing closes accounts for good.
type Closing struct {
	fx.In

	Accounts ports.AllAccounts
	Billing  ports.ManagingBilling
	Log      *slog.Logger
}

// Close leaves a line in the log, which alone remembers that there was an account.
func (c *Closing) Close(ctx context.Context, a domain.Account, how ports.Closing) error {
	if email, err := domain.ParseEmail(how.Confirm); err != nil || email != a.Email {
		return domain.Faults{{Field: domain.FieldConfirm, Rule: domain.RuleConfirm}}.Err()
	}
	ctx = context.WithoutCancel(ctx)
	erase := func() error { return c.Accounts.Erase(ctx, a.ID) }
	var err error
	if how.LeaveSubscription {
		err = erase()
	} else { // nobody must be charged for an account that they cannot reach any more
		err = c.Billing.EndAll(ctx, a.ID, erase)
	}
	if errors.Is(err, domain.ErrNoBilling) { // they were sold before it was switched off
		return domain.ErrOpenSubscription
	}
	if err != nil {
		return err
	}
	c.Log.LogAttrs(ctx, slog.LevelInfo, "an account was closed, and everything that was stored of it is deleted",
		slog.String("account_id", a.ID), slog.String("via", string(how.By.Way)))
	return nil
}
