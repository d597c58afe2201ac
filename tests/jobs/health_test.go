package jobs_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/postgres"
)

func TestReadyTellsAnEngineThatDoesNotWork(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "UPDATE jobs SET due_at_us = "+db.past+" WHERE origin IS NULL")
		pause(t, one, db, "deliveries")
		var ahead atomic.Int64
		e := engine(t, one, &worked{}, clockAhead(&ahead))
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "it stands")
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, e.Ready(t.Context()), "it has just been started")
		ahead.Store(int64(time.Minute))
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "a job is due, workers are free, and none begins it")
		ahead.Store(int64(2 * time.Minute))
		say(t, one, "UPDATE jobs SET due_at_us = "+db.now+" WHERE origin IS NULL")
		require.NoError(t, e.Ready(t.Context()), "the job has just become due")
		require.NoError(t, e.Stop(t.Context()))
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "it is stopped")
	})
}

// Workers that are busy and end nothing, although work is due, are stuck once each
// of their jobs has had its time. Until then they may have long jobs.
func TestReadyTellsWorkersThatMakeNoProgress(t *testing.T) {
	t.Parallel()
	for kind, c := range map[ports.JobKind]struct {
		job   func(n int) ports.Job
		limit time.Duration // of one job
	}{
		ports.DeliverJob: {delivery, 30 * time.Second},
		ports.RunJob:     {func(n int) ports.Job { return run("account", n) }, 5 * time.Minute},
	} {
		t.Run(string(kind), func(t *testing.T) {
			onBoth(t, func(t *testing.T, db database) {
				one := db.open(t)
				const workers = 2
				var ahead atomic.Int64
				end := make(chan struct{})
				work := worked{job: until(end)}
				e := started(t, one, &work, batches(workers), clockAhead(&ahead), func(p *jobs.Params) { p.Settings.Deliveries = workers })
				for range 3 {
					ahead.Add(int64(time.Hour))
					require.NoError(t, e.Ready(t.Context()), "nothing is due")
				}
				add := newAdder(t, one)
				for n := range workers {
					require.NoError(t, add(t.Context(), true, c.job(n)))
				}
				eventually(t, func() bool { return work.distinct() == workers }, "all workers are busy")
				for n := workers; n < 2*workers; n++ {
					require.NoError(t, add(t.Context(), true, c.job(n)))
				}
				say(t, one, "UPDATE jobs SET due_at_us = "+db.past+" WHERE engine = '' AND origin IS NULL")
				ahead.Add(int64(c.limit))
				require.NoError(t, e.Ready(t.Context()), "their jobs may take that long")
				ahead.Add(int64(31 * time.Second))
				require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "their jobs must have ended, and others are due")
				end <- struct{}{}
				eventually(t, func() bool { return work.distinct() == workers+1 }, "the next is begun")
				ahead.Add(int64(4 * time.Second)) // the count of the jobs is older than its time
				require.NoError(t, e.Ready(t.Context()), "one has ended")
				say(t, one, "DELETE FROM jobs WHERE engine = '' AND origin IS NULL")
				ahead.Add(int64(time.Hour))
				require.NoError(t, e.Ready(t.Context()), "nobody waits for them")
				close(end)
			})
		})
	}
}

func TestTheEngineOutlivesAnOutage(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t)
	one := onPostgreSQL(t, server.Database(t)).open(t)
	require.NoError(t, jobs.Migrate(t.Context(), one))
	var work worked
	e := started(t, one, &work)
	server.Stop(t)
	eventually(t, func() bool { return errors.Is(e.Ready(t.Context()), domain.ErrEngine) }, "it is not ready without its database")
	server.Start(t)
	add := newAdder(t, one)
	eventually(t, func() bool { return add(t.Context(), true, delivery(1)) == nil }, "jobs are added again")
	eventually(t, func() bool { return work.timesEnded(delivery(1)) > 0 && e.Ready(t.Context()) == nil }, "and done")
}

func TestTheFiguresOfTheEngine(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		run := ports.Job{Kind: ports.RunJob, AccountID: "account", Run: domain.BatchJob{BatchID: "batch"}}
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "UPDATE jobs SET due_at_us = "+db.past+" WHERE origin IS NULL")
		pause(t, one, db, "deliveries")
		release := make(chan struct{})
		var ahead atomic.Int64
		work := worked{job: until(release)}
		e := engine(t, one, &work, clockAhead(&ahead))
		registry := prometheus.NewPedanticRegistry()
		require.NoError(t, registry.Register(e.Collector()))
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, newAdder(t, one)(t.Context(), true, run))
		eventually(t, func() bool { return work.timesBegun(run) == 1 }, "it is begun")
		figures := gathered(t, registry)
		require.EqualValues(t, 1, figures["milaan_jobs_waiting deliver"])
		require.EqualValues(t, 0, figures["milaan_jobs_running deliver"])
		require.GreaterOrEqual(t, figures["milaan_jobs_oldest_seconds deliver"], past.Seconds())
		require.EqualValues(t, 0, figures["milaan_jobs_waiting batch_run"])
		require.EqualValues(t, 1, figures["milaan_jobs_running batch_run"])
		require.EqualValues(t, 0, figures["milaan_jobs_total batch_run done"])
		close(release)
		eventually(t, func() bool {
			ahead.Add(int64(time.Second))
			figures = gathered(t, registry)
			return figures["milaan_jobs_total batch_run done"] == 1 && figures["milaan_jobs_running batch_run"] == 0
		}, "it is counted")
	})
}

func gathered(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	all := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			name := family.GetName()
			for _, label := range metric.GetLabel() {
				name += " " + label.GetValue()
			}
			all[name] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
		}
	}
	return all
}
