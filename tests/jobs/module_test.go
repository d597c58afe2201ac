package jobs_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"milaan/adapters/jobs"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// parts are the module with all that it needs.
func parts(db jobs.Database, work ports.Work) fx.Option {
	return fx.Options(jobs.Module(), fx.NopLogger, fx.Supply(db, jobs.Settings{}, slog.New(slog.DiscardHandler)),
		fx.Provide(func() ports.Work { return work }, func() ports.Clock { return time.Now },
			func() ports.MaySend { return func(context.Context) error { return nil } }))
}

func TestAnEngineThatIsAskedForRunsWithTheApplication(t *testing.T) {
	t.Parallel()
	one := onSQLite(t).open(t)
	var work worked
	var engine peers.Engine
	type collectors struct {
		fx.In
		All []prometheus.Collector `group:"collectors"`
	}
	application := fxtest.New(t, parts(one, &work), fx.Populate(&engine),
		fx.Invoke(func(c collectors) { require.Len(t, c.All, 1) }))
	application.RequireStart()
	require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
	eventually(t, func() bool { return work.timesEnded(delivery(1)) == 1 }, "it is done")
	application.RequireStop()
	require.ErrorIs(t, engine.Ready(t.Context()), domain.ErrEngine)
}

func TestWhoOnlyAddsJobsDoesNone(t *testing.T) {
	t.Parallel()
	one := onSQLite(t).open(t)
	var outbox *jobs.Outbox
	application := fxtest.New(t, parts(one, nil), fx.Populate(&outbox))
	application.RequireStart()
	tx, err := one.SQLite.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, outbox.Add(t.Context(), tx, nil, []ports.Job{delivery(1)}))
	require.NoError(t, tx.Commit())
	application.RequireStop()
	require.Equal(t, 1, count(t, one, "engine = ''"))
	var queues int
	require.NoError(t, one.SQLite.QueryRowContext(t.Context(), "SELECT count(*) FROM river_queue").Scan(&queues))
	require.Zero(t, queues, "no engine was ever there")
}
