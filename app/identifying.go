package app

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// Identifying finds the accounts of people who present session tokens. It fills
// ports.Identifying.
type Identifying struct {
	sessions ports.Sessions
	accounts ports.Accounts
	clock    ports.Clock
}

// NewIdentifying makes the use case.
func NewIdentifying(sessions ports.Sessions, accounts ports.Accounts, clock ports.Clock) *Identifying {
	return &Identifying{sessions: sessions, accounts: accounts, clock: clock}
}

// Identify fills ports.Identifying.
func (i *Identifying) Identify(ctx context.Context, token string) (ports.SignedIn, error) {
	if domain.LooksLikeKey(token) {
		return ports.SignedIn{}, domain.ErrKeyAsSession
	}
	identity, err := i.sessions.Verify(ctx, token)
	if err != nil {
		return ports.SignedIn{}, err
	}
	event := newEvent(domain.SecurityEvent{At: i.clock(), Kind: domain.SecurityAccount, By: domain.ByAPI})
	account, err := identifiedAccount(ctx, i.accounts, identity, event)
	if err != nil {
		return ports.SignedIn{}, err
	}
	return ports.SignedIn{Account: account, Email: account.Email, Role: domain.Owner}, nil
}
