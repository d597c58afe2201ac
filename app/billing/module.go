// Package billing keeps accounts as their subscriptions at the billing provider say.
package billing

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
var Module = fx.Module("billing", fx.Provide(
	fx.Annotate(NewNotices, fx.As(fx.Self()), fx.As(new(ports.TakingNotices))),
	fx.Annotate(NewManaging, fx.As(new(ports.ManagingBilling)), fx.As(new(ports.EndingBilling))),
))
