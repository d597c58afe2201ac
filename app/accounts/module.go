// Package accounts manages accounts, and who may sign in to them: people, keys, sessions, phones.
// What an account has of its own is here too: branding, saved mappings, export, closing.
package accounts

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
var Module = fx.Module("accounts", fx.Provide(
	fx.Annotate(NewIssuingKeys, fx.As(new(ports.IssuingKeys))),
	fx.Annotate(NewManagingKeys, fx.As(fx.Self()), fx.As(new(ports.ManagingKeys))),
	fx.Annotate(NewManagingMappings, fx.As(new(ports.ManagingMappings))),
	fx.Annotate(NewManaging, fx.As(new(ports.ManagingAccounts))),
	fx.Annotate(NewListing, fx.As(new(ports.ListingAccounts))),
	fx.Annotate(NewExporting, fx.As(new(ports.ExportingAccounts))),
	fx.Annotate(NewClosing, fx.As(new(ports.ClosingAccounts))),
	fx.Annotate(NewIssuingSessions, fx.As(new(ports.IssuingSessions))),
	fx.Annotate(NewIdentifying, fx.As(new(ports.Identifying))),
	fx.Annotate(NewSigningIn, fx.As(new(ports.SigningIn)), fx.As(new(ports.CountingSignIns))),
	NewInvitationTokens,
	fx.Annotate(NewPeople, fx.As(new(ports.ManagingPeople))),
	fx.Annotate(NewJoining, fx.As(fx.Self()), fx.As(new(ports.Joining))),
	fx.Annotate(NewSwitching, fx.As(new(ports.Switching))),
	fx.Annotate(NewMakingLinks, fx.As(new(ports.MakingLinks))),
	fx.Annotate(NewVerifyingPhones, fx.As(new(ports.VerifyingPhones))),
	fx.Annotate(NewBranding, fx.As(new(ports.ManagingBranding))),
))
