package webhook

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Poster.
var Module = fx.Module("webhook", fx.Provide(fx.Annotate(New, fx.As(new(ports.Poster)))))
