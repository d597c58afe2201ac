package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

// Database fills dialect.Database.
type Database struct {
	server string // for log messages
	config *pgx.ConnConfig
	pool   *pgxpool.Pool
	sqlDB  *sql.DB  // on the pool
	db     *gorm.DB // on that
	texts  sync.Map // of statements, by their texts with question marks

	checked atomic.Pointer[pgx.Conn] // the session that Open has tried, until Lock takes it
}

func (d *Database) About() dialect.About {
	return dialect.About{Place: d.server, Goose: goose.DialectPostgres, Options: []goose.ProviderOption{goose.WithSessionLocker(givingWay{})},
		Migrations: "postgres", Begin: "BEGIN", Relax: "SET LOCAL synchronous_commit = off",
		ReadOnly:  "SELECT current_setting('transaction_read_only') = 'on'",
		ForUpdate: " FOR UPDATE", ForKey: " FOR KEY SHARE", ForFree: " FOR UPDATE SKIP LOCKED",
		Pool: d.sqlDB, Handle: dialect.Handle{Postgres: d.pool}}
}

// givingWay has the session of migrations wait for a table for a moment only. Meanwhile all
// others wait behind it, and the one that has the table, such as a backup, may have it for long.
// A migration that gets no table in time is undone.
type givingWay struct{}

// SessionLock begins it; goose calls it before the migrations.
func (givingWay) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "SET lock_timeout = '500ms'")
	return err
}

func (givingWay) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "RESET lock_timeout")
	return err
}

func (d *Database) Reader(ctx context.Context) *gorm.DB { return d.db.WithContext(ctx) }

// Write gives the pool: each statement or transaction takes a connection of it.
func (d *Database) Write(ctx context.Context, _ dialect.Durability, do func(db *gorm.DB) error) error {
	return do(d.db.WithContext(ctx))
}

// WriteLending lends the driver's connection. Meanwhile Raw keeps database/sql, which rolls
// back by itself when a context ends, from using it.
func (d *Database) WriteLending(ctx context.Context, do func(db *gorm.DB, lend dialect.Lend) error) error {
	return d.db.WithContext(ctx).Connection(func(db *gorm.DB) error {
		conn := db.Statement.ConnPool.(*sql.Conn)
		return do(db.WithContext(ctx), func(use dialect.Use) error {
			return conn.Raw(func(driver any) error { return use(ctx, nil, driver.(*stdlib.Conn).Conn()) })
		})
	})
}

func (d *Database) Renew() { d.pool.Reset() }

func (d *Database) Close() error {
	err := d.sqlDB.Close()
	d.pool.Close()
	if session := d.checked.Swap(nil); session != nil {
		err = errors.Join(err, closeSession(context.Background(), session))
	}
	return err
}

var errMigrating = errors.New("another process is migrating the database")

// Lock waits until no other process changes the schema. The lock belongs to a session
// outside the pool, because the pool may have one connection only, and ends with the
// session: the first time it is the one that Open has tried. The server is asked for it again
// and again and never waits, because a session that waits in the server delays the building of
// indices there. It is goose's own lock, so that earlier versions of this program wait for it
// too.
func (d *Database) Lock(ctx context.Context) (unlock func(migrated bool) error, err error) {
	session := d.checked.Swap(nil)
	if session == nil {
		if session, err = pgx.ConnectConfig(ctx, d.config); err != nil {
			return nil, err
		}
	}
	unlock = func(bool) error { return closeSession(ctx, session) }
	taken := func(err error) bool { return errors.Is(err, errMigrating) }
	err = dialect.Persist(ctx, dialect.LockTimeout, dialect.LongestPause, taken, func(ctx context.Context) error {
		var locked bool
		err := session.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lock.DefaultLockID).Scan(&locked)
		if err == nil && !locked {
			return errMigrating
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("wait for another process to migrate the database: %w", err), unlock(false))
	}
	return unlock, nil
}

// Serialize takes an advisory lock.
func (d *Database) Serialize(tx *gorm.DB, lock int64) error {
	return tx.Exec("SELECT pg_advisory_xact_lock(?)", lock).Error
}

// TryDisk returns nil: the disk is the server's.
func (d *Database) TryDisk() error { return nil }

// ForgetDeleted does nothing: the server's own files are the operator's.
func (d *Database) ForgetDeleted(context.Context, dialect.Runner) error { return nil }

// GiveBack does nothing: PostgreSQL manages its space by itself.
func (d *Database) GiveBack(context.Context, dialect.Runner, dialect.Runner) error { return nil }
