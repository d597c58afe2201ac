package webhooks

import (
	"cmp"
	"context"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// Managing sets, shows and removes webhooks of accounts, and tests, lists and repeats deliveries.
type Managing struct {
	fx.In

	Webhooks   ports.Webhooks
	Log        ports.Deliveries
	Poster     ports.Poster
	Delivering *Delivering
	MaySend    ports.MaySend
	Clock      ports.Clock
}

func (m *Managing) Set(
	ctx context.Context, account domain.Account, endpoint string, by domain.Actor,
) (w domain.Webhook, secret string, err error) {
	if !account.HasWebhooks() {
		return domain.Webhook{}, "", domain.ErrWebhookPlan
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

func (m *Managing) Rotate(ctx context.Context, accountID string, by domain.Actor) (w domain.Webhook, secret string, err error) {
	fresh := domain.MintSigningSecret(ids.Secret())
	event := m.event(domain.SecurityWebhookSecret, by)
	return m.updateExisting(ctx, accountID, event, func(w *domain.Webhook) { w.Rotate(fresh, event.At) })
}

func (m *Managing) Show(ctx context.Context, accountID string) (w domain.Webhook, secret string, err error) {
	return m.updateExisting(ctx, accountID, domain.SecurityEvent{}, func(*domain.Webhook) {})
}

func (m *Managing) Find(ctx context.Context, accountID string) (domain.Webhook, error) {
	return m.Webhooks.Of(ctx, accountID)
}

func (m *Managing) updateExisting(
	ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook),
) (domain.Webhook, string, error) {
	return m.update(ctx, accountID, event, func(w *domain.Webhook) error {
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
func (m *Managing) Remove(ctx context.Context, accountID string, by domain.Actor) error {
	found := false
	_, err := m.Webhooks.Update(ctx, accountID, m.event(domain.SecurityWebhookGone, by), func(w *domain.Webhook) error {
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
