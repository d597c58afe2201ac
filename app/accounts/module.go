// Package accounts manages accounts, and who may sign in to them: people, keys, sessions, phones.
// What an account has of its own is here too: branding, books, saved mappings, export, closing.
package accounts

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases.
func Module() fx.Option {
	return fx.Module("accounts", fx.Provide(
		NewManaging, NewListing, NewManagingKeys, NewManagingMappings, NewBranding, NewBooks,
		func(p managing) ports.ManagingAccounts { return p },
		NewSigningIn, NewIdentifying, NewJoining, NewSwitching, NewMakingLinks, NewIssuingSessions, NewIssuingKeys,
		func(p signingIn) ports.SigningIn { return p },
		NewExporting, NewClosing,
		func(e *Exporting, c *Closing) ports.ClosingAccounts {
			return struct {
				*Exporting
				*Closing
			}{e, c}
		},
		NewInvitationTokens,
		fx.Annotate(NewPeople, fx.As(new(ports.ManagingPeople))),
		fx.Annotate(NewVerifyingPhones, fx.As(new(ports.VerifyingPhones))),
	))
}

// managing are the use cases of ports.ManagingAccounts.
type managing struct {
	fx.In

	*Managing
	*Listing
	*ManagingKeys
	*ManagingMappings
	*Branding
	*Books
}

// signingIn are the use cases of ports.SigningIn.
type signingIn struct {
	fx.In

	*SigningIn
	*Identifying
	*Joining
	*Switching
	*MakingLinks
	*IssuingSessions
	*IssuingKeys
}
