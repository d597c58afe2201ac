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
		func(m Mailing) ports.ChoosingMails { return &m },
	))
}
