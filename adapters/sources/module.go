package sources

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.ReportSources.
func Module() fx.Option {
	return fx.Module("sources", fx.Provide(
		fx.Annotate(New, fx.As(new(ports.ReportSources))),
	))
}
