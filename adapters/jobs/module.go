package jobs

import (
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"milaan/ports/peers"
)

// Module provides the Outbox, and the Engine with its figures in the group
// "collectors". It needs a Database that has been migrated, and for the Engine all of
// Params. The engine runs as long as the application if something asks for it;
// otherwise jobs are added and none is done.
func Module() fx.Option {
	return fx.Module("jobs",
		fx.Provide(
			NewOutbox,
			fx.Annotate(newAttachedEngine, fx.As(fx.Self()), fx.As(new(peers.Engine))),
			fx.Annotate((*Engine).Collector, fx.ResultTags(`group:"collectors"`)),
		),
	)
}

// newAttachedEngine makes an engine that starts and stops with the application.
func newAttachedEngine(life fx.Lifecycle, p Params) (*Engine, error) {
	e, err := New(p)
	if err != nil {
		return nil, err
	}
	life.Append(fx.Hook{OnStart: e.Start, OnStop: e.Stop})
	return e, nil
}

// Collector gives the engine's figures to Prometheus: milaan_jobs_waiting,
// milaan_jobs_running and milaan_jobs_oldest_seconds by kind, of all
// instances, and milaan_jobs_total by kind and outcome, of this one. It may be asked
// often: the database is asked every few seconds at most.
func (e *Engine) Collector() prometheus.Collector { return e.figures }
