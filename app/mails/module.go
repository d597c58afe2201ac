// Package mails writes digests and alarms to the people of accounts, and ends them from a link.
package mails

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("mails", fx.Provide(
		NewAlarming,
		func(c choosing) ports.ChoosingMails { return &c },
	))
}

// choosing are the use cases of ports.ChoosingMails.
type choosing struct {
	fx.In

	Mailing
	Unsubscribing
}
