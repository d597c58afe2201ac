package logo

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.CleanLogo.
func Module() fx.Option {
	return fx.Module("logo", fx.Provide(func() ports.CleanLogo { return Clean }))
}
