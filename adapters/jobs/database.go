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

// plain is the database for statements of our own. It need not be closed.
func (db Database) plain() *sql.DB {
	if db.SQLite != nil {
		return db.SQLite
	}
	return stdlib.OpenDBFromPool(db.Postgres)
}

// Migrate brings the engine's tables to this program's version: river's, and our own beside them.
// It may be repeated, and is two queries if there is nothing to do. The caller makes sure that
// no other process migrates at the same time.
func Migrate(ctx context.Context, db Database) error {
	if err := db.check(); err != nil {
		return err
	}
	var err error
	if db.SQLite != nil {
		err = migrate(ctx, db, riversqlite.New(db.SQLite))
	} else {
		err = migrate(ctx, db, riverpgxv5.New(db.Postgres))
	}
	if err != nil {
		return fmt.Errorf("migrate the job engine's tables: %w", err)
	}
	return nil
}

// ownVersion is the version of our own tables. Who changes them raises it and writes statements
// that may be repeated on tables of any version before.
const ownVersion = 1

// ownTables are our tables. job_engines has a row for each process that does jobs, or did some at
// most a day ago: the time of its last heartbeat, and whether it was told to stop. job_turns has a
// row for each account of which a job of a batch was begun: the number of its last turn.
//
// A job is held by the engine that makes an attempt at it (engine is not blank) until it ends or the
// lease does, or else waits until it is due. fence is raised with each attempt: what an earlier
// attempt has to say about the job is not written any more. deaths are the ids of the engines that
// died at it, with a blank after each. origin is only set for the one job of each periodic kind.
//
// job_moves has the ids of river's jobs that were moved into ours (earlier.go). job_versions has one
// row: the versions of river's tables and of ours. The index job_turns_waiting, of the version before,
// stays on river's table until that version is not served beside any more: to drop it would wait for
// whoever reads the table, and everybody else behind that.
var ownTables = []string{
	`CREATE TABLE IF NOT EXISTS job_engines (id TEXT PRIMARY KEY, heard_at {moment} NOT NULL, stopped BOOLEAN NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS job_turns (account_id TEXT PRIMARY KEY, number BIGINT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS job_turns_number ON job_turns (number)`,
	`CREATE TABLE IF NOT EXISTS jobs (id {numbered}, kind TEXT NOT NULL, account_id TEXT NOT NULL, args TEXT NOT NULL,
		due_at_us BIGINT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, deaths TEXT NOT NULL DEFAULT '',
		engine TEXT NOT NULL DEFAULT '', lease_until_us BIGINT NOT NULL DEFAULT 0, fence BIGINT NOT NULL DEFAULT 0, origin TEXT UNIQUE)`,
	`CREATE INDEX IF NOT EXISTS jobs_due ON jobs (kind, due_at_us, id) WHERE engine = ''`,
	`CREATE INDEX IF NOT EXISTS jobs_waiting ON jobs (kind, account_id, due_at_us, id) WHERE engine = ''`,
	`CREATE INDEX IF NOT EXISTS jobs_held ON jobs (engine) WHERE engine <> ''`,
	`CREATE INDEX IF NOT EXISTS jobs_account ON jobs (account_id)`,
	`CREATE TABLE IF NOT EXISTS job_moves (id BIGINT PRIMARY KEY)`,
	`CREATE TABLE IF NOT EXISTS job_versions (river INTEGER NOT NULL, own INTEGER NOT NULL)`,
}

// migrate migrates river's tables, then ours, and notes both versions. River is not asked whether
// there is anything to do: it looks for its columns in the information schema of PostgreSQL, which
// would take some milliseconds of each start.
func migrate[Tx any](ctx context.Context, db Database, driver riverdriver.Driver[Tx]) error {
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	all := migrator.AllVersions()
	newest := versions{all[len(all)-1].Version, ownVersion}
	noted, err := db.versions(ctx)
	switch {
	case err != nil || noted == newest:
		return err
	case noted.own > newest.own:
		return errNewerTables
	}
	if _, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	return db.makeTables(ctx, newest)
}

var errNewerTables = errors.New("the tables of jobs belong to a newer milaan: run that version")

// versions are those of river's tables and of our own; 0: unknown.
type versions struct{ river, own int }

func (db Database) versions(ctx context.Context) (v versions, err error) {
	pool, there := db.plain(), 0
	err = pool.QueryRowContext(ctx, db.words().Replace(`SELECT count(*) FROM {there}`)).Scan(&there)
	if err == nil && there > 0 {
		err = pool.QueryRowContext(ctx, `SELECT coalesce(max(river), 0), coalesce(max(own), 0) FROM job_versions`).Scan(&v.river, &v.own)
	}
	return v, err
}

// makeTables makes our own tables that are not there, and notes the versions: all, or nothing.
func (db Database) makeTables(ctx context.Context, v versions) error {
	tx, err := db.plain().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after the commit, this does nothing
	for _, statement := range append(ownTables, `DELETE FROM job_versions`) {
		if _, err := tx.ExecContext(ctx, db.words().Replace(statement)); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO job_versions (river, own) VALUES ($1, $2)`, v.river, v.own); err != nil {
		return err
	}
	return tx.Commit()
}
