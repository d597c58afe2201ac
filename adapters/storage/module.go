package storage

import (
	"context"
	"log/slog"

	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/peers"
)

// Module provides the ports of storage from one Store, which it opens and
// migrates when the first of them is asked for and closes at the end. It needs Settings
// and a *slog.Logger. The ports that add jobs or seal something need an Outbox, a
// peers.Sealer and a peers.Resealer.
func Module() fx.Option {
	return fx.Module("storage",
		fx.Provide(
			fx.Annotate(openAttached, fx.As(fx.Self()), fx.As(new(peers.Database))),
			fx.Annotate(New[Accounts], fx.As(new(ports.Accounts))),
			fx.Annotate(New[Records], fx.As(new(ports.StoredRecords)), fx.As(new(ports.StoredWork))),
			fx.Annotate(NewWithJobs[AllAccounts], fx.As(new(ports.AllAccounts))),
			fx.Annotate(New[Keys], fx.As(new(ports.Keys))),
			fx.Annotate(New[SecurityEvents], fx.As(new(ports.SecurityEvents))),
			fx.Annotate(New[Sessions], fx.As(new(ports.SessionStore))),
			fx.Annotate(NewWithJobs[People], fx.As(new(ports.People)), fx.As(new(ports.Invitations))),
			fx.Annotate(New[History], fx.As(new(ports.RunHistory))),
			fx.Annotate(New[Mappings], fx.As(new(ports.SavedMappings)), fx.As(new(ports.NamedMappings))),
			fx.Annotate(New[RateWindows], fx.As(new(ports.RateWindows))),
			fx.Annotate(NewWithJobs[Runs], fx.As(new(ports.Runs))),
			fx.Annotate(New[Brandings], fx.As(new(ports.Brandings))),
			fx.Annotate(New[Books], fx.As(new(ports.Books))),
			fx.Annotate(New[Webhooks], fx.As(new(ports.Webhooks))),
			fx.Annotate(NewWithJobs[Deliveries], fx.As(new(ports.Deliveries))),
			fx.Annotate(NewWithJobs[Batches], fx.As(new(ports.Batches)), fx.As(new(ports.BatchJobs))),
			fx.Annotate(New[RequestClaims], fx.As(new(ports.RequestClaims))),
			fx.Annotate(New[Connections], fx.As(new(ports.Connections))),
			fx.Annotate(NewWithJobs[Passes], fx.As(new(ports.Passes)), fx.As(new(ports.PassLog))),
			fx.Annotate(New[KeptFiles], fx.As(new(ports.KeptFiles))),
			fx.Annotate(New[IgnoredFiles], fx.As(new(ports.IgnoredFiles))),
			fx.Annotate(New[ConnectionLedgers], fx.As(new(ports.ConnectionLedgers))),
			fx.Annotate(NewWithJobs[Mails], fx.As(new(ports.Mails))),
			fx.Annotate(New[Phones], fx.As(new(ports.Phones))),
			fx.Annotate(New[Alarms], fx.As(new(ports.Alarms))),
			fx.Annotate(NewWithJobs[Billing], fx.As(new(ports.BillingBook)), fx.As(new(ports.BillingStarts))),
			func(s *Store) ports.Sweep { return s.Sweep },
			fx.Annotate(NewFacts, fx.As(new(peers.Facts))),
			fx.Annotate(NewHolds, fx.As(new(ports.Holds))),
			fx.Annotate(NewSeals, fx.As(new(ports.Seals))),
		),
	)
}

// openAttached opens a store that is closed with the application.
func openAttached(life fx.Lifecycle, settings Settings, log *slog.Logger) (*Store, error) {
	s, err := Open(context.Background(), settings, log)
	if err != nil {
		return nil, err
	}
	life.Append(fx.StopHook(s.Close))
	return s, nil
}
