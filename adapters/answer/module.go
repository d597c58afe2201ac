package answer

import (
	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/peers"
)

// Module provides peers.Answers, peers.AnswersAhead, peers.ItemAnswers and ports.BatchAnswers.
func Module() fx.Option {
	return fx.Module("answer", fx.Provide(
		fx.Annotate(New, fx.As(new(peers.Answers)), fx.As(new(peers.AnswersAhead)), fx.As(new(peers.ItemAnswers)),
			fx.As(new(ports.BatchAnswers))),
	))
}
