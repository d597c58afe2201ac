package jobs

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5/stdlib"
)

// What we keep beside river's tables: who does jobs, and whose turn it is. Times
// are in the form in which river keeps them.
//
// job_engines has a row per process that does jobs, or has done some a day ago at
// most: when it was last heard of, and whether it was told to stop. job_turns has
// a row per account whose job of a batch was begun lately: the number of its last
// turn. The index finds the accounts that wait for a turn, and each one's next
// job; river's table cannot have one before river has made it.
const (
	enginesTable = `CREATE TABLE job_engines (id TEXT PRIMARY KEY, heard_at %s NOT NULL, stopped BOOLEAN NOT NULL)`
	turnsTable   = `CREATE TABLE job_turns (account_id TEXT PRIMARY KEY, number BIGINT NOT NULL)`
	turnsIndex   = `CREATE INDEX job_turns_number ON job_turns (number)`
	waitingIndex = `CREATE INDEX job_turns_waiting ON river_job ((args ->> 'account_id'), scheduled_at, id)
		WHERE state = 'available' AND queue = '` + batches + `'`
)

// plain is the database for statements of our own. It need not be closed.
func (db Database) plain() *sql.DB {
	if db.SQLite != nil {
		return db.SQLite
	}
	return stdlib.OpenDBFromPool(db.Postgres)
}

// makeTables makes what is ours, unless it is there.
func makeTables(ctx context.Context, db Database) error {
	look, moment := `SELECT count(*) FROM pg_class WHERE oid = to_regclass('job_turns_waiting')`, "TIMESTAMPTZ"
	if db.SQLite != nil {
		look, moment = `SELECT count(*) FROM sqlite_master WHERE name = 'job_turns_waiting'`, "TEXT"
	}
	tx, err := db.plain().BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("make the job engine's own tables: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after the commit, this does nothing
	var there int
	if err := tx.QueryRowContext(ctx, look).Scan(&there); err != nil {
		return fmt.Errorf("look for the job engine's own tables: %w", err)
	}
	if there > 0 {
		return nil
	}
	for _, statement := range []string{fmt.Sprintf(enginesTable, moment), turnsTable, turnsIndex, waitingIndex} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("make the job engine's own tables: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("make the job engine's own tables: %w", err)
	}
	return nil
}
