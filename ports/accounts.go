package ports

import (
	"context"
	"iter"
	"milaan/domain"
	"time"
)

// ManagingAccounts is what the command line and the dashboard do with accounts, their keys, saved
// mappings, branding and books. by is for the security log.
type ManagingAccounts interface {
	// Create stores a new account; ID and CreatedAt are set for it. It returns
	// ErrAccountTaken, or an error with CodeField.
	Create(ctx context.Context, a domain.Account) (domain.Account, error)
	// Change alters an account by calling change with the present day. by is for the
	// security log. It returns ErrNoAccount, what change returns, or an error with
	// CodeField.
	Change(ctx context.Context, email string, by domain.Actor, change func(a *domain.Account, today domain.Day) error) (domain.Account, error)
	// Show finds an account, or returns ErrNoAccount.
	Show(ctx context.Context, email string) (domain.Account, error)
	// List yields accounts by their e-mail addresses, as AllAccounts does. It yields an error
	// with CodeField for a plan or a subscription that does not exist.
	List(ctx context.Context, f AccountFilter) iter.Seq2[domain.Account, error]
	// ActiveKey returns domain.ErrNoKey if the account has no active key of this kind.
	ActiveKey(ctx context.Context, accountID string, kind domain.KeyKind) (ActiveKey, error)
	// ReplaceKey makes a key, as SigningIn.IssueKey does, in place of the active key of its kind
	// with the prefix replaces (blank: of none). It returns domain.ErrKeyChanged if the active
	// key is another one, and the errors of IssueKey that are about the account and its rate.
	ReplaceKey(ctx context.Context, a domain.Account, kind domain.KeyKind, replaces string, by domain.Actor) (IssuedKey, error)
	// RevokeKey deactivates the active key of a kind if it has this prefix. It returns
	// domain.ErrKeyChanged if the active key is another one, and domain.ErrNoKey.
	RevokeKey(ctx context.Context, a domain.Account, kind domain.KeyKind, prefix string, by domain.Actor) error
	// RotateSandboxKey makes a sandbox key in place of the active one, if there is one. It returns
	// domain.ErrNoAccount, ErrPhone, or an error with CodeRate.
	RotateSandboxKey(ctx context.Context, a domain.Account, by domain.Actor) (IssuedKey, error)
	// Mappings lists them by courier.
	Mappings(ctx context.Context, accountID string) ([]StoredMapping, error)
	// RemoveMapping deletes one; the next run detects the columns afresh. It returns
	// domain.ErrNoMapping and domain.ErrNoAccount.
	RemoveMapping(ctx context.Context, accountID, courier string, by domain.Actor) error
	// NamedMappings lists them by name.
	NamedMappings(ctx context.Context, accountID string) ([]domain.NamedMapping, error)
	// SaveMapping saves a mapping under a name. It returns domain.ErrMappingPlan, the errors of
	// NamedMappings.Save, or an error with CodeField.
	SaveMapping(ctx context.Context, a domain.Account, m NewNamedMapping, by domain.Actor) error
	// RenameMapping returns the errors of NamedMappings.Rename, or an error with CodeField.
	RenameMapping(ctx context.Context, accountID, name, to string, by domain.Actor) error
	// RemoveNamedMapping returns domain.ErrNoNamedMapping.
	RemoveNamedMapping(ctx context.Context, accountID, name string, by domain.Actor) error
	// SetBranding changes the branding and returns it. It returns domain.ErrBrandingPlan, or an
	// error with CodeField and all faults.
	SetBranding(ctx context.Context, a domain.Account, by domain.Actor, change BrandingChange) (domain.Branding, error)
	// ShowBranding returns domain.ErrNoBranding if the account has none.
	ShowBranding(ctx context.Context, accountID string) (domain.Branding, error)
	// RemoveBranding deletes the branding. It returns domain.ErrNoBranding if the account has
	// none.
	RemoveBranding(ctx context.Context, accountID string, by domain.Actor) error
	// SetBooks alters how the account's vouchers are written, and returns it. It returns domain.ErrNoAccount, or an error
	// with CodeField and all faults.
	SetBooks(ctx context.Context, accountID string, by domain.Actor, change func(*domain.Books)) (domain.Books, error)
	// ShowBooks returns the names that the account has set; those that are blank are Milaan's.
	ShowBooks(ctx context.Context, accountID string) (domain.Books, error)
}

// NewNamedMapping is a mapping that a person wants to save.
type NewNamedMapping struct {
	Name    string
	Header  domain.HeaderHash
	Names   []string          // of the header; none: the columns were found in it
	Columns map[string]string // as a request names them
	Replace bool              // the mapping that has the name now; false: that is an error
}

// AccountFilter says which accounts are asked for. Blank fields filter nothing.
type AccountFilter struct {
	Plan         domain.Plan
	Subscription domain.Subscription
}

// Accounts stores accounts. E-mail addresses are compared byte for byte: callers pass them
// in the form of domain.ParseEmail.
type Accounts interface {
	// Create stores a new account. It returns domain.ErrAccountTaken if the
	// e-mail address is known.
	Create(ctx context.Context, a domain.Account) error
	// ByEmail returns domain.ErrNoAccount if there is none.
	ByEmail(ctx context.Context, email string) (domain.Account, error)
	// ByID returns domain.ErrNoAccount if there is none.
	ByID(ctx context.Context, id string) (domain.Account, error)
	// Update alters an account in one transaction: change gets the stored account, and
	// nobody else changes it until change has been stored. If change returns an error,
	// Update returns it unchanged and stores nothing. ID, e-mail and CreatedAt cannot
	// be changed. If something has changed, event is stored for the account in the same
	// transaction, with the names of what changed as its detail, unless it is the zero
	// event. Update returns domain.ErrNoAccount if there is none.
	Update(ctx context.Context, email string, event domain.SecurityEvent, change func(*domain.Account) error) (domain.Account, error)
	// SignUp stores an account and event, in one transaction, unless client has made as many
	// accounts in this way as perClient allows, or everybody as many as all allows: then it
	// returns an error with CodeRate, or domain.ErrSignUps. Both are exact, however many
	// callers sign up at the same time; their Block is not used. client is not personal data.
	// SignUp returns domain.ErrAccountTaken if the e-mail address is known; that does not
	// count.
	SignUp(ctx context.Context, a domain.Account, client string, perClient, all domain.Rate, event domain.SecurityEvent) error
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
	Books       domain.Books
	Webhook     domain.Webhook // the zero one: none; its secrets are never told
	Mappings    []StoredMapping
	Named       []domain.NamedMapping
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
	// Ignored are the files that people have said to ignore, latest first.
	Ignored []domain.IgnoredFile
	// Ledger reads the open items that are kept. It returns domain.ErrNoItems if none are, or ErrItemsUnread.
	Ledger func() (domain.KeptLedger, error)
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

// ClosingAccounts exports accounts, and closes them for good.
type ClosingAccounts interface {
	// Close deletes an account and everything that is stored of it, if the e-mail address that
	// confirms it is its own; else it returns an error with CodeField. It returns the errors of
	// ManagingBilling.EndAll, and domain.ErrOpenSubscription. If it returns an error, nothing has been
	// deleted, except for domain.ErrUnsettled: then it is not known. Close goes on when ctx is
	// cancelled.
	Close(ctx context.Context, account domain.Account, c Closing) error
	// Export returns what is stored of an account, but for secrets. Before it reads anything,
	// it adds a line to the account's security log. Its sequences must be read with the same
	// ctx. It returns domain.ErrNoAccount, and an error with CodeRate beyond domain.ExportRate,
	// unless by is the command line.
	Export(ctx context.Context, accountID string, by domain.Actor) (*AccountExport, error)
}

// Closing is how an account is closed.
type Closing struct {
	Confirm string // its e-mail address
	// LeaveSubscription leaves subscriptions at the billing provider as they are, and does not
	// ask it: it goes on charging for them.
	LeaveSubscription bool
	By                domain.Actor
}

// StoredMapping is a saved mapping and when it was saved.
type StoredMapping struct {
	SavedMapping
	SavedAt time.Time // by the latest run; zero: not known, an earlier version saved it
}

// NamedMappings stores the mappings that people have saved under names, which are compared in
// the form of domain.MappingKey. Each change stores its event in the same transaction, and
// returns domain.ErrNoAccount if there is no such account.
type NamedMappings interface {
	// ListNamed lists an account's mappings by name.
	ListNamed(ctx context.Context, accountID string) ([]domain.NamedMapping, error)
	// Save stores a mapping. If there is one with its name, Save replaces it, or else returns
	// domain.ErrMappingTaken unless replace is set. It returns domain.ErrManyMappings if the
	// account has domain.MaxNamedMappings others.
	Save(ctx context.Context, accountID string, m domain.NamedMapping, replace bool, event domain.SecurityEvent) error
	// Rename gives a mapping another name. It returns domain.ErrMappingTaken if another one has
	// it, and domain.ErrNoNamedMapping.
	Rename(ctx context.Context, accountID, name, to string, event domain.SecurityEvent) error
	// RemoveNamed returns domain.ErrNoNamedMapping if there is none with this name.
	RemoveNamed(ctx context.Context, accountID, name string, event domain.SecurityEvent) error
}

// SavedMappings stores the mappings that runs have saved.
type SavedMappings interface {
	// List lists an account's mappings by courier.
	List(ctx context.Context, accountID string) ([]StoredMapping, error)
	// Remove deletes the mapping of a courier and stores event, in one transaction. It
	// returns domain.ErrNoMapping and domain.ErrNoAccount.
	Remove(ctx context.Context, accountID, courier string, event domain.SecurityEvent) error
}
