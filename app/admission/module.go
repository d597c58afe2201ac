// Package admission says who may ask and how often: the gate for API keys, the rates, and the
// security log of what was done.
package admission

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("admission", fx.Provide(func(g gate) ports.Gate { return &g }))
}

// gate are the use cases of ports.Gate.
type gate struct {
	fx.In

	Gate
	SecurityLog
	Refusals
}
