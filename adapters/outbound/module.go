package outbound

import (
	"go.uber.org/fx"

	"milaan/ports/peers"
)

// Module provides peers.Guards for the network.
func Module() fx.Option {
	return fx.Module("outbound", fx.Provide(
		fx.Annotate(func() *Guards { return New(Settings{}) }, fx.As(new(peers.Guards))),
	))
}
