package app

import (
	"crypto/rand"

	"go.uber.org/fx"

	"milaan/ports"
)

// Module wires the use cases to the ports of usecases.go and background.go.
var Module = fx.Module("app", fx.Provide(
	fx.Annotate(NewGate, fx.As(new(ports.Gate))),
	fx.Annotate(newIssuingKeys, fx.As(new(ports.IssuingKeys))),
	fx.Annotate(NewAccounts, fx.As(new(ports.ManagingAccounts))),
	fx.Annotate(NewIssuingSessions, fx.As(new(ports.IssuingSessions))),
	fx.Annotate(NewResealing, fx.As(new(ports.ManagingSecrets))),
	NewHousekeeping,
	NewReconciling,
	fx.Annotate(NewReconcilingOnce, fx.As(new(ports.Reconciling))),
	NewClaiming,
	fx.Annotate(NewDemo, fx.As(new(ports.Demo))),
	newBatching,
	fx.Annotate(NewBatchingOnce, fx.As(new(ports.Batching))),
	fx.Annotate(newManagingWebhooks, fx.As(new(ports.ManagingWebhooks))),
	fx.Annotate(NewWorking, fx.As(new(ports.Work))),
	NewDelivering,
	NewRunningBatches,
))

// newIssuingKeys draws keys from the machine's own randomness.
func newIssuingKeys(sessions ports.Sessions, accounts ports.Accounts, keys ports.Keys, windows ports.Windows, clock ports.Clock) *IssuingKeys {
	return NewIssuingKeys(sessions, accounts, keys, windows, clock, rand.Reader)
}

// newBatching draws signing secrets from the machine's own randomness.
func newBatching(p BatchingParams) *Batching { return NewBatching(p, rand.Reader) }

// newManagingWebhooks does so too.
func newManagingWebhooks(accounts ports.Accounts, webhooks ports.Webhooks, deliveries ports.Deliveries, poster ports.Poster, delivering *Delivering, clock ports.Clock) *ManagingWebhooks {
	return NewManagingWebhooks(accounts, webhooks, deliveries, poster, delivering, clock, rand.Reader)
}
