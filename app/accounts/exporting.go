package accounts

import (
	"context"
	"errors"
	"iter"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// Exporting gathers everything that is stored of an account.
type Exporting struct {
	fx.In

	Accounts    ports.Accounts
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
}

// Export is in the account's security log before anything is read: whoever exports it has
// everything.
func (e *Exporting) Export(ctx context.Context, accountID string, by domain.Actor) (*ports.AccountExport, error) {
	if by.Way != domain.WayCommandLine {
		if err := admission.Count(ctx, e.Windows, admission.Exports.Of(accountID), domain.ExportRate, e.Clock); err != nil {
			return nil, err
		}
	}
	account, err := e.Accounts.ByID(ctx, accountID)
	if err != nil {
		return nil, err
	}
	now := e.Clock()
	event := admission.NewEvent(domain.SecurityEvent{AccountID: accountID, At: now, Kind: domain.SecurityExported, By: by})
	if err := e.Events.Add(ctx, event); err != nil {
		return nil, err
	}
	export := &ports.AccountExport{At: now, Account: account,
		Mails: e.Records.Mails(ctx, accountID), Batches: e.batches(ctx, accountID), Deliveries: e.Work.Deliveries(ctx, accountID),
		Events: e.Records.Events(ctx, accountID), Runs: e.Records.Runs(ctx, accountID)}
	return export, e.gather(ctx, export)
}

// gather reads what is small.
func (e *Exporting) gather(ctx context.Context, export *ports.AccountExport) error {
	id := export.Account.ID
	var err error
	for _, read := range []func() error{
		func() error { export.Phone, _, err = e.Phones.Of(ctx, id, export.At); return err },
		func() error {
			export.People.Members, export.People.Invitations, err = e.People.List(ctx, id, export.At)
			return err
		},
		func() error { export.Billed, err = e.Billed.Of(ctx, id); return err },
		func() error { export.Keys, err = e.Records.Keys(ctx, id); return err },
		func() error { export.Sessions, err = e.Records.Sessions(ctx, id); return err },
		func() error { export.SandboxDays, err = e.Work.SandboxDays(ctx, id); return err },
		func() error {
			export.Branding, err = e.Brandings.Of(ctx, id)
			return ignore(err, domain.ErrNoBranding)
		},
		func() error { export.Books, err = e.Books.Of(ctx, id); return err },
		func() error { export.Webhook, err = e.Webhooks.Of(ctx, id); return ignore(err, domain.ErrNoWebhook) },
		func() error { export.Mappings, err = e.Mappings.List(ctx, id); return err },
		func() error { export.Named, err = e.Named.ListNamed(ctx, id); return err },
		func() error { export.MailChoice, err = e.Mails.Choice(ctx, id); return err },
		func() error { export.Connections, err = e.connections(ctx, id); return err },
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

func (e *Exporting) connections(ctx context.Context, accountID string) ([]ports.ExportedConnection, error) {
	stored, err := e.Connections.List(ctx, accountID)
	exported := make([]ports.ExportedConnection, len(stored))
	for i, c := range stored {
		ignored, listed := e.Ignored.List(ctx, accountID, c.ID)
		err = errors.Join(err, listed)
		exported[i] = ports.ExportedConnection{Connection: c, Passes: e.Work.Passes(ctx, accountID, c.ID),
			Files: e.files(ctx, accountID, c.ID), Ignored: ignored,
			Ledger: func() (domain.KeptLedger, error) { return e.Ledgers.Find(ctx, accountID, c.ID) }}
	}
	return exported, err
}

// files yields the kept files of a connection, one content at a time. A file that is removed
// meanwhile is left out.
func (e *Exporting) files(ctx context.Context, accountID, connectionID string) iter.Seq2[ports.ExportedFile, error] {
	return func(yield func(ports.ExportedFile, error) bool) {
		kept, err := e.Files.List(ctx, accountID, connectionID)
		if err != nil {
			yield(ports.ExportedFile{}, err)
			return
		}
		for _, file := range kept {
			content, err := e.Files.Read(ctx, accountID, connectionID, file.ID)
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
func (e *Exporting) batches(ctx context.Context, accountID string) iter.Seq2[ports.ExportedBatch, error] {
	return func(yield func(ports.ExportedBatch, error) bool) {
		for batch, err := range e.Work.Batches(ctx, accountID) {
			exported := ports.ExportedBatch{Batch: batch}
			switch {
			case err != nil:
			case batch.State() != domain.BatchComplete:
				exported.Open, err = e.openJobs(ctx, batch)
			case !batch.Dropped:
				exported.Results = e.Batches.Results(ctx, batch)
			}
			if !yield(exported, err) || err != nil {
				return
			}
		}
	}
}

func (e *Exporting) openJobs(ctx context.Context, batch domain.Batch) (open []ports.JobLabels, err error) {
	for position := range batch.Jobs {
		brand, courier, err := e.Jobs.Labels(ctx, domain.BatchJob{BatchID: batch.ID, Position: position})
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
