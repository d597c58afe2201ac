package wording

import (
	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/glue"
)

// Module provides glue.Wording, which is in English, and glue.Languages.
var Module = fx.Module("wording", fx.Provide(
	fx.Annotate(New, fx.As(new(glue.Wording))),
	fx.Annotate(NewMails, fx.As(new(ports.MailTexts))),
	fx.Annotate(NewLanguages, fx.As(new(glue.Languages))),
))

// New returns the catalogue in English.
func New() *Catalogue { return read(*english()) }
