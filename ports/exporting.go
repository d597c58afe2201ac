package ports

import (
	"context"
	"iter"
	"time"

	"milaan/domain"
)

// IssuedKeyRecord is what may be told of a key that was issued.
type IssuedKeyRecord struct {
	ActiveKey
	Kind      domain.KeyKind
	RevokedAt time.Time // zero: it is active
}

// SandboxDay is how many sandbox runs an account has made on a day.
type SandboxDay struct {
	Day  domain.Day
	Runs int
}

// StoredRecords reads what is stored of an account, the oldest first. Its sequences read
// portions, so however much there is, little is in memory; after an error there is no more.
type StoredRecords interface {
	Keys(ctx context.Context, accountID string) ([]IssuedKeyRecord, error)
	Sessions(ctx context.Context, accountID string) ([]domain.Session, error)
	Runs(ctx context.Context, accountID string) iter.Seq2[domain.Run, error]
	Events(ctx context.Context, accountID string) iter.Seq2[domain.SecurityEvent, error]
	Mails(ctx context.Context, accountID string) iter.Seq2[domain.Mail, error]
}

// StoredWork reads the work in the background that is stored of an account, as StoredRecords
// does. What cannot be unsealed any more is left out.
type StoredWork interface {
	Batches(ctx context.Context, accountID string) iter.Seq2[domain.Batch, error]
	Deliveries(ctx context.Context, accountID string) iter.Seq2[domain.Delivery, error]
	Passes(ctx context.Context, accountID, connectionID string) iter.Seq2[domain.Pass, error]
	SandboxDays(ctx context.Context, accountID string) ([]SandboxDay, error)
}

// AccountExport is what is stored of an account and can be told. Sequences are read while
// they are written.
type AccountExport struct {
	At          time.Time
	Account     domain.Account
	Phone       domain.Phone // its number is told masked
	People      PeopleOf     // besides the account's own address
	Billed      []domain.BilledSubscription
	Keys        []IssuedKeyRecord
	SandboxDays []SandboxDay
	Sessions    []domain.Session
	Branding    domain.Branding
	Webhook     domain.Webhook // the zero one: none; its secrets are never told
	Mappings    []StoredMapping
	MailChoice  domain.MailChoice
	Mails       iter.Seq2[domain.Mail, error]
	Connections []ExportedConnection
	Batches     iter.Seq2[ExportedBatch, error]
	Deliveries  iter.Seq2[domain.Delivery, error]
	Events      iter.Seq2[domain.SecurityEvent, error]
	Runs        iter.Seq2[domain.Run, error]
}

// ExportedConnection is a connection without its secret settings, with what the autopilot
// keeps of it.
type ExportedConnection struct {
	domain.Connection
	Passes iter.Seq2[domain.Pass, error]
	Files  iter.Seq2[ExportedFile, error]
}

// ExportedFile is a kept file with its content.
type ExportedFile struct {
	domain.KeptFile
	Content []byte
}

// ExportedBatch is a batch with what is still kept of it: the labels of its jobs that have
// not ended, or else its results, each JSON.
type ExportedBatch struct {
	domain.Batch
	Open    []JobLabels
	Results iter.Seq2[[]byte, error] // nil: none
}

// JobLabels are the labels of a job of a batch.
type JobLabels struct {
	Position           int // from 0
	Brand, CourierName string
}

// ExportingAccounts gathers everything that is stored of an account.
type ExportingAccounts interface {
	// Export returns what is stored of an account, but for secrets. Before it reads anything,
	// it adds a line to the account's security log. Its sequences must be read with the same
	// ctx. It returns domain.ErrNoAccount, and an error with CodeRate beyond domain.ExportRate,
	// unless by is the command line.
	Export(ctx context.Context, accountID string, by domain.Way) (*AccountExport, error)
}
