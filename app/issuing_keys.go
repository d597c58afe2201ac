package app

import (
	"context"
	"errors"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// IssuingKeys creates and rotates API keys. It fills ports.IssuingKeys.
type IssuingKeys struct {
	in IssuingKeysParams
}

// IssuingKeysParams are what NewIssuingKeys needs.
type IssuingKeysParams struct {
	fx.In

	Sessions ports.Sessions
	Accounts ports.Accounts
	Keys     ports.Keys
	Managing *ManagingKeys
	Clock    ports.Clock
}

// NewIssuingKeys makes the use case.
func NewIssuingKeys(p IssuingKeysParams) *IssuingKeys { return &IssuingKeys{p} }

// Issue makes a key for the account that the session names, as ManagingKeys does.
func (i *IssuingKeys) Issue(ctx context.Context, sessionToken string) (ports.IssuedKey, error) {
	if domain.LooksLikeKey(sessionToken) {
		return ports.IssuedKey{}, domain.ErrKeyAsSession
	}
	identity, err := i.in.Sessions.Verify(ctx, sessionToken)
	if err != nil {
		return ports.IssuedKey{}, err
	}
	account, err := i.accountOf(ctx, identity)
	if err != nil {
		return ports.IssuedKey{}, err
	}
	return i.in.Managing.issue(ctx, account, domain.ByAPI, func(key domain.APIKey, event domain.SecurityEvent) error {
		return i.in.Keys.Rotate(ctx, key, event)
	})
}

// accountOf finds the account of an identity. If the identity provider says that the
// phone is verified, this is stored, because the gate does not ask the provider. If the
// provider says that it is not verified, this holds for this call only: the account's
// phone may have been verified in another way.
func (i *IssuingKeys) accountOf(ctx context.Context, identity ports.Identity) (domain.Account, error) {
	email, err := domain.ParseEmail(identity.Email)
	if err != nil || !identity.EmailVerified {
		return domain.Account{}, domain.ErrSetup
	}
	account, err := i.in.Accounts.ByEmail(ctx, email)
	if errors.Is(err, domain.ErrNoAccount) {
		return domain.Account{}, domain.ErrSetup.Caused(err)
	}
	if err != nil || identity.PhoneVerified == nil {
		return account, err
	}
	if *identity.PhoneVerified && !account.PhoneVerified {
		event := newEvent(domain.SecurityEvent{At: i.in.Clock(), Kind: domain.SecurityAccount, By: domain.ByAPI})
		return i.in.Accounts.Update(ctx, email, event, func(a *domain.Account) error {
			a.PhoneVerified = true
			return nil
		})
	}
	account.PhoneVerified = *identity.PhoneVerified
	return account, nil
}
