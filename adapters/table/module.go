package table

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Tables.
var Module = fx.Module("table", fx.Provide(fx.Annotate(New, fx.As(new(ports.Tables)))))
