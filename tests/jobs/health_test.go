package jobs_test

import (
	"context"
	"errors"
	"log/slog"
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
		say(t, one, "UPDATE river_job SET scheduled_at = "+db.past)
		say(t, one, "INSERT INTO river_queue (name, updated_at, paused_at) VALUES ('deliveries', "+db.now+", "+db.now+")")
		var ahead atomic.Int64
		e := engine(t, one, &worked{}, func(_ *jobs.Settings, clock *ports.Clock, _ **slog.Logger) {
			*clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		})
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "it stands")
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, e.Ready(t.Context()), "it has just been started")
		ahead.Store(int64(time.Minute))
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "a job is due, workers are free, and none begins it")
		ahead.Store(int64(2 * time.Minute))
		say(t, one, "UPDATE river_job SET scheduled_at = "+db.now)
		require.NoError(t, e.Ready(t.Context()), "the job has just become due")
		require.NoError(t, e.Stop(t.Context()))
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "it is stopped")
	})
}

func TestTheEngineOutlivesAnOutage(t *testing.T) {
	server := postgres.Start(t)
	one := onPostgreSQL(t, server.Database(t)).open(t)
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
		say(t, one, "UPDATE river_job SET scheduled_at = "+db.past)
		say(t, one, "INSERT INTO river_queue (name, updated_at, paused_at) VALUES ('deliveries', "+db.now+", "+db.now+")")
		release := make(chan struct{})
		var ahead atomic.Int64
		work := worked{job: func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
			<-release
			return 0, nil
		}}
		e := engine(t, one, &work, func(_ *jobs.Settings, clock *ports.Clock, _ **slog.Logger) {
			*clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		})
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
