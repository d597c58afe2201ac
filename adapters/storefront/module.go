package storefront

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Storefronts.
var Module = fx.Module("storefront", fx.Provide(fx.Annotate(New, fx.As(new(ports.Storefronts)))))
