// Package admission says who may ask and how often: the gate for API keys, the rates, and the
// security log of what was done.
package admission

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
var Module = fx.Module("admission", fx.Provide(
	NewGate,
	NewChanging,
	NewSecurityLog,
	NewUploading,
	func(g *Gate, c *Changing, l *SecurityLog, u *Uploading) ports.Gate {
		return struct {
			*Gate
			*Changing
			*SecurityLog
			*Uploading
		}{g, c, l, u}
	},
))
