package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/libtnb/sqlite"
	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/migrated"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

// past is how long ago a database's past is.
const past = 50 * time.Minute

// database is one database of jobs, which several processes may have open.
type database struct {
	// open opens it as one more process does.
	open func(t testing.TB) jobs.Database
	// past and now are moments in the database's own words, in microseconds; past is longer ago
	// than anything here waits. heardPast and heardNow are the same ones as an engine has them.
	past, now           string
	heardPast, heardNow string
}

// onSQLite is an empty database in a file, migrated.
func onSQLite(t testing.TB) database {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, beginMigrated(folder))
	return sqliteAt(filepath.Join(folder, migrated.File))
}

func sqliteAt(file string) database {
	dsn := url.URL{Scheme: "file", Path: file,
		RawQuery: "_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(NORMAL)"}
	const now = "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)"
	return database{past: now + " - 3000000000", now: now,
		heardPast: "datetime('now', 'subsec', '-50 minutes')", heardNow: "datetime('now', 'subsec')",
		open: func(t testing.TB) jobs.Database {
			t.Helper()
			db := only.Value(sql.Open(sqlite.DriverName, dsn.String()))(t)
			db.SetMaxOpenConns(1)
			t.Cleanup(func() { _ = db.Close() })
			return jobs.Database{SQLite: db}
		}}
}

var beginMigrated = migrated.Copies(func(dataDir string) error {
	db, err := sql.Open(sqlite.DriverName, "file:"+filepath.Join(dataDir, migrated.File)+"?_pragma=journal_mode(WAL)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	err = jobs.Migrate(context.Background(), jobs.Database{SQLite: db})
	return errors.Join(err, db.Close())
})

// onPostgreSQL is the migrated database of a URL, without jobs.
func onPostgreSQL(t testing.TB, databaseURL string) database {
	t.Helper()
	const now = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)"
	return database{past: now + " - 3000000000", now: now,
		heardPast: "now() - interval '50 minutes'", heardNow: "now()",
		open: func(t testing.TB) jobs.Database {
			t.Helper()
			pool := only.Value(pgxpool.New(t.Context(), databaseURL))(t)
			t.Cleanup(pool.Close)
			return jobs.Database{Postgres: pool}
		}}
}

// clone makes a database that has been migrated.
func clone(t testing.TB) string {
	t.Helper()
	return postgres.Clone(t, "jobs", func(databaseURL string) error {
		pool, err := pgxpool.New(t.Context(), databaseURL)
		if err != nil {
			return err
		}
		defer pool.Close()
		return jobs.Migrate(t.Context(), jobs.Database{Postgres: pool})
	})
}

// deaths are those of a job at which n processes have died.
func deaths(n int) string {
	var ids strings.Builder
	for i := range n {
		fmt.Fprintf(&ids, "dead-%d ", i)
	}
	return "'" + ids.String() + "'"
}

// plain gives a way to say plain SQL to a database of jobs.
func plain(db jobs.Database) *sql.DB {
	if db.SQLite != nil {
		return db.SQLite
	}
	return stdlib.OpenDBFromPool(db.Postgres)
}

// adder adds jobs in a transaction, and commits it or not.
type adder func(ctx context.Context, commit bool, all ...ports.Job) error

// newAdder makes one with an outbox of its own, as a process has.
func newAdder(t testing.TB, db jobs.Database) adder {
	t.Helper()
	outbox := only.Value(jobs.NewOutbox(db))(t)
	return func(ctx context.Context, commit bool, all ...ports.Job) error {
		return add(ctx, db, outbox, commit, all)
	}
}

func add(ctx context.Context, db jobs.Database, outbox *jobs.Outbox, commit bool, all []ports.Job) error {
	if db.SQLite != nil {
		tx, err := db.SQLite.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		if err := outbox.Add(ctx, tx, nil, all); err != nil || !commit {
			return err
		}
		return tx.Commit()
	}
	conn, err := db.Postgres.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK") }()
	if err := outbox.Add(ctx, nil, conn.Conn(), all); err != nil || !commit {
		return err
	}
	_, err = conn.Exec(ctx, "COMMIT")
	return err
}

// delivery is a job that is told from others by its number.
func delivery(n int) ports.Job {
	return ports.Job{Kind: ports.DeliverJob, AccountID: "account", Delivery: fmt.Sprintf("delivery-%d", n)}
}

// run is a job of a batch of an account's.
func run(account string, n int) ports.Job {
	return ports.Job{Kind: ports.RunJob, AccountID: account, Run: domain.BatchJob{BatchID: "batch-" + account, Position: n}}
}

// worked is a ports.Work that notes how often each job was begun and ended.
type worked struct {
	// job does it; nil does nothing, well.
	job func(ctx context.Context, job ports.Job, a ports.JobAttempt) (time.Duration, error)

	mu           sync.Mutex
	begun, ended map[ports.Job]int
	attempts     []ports.JobAttempt
}

func (w *worked) Do(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	w.mu.Lock()
	if w.begun == nil {
		w.begun, w.ended = map[ports.Job]int{}, map[ports.Job]int{}
	}
	w.begun[job]++
	w.attempts = append(w.attempts, a)
	w.mu.Unlock()
	if w.job != nil {
		again, err = w.job(ctx, job, a)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[job]++
	return again, err
}

// timesBegun says how often a job was begun.
func (w *worked) timesBegun(job ports.Job) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.begun[job]
}

// begunAs is what attempt each of those that were begun was, of whichever job.
func (w *worked) begunAs() []ports.JobAttempt {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.attempts)
}

// timesEnded says how often a job was ended, whatever came of it.
func (w *worked) timesEnded(job ports.Job) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended[job]
}

// distinct says how many jobs were begun at all.
func (w *worked) distinct() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.begun)
}
