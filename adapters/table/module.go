package table

import (
	"go.uber.org/fx"

	"milaan/ports/peers"
)

// Module provides peers.Tables, of Settings.
var Module = fx.Module("table", fx.Provide(fx.Annotate(NewWithin, fx.As(new(peers.Tables)))))
