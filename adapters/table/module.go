package table

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Tables, of Settings.
var Module = fx.Module("table", fx.Provide(fx.Annotate(NewWithin, fx.As(new(ports.Tables)))))
