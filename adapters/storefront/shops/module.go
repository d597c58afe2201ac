package shops

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Shops. It needs Settings and peers.Guards.
var Module = fx.Module("shops", fx.Provide(fx.Annotate(New, fx.As(new(ports.Shops)))))
