package logo

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.CleanLogo.
var Module = fx.Module("logo", fx.Provide(func() ports.CleanLogo { return Clean }))
