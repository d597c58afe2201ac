package wording

import (
	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/peers"
)

// Module provides peers.Wording, which is in English, and peers.Languages.
func Module() fx.Option {
	return fx.Module("wording", fx.Provide(
		fx.Annotate(New, fx.As(new(peers.Wording))),
		func(catalogue ports.Couriers) ports.MailText { return NewMails(catalogue).MailText },
		fx.Annotate(NewLanguages, fx.As(new(peers.Languages))),
	))
}

// New returns the catalogue in English.
func New() *Catalogue { return read(english) }
