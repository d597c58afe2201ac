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
		NewMailing,
		NewUnsubscribing,
		func(m *Mailing, u *Unsubscribing) ports.ChoosingMails {
			return struct {
				*Mailing
				*Unsubscribing
			}{m, u}
		},
	))
}
