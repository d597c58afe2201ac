package app

import (
	"context"
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// identifiedAccount finds the account of an identity. If the identity provider says that the
// phone is verified, this is stored with event, because the gate does not ask the provider. If the
// provider says that it is not verified, this holds for this call only: the account's
// phone may have been verified in another way.
func identifiedAccount(ctx context.Context, accounts ports.Accounts, identity ports.Identity, event domain.SecurityEvent) (domain.Account, error) {
	email, err := domain.ParseEmail(identity.Email)
	if err != nil || !identity.EmailVerified {
		return domain.Account{}, domain.ErrSetup
	}
	account, err := knownAccount(ctx, accounts, email)
	if err != nil || identity.PhoneVerified == nil {
		return account, err
	}
	if *identity.PhoneVerified && !account.PhoneVerified {
		return accounts.Update(ctx, email, event, func(a *domain.Account) error {
			a.PhoneVerified = true
			return nil
		})
	}
	account.PhoneVerified = *identity.PhoneVerified
	return account, nil
}

// knownAccount finds the account of an e-mail address that was proved. It returns
// domain.ErrSetup if there is none.
func knownAccount(ctx context.Context, accounts ports.Accounts, email string) (domain.Account, error) {
	account, err := accounts.ByEmail(ctx, email)
	if errors.Is(err, domain.ErrNoAccount) {
		return domain.Account{}, domain.ErrSetup.Caused(err)
	}
	return account, err
}
