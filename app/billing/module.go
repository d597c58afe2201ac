// Package billing keeps accounts as their subscriptions at the billing provider say.
package billing

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("billing", fx.Provide(NewNotices, func(m Managing) ports.ManagingBilling { return &m }))
}
