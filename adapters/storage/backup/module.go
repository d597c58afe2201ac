package backup

import (
	"go.uber.org/fx"

	"milaan/ports/peers"
)

// Module provides peers.Backups. It needs Settings and opens nothing before it is asked to.
func Module() fx.Option {
	return fx.Module("backup", fx.Provide(fx.Annotate(New, fx.As(new(peers.Backups)))))
}
