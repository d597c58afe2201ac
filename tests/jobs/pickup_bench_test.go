package jobs_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/ports"
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
	work := worked{job: func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
		begun <- time.Now()
		return 0, nil
	}}
	e, err := jobs.New(jobs.Params{Database: one, Work: &work, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	require.NoError(b, e.Start(b.Context()))
	b.Cleanup(func() { _ = e.Stop(context.WithoutCancel(b.Context())) })
	outbox := newAdder(b, one)
	var took []time.Duration
	for b.Loop() {
		time.Sleep(50*time.Millisecond + rand.N(100*time.Millisecond)) // out of step with the engine
		require.NoError(b, outbox(b.Context(), true, delivery(len(took))))
		committed := time.Now()
		took = append(took, max(0, (<-begun).Sub(committed)))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}
