package app

import (
	"crypto/rand"

	"go.uber.org/fx"

	"milaan/ports"
)

// Module wires the use cases to the ports of usecases.go.
var Module = fx.Module("app", fx.Provide(
	fx.Annotate(NewGate, fx.As(new(ports.Gate))),
	fx.Annotate(newIssuingKeys, fx.As(new(ports.IssuingKeys))),
	fx.Annotate(NewAccounts, fx.As(new(ports.ManagingAccounts))),
	fx.Annotate(NewIssuingSessions, fx.As(new(ports.IssuingSessions))),
	fx.Annotate(NewHousekeeping, fx.As(new(ports.Housekeeping))),
	fx.Annotate(NewReconciling, fx.As(new(ports.Reconciling))),
	fx.Annotate(NewDemo, fx.As(new(ports.Demo))),
))

// newIssuingKeys draws keys from the machine's own randomness.
func newIssuingKeys(sessions ports.Sessions, accounts ports.Accounts, keys ports.Keys, clock ports.Clock) *IssuingKeys {
	return NewIssuingKeys(sessions, accounts, keys, clock, rand.Reader)
}
