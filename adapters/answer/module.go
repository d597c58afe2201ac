package answer

import (
	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/glue"
)

// Module provides glue.Answers, glue.Exports and ports.BatchAnswers.
var Module = fx.Module("answer", fx.Provide(
	fx.Annotate(New, fx.As(new(glue.Answers)), fx.As(new(glue.Exports)), fx.As(new(ports.BatchAnswers))),
))
