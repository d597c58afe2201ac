package couriers

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Couriers.
func Module() fx.Option {
	return fx.Module("couriers", fx.Provide(fx.Annotate(New, fx.As(new(ports.Couriers)))))
}
