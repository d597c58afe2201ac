package mail

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Mailer.
func Module() fx.Option {
	return fx.Module("mail", fx.Provide(fx.Annotate(New, fx.As(new(ports.Mailer)))))
}
