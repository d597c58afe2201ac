// Package mails writes digests and alarms to the people of accounts, and ends them from a link.
package mails

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
var Module = fx.Module("mails", fx.Provide(
	NewAlarming,
	fx.Annotate(NewMailing, fx.As(fx.Self()), fx.As(new(ports.ChoosingMails))),
	fx.Annotate(NewUnsubscribing, fx.As(new(ports.Unsubscribing))),
))
