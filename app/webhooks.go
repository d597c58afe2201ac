package app

import (
	"context"
	"net/url"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// ManagingWebhooks sets, shows and removes webhooks of accounts. It fills
// ports.ManagingWebhooks.
type ManagingWebhooks struct {
	in ManagingWebhooksParams
}

// ManagingWebhooksParams are what NewManagingWebhooks needs.
type ManagingWebhooksParams struct {
	fx.In

	Accounts ports.Accounts
	Webhooks ports.Webhooks
	Poster   ports.Poster
	Clock    ports.Clock
}

// NewManagingWebhooks makes the use case.
func NewManagingWebhooks(p ManagingWebhooksParams) *ManagingWebhooks { return &ManagingWebhooks{p} }

// Set sets the endpoint, and draws a secret if the account has none.
func (m *ManagingWebhooks) Set(ctx context.Context, email, endpoint string, by domain.Way) (w domain.Webhook, secret string, err error) {
	account, err := entitledAccount(ctx, m.in.Accounts, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	if err := m.in.Poster.Check(ctx, domain.FieldEndpoint, endpoint).Err(); err != nil {
		return domain.Webhook{}, "", err
	}
	fresh := domain.MintSigningSecret(random())
	event := m.event(domain.SecurityWebhookSet, by)
	event.Detail = hostOf(endpoint)
	return m.update(ctx, account.ID, event, func(w *domain.Webhook) error {
		if w.Secret == "" {
			w.Secret = fresh
		}
		w.Endpoint, w.SetAt = endpoint, event.At
		return nil
	})
}

// Rotate draws a new secret.
func (m *ManagingWebhooks) Rotate(ctx context.Context, email string, by domain.Way) (w domain.Webhook, secret string, err error) {
	fresh := domain.MintSigningSecret(random())
	event := m.event(domain.SecurityWebhookSecret, by)
	return m.updateExisting(ctx, email, event, func(w *domain.Webhook) { w.Rotate(fresh, event.At) })
}

// Show returns the webhook, and its secret if it was never shown.
func (m *ManagingWebhooks) Show(ctx context.Context, email string) (w domain.Webhook, secret string, err error) {
	return m.updateExisting(ctx, email, domain.SecurityEvent{}, func(*domain.Webhook) {})
}

func (m *ManagingWebhooks) Find(ctx context.Context, email string) (domain.Webhook, error) {
	account, err := accountOf(ctx, m.in.Accounts, email)
	if err != nil {
		return domain.Webhook{}, err
	}
	return m.in.Webhooks.Of(ctx, account.ID)
}

func (m *ManagingWebhooks) updateExisting(ctx context.Context, email string, event domain.SecurityEvent, change func(*domain.Webhook)) (domain.Webhook, string, error) {
	account, err := accountOf(ctx, m.in.Accounts, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	return m.update(ctx, account.ID, event, func(w *domain.Webhook) error {
		if w.Secret == "" {
			return domain.ErrNoWebhook
		}
		change(w)
		return nil
	})
}

// update changes a webhook and returns its secret if the secret was never shown. That
// it is shown now is stored in the same transaction, so that it is shown once; a secret
// that was not stored is not returned.
func (m *ManagingWebhooks) update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook) error) (w domain.Webhook, secret string, err error) {
	w, err = m.in.Webhooks.Update(ctx, accountID, event, func(w *domain.Webhook) error {
		if err := change(w); err != nil {
			return err
		}
		secret = ""
		if !w.Shown {
			w.Shown, secret = true, w.Secret.Reveal()
		}
		return nil
	})
	if err != nil {
		return domain.Webhook{}, "", err
	}
	return w, secret, nil
}

// Remove deletes endpoint and secrets, also those that cannot be opened any more and count
// as absent.
func (m *ManagingWebhooks) Remove(ctx context.Context, email string, by domain.Way) error {
	account, err := accountOf(ctx, m.in.Accounts, email)
	if err != nil {
		return err
	}
	found := false
	_, err = m.in.Webhooks.Update(ctx, account.ID, m.event(domain.SecurityWebhookGone, by), func(w *domain.Webhook) error {
		found = w.Secret != ""
		*w = domain.Webhook{AccountID: w.AccountID}
		return nil
	})
	if err == nil && !found {
		err = domain.ErrNoWebhook
	}
	return err
}

func (m *ManagingWebhooks) event(kind domain.SecurityKind, by domain.Way) domain.SecurityEvent {
	return newEvent(domain.SecurityEvent{At: m.in.Clock(), Kind: kind, By: by})
}

// hostOf returns the host of an endpoint. Its path and its query may hold secrets of its
// owner.
func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// entitledAccount finds an account whose plan has webhooks (guide: webhooks).
func entitledAccount(ctx context.Context, accounts ports.Accounts, email string) (domain.Account, error) {
	account, err := accountOf(ctx, accounts, email)
	if err == nil && !account.HasWebhooks() {
		return domain.Account{}, domain.ErrWebhookPlan
	}
	return account, err
}
