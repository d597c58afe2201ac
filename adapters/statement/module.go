package statement

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Statements.
var Module = fx.Module("statement", fx.Provide(fx.Annotate(New, fx.As(new(ports.Statements)))))
