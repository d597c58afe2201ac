package table

import (
	"go.uber.org/fx"

	"milaan/ports/peers"
)

// Module provides peers.Tables, of Settings.
func Module() fx.Option {
	return fx.Module("table", fx.Provide(fx.Annotate(NewWithin, fx.As(new(peers.Tables)))))
}
