// Package webhooks manages the endpoints of accounts and delivers events to them.
package webhooks

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("webhooks", fx.Provide(NewDelivering, func(m managing) ports.ManagingWebhooks { return &m }))
}

// managing are the use cases of ports.ManagingWebhooks.
type managing struct {
	fx.In

	Managing
	ManagingDeliveries
}
