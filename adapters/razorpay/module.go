package razorpay

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides the ports of the billing provider. It needs Settings, and its figures are in
// the group "collectors".
func Module() fx.Option {
	return fx.Module("razorpay", fx.Provide(
		fx.Annotate(New, fx.As(fx.Self()), fx.As(new(ports.Billing)), fx.As(new(ports.BillingRecords))),
		fx.Annotate((*Client).Collector, fx.ResultTags(`group:"collectors"`)),
	))
}
