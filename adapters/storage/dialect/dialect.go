package dialect

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"

	"milaan/ports"
)

const (
	// Timeout is how long one call of a port may take, even if its caller allows more; a
	// database that needs longer counts as out of reach.
	Timeout = 10 * time.Second
	// LockTimeout is how long a process waits while another one changes the schema.
	LockTimeout = 2 * time.Minute
)

// HeldFact is the name of the fact in service_facts that says since when the service is held, in
// microseconds since 1970; blank: it is not.
const HeldFact = "held_since_us"

// VersionTable is where goose notes which migrations have run.
const VersionTable = "goose_db_version"

// Database is an open database. It may be used from many goroutines.
type Database interface {
	Connections
	Judge
	Specifics
	// About says what the database is.
	About() About
}

// About is what the store must know of its database.
type About struct {
	Place      string        // for log messages
	Goose      goose.Dialect // for migrations
	Options    []goose.ProviderOption
	Migrations string  // name of their folder
	Begin      string  // begins a transaction
	Relax      string  // makes a transaction Relaxed; blank if Write does
	ForUpdate  string  // behind a query: locks the rows that it finds; blank where rows have no locks
	ForKey     string  // the same, but only against their deletion
	ForFree    string  // as ForUpdate, but finds no rows that somebody else has locked
	ReadOnly   string  // asks whether nothing can be written; blank where no setting says it
	Pool       *sql.DB // for them
	Handle     Handle
}

// Handle is the database itself, for packages that keep tables of their own in it. One of
// its fields is nil. The other must not be closed.
type Handle struct {
	// SQLite is a pool of one connection, apart from the store's own. While a transaction
	// on it writes, the store's callers wait, so it must be short, and must not wait for
	// the store.
	SQLite   *sql.DB
	Postgres *pgxpool.Pool
}

// Connections are the ways to the database.
type Connections interface {
	// Reader is for single queries that change nothing.
	Reader(ctx context.Context) *gorm.DB
	// Write waits for a connection that may write, as long as ctx allows, and calls do with
	// it. It begins no transaction.
	Write(ctx context.Context, d Durability, do func(db *gorm.DB) error) error
	// WriteLending is Write for durable changes that others, such as the job engine, have a
	// part in: lend is for use within the transaction that do has begun on db.
	WriteLending(ctx context.Context, do func(db *gorm.DB, lend Lend) error) error
	// Send runs statements on db, which Reader, Write or WriteLending has given, up to the first
	// that fails.
	Send(db *gorm.DB, statements ...*Statement) error
	// Renew closes the idle connections, after one turned out to be dead.
	Renew()
	// Close closes the connections. Calls that are still under way fail.
	Close() error
}

// Durability says what becomes of a change if the machine loses its power right after. On
// PostgreSQL the server's synchronous_commit decides, unless a transaction begins with About.Relax.
type Durability bool

const (
	// Durable changes are on the disk when the call returns: a caller is told of them.
	Durable Durability = true
	// Relaxed changes may be lost in a power cut, the last ones only: no caller relies on
	// them for long.
	Relaxed Durability = false
)

// Use has a part in a transaction of the store's: it gets tx on SQLite, and on PostgreSQL
// conn, on which the transaction is open; the other one is nil. It neither ends the
// transaction nor keeps tx or conn.
type Use func(ctx context.Context, tx *sql.Tx, conn *pgx.Conn) error

// Lend calls use with the transaction that it was made for.
type Lend func(use Use) error

// AddJobs adds jobs of an outbox within the transaction.
func (lend Lend) AddJobs(outbox Outbox, jobs []ports.Job) error {
	return lend(func(ctx context.Context, tx *sql.Tx, conn *pgx.Conn) error { return outbox.Add(ctx, tx, conn, jobs) })
}

// DropJobs drops an account's jobs within the transaction.
func (lend Lend) DropJobs(outbox Outbox, accountID string) error {
	return lend(func(ctx context.Context, tx *sql.Tx, conn *pgx.Conn) error {
		return outbox.Drop(ctx, tx, conn, accountID)
	})
}

// Outbox adds jobs to the job engine within a transaction of the store's, so that they
// exist exactly if it is committed. Its methods get what a Use gets. After an error the
// transaction is rolled back.
type Outbox interface {
	Add(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, jobs []ports.Job) error
	// Drop deletes the jobs of an account, and everything else that the engine keeps of
	// it. A job that is being done goes on, and the engine keeps nothing of the account
	// with it.
	Drop(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, accountID string) error
}

// AddJobs adds jobs within the transaction that it was made for.
type AddJobs func(jobs ...ports.Job) error

// Judge knows the errors of the driver, wrapped or not.
type Judge interface {
	// Judge says what an error means.
	Judge(err error) Verdict
	// Full says whether a write failed because the disk is full, or the user's quota of it.
	Full(err error) bool
}

// Verdict is what an error means.
type Verdict int

const (
	// Fault is an error that does not come from the database, or that nobody knows.
	Fault Verdict = iota
	// Refused says that the database has refused a statement, or the commit of a transaction with
	// such a one. Nothing was changed; it is a fault of the program.
	Refused
	// Unable says that the database answers but cannot work.
	Unable
	// Lost says that the connection is dead, or could not be made.
	Lost
	// Locked says that another process has the lock. Nothing was changed.
	Locked
	// Undone says that the database has rolled a transaction back in favour of another
	// one. Nothing was changed; a retry may help.
	Undone
)

// Specifics are what else each database does in its own way.
type Specifics interface {
	// Lock keeps other processes from changing the schema. migrated says whether the schema
	// is this program's now.
	Lock(ctx context.Context) (unlock func(migrated bool) error, err error)
	// Serialize takes a lock until the transaction ends; other transactions that take it
	// wait.
	Serialize(tx *gorm.DB, lock int64) error
	// TryDisk returns nil if the disk that the program can see has space.
	TryDisk() error
	// ForgetDeleted takes from the files beside the database what they still hold of rows
	// that have been deleted. While others read, a part may stay until the next call.
	ForgetDeleted(ctx context.Context, write Runner) error
	// GiveBack returns disk space that is not needed any more to the file system, in
	// portions, each of which makes others wait for a moment only.
	GiveBack(ctx context.Context, read, write Runner) error
}

// Runner runs do on the database, again if the database asks for it, and returns its error
// as one that the ports promise. doing is for the log.
type Runner func(ctx context.Context, doing string, do func(db *gorm.DB) error) error

// Naming names the table of a row after its type: accounts is that of accountRow. It makes the plurals
// itself, because gorm's library for them takes more of the start of a command than the database.
var Naming naming

type naming struct{ schema.NamingStrategy }

var irregular = map[string]string{"batch": "batches", "delivery": "deliveries", "pass": "passes"}

func (naming) TableName(row string) string {
	name := schema.NamingStrategy{SingularTable: true}.TableName(strings.TrimSuffix(row, "Row"))
	return cmp.Or(irregular[name], name+"s")
}

// Config returns gorm's settings, made anew for each database because gorm keeps the
// dialect's clauses in them. gorm logs nothing, because its lines hold SQL values; every
// error is returned, and logged once at the edge of the service. Queries name the columns
// that the program knows: if they took all there are, PostgreSQL would refuse a statement
// that a connection has prepared as soon as a later version adds a column.
func Config() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		QueryFields:            true,
		TranslateError:         true,
		NamingStrategy:         Naming,
		Logger:                 logger.Discard.LogMode(logger.Silent),
	}
}
