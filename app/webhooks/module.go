// Package webhooks manages the endpoints of accounts and delivers events to them.
package webhooks

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("webhooks", fx.Provide(NewDelivering, func(m Managing) ports.ManagingWebhooks { return &m }))
}
