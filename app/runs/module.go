// Package runs compares orders with reports and stores what came of it. reconciling.go makes a
// run, which checking.go, comparing.go, reading.go, workspace.go, statement.go, input_hashes.go and
// claiming.go belong to, and fetched.go one of inputs that were fetched. batching.go takes batches,
// and running_batches.go does their jobs.
package runs

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("runs", fx.Provide(
		fx.Annotate(NewReadingHistory, fx.As(new(ports.ReadingHistory))),
		fx.Annotate(NewInspecting, fx.As(new(ports.Inspecting))),
		fx.Annotate(NewReconciling, fx.As(fx.Self()), fx.As(new(ports.Reconciling))),
		NewClaiming,
		NewInputHashing,
		fx.Annotate(NewDocuments, fx.As(fx.Self()), fx.As(new(ports.MakingDocuments))),
		fx.Annotate(NewDemo, fx.As(new(ports.Demo))),
		fx.Annotate(NewBatching, fx.As(new(ports.Batching))),
		NewRunningBatches,
	))
}
