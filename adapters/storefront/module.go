package storefront

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Storefronts.
func Module() fx.Option {
	return fx.Module("storefront", fx.Provide(fx.Annotate(New, fx.As(new(ports.Storefronts)))))
}
