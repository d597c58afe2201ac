package app

import (
	"context"

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
	event := newEvent(domain.SecurityEvent{At: i.in.Clock(), Kind: domain.SecurityAccount, By: domain.ByAPI})
	account, err := identifiedAccount(ctx, i.in.Accounts, identity, event)
	if err != nil {
		return ports.IssuedKey{}, err
	}
	return i.in.Managing.issue(ctx, account, domain.ByAPI, func(key domain.APIKey, event domain.SecurityEvent) error {
		return i.in.Keys.Rotate(ctx, key, event)
	})
}
