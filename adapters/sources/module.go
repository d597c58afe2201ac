package sources

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.ReportSources.
var Module = fx.Module("sources", fx.Provide(
	fx.Annotate(New, fx.As(new(ports.ReportSources))),
))
