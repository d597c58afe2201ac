package table

import (
	"go.uber.org/fx"

	"milaan/ports/glue"
)

// Module provides glue.Tables, of Settings.
var Module = fx.Module("table", fx.Provide(fx.Annotate(NewWithin, fx.As(new(glue.Tables)))))
