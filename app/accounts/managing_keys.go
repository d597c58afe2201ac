package accounts

import (
	"context"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// ManagingKeys shows, replaces and revokes the keys of accounts.
type ManagingKeys struct {
	fx.In

	Keys    ports.Keys
	Windows ports.RateWindows
	Clock   ports.Clock
	Sandbox ports.SandboxOn
}

func (m *ManagingKeys) ActiveKey(ctx context.Context, accountID string, kind domain.KeyKind) (ports.ActiveKey, error) {
	if err := m.demand(kind); err != nil {
		return ports.ActiveKey{}, err
	}
	return m.Keys.Active(ctx, accountID, kind)
}

func (m *ManagingKeys) ReplaceKey(
	ctx context.Context, a domain.Account, kind domain.KeyKind, replaces string, by domain.Actor,
) (ports.IssuedKey, error) {
	return m.issue(ctx, a, kind, by, func(ctx context.Context, key domain.APIKey, event domain.SecurityEvent) error {
		return m.Keys.Replace(ctx, key, replaces, event)
	})
}

// RevokeKey is for every account, also one whose plan has no API any more.
func (m *ManagingKeys) RevokeKey(ctx context.Context, a domain.Account, kind domain.KeyKind, prefix string, by domain.Actor) error {
	if err := m.demand(kind); err != nil {
		return err
	}
	now := m.Clock()
	return m.Keys.Revoke(ctx, a.ID, kind, prefix, now,
		admission.NewEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityKeyRevoked, Detail: prefix, By: by}))
}

func (m *ManagingKeys) RotateSandboxKey(ctx context.Context, a domain.Account, by domain.Actor) (ports.IssuedKey, error) {
	return m.issue(ctx, a, domain.SandboxKey, by, m.Keys.Rotate)
}

// demand returns domain.ErrNoSandbox for a key of a sandbox that the service does not have.
func (m *ManagingKeys) demand(kind domain.KeyKind) error {
	if kind == domain.SandboxKey && !bool(m.Sandbox) {
		return domain.ErrNoSandbox
	}
	return nil
}

// issue makes a key, which store stores. It makes the same checks of the account as the gate,
// and has a rate of its own for each kind (guide: limits 3).
func (m *ManagingKeys) issue(
	ctx context.Context, a domain.Account, kind domain.KeyKind, by domain.Actor,
	store func(context.Context, domain.APIKey, domain.SecurityEvent) error,
) (ports.IssuedKey, error) {
	issued := ports.IssuedKey{AccountID: a.ID}
	if err := m.demand(kind); err != nil {
		return issued, err
	}
	if err := a.MayUse(kind, m.Clock()); err != nil {
		return issued, err
	}
	issues := admission.Issues
	if kind == domain.SandboxKey {
		issues = admission.SandboxIssues
	}
	if err := admission.Count(ctx, m.Windows, issues.Of(a.ID), domain.IssueRate, m.Clock); err != nil {
		return issued, err
	}
	secret, hash := domain.MintKey(kind, ids.Secret())
	key := domain.APIKey{ID: ids.New(), AccountID: a.ID, Kind: kind, Hash: hash, Prefix: domain.ShownPrefix(secret), IssuedAt: m.Clock()}
	event := admission.NewEvent(domain.SecurityEvent{At: key.IssuedAt, Kind: domain.SecurityKeyIssued, Detail: key.Prefix, By: by})
	if err := store(ctx, key, event); err != nil {
		return issued, err
	}
	issued.Secret, issued.Prefix = secret, key.Prefix
	return issued, nil
}
