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
		func(m managing) ports.ManagingAccounts { return &m },
		func(s signingIn) ports.SigningIn { return &s },
		func(c closing) ports.ClosingAccounts { return &c },
		func(p People) ports.ManagingPeople { return &p },
		func(v VerifyingPhones) ports.VerifyingPhones { return &v },
	))
}

// managing are the use cases of ports.ManagingAccounts.
type managing struct {
	fx.In

	Managing
	Listing
	ManagingKeys
	ManagingMappings
	Branding
	Books
}

// signingIn are the use cases of ports.SigningIn.
type signingIn struct {
	fx.In

	SigningIn
	Identifying
	Joining
	Switching
	MakingLinks
	IssuingSessions
	IssuingKeys
}

// closing are the use cases of ports.ClosingAccounts.
type closing struct {
	fx.In

	Exporting
	Closing
}
