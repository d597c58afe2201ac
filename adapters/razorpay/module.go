package razorpay

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides the ports of the billing provider. It needs Settings.
var Module = fx.Module("razorpay", fx.Provide(
	fx.Annotate(New, fx.As(new(ports.Billing)), fx.As(new(ports.BillingRecords)), fx.As(new(ports.BillingNotices))),
))
