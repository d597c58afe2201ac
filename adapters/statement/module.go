package statement

import (
	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/peers"
)

// Module provides ports.ReadStatement.
func Module() fx.Option {
	return fx.Module("statement", fx.Provide(func(t peers.Tables) ports.ReadStatement { return New(t).Read }))
}
