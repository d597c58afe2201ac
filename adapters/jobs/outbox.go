package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"milaan/ports"
	"milaan/ports/peers"
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
	rows, looks, cause := make([][3]string, len(jobs)), map[ports.JobKind]int{}, peers.Cause(ctx)
	for i, job := range jobs {
		if k, known := kindOf(job.Kind); !known || k.period != nil {
			return fmt.Errorf("no worker is told of jobs of the kind %q", job.Kind)
		}
		kept := argsOf(job)
		kept.Cause = cause
		about, err := json.Marshal(kept)
		if err != nil {
			return err
		}
		rows[i] = [3]string{string(job.Kind), job.AccountID, string(about)}
		looks[job.Kind]++
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	switch {
	case o.sqlite != nil && tx != nil:
		if _, err = tx.ExecContext(ctx, sqliteWords.Replace(addJobs), string(text)); err == nil {
			_, err = o.sqlite.InsertManyFastTx(ctx, tx, looksFor(looks))
		}
	case o.postgres != nil && conn != nil:
		if _, err = conn.Exec(ctx, postgresWords.Replace(addJobs), string(text)); err == nil {
			_, err = o.postgres.InsertManyTx(ctx, callersTx{conn}, looksFor(looks))
		}
	default:
		err = errTransaction
	}
	if err != nil {
		return fmt.Errorf("add jobs: %w", err)
	}
	return nil
}

// Drop deletes the jobs of an account and its turn, within the caller's transaction, as Add
// adds them.
func (o *Outbox) Drop(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, accountID string) error {
	do := func(statement string) error { return errTransaction }
	switch {
	case o.sqlite != nil && tx != nil:
		do = func(statement string) error {
			_, err := tx.ExecContext(ctx, statement, accountID)
			return err
		}
	case o.postgres != nil && conn != nil:
		do = func(statement string) error {
			_, err := conn.Exec(ctx, statement, accountID)
			return err
		}
	}
	if err := errors.Join(do(dropJobs), do(dropTurn), o.dropEarlier(ctx, tx, conn, accountID)); err != nil {
		return fmt.Errorf("drop the jobs of an account: %w", err)
	}
	return nil
}

// callersTx is a transaction that the caller has begun on a connection and will end.
// River adds jobs within it without beginning one of its own.
type callersTx struct{ *connection }

// connection has a name of its own because a transaction has a method Conn.
type connection = pgx.Conn

var errNotOurs = errors.New("the transaction is the caller's: the job engine neither begins nor ends one")

func (callersTx) Begin(context.Context) (pgx.Tx, error) { return nil, errNotOurs }

func (callersTx) Commit(context.Context) error { return errNotOurs }

func (callersTx) Rollback(context.Context) error { return errNotOurs }

// LargeObjects returns what cannot be used: river has no large objects.
func (callersTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

func (t callersTx) Conn() *pgx.Conn { return t.connection }
