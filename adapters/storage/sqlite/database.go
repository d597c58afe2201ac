package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/pressly/goose/v3"
	"golang.org/x/sync/semaphore"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

// Database fills dialect.Database.
type Database struct {
	path    string
	writing *semaphore.Weighted // one at a time uses the only writer
	single  *writer
	journal journal
	writer  *gorm.DB // on single
	reader  *gorm.DB
	handle  *sql.DB
	opened  []io.Closer // in the order in which they were opened
}

func (d *Database) About() dialect.About {
	return dialect.About{Place: "the embedded database in " + filepath.Dir(d.path), Goose: goose.DialectSQLite3, Migrations: "sqlite",
		Begin: beginImmediate, Pool: d.single.pool, Handle: dialect.Handle{SQLite: d.handle}}
}

// Reader is for single queries. It ignores the end of ctx: a statement takes
// microseconds, and waits for the lock of the job engine or of another process no longer
// than its busy timeout, but to watch a context the driver starts a goroutine, which costs
// more. The store checks the context before the first statement and before the commit.
func (d *Database) Reader(ctx context.Context) *gorm.DB {
	return d.reader.WithContext(context.WithoutCancel(ctx))
}

// Write waits for the only writing connection, as long as ctx allows. From then on it
// ignores the end of ctx, as Reader does. A durable change is synced when others may write again.
func (d *Database) Write(ctx context.Context, durability dialect.Durability, do func(db *gorm.DB) error) error {
	if err := d.writing.Acquire(ctx, 1); err != nil {
		return err
	}
	changes, err := d.change(ctx, durability, do)
	if err != nil || durability == dialect.Relaxed {
		return err
	}
	return d.journal.sync(changes)
}

// change returns how many durable changes there were, with that of do.
func (d *Database) change(ctx context.Context, durability dialect.Durability, do func(db *gorm.DB) error) (changes int64, err error) {
	defer d.writing.Release(1)
	err = do(d.writer.WithContext(context.WithoutCancel(ctx)))
	if d.single.changed && durability == dialect.Durable {
		d.journal.changes.Add(1)
	}
	d.single.changed = false
	return d.journal.changes.Load(), err
}

// WriteLending lends the writer's transaction as one of database/sql.
func (d *Database) WriteLending(ctx context.Context, do func(db *gorm.DB, lend dialect.Lend) error) error {
	return d.Write(ctx, dialect.Durable, func(db *gorm.DB) error {
		ctx := db.Statement.Context
		return do(db, func(use dialect.Use) error {
			return d.single.lend(ctx, func(tx *sql.Tx) error { return use(ctx, tx, nil) })
		})
	})
}

// Renew does nothing: no connection of an embedded database dies.
func (d *Database) Renew() {}

func (d *Database) Close() error {
	var failed []error
	for _, opened := range slices.Backward(d.opened) {
		failed = append(failed, opened.Close())
	}
	return errors.Join(failed...)
}

// Lock waits until no other process changes the schema.
func (d *Database) Lock(ctx context.Context) (unlock func(migrated bool) error, err error) {
	db, err := openPool(filepath.Join(filepath.Dir(d.path), lockFile), 1, ownWait, "_txlock=exclusive")
	if err != nil {
		return nil, err
	}
	var tx *sql.Tx
	busy := func(err error) bool { return d.Judge(err) == dialect.Locked }
	err = dialect.Persist(ctx, dialect.LockTimeout, dialect.LongestPause, busy, func(ctx context.Context) (err error) {
		// The end of the wait must not end the lock, so the transaction has a context of its own.
		tx, err = db.BeginTx(context.WithoutCancel(ctx), nil)
		return err
	})
	if busy(err) {
		err = fmt.Errorf("wait for another process to migrate the database: %w", err)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func(migrated bool) error {
		if migrated {
			_ = os.Remove(d.path + makingSuffix)
		}
		return errors.Join(tx.Rollback(), db.Close())
	}, nil
}

// Serialize does nothing: there is only one transaction at a time.
func (d *Database) Serialize(*gorm.DB, int64) error { return nil }
