package accounts

import (
	"context"
	"errors"
	"iter"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// Export is in the account's security log before anything is read: whoever exports it has
// everything.
func (c *Closing) Export(ctx context.Context, accountID string, by domain.Actor) (*ports.AccountExport, error) {
	if by.Way != domain.WayCommandLine {
		if err := admission.Count(ctx, c.Windows, admission.Exports.Of(accountID), domain.ExportRate, c.Clock); err != nil {
			return nil, err
		}
	}
	account, err := c.Accounts.ByID(ctx, accountID)
	if err != nil {
		return nil, err
	}
	now := c.Clock()
	event := admission.NewEvent(domain.SecurityEvent{AccountID: accountID, At: now, Kind: domain.SecurityExported, By: by})
	if err := c.Events.Add(ctx, event); err != nil {
		return nil, err
	}
	export := &ports.AccountExport{At: now, Account: account,
		Mails: c.Records.Mails(ctx, accountID), Batches: c.batches(ctx, accountID), Deliveries: c.Work.Deliveries(ctx, accountID),
		Events: c.Records.Events(ctx, accountID), Runs: c.Records.Runs(ctx, accountID)}
	return export, c.gather(ctx, export)
}

// gather reads what is small.
func (c *Closing) gather(ctx context.Context, export *ports.AccountExport) error {
	id := export.Account.ID
	var err error
	for _, read := range []func() error{
		func() error { export.Phone, _, err = c.Phones.Of(ctx, id, export.At); return err },
		func() error {
			export.People.Members, export.People.Invitations, err = c.People.List(ctx, id, export.At)
			return err
		},
		func() error { export.Billed, err = c.Billed.Of(ctx, id); return err },
		func() error { export.Keys, err = c.Records.Keys(ctx, id); return err },
		func() error { export.Sessions, err = c.Records.Sessions(ctx, id); return err },
		func() error { export.SandboxDays, err = c.Work.SandboxDays(ctx, id); return err },
		func() error {
			export.Branding, err = c.Brandings.Of(ctx, id)
			return ignore(err, domain.ErrNoBranding)
		},
		func() error { export.Books, err = c.Books.Of(ctx, id); return err },
		func() error { export.Webhook, err = c.Webhooks.Of(ctx, id); return ignore(err, domain.ErrNoWebhook) },
		func() error { export.Mappings, err = c.Mappings.List(ctx, id); return err },
		func() error { export.Named, err = c.Named.ListNamed(ctx, id); return err },
		func() error { export.MailChoice, err = c.Mails.Choice(ctx, id); return err },
		func() error { export.Connections, err = c.connections(ctx, id); return err },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	export.Webhook.Secret, export.Webhook.Former = "", ""
	return nil
}

// ignore returns err, or nil if it says that there is none of something.
func ignore(err, none error) error {
	if errors.Is(err, none) {
		return nil
	}
	return err
}

func (c *Closing) connections(ctx context.Context, accountID string) ([]ports.ExportedConnection, error) {
	stored, err := c.Connections.List(ctx, accountID)
	exported := make([]ports.ExportedConnection, len(stored))
	for i, of := range stored {
		ignored, listed := c.Ignored.List(ctx, accountID, of.ID)
		err = errors.Join(err, listed)
		exported[i] = ports.ExportedConnection{Connection: of, Passes: c.Work.Passes(ctx, accountID, of.ID),
			Files: c.files(ctx, accountID, of.ID), Ignored: ignored,
			Ledger: func() (domain.KeptLedger, error) { return c.Ledgers.Find(ctx, accountID, of.ID) }}
	}
	return exported, err
}

// files yields the kept files of a connection, one content at a time. A file that is removed
// meanwhile is left out.
func (c *Closing) files(ctx context.Context, accountID, connectionID string) iter.Seq2[ports.ExportedFile, error] {
	return func(yield func(ports.ExportedFile, error) bool) {
		kept, err := c.Files.List(ctx, accountID, connectionID)
		if err != nil {
			yield(ports.ExportedFile{}, err)
			return
		}
		for _, file := range kept {
			content, err := c.Files.Read(ctx, accountID, connectionID, file.ID)
			if errors.Is(err, domain.ErrNoKeptFile) {
				continue
			}
			if !yield(ports.ExportedFile{KeptFile: file, Content: content}, err) || err != nil {
				return
			}
		}
	}
}

// batches yields the batches with what is still kept of them.
func (c *Closing) batches(ctx context.Context, accountID string) iter.Seq2[ports.ExportedBatch, error] {
	return func(yield func(ports.ExportedBatch, error) bool) {
		for batch, err := range c.Work.Batches(ctx, accountID) {
			exported := ports.ExportedBatch{Batch: batch}
			switch {
			case err != nil:
			case batch.State() != domain.BatchComplete:
				exported.Open, err = c.openJobs(ctx, batch)
			case !batch.Dropped:
				exported.Results = c.Batches.Results(ctx, batch)
			}
			if !yield(exported, err) || err != nil {
				return
			}
		}
	}
}

func (c *Closing) openJobs(ctx context.Context, batch domain.Batch) (open []ports.JobLabels, err error) {
	for position := range batch.Jobs {
		brand, courier, err := c.Jobs.Labels(ctx, domain.BatchJob{BatchID: batch.ID, Position: position})
		switch {
		case errors.Is(err, domain.ErrNothingToDo), errors.Is(err, domain.ErrUnreadable):
		case err != nil:
			return nil, err
		default:
			open = append(open, ports.JobLabels{Position: position, Brand: brand, CourierName: courier})
		}
	}
	return open, nil
}
