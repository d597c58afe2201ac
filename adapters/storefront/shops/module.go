package shops

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Shops. It needs Settings and peers.Guards.
func Module() fx.Option {
	return fx.Module("shops", fx.Provide(fx.Annotate(New, fx.As(new(ports.Shops)))))
}
