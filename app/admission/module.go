// Package admission says who may ask and how often: the gate for API keys, the rates, and the
// security log of what was done.
package admission

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("admission", fx.Provide(
		NewGate,
		NewChanging,
		NewSecurityLog,
		NewUploading,
		NewRefusals,
		func(g *Gate, c *Changing, l *SecurityLog, u *Uploading, r *Refusals) ports.Gate {
			return struct {
				*Gate
				*Changing
				*SecurityLog
				*Uploading
				*Refusals
			}{g, c, l, u, r}
		},
	))
}
