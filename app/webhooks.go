package app

import (
	"context"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// ManagingWebhooks looks after accounts' webhooks. It fills
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

// Set sets the endpoint, and draws the secret if the account has none.
func (m *ManagingWebhooks) Set(ctx context.Context, email, endpoint string) (w domain.Webhook, secret string, err error) {
	account, err := entitledAccount(ctx, m.in.Accounts, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	if err := m.in.Poster.Check(ctx, domain.FieldEndpoint, endpoint).Err(); err != nil {
		return domain.Webhook{}, "", err
	}
	fresh := domain.MintSigningSecret(random())
	w, err = m.in.Webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
		if w.Secret == "" {
			w.Secret = fresh
		}
		w.Endpoint, w.SetAt = endpoint, m.in.Clock()
		secret = shown(w)
		return nil
	})
	return answered(w, secret, err)
}

// Rotate draws a new secret.
func (m *ManagingWebhooks) Rotate(ctx context.Context, email string) (w domain.Webhook, secret string, err error) {
	account, err := accountOf(ctx, m.in.Accounts, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	fresh := domain.MintSigningSecret(random())
	w, err = m.in.Webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
		if w.Secret == "" {
			return domain.ErrNoWebhook
		}
		w.Rotate(fresh, m.in.Clock())
		secret = shown(w)
		return nil
	})
	return answered(w, secret, err)
}

// Show shows the webhook, and its secret if it never was.
func (m *ManagingWebhooks) Show(ctx context.Context, email string) (w domain.Webhook, secret string, err error) {
	account, err := accountOf(ctx, m.in.Accounts, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	w, err = m.in.Webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
		if w.Secret == "" {
			return domain.ErrNoWebhook
		}
		secret = shown(w)
		return nil
	})
	return answered(w, secret, err)
}

// shown is the secret if its owner has not been shown it yet, which is noted:
// in one transaction, so that it is shown once.
func shown(w *domain.Webhook) (secret string) {
	if w.Shown {
		return ""
	}
	w.Shown = true
	return w.Secret.Reveal()
}

// answered holds a secret back that was not stored.
func answered(w domain.Webhook, secret string, err error) (domain.Webhook, string, error) {
	if err != nil {
		return domain.Webhook{}, "", err
	}
	return w, secret, nil
}

// Remove forgets endpoint and secrets, also those that cannot be opened any more
// and count as absent.
func (m *ManagingWebhooks) Remove(ctx context.Context, email string) error {
	account, err := accountOf(ctx, m.in.Accounts, email)
	if err != nil {
		return err
	}
	found := false
	_, err = m.in.Webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
		found = w.Secret != ""
		*w = domain.Webhook{AccountID: w.AccountID}
		return nil
	})
	if err == nil && !found {
		err = domain.ErrNoWebhook
	}
	return err
}
