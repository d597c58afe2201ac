package answer

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module provides ports.Answers, ports.BatchAnswers and ports.Summaries.
var Module = fx.Module("answer", fx.Provide(
	fx.Annotate(New, fx.As(new(ports.Answers)), fx.As(new(ports.BatchAnswers)), fx.As(new(ports.Summaries))),
))
