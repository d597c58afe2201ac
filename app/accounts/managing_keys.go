package accounts

import (
	"context"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

func (m *Managing) ActiveKey(ctx context.Context, accountID string, kind domain.KeyKind) (ports.ActiveKey, error) {
	if err := m.demand(kind); err != nil {
		return ports.ActiveKey{}, err
	}
	return m.Keys.Active(ctx, accountID, kind)
}

func (m *Managing) ReplaceKey(
	ctx context.Context, a domain.Account, kind domain.KeyKind, replaces string, by domain.Actor,
) (ports.IssuedKey, error) {
	return m.issue(ctx, a, kind, by, func(ctx context.Context, key domain.APIKey, event domain.SecurityEvent) error {
		return m.Keys.Replace(ctx, key, replaces, event)
	})
}

// RevokeKey is for every account, also one whose plan has no API any more.
func (m *Managing) RevokeKey(ctx context.Context, a domain.Account, kind domain.KeyKind, prefix string, by domain.Actor) error {
	if err := m.demand(kind); err != nil {
		return err
	}
	event := m.event(domain.SecurityKeyRevoked, prefix, by)
	return m.Keys.Revoke(ctx, a.ID, kind, prefix, event.At, event)
}

func (m *Managing) RotateSandboxKey(ctx context.Context, a domain.Account, by domain.Actor) (ports.IssuedKey, error) {
	return m.issue(ctx, a, domain.SandboxKey, by, m.Keys.Rotate)
}

// demand returns domain.ErrNoSandbox for a key of a sandbox that the service does not have.
func (m *Managing) demand(kind domain.KeyKind) error {
	if kind == domain.SandboxKey && !bool(m.Sandbox) {
		return domain.ErrNoSandbox
	}
	return nil
}

// issue makes a key, which store stores. It makes the same checks of the account as the gate,
// and has a rate of its own for each kind (guide: limits 3).
func (m *Managing) issue(
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
	event := m.event(domain.SecurityKeyIssued, domain.ShownPrefix(secret), by)
	key := domain.APIKey{ID: ids.New(), AccountID: a.ID, Kind: kind, Hash: hash, Prefix: event.Detail, IssuedAt: event.At}
	if err := store(ctx, key, event); err != nil {
		return issued, err
	}
	issued.Secret, issued.Prefix = secret, key.Prefix
	return issued, nil
}
