package answer

import (
	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/glue"
)

// Module provides glue.Answers, glue.Exports, ports.BatchAnswers and ports.Summaries.
var Module = fx.Module("answer", fx.Provide(
	fx.Annotate(New, fx.As(new(glue.Answers)), fx.As(new(glue.Exports)), fx.As(new(ports.BatchAnswers)), fx.As(new(ports.Summaries))),
))
