package dialect

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"milaan/ports"
)

const (
	// Patience is how long one call of a port may take, whatever its caller
	// allows; a database that needs longer counts as out of reach.
	Patience = 10 * time.Second
	// LockPatience is how long a process waits for another one that changes the
	// schema.
	LockPatience = 2 * time.Minute
)

// VersionTable is where goose notes which migrations have run.
const VersionTable = "goose_db_version"

// Database is an open database. It may be used from many goroutines.
type Database interface {
	Sessions
	Judge
	Upkeep
	// About says what the database is.
	About() About
}

// About is what the store has to know of its database.
type About struct {
	Place      string        // for people
	Goose      goose.Dialect // for migrations
	Migrations string        // name of their folder
	Pool       *sql.DB       // for them
	Handle     Handle
}

// Handle is the database itself, for those who keep tables of their own in it.
// One of its fields is nil. Neither is to be closed.
type Handle struct {
	// SQLite is a pool of one connection beside the store's own. The store's
	// callers wait for whoever writes by it, so no transaction of it may be long,
	// or wait for the store meanwhile.
	SQLite   *sql.DB
	Postgres *pgxpool.Pool
}

// Sessions lead to the database.
type Sessions interface {
	// Reader is for single queries that change nothing.
	Reader(ctx context.Context) *gorm.DB
	// Write waits for a session that may write, as long as ctx allows, and has do
	// use it. It begins no transaction.
	Write(ctx context.Context, l Lasting, do func(db *gorm.DB) error) error
	// WriteAdding is Write for promised changes that jobs follow from: add is for
	// use within the transaction that do has begun on db.
	WriteAdding(ctx context.Context, outbox Outbox, do func(db *gorm.DB, add Adder) error) error
	// Renew drops the idle connections, after one turned out to be dead.
	Renew()
	// Close gives the connections back. Calls that are still under way end with
	// their connection.
	Close() error
}

// Lasting says what becomes of a change if the machine loses its power right
// after. On PostgreSQL nothing hangs on it: there the server's synchronous_commit
// decides.
type Lasting bool

const (
	// Promised changes are told to somebody: they are on the disk when the call
	// returns.
	Promised Lasting = true
	// Passing changes matter to nobody for long: the last ones may be lost, and
	// nothing else.
	Passing Lasting = false
)

// Outbox adds jobs to the job engine within a transaction of the store's, so
// that they exist exactly if it is committed.
type Outbox interface {
	// Add is given tx on SQLite, and on PostgreSQL conn, whose transaction is
	// open; the other one is nil. It neither ends the transaction nor keeps
	// what it was given. After an error the transaction is undone.
	Add(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, jobs []ports.Job) error
}

// Adder adds jobs within the transaction that it was made for.
type Adder func(jobs ...ports.Job) error

// Judge knows the driver's errors, wrapped or not.
type Judge interface {
	// Judge says what an error means.
	Judge(err error) Verdict
	// Full says that a write failed because the disk is full, or the share of it
	// that this user may have.
	Full(err error) bool
}

// Verdict is what an error means.
type Verdict int

const (
	// Fault is an error that is not the database's, or a fault of the program.
	Fault Verdict = iota
	// Unable says that the database is there, and not able to work.
	Unable
	// Lost says that the connection is dead, or could not be made.
	Lost
	// Locked says that another process has the lock. Nothing has happened.
	Locked
	// Undone says that the database has undone a transaction in favour of another
	// one. Nothing has happened; repeating may help.
	Undone
)

// Upkeep is what else each database does in its own way.
type Upkeep interface {
	// Lock keeps other processes out while the schema changes. unlock is told
	// whether the schema is this program's now.
	Lock(ctx context.Context) (unlock func(migrated bool) error, err error)
	// Serialize keeps every other transaction that asks for the same lock waiting
	// until this one ends.
	Serialize(tx *gorm.DB, lock int64) error
	// TryDisk is nil if the disk that the program sees has space.
	TryDisk() error
	// GiveBack returns disk space that is not needed any more to the file system,
	// in portions that each make others wait for a moment only.
	GiveBack(ctx context.Context, read, write Runner) error
}

// Runner runs something on the database, again if the database asks for it, and
// gives its error the meaning that it has to the ports. doing is for the log.
type Runner func(ctx context.Context, doing string, do func(db *gorm.DB) error) error

// Config is made anew for each database: gorm keeps the dialect's clauses in it.
// gorm logs nothing, for its lines hold SQL values; every error is returned, and
// whoever answers for it logs it once.
func Config() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		TranslateError:         true,
		Logger:                 logger.Discard.LogMode(logger.Silent),
	}
}
