// Package webhooks manages the endpoints of accounts and delivers events to them.
package webhooks

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
var Module = fx.Module("webhooks", fx.Provide(
	fx.Annotate(NewManaging, fx.As(new(ports.ManagingWebhooks))),
	fx.Annotate(NewManagingDeliveries, fx.As(new(ports.ManagingDeliveries))),
	NewDelivering,
))
