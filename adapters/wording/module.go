package wording

import (
	"go.uber.org/fx"

	"milaan/ports/glue"
)

// Module provides glue.Wording.
var Module = fx.Module("wording", fx.Provide(fx.Annotate(New, fx.As(new(glue.Wording)))))

// New returns the catalogue that the program uses, which is in English.
func New() *Catalogue { return read(english()) }
