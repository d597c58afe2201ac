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
		func(h ReadingHistory) ports.ReadingHistory { return &h },
		fx.Annotate(NewReconciling, fx.As(fx.Self()), fx.As(new(ports.Reconciling)), fx.As(new(ports.Inspecting))),
		NewClaiming,
		NewInputHashing,
		func(d Documents) ports.MakingDocuments { return &d },
		fx.Annotate(NewDemo, fx.As(new(ports.Demo))),
		func(b Batching) ports.Batching { return &b },
	))
}
