// Package autopilot connects shops and report sources, and compares what they bring every hour.
// managing_connections.go, testing_connections.go, keeping_files.go and ignoring_files.go set a connection up;
// keeping_items.go keeps what is owed from pass to pass;
// scheduling_passes.go adds the passes that are due, and passing.go makes one.
package autopilot

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("autopilot", fx.Provide(
		NewPassing,
		NewManagingConnections,
		func(k KeepingItems) ports.KeepingItems { return &k },
		func(m managing) ports.ManagingConnections { return &m },
	))
}

// managing are the use cases of ports.ManagingConnections.
type managing struct {
	fx.In

	*ManagingConnections
	KeepingFiles
	IgnoringFiles
}
