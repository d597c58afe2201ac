package webhook

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Poster, and its figures in the group "collectors".
func Module() fx.Option {
	return fx.Module("webhook", fx.Provide(
		fx.Annotate(New, fx.As(fx.Self()), fx.As(new(ports.Poster))),
		fx.Annotate((*Poster).Collector, fx.ResultTags(`group:"collectors"`)),
	))
}
