package accounts

import (
	"context"
	"errors"
	"log/slog"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// Closing exports accounts, and closes them for good.
type Closing struct {
	fx.In

	Accounts    ports.Accounts
	All         ports.AllAccounts
	Records     ports.StoredRecords
	Work        ports.StoredWork
	Phones      ports.Phones
	People      ports.People
	Billed      ports.BillingBook
	Brandings   ports.Brandings
	Books       ports.Books
	Webhooks    ports.Webhooks
	Mappings    ports.SavedMappings
	Named       ports.NamedMappings
	Mails       ports.Mails
	Connections ports.ManagingConnections
	Files       ports.KeptFiles
	Ignored     ports.IgnoredFiles
	Ledgers     ports.ConnectionLedgers
	Batches     ports.Batches
	Jobs        ports.BatchJobs
	Windows     ports.RateWindows
	Events      ports.SecurityEvents
	Clock       ports.Clock
	Billing     ports.ManagingBilling
	Log         *slog.Logger
}

// Close leaves a line in the log, which alone remembers that there was an account.
func (c *Closing) Close(ctx context.Context, a domain.Account, how ports.Closing) error {
	if email, err := domain.ParseEmail(how.Confirm); err != nil || email != a.Email {
		return domain.Faults{{Field: domain.FieldConfirm, Rule: domain.RuleConfirm}}.Err()
	}
	ctx = context.WithoutCancel(ctx)
	erase := func() error { return c.All.Erase(ctx, a.ID) }
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
