package secrets

import (
	"context"
	"log/slog"
	"sync"

	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
	"milaan/ports/peers"
)

// Module provides what is derived from the secrets. Nothing is loaded, agreed or written
// unless something asks for it.
func Module() fx.Option {
	return fx.Module("secrets", fx.Provide(
		load,
		agreementFor,
		func(s *Secrets) ports.Subkeys { return s },
		func(s *Secrets) ports.Pseudonyms { return s },
		func(s *Secrets) peers.Resealer { return s },
		func(s *Secrets, a *Agreement) peers.Sealer { return sharedSealer{s, a} },
		func(a *Agreement) ports.RetireSecrets { return a.Retire },
	))
}

type agreementParams struct {
	fx.In

	Life    fx.Lifecycle
	Secrets *Secrets
	Facts   peers.Facts
	Log     *slog.Logger
}

// agreementFor makes the agreement, and renews it as long as the program runs. Every instance
// does so, because each says with which secret it seals.
func agreementFor(p agreementParams) *Agreement {
	a := NewAgreement(p.Secrets, p.Facts)
	ctx, cancel := context.WithCancel(context.Background())
	var kept sync.WaitGroup
	p.Life.Append(fx.StartStopHook(
		func() { kept.Go(func() { a.keep(ctx, p.Log) }) },
		func() { cancel(); kept.Wait() },
	))
	return a
}

// load loads the secrets, and fails if the database does not agree to them. The storage
// bounds how long that takes.
func load(settings config.Secrets, facts peers.Facts, log *slog.Logger) (*Secrets, error) {
	return Load(context.Background(), settings, facts, log)
}
