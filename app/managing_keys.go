package app

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// ManagingKeys shows, replaces and revokes the keys of accounts. It fills
// ports.ManagingKeys.
type ManagingKeys struct {
	keys    ports.Keys
	windows ports.RateWindows
	clock   ports.Clock
}

// NewManagingKeys makes the use case.
func NewManagingKeys(keys ports.Keys, windows ports.RateWindows, clock ports.Clock) *ManagingKeys {
	return &ManagingKeys{keys: keys, windows: windows, clock: clock}
}

// Active fills ports.ManagingKeys.
func (m *ManagingKeys) Active(ctx context.Context, accountID string) (ports.ActiveKey, error) {
	return m.keys.Active(ctx, accountID)
}

// Replace fills ports.ManagingKeys.
func (m *ManagingKeys) Replace(ctx context.Context, a domain.Account, replaces string, by domain.Way) (ports.IssuedKey, error) {
	return m.issue(ctx, a, by, func(key domain.APIKey, event domain.SecurityEvent) error {
		return m.keys.Replace(ctx, key, replaces, event)
	})
}

// Revoke fills ports.ManagingKeys. Every account may do so, also one whose plan has no API any
// more.
func (m *ManagingKeys) Revoke(ctx context.Context, a domain.Account, prefix string, by domain.Way) error {
	now := m.clock()
	return m.keys.Revoke(ctx, a.ID, prefix, now, newEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityKeyRevoked, Detail: prefix, By: by}))
}

// issue makes a key, which store stores. It makes the same checks of the account as the gate,
// and has a rate of its own (decisions, section 5).
func (m *ManagingKeys) issue(ctx context.Context, a domain.Account, by domain.Way, store func(domain.APIKey, domain.SecurityEvent) error) (ports.IssuedKey, error) {
	issued := ports.IssuedKey{AccountID: a.ID}
	if err := a.MayUseAPI(); err != nil {
		return issued, err
	}
	if err := count(ctx, m.windows, "issue:"+a.ID, domain.IssueRate, m.clock); err != nil {
		return issued, err
	}
	secret, hash := domain.MintKey(random())
	key := domain.APIKey{ID: newID(), AccountID: a.ID, Hash: hash, Prefix: domain.ShownPrefix(secret), IssuedAt: m.clock()}
	event := newEvent(domain.SecurityEvent{At: key.IssuedAt, Kind: domain.SecurityKeyIssued, Detail: key.Prefix, By: by})
	if err := store(key, event); err != nil {
		return issued, err
	}
	issued.Secret, issued.Prefix = secret, key.Prefix
	return issued, nil
}
