package ports

import (
	"context"
	"time"

	"milaan/domain"
)

// ManagingConnections is what people do with connections, in the dashboard and on the command
// line, and with the reports that they upload for them. In the connections that it returns every
// secret setting that is stored is blank, and no other setting is.
type ManagingConnections interface {
	// Save adds a connection, or changes the one with an id. It returns
	// domain.ErrAutopilotPlan, ErrPhone, ErrSetup, ErrSubscription, ErrNoAccount,
	// ErrNoConnection, ErrConnections, ErrBrandTaken, ErrConnectionChanged, an error with CodeField and all faults, or
	// ErrBusy if others go on changing the connection. Nothing is connected to. A source of the change that has
	// no ID stands for a stored one that is connected to at the same place as the same user,
	// if no other source of the change stands for that one.
	Save(ctx context.Context, accountID, id string, by domain.Actor, change ConnectionChange) (domain.Connection, error)
	// Test connects to everything that a change names, with the stored secrets of the
	// connection with an id (blank: none) where it states none, and reads the latest reports.
	// It stores nothing. It returns the errors of Save, domain.ErrTesting while the account has
	// another test under way, ErrTests while others have all places, and an error with CodeRate
	// over domain.TestRate. What does not work is in the result. A test that takes long is ended
	// if another account needs its place.
	Test(ctx context.Context, accountID, id string, change ConnectionChange) (*ConnectionTest, error)
	// Pause stops or resumes the passes of a connection. Resuming one that needs attention
	// tries again. It returns domain.ErrNoConnection.
	Pause(ctx context.Context, accountID, id string, paused bool, by domain.Actor) (domain.Connection, error)
	// Remove deletes a connection with everything that is stored of it, but for its runs. It
	// returns domain.ErrNoConnection.
	Remove(ctx context.Context, accountID, id string, by domain.Actor) error
	// Run asks for a pass now. It returns domain.ErrNoConnection, the errors of Save about the
	// account, ErrPassRunning, ErrUnsettled, or an error with CodeRate over
	// domain.AskedPassRate.
	Run(ctx context.Context, accountID, id string) (domain.Pass, error)
	// Connectors lists the kinds of shops and of sources that the operator allows.
	Connectors() (shops, sources []ConnectorInfo)
	// List lists an account's connections, by brand.
	List(ctx context.Context, accountID string) ([]domain.Connection, error)
	// Find returns domain.ErrNoConnection.
	Find(ctx context.Context, accountID, id string) (domain.Connection, error)
	// Passes lists the latest domain.MaxListedPasses passes of a connection, latest first. It
	// returns domain.ErrNoConnection.
	Passes(ctx context.Context, accountID, id string) ([]domain.Pass, error)
	// Keep stores a report for a source of a connection. It returns domain.ErrNoConnection,
	// ErrNoAccount, ErrKeptFiles, an error with CodeField, or the *domain.FileError of a file
	// that cannot be read as a report.
	Keep(ctx context.Context, file domain.KeptFile, content []byte) (domain.KeptFile, error)
	// KeptFiles lists the files of a connection, latest first. It returns domain.ErrNoConnection.
	KeptFiles(ctx context.Context, accountID, connectionID string) ([]domain.KeptFile, error)
	// RemoveKept deletes a file. It returns domain.ErrNoKeptFile.
	RemoveKept(ctx context.Context, accountID, connectionID, id string) error
	// Seen returns the files that the last pass of a connection knew of, and those that are
	// ignored. It returns domain.ErrNoConnection.
	Seen(ctx context.Context, accountID, connectionID string) (SeenFiles, error)
	// Ignore makes passes ignore a file that the last one knew of, by its SeenFile.ID, from the next
	// pass on. One that is ignored stays so. It returns domain.ErrNoConnection, ErrNoSeenFile or
	// ErrIgnored.
	Ignore(ctx context.Context, accountID, connectionID, seen string, by domain.Actor) (domain.IgnoredFile, error)
	// TakeBack makes passes compare a file again that is ignored. It returns
	// domain.ErrNoConnection or ErrNoIgnored.
	TakeBack(ctx context.Context, accountID, connectionID, id string, by domain.Actor) error
}

// SeenFiles are the files that passes of a connection know of.
type SeenFiles struct {
	Files   []domain.SeenFile
	More    int                  // besides Files
	Ignored []domain.IgnoredFile // latest first
}

// ConnectionChange is what a person states of a connection. A setting that is secret and
// blank or absent stays as it is, unless another setting says to connect elsewhere, see
// SettingInfo.KeepsSecrets.
type ConnectionChange struct {
	Brand                  string
	Shop                   domain.Shop
	Sources                []SourceChange
	domain.ConnectionTerms     // WindowDays 0: domain.DefaultWindow
	Revision               int // of the connection that was changed to this; 0: whichever there is
	Misread                domain.Faults
}

// SourceChange is what a person states of a report source of a connection.
type SourceChange struct {
	ID        string // blank: the stored one of the same place, or a new source; unknown: a new one
	Connector domain.Connector
	Settings  domain.Settings
	Pattern   string
	Courier   string            // as written; blank: none
	Columns   map[string]string // by the name of the role
}

// ConnectionTest is what a test found.
type ConnectionTest struct {
	Shop    PartTest
	Sources []PartTest
}

// PartTest is what a test found of the shop or of a source.
type PartTest struct {
	Connector domain.Connector
	Failure   *domain.ConnectorError // nil: it works
	Files     []TestedFile           // of a source: the latest, at most domain.MaxTestedFiles
	Matching  int                    // of a source: how many files match since the start of the window
	LeftOut   []domain.LeftOutMail   // of a source: the latest, with their senders
	Folders   []string               // of a mailbox: those that there are
}

// TestedFile is a file that a test has read.
type TestedFile struct {
	Name    string
	Courier string // id, or blank
	Rows    int
	Through domain.Day
	LeftOut domain.ConnectorRule // why passes leave it out; blank: they do not
	Failure error                // *domain.FileError or *domain.ConnectorError; nil: it can be read, or is left out
}

// KeepingItems keeps the open items of connections, and what people note on them.
type KeepingItems interface {
	// KeepItems begins to keep the open items of a connection, or stops and deletes what is kept. It returns
	// domain.ErrNoConnection.
	KeepItems(ctx context.Context, accountID, connectionID string, keeps bool, by domain.Actor) error
	// OpenItems returns a run of what is kept alone, with the marks of people. The caller must Release it. It returns
	// domain.ErrNoConnection, ErrNoItems if nothing is kept, or ErrItemsUnread.
	OpenItems(ctx context.Context, account domain.Account, connectionID string) (*KeptItems, error)
	// MarkItems changes marks, all or none. It returns the errors of OpenItems, ErrItemChanged if the mark of an order is not
	// what the caller has seen, ErrBusy if others go on changing marks, or an error with CodeField.
	MarkItems(ctx context.Context, account domain.Account, connectionID string, changes []ItemChange) error
	// DisputeItems makes the dispute pack of a courier (id; blank: of orders whose courier is not known). It returns the errors
	// of OpenItems, or ErrNothingToDispute.
	DisputeItems(ctx context.Context, account domain.Account, connectionID, courier string) (*Document, error)
	// ForgetItems deletes orders that were last seen domain.ItemsKeptFor days ago.
	ForgetItems(ctx context.Context) error
}

// KeptItems is a run of a kept ledger alone. It has no results.
type KeptItems struct {
	*FinishedRun
	Since     time.Time // when somebody said to keep open items
	WrittenAt time.Time // when a pass has last written them; zero: none has
}

// ItemChange is what a person says of an open item in place of what it has seen.
type ItemChange struct {
	domain.ChosenOrder
	Was, Mark domain.Mark
}

// Connections stores connections. Settings and PassState are sealed, each for its own
// connection. One whose settings cannot be opened any more counts as needs_attention and has
// none.
type Connections interface {
	// Add stores a connection and event. It returns domain.ErrNoAccount, ErrConnections, or
	// ErrBrandTaken. The limit is exact, however many callers add at the same time.
	Add(ctx context.Context, c domain.Connection, event domain.SecurityEvent) error
	// List lists an account's connections, by brand. It alone says which keep their open items.
	List(ctx context.Context, accountID string) ([]domain.Connection, error)
	// Find returns domain.ErrNoConnection if the account has none with this id.
	Find(ctx context.Context, accountID, id string) (domain.Connection, error)
	// Update alters a connection in one transaction: change gets the stored one, and nobody
	// else changes it until change has been stored. If change returns an error, Update
	// returns it unchanged and stores nothing. change may be called again. event is stored in
	// the same transaction, unless it is the zero event. Update returns
	// domain.ErrNoConnection, or ErrBrandTaken.
	Update(ctx context.Context, accountID, id string, event domain.SecurityEvent,
		change func(*domain.Connection) error) (domain.Connection, error)
	// Remove deletes a connection with its passes, its state and its kept files, and stores
	// event. A pass that is under way stores nothing any more. It returns
	// domain.ErrNoConnection.
	Remove(ctx context.Context, accountID, id string, event domain.SecurityEvent) error
}

// Passes stores the passes of connections.
type Passes interface {
	// Schedule adds a pass, with its job, for each active connection whose NextPassAt is at
	// or before now, at most limit of them, and moves their NextPassAt to the first time after
	// now. A connection with a pass that has not ended waits. However many callers schedule at
	// the same time, a connection has one pass in a period. It returns how many were added.
	Schedule(ctx context.Context, now time.Time, period time.Duration, limit int) (int, error)
	// Ask adds a pass that a person has asked for, with its job. It returns
	// domain.ErrNoConnection, ErrPassRunning if the connection has a pass that has not ended,
	// and ErrUnsettled if it is not known whether the pass was added, because the connection to
	// the database broke during the commit.
	Ask(ctx context.Context, p domain.Pass) error
	// Begin returns a pass with its connection and the connection's state, and stores when
	// its first attempt began. It may be repeated. It returns domain.ErrNothingToDo if the
	// pass has ended or is unknown.
	Begin(ctx context.Context, id string, at time.Time) (BegunPass, error)
	// StoreSnapshots stores the first snapshots of a pass, which has not ended. It returns
	// domain.ErrNothingToDo if it has.
	StoreSnapshots(ctx context.Context, id string, at time.Time, snapshots map[string]domain.Snapshot) error
	// End stores the end of a pass without a run. It returns domain.ErrNothingToDo if the
	// pass has ended before, or its connection is gone. An Entry with a Pass ends a pass with
	// a run.
	End(ctx context.Context, end PassEnd) error
}

// BegunPass is what an attempt at a pass needs.
type BegunPass struct {
	Pass       domain.Pass
	Account    domain.Account
	Connection domain.Connection
	State      domain.PassState
	// Snapshots are the first snapshots of this pass, if it was stored by an earlier attempt; nil: not
	// yet.
	Snapshots map[string]domain.Snapshot
	Items     BegunItems
}

// BegunItems is what is known of the open items of a connection before they are read.
type BegunItems struct {
	Kept    bool // their owner has said so; else the others are false
	Written bool // a pass has written them
	Marked  bool // people have marked some since
}

// PassEnd is the end of a pass, and what it changes of its connection.
type PassEnd struct {
	Pass   domain.Pass                    // with its EndedAt and result
	State  domain.PassState               // the zero one leaves what is stored as it is
	Status func(*domain.ConnectionStatus) // changes the status of the connection; may be called again, and may be nil
	// Ledger is what the pass has written for the next one; nil: what is kept stays as it is.
	Ledger *PassLedger
	// Revision is the connection's when the pass began. If it has changed meanwhile, Status
	// must not change ConnectionStatus.State.
	Revision int
}

// PassLedger is a ledger that a pass has written. It is stored with the end of the pass if the ledger that the pass has begun with,
// with its Since, is still kept. The marks that are stored are deleted then, because Text has them, unless they have been changed
// since Version.
type PassLedger struct {
	Since   time.Time // of the ledger that the pass has begun with
	Version int       // the same
	Text    []byte
	Oldest  domain.Day // as KeptLedger has it
}

// ConnectionLedgers stores the ledgers of connections whose owner has said to keep their open items, sealed, each for its own
// connection. A text or marks that cannot be opened any more count as none. A connection that is removed has none.
type ConnectionLedgers interface {
	// Switch begins to keep open items at a time, or stops and deletes everything that is kept. event is stored in the same
	// transaction. What is so already stays as it is, and event is not stored. It returns domain.ErrNoConnection.
	Switch(ctx context.Context, accountID, connectionID string, keeps bool, at time.Time, event domain.SecurityEvent) error
	// Find returns domain.ErrNoConnection, or ErrNoItems if they are not kept; or ErrItemsUnread, with the Since and Version, if
	// what is kept cannot be opened.
	Find(ctx context.Context, accountID, connectionID string) (domain.KeptLedger, error)
	// Mark stores the Marks of a ledger in place of those with its Since and Version. If the ledger or they have been changed
	// meanwhile, it stores nothing, and marked is false. It returns the errors of Find.
	Mark(ctx context.Context, accountID, connectionID string, ledger domain.KeptLedger) (marked bool, err error)
	// Outdated lists at most limit connections, each by its ids, that keep an order last seen before a day.
	Outdated(ctx context.Context, before domain.Day, limit int) (connections []domain.Connection, err error)
	// Replace stores the Text, Oldest and Marks of a ledger in place of those with its Since and Version. If they have been
	// changed meanwhile, it stores nothing. It returns the errors of Find.
	Replace(ctx context.Context, accountID, connectionID string, ledger domain.KeptLedger) error
}

// PassLog reads the passes that have been made.
type PassLog interface {
	// Latest lists the passes of a connection, latest first, at most limit.
	Latest(ctx context.Context, accountID, connectionID string, limit int) ([]domain.Pass, error)
	// Files returns the files that the last pass of a connection knew of, and how many more, as
	// PassState has them.
	Files(ctx context.Context, accountID, connectionID string) (files []domain.SeenFile, more int, err error)
	// Stale lists at most limit passes that were due before a time and have not ended.
	Stale(ctx context.Context, dueBefore time.Time, limit int) ([]domain.Pass, error)
}

// KeptFiles stores the reports that people upload for the autopilot, sealed.
type KeptFiles interface {
	// Add stores a file. A file of the same source with the same name is replaced. It returns
	// domain.ErrNoConnection, or domain.ErrKeptFiles; the limits are exact, however many
	// callers add at the same time.
	Add(ctx context.Context, file domain.KeptFile, content []byte) error
	// List lists the files of a connection, latest first.
	List(ctx context.Context, accountID, connectionID string) ([]domain.KeptFile, error)
	// Read returns the content of a file. It returns domain.ErrNoKeptFile.
	Read(ctx context.Context, accountID, connectionID, id string) ([]byte, error)
	// Remove deletes a file. It returns domain.ErrNoKeptFile.
	Remove(ctx context.Context, accountID, connectionID, id string) error
}

// IgnoredFiles stores which files people have said to ignore, sealed. Each change stores an event in
// the same transaction, unless it is the zero one.
type IgnoredFiles interface {
	// Add stores a file, or returns the one that is stored already of its source, name and version. It
	// returns domain.ErrNoConnection or ErrIgnored; both hold however many callers add at the same time.
	Add(ctx context.Context, file domain.IgnoredFile, event domain.SecurityEvent) (domain.IgnoredFile, error)
	// List lists the files of a connection, latest first.
	List(ctx context.Context, accountID, connectionID string) ([]domain.IgnoredFile, error)
	// Remove returns domain.ErrNoIgnored.
	Remove(ctx context.Context, accountID, connectionID, id string, event domain.SecurityEvent) error
}

// Shops are the storefronts whose orders can be fetched. All errors about a shop are
// *domain.ConnectorError without a Source; an error of ctx is returned as it is, wrapped.
type Shops interface {
	// Catalogue lists the connectors, sorted by id.
	Catalogue() []ConnectorInfo
	// Check returns the faults of a shop's connector (FieldConnector) and settings
	// (FieldSetting). It looks hosts up, and connects to nothing.
	Check(ctx context.Context, shop domain.Shop) domain.Faults
	// Host returns the host:port that most requests go to, which bounds them.
	Host(shop domain.Shop) string
	// Test signs in and finds out whether Fetch would be allowed what it needs to fetch the
	// orders of the given number of days.
	Test(ctx context.Context, shop domain.Shop, days int) error
	// Fetch fetches all orders that q asks for, or fails: never a part of them.
	Fetch(ctx context.Context, shop domain.Shop, q OrdersQuery) (*FetchedOrders, error)
}

// OrdersQuery says which orders of a shop are asked for.
type OrdersQuery struct {
	From time.Time // created at or after
	To   time.Time // created before
	Most int       // if there are more orders, Fetch fails
	// Grown is called while orders are fetched, with the bytes of memory that they take so
	// far. If it returns an error, Fetch ends and returns it unchanged. It may be nil.
	Grown func(bytes int64) error
}

// FetchedOrders are the orders of a shop in a window.
type FetchedOrders struct {
	Orders OrdersReader // may be read again
	Count  int
	Hash   [32]byte // SHA-256 of everything that decides a result; the same orders in another order have the same one
}

// ReportSources are the places from which reports come. All errors about a source are
// *domain.ConnectorError whose Source is 0: the caller knows which one it is. An error of ctx
// is returned as it is, wrapped.
type ReportSources interface {
	// Catalogue lists the connectors, sorted by id.
	Catalogue() []ConnectorInfo
	// Check returns the faults of a source's connector (FieldConnector), settings
	// (FieldSetting) and pattern (FieldPattern). It looks hosts up, and connects to nothing.
	Check(ctx context.Context, source domain.ReportSource) domain.Faults
	// Host returns the host:port that it connects to, which bounds connections; blank: none.
	Host(source domain.ReportSource) string
	// Former says whether a source has settings that an earlier version has saved and that Check
	// does not accept any more. Unless SourceAccess.Former is set, Open fails with
	// domain.ConnFormer.
	Former(source domain.ReportSource) bool
	// Open connects and signs in. A refused login is an error, and never an empty source. The
	// connection ends with ctx at the latest; the caller closes the source in any case.
	Open(ctx context.Context, access SourceAccess) (OpenSource, error)
}

// SourceAccess says whose source is opened.
type SourceAccess struct {
	AccountID    string
	ConnectionID string
	Source       domain.ReportSource
	// Former says that settings which an earlier version has saved are used as they were then.
	Former bool
	// Testing says that settings which a test finds out may be absent or wrong: the list then fails,
	// and says what they should be.
	Testing bool
}

// OpenSource is a report source that is connected. Its methods are not called at the same
// time.
type OpenSource interface {
	// List lists the files that match the source's pattern and were modified at or after a
	// time, sorted by name; all of them, or it fails.
	List(ctx context.Context, since time.Time) ([]SourceFile, error)
	// LeftOut lists the mails with reports that the last List has left out because of their
	// sender, latest first, at most domain.MaxLeftOut.
	LeftOut() []domain.LeftOutMail
	// Folders lists the names of the folders of a mailbox that is opened for a test, sorted, at most
	// domain.MaxTestedFolders.
	Folders() []string
	// Read reads a listed file, of at most limit bytes; a longer one is an error with
	// domain.ConnManyBytes, one that is gone an error with domain.ConnGone, and one that is plainly
	// no report an error whose rule IsLeftOut. What tables list is for Storefronts.Exported.
	Read(ctx context.Context, file SourceFile, limit int64) ([]byte, error)
	// Close ends the connections, and does not wait for the server. It must be called once.
	Close() error
}

// SourceFile is a file of a report source, or what stands for one, such as an attachment.
type SourceFile struct {
	Name    string // unique within the source, for people; not logged
	Version string // changes if the content changes
	// Numbering begins the Version if the source may number its files anew, such as a mailbox with
	// another UIDVALIDITY; blank: it does not.
	Numbering string
	Modified  time.Time
	Bytes     int64 // 0: not known
	// Most is how many bytes Read returns at most, if the server says the truth: more than
	// Bytes for an archive, of which Read returns the report in it. 0: not known.
	Most int64
	// Series is the same for files of which only the latest counts, such as attachments with one
	// name if the source's settings say so; blank: the file counts by itself.
	Series string
	// Settled says that the file cannot grow any more, because the source shows it only when
	// it is complete, such as an attachment.
	Settled bool
	// Content is the file itself, if it came with the list, so that it need not be read. The caller
	// must not alter it.
	Content []byte
	// Handle is for the source itself.
	Handle any
}
