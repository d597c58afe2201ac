package answer

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Answers.
var Module = fx.Module("answer", fx.Provide(fx.Annotate(New, fx.As(new(ports.Answers)))))
