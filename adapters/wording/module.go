package wording

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Wording.
var Module = fx.Module("wording", fx.Provide(fx.Annotate(New, fx.As(new(ports.Wording)))))

// New returns the catalogue that the program uses, which is in English.
func New() *Catalogue { return read(english()) }
