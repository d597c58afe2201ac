package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"milaan/ports"
)

// Outbox adds jobs for the engines of all instances. It does none itself.
type Outbox struct {
	sqlite   *river.Client[*sql.Tx]
	postgres *river.Client[pgx.Tx]
}

// NewOutbox makes the outbox of a database that has been migrated.
func NewOutbox(db Database) (*Outbox, error) {
	if err := db.check(); err != nil {
		return nil, err
	}
	config := &river.Config{
		Logger: slog.New(slog.DiscardHandler), // its errors are returned
		// River wakes the workers at most once in this time, and not again for a
		// transaction that is committed later: so it is short.
		FetchCooldown: time.Millisecond,
	}
	var o Outbox
	var err error
	if db.SQLite != nil {
		o.sqlite, err = river.NewClient(riversqlite.New(db.SQLite), config)
	} else {
		o.postgres, err = river.NewClient(riverpgxv5.New(db.Postgres), config)
	}
	if err != nil {
		return nil, fmt.Errorf("open the outbox of jobs: %w", err)
	}
	return &o, nil
}

var errTransaction = errors.New("jobs are added in a transaction of the outbox's own database")

// Add adds jobs that exist if the caller's transaction is committed, and only
// then: on SQLite tx, on PostgreSQL the connection on which the transaction was begun.
// The other argument is not used.
func (o *Outbox) Add(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, jobs []ports.Job) error {
	if len(jobs) == 0 {
		return nil
	}
	inserts := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		if _, known := kindOf(job.Kind); !known {
			return fmt.Errorf("no worker knows jobs of the kind %q", job.Kind)
		}
		inserts[i].Args = argsOf(job)
	}
	var err error
	switch {
	case o.sqlite != nil && tx != nil:
		_, err = o.sqlite.InsertManyTx(ctx, tx, inserts)
	case o.postgres != nil && conn != nil:
		_, err = o.postgres.InsertManyTx(ctx, callersTx{conn}, inserts)
	default:
		err = errTransaction
	}
	if err != nil {
		return fmt.Errorf("add jobs: %w", err)
	}
	return nil
}

// Drop deletes the jobs of an account and its turn, within the caller's transaction, as Add
// adds them. A job that is being done stays until it ends, and names no account any more: the
// engine writes to its row at the end of the attempt.
func (o *Outbox) Drop(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, accountID string) error {
	for _, statement := range []string{dropJobs, blankJobs, dropTurn} {
		var err error
		switch {
		case o.sqlite != nil && tx != nil:
			_, err = tx.ExecContext(ctx, sqliteWords.Replace(statement), accountID)
		case o.postgres != nil && conn != nil:
			_, err = conn.Exec(ctx, postgresWords.Replace(statement), accountID)
		default:
			err = errTransaction
		}
		if err != nil {
			return fmt.Errorf("drop the jobs of an account: %w", err)
		}
	}
	return nil
}

// callersTx is a transaction that the caller has begun on a connection and will end.
// River adds jobs within it without beginning one of its own.
type callersTx struct{ *connection }

// connection has a name of its own because a transaction has a method Conn.
type connection = pgx.Conn

var errNotOurs = errors.New("the transaction is the caller's: the job engine neither begins nor ends one")

// Begin refuses.
func (callersTx) Begin(context.Context) (pgx.Tx, error) { return nil, errNotOurs }

// Commit refuses.
func (callersTx) Commit(context.Context) error { return errNotOurs }

// Rollback refuses.
func (callersTx) Rollback(context.Context) error { return errNotOurs }

// LargeObjects returns what cannot be used: river has no large objects.
func (callersTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// Conn returns the connection.
func (t callersTx) Conn() *pgx.Conn { return t.connection }
