package webhooks

import (
	"cmp"
	"context"

	"go.uber.org/fx"

	"milaan/app/accounts"
	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// Managing sets, shows and removes webhooks of accounts.
type Managing struct {
	fx.In

	Accounts ports.Accounts
	Webhooks ports.Webhooks
	Poster   ports.Poster
	Clock    ports.Clock
}

func (m *Managing) Set(ctx context.Context, email, endpoint string, by domain.Actor) (w domain.Webhook, secret string, err error) {
	account, err := entitledAccount(ctx, m.Accounts, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	if err := m.Poster.Check(ctx, domain.FieldEndpoint, endpoint).Err(); err != nil {
		return domain.Webhook{}, "", err
	}
	fresh := domain.MintSigningSecret(ids.Secret())
	event := m.event(domain.SecurityWebhookSet, by)
	return m.update(ctx, account.ID, event, func(w *domain.Webhook) error {
		w.Secret = cmp.Or(w.Secret, fresh)
		w.Endpoint, w.SetAt = endpoint, event.At
		return nil
	})
}

func (m *Managing) Rotate(ctx context.Context, email string, by domain.Actor) (w domain.Webhook, secret string, err error) {
	fresh := domain.MintSigningSecret(ids.Secret())
	event := m.event(domain.SecurityWebhookSecret, by)
	return m.updateExisting(ctx, email, event, func(w *domain.Webhook) { w.Rotate(fresh, event.At) })
}

func (m *Managing) Show(ctx context.Context, email string) (w domain.Webhook, secret string, err error) {
	return m.updateExisting(ctx, email, domain.SecurityEvent{}, func(*domain.Webhook) {})
}

func (m *Managing) Find(ctx context.Context, email string) (domain.Webhook, error) {
	account, err := accounts.Find(ctx, m.Accounts, email)
	if err != nil {
		return domain.Webhook{}, err
	}
	return m.Webhooks.Of(ctx, account.ID)
}

func (m *Managing) updateExisting(
	ctx context.Context, email string, event domain.SecurityEvent, change func(*domain.Webhook),
) (domain.Webhook, string, error) {
	account, err := accounts.Find(ctx, m.Accounts, email)
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
func (m *Managing) update(
	ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook) error,
) (w domain.Webhook, secret string, err error) {
	w, err = m.Webhooks.Update(ctx, accountID, event, func(w *domain.Webhook) error {
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
func (m *Managing) Remove(ctx context.Context, email string, by domain.Actor) error {
	account, err := accounts.Find(ctx, m.Accounts, email)
	if err != nil {
		return err
	}
	found := false
	_, err = m.Webhooks.Update(ctx, account.ID, m.event(domain.SecurityWebhookGone, by), func(w *domain.Webhook) error {
		found = w.Secret != ""
		*w = domain.Webhook{AccountID: w.AccountID}
		return nil
	})
	if err == nil && !found {
		err = domain.ErrNoWebhook
	}
	return err
}

func (m *Managing) event(kind domain.SecurityKind, by domain.Actor) domain.SecurityEvent {
	return admission.NewEvent(domain.SecurityEvent{At: m.Clock(), Kind: kind, By: by})
}

// entitledAccount finds an account whose plan has webhooks (guide: webhooks).
func entitledAccount(ctx context.Context, all ports.Accounts, email string) (domain.Account, error) {
	account, err := accounts.Find(ctx, all, email)
	if err == nil && !account.HasWebhooks() {
		return domain.Account{}, domain.ErrWebhookPlan
	}
	return account, err
}
