package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/ports"
	"milaan/tests/only"
)

// BenchmarkPickUp measures how long after its commit a job is begun by an engine
// that has nothing else to do.
func BenchmarkPickUp(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) { pickUp(b, onSQLite(b)) })
	b.Run("PostgreSQL", func(b *testing.B) { pickUp(b, onPostgreSQL(b, clone(b))) })
}

func pickUp(b *testing.B, db database) {
	one := db.open(b)
	begun := make(chan time.Time, 1)
	work := worked{job: func(_ context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
		if job.Kind == ports.DeliverJob {
			begun <- time.Now()
		}
		return 0, nil
	}}
	e := only.Value(jobs.New(jobs.Params{Database: one, Work: &work, Clock: time.Now, Log: slog.New(slog.DiscardHandler)}))(b)
	require.NoError(b, e.Start(b.Context()))
	b.Cleanup(func() { _ = e.Stop(context.WithoutCancel(b.Context())) })
	outbox := newAdder(b, one)
	var took []time.Duration
	for b.Loop() {
		time.Sleep(time.Second + rand.N(time.Second)) // out of step with the engine
		require.NoError(b, outbox(b.Context(), true, delivery(len(took))))
		committed := time.Now()
		took = append(took, max(0, (<-begun).Sub(committed)))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}

// BenchmarkJobs measures how fast one engine does jobs that do nothing, and on PostgreSQL how many
// statements each costs, its own insertion included.
func BenchmarkJobs(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) { doJobs(b, onSQLite(b).open(b), new(statements)) })
	b.Run("PostgreSQL", func(b *testing.B) {
		config := only.Value(pgxpool.ParseConfig(clone(b)))(b)
		var said statements
		config.ConnConfig.Tracer = &said
		pool := only.Value(pgxpool.NewWithConfig(b.Context(), config))(b)
		b.Cleanup(pool.Close)
		doJobs(b, jobs.Database{Postgres: pool}, &said)
	})
}

type statements struct{ atomic.Int64 }

// TraceQueryStart counts a statement.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.Add(1)
	return ctx
}

// TraceQueryEnd does nothing.
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func doJobs(b *testing.B, one jobs.Database, said *statements) {
	const many = 1000
	for kind, job := range map[string]func(n int) ports.Job{
		"deliver": delivery,
		"batch":   func(n int) ports.Job { return run(fmt.Sprint("account-", n%10), n) },
	} {
		b.Run(kind, func(b *testing.B) {
			done := make(chan struct{}, many)
			work := worked{job: func(_ context.Context, j ports.Job, _ ports.JobAttempt) (time.Duration, error) {
				if j.Kind == job(0).Kind {
					done <- struct{}{}
				}
				return 0, nil
			}}
			e := only.Value(jobs.New(jobs.Params{Database: one, Work: &work, Clock: time.Now, Log: slog.New(slog.DiscardHandler)}))(b)
			require.NoError(b, e.Start(b.Context()))
			add, all := newAdder(b, one), make([]ports.Job, many)
			before, began, n := said.Load(), time.Now(), 0
			for b.Loop() {
				for i := range all {
					all[i] = job(n*many + i)
				}
				n++
				require.NoError(b, add(b.Context(), true, all...))
				for range all {
					<-done
				}
			}
			b.ReportMetric(float64(n*many)/time.Since(began).Seconds(), "jobs/s")
			b.ReportMetric(float64(said.Load()-before)/float64(n*many), "statements/job")
			require.NoError(b, e.Stop(context.WithoutCancel(b.Context())))
		})
	}
}
