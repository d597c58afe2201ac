package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

// Database is where the jobs are: one of the two fields is set. It belongs to the
// caller, who closes it after the Engine has stopped.
type Database struct {
	SQLite   *sql.DB // of one connection, which begins its transactions as writers
	Postgres *pgxpool.Pool
}

var errDatabase = errors.New("the job engine needs one database: SQLite or PostgreSQL")

func (db Database) check() error {
	if (db.SQLite == nil) == (db.Postgres == nil) {
		return errDatabase
	}
	return nil
}

// Migrate brings the engine's tables to this program's version. It may be
// repeated, and is two queries if there is nothing to do. The caller makes sure that
// no other process migrates at the same time.
func Migrate(ctx context.Context, db Database) error {
	if err := db.check(); err != nil {
		return err
	}
	version, err := db.version(ctx)
	switch {
	case err != nil:
	case db.SQLite != nil:
		err = migrate(ctx, db, riversqlite.New(db.SQLite), version)
	default:
		err = migrate(ctx, db, riverpgxv5.New(db.Postgres), version)
	}
	if err != nil {
		return fmt.Errorf("migrate the job engine's tables: %w", err)
	}
	return nil
}

// version is that of river's tables, or 0 if not all tables and indices are there.
func (db Database) version(ctx context.Context) (version int, err error) {
	pool, there := db.plain(), 0
	err = pool.QueryRowContext(ctx, db.words().Replace(`SELECT count(*) FROM {there}`)).Scan(&there)
	if err == nil && there > 0 {
		err = pool.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM river_migration WHERE line = 'main'`).Scan(&version)
	}
	return version, err
}

// migrate brings river's tables from a version to that of the library, and then makes our own.
// River is not asked whether there is anything to do: it looks for its columns in the
// information schema of PostgreSQL, which would take some milliseconds of each start.
func migrate[Tx any](ctx context.Context, db Database, driver riverdriver.Driver[Tx], version int) error {
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if all := migrator.AllVersions(); all[len(all)-1].Version == version {
		return nil
	}
	if _, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	return db.makeTables(ctx)
}

// Our own tables beside river's. Times are in the form in which river keeps them.
//
// job_engines has a row for each process that does jobs, or did some at most a day
// ago: the time of its last heartbeat, and whether it was told to stop. job_turns has a
// row for each account of which a job of a batch was begun lately: the number of its
// last turn. The index finds the accounts that wait for a turn, and the next job of
// each; it can only be made once river has made its table, and is gone when a migration of
// river's makes a new one.
var ownTables = []string{
	`CREATE TABLE IF NOT EXISTS job_engines (id TEXT PRIMARY KEY, heard_at {moment} NOT NULL, stopped BOOLEAN NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS job_turns (account_id TEXT PRIMARY KEY, number BIGINT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS job_turns_number ON job_turns (number)`,
	`CREATE INDEX IF NOT EXISTS job_turns_waiting ON river_job ((args ->> 'account_id'), scheduled_at, id)
		WHERE state = 'available' AND queue = '` + turnsQueue + `'`,
}

// plain is the database for statements of our own. It need not be closed.
func (db Database) plain() *sql.DB {
	if db.SQLite != nil {
		return db.SQLite
	}
	return stdlib.OpenDBFromPool(db.Postgres)
}

// makeTables makes our own tables that are not there: all, or none.
func (db Database) makeTables(ctx context.Context) error {
	tx, err := db.plain().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after the commit, this does nothing
	for _, statement := range ownTables {
		if _, err := tx.ExecContext(ctx, db.words().Replace(statement)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
