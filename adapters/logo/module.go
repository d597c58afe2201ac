package logo

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Logos.
var Module = fx.Module("logo", fx.Provide(fx.Annotate(New, fx.As(new(ports.Logos)))))
