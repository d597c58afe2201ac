package wording

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Wording.
var Module = fx.Module("wording", fx.Provide(fx.Annotate(New, fx.As(new(ports.Wording)))))

// New makes the catalogue that the program uses.
func New() *Catalogue { return English() }
