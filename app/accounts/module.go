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
		func(m Managing) ports.ManagingAccounts { return &m },
		func(s SigningIn) ports.SigningIn { return &s },
		func(c Closing) ports.ClosingAccounts { return &c },
		func(p People) ports.ManagingPeople { return &p },
		func(v VerifyingPhones) ports.VerifyingPhones { return &v },
	))
}
