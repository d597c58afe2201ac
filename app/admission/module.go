// Package admission says who may ask and how often: the gate for API keys, the rates, and the
// security log of what was done.
package admission

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
var Module = fx.Module("admission", fx.Provide(
	fx.Annotate(NewGate, fx.As(new(ports.Gate))),
	fx.Annotate(NewChanging, fx.As(new(ports.CountingChanges))),
	fx.Annotate(NewSecurityLog, fx.As(new(ports.ReadingSecurity))),
	fx.Annotate(NewUploading, fx.As(new(ports.Uploading))),
))
