package app

import (
	"context"
	"errors"
	"io"

	"milaan/domain"
	"milaan/ports"
)

// ManagingWebhooks looks after accounts' webhooks. It fills
// ports.ManagingWebhooks.
type ManagingWebhooks struct {
	accounts   ports.Accounts
	webhooks   ports.Webhooks
	deliveries ports.Deliveries
	poster     ports.Poster
	delivering *Delivering
	clock      ports.Clock
	random     io.Reader
}

// NewManagingWebhooks makes the use case. random must be fit for secrets.
func NewManagingWebhooks(accounts ports.Accounts, webhooks ports.Webhooks, deliveries ports.Deliveries, poster ports.Poster, delivering *Delivering, clock ports.Clock, random io.Reader) *ManagingWebhooks {
	return &ManagingWebhooks{accounts: accounts, webhooks: webhooks, deliveries: deliveries, poster: poster, delivering: delivering, clock: clock, random: random}
}

// Set sets the endpoint, and draws the secret if the account has none.
func (m *ManagingWebhooks) Set(ctx context.Context, email, endpoint string) (w domain.Webhook, secret string, err error) {
	account, err := m.entitled(ctx, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	if err := m.poster.Check(ctx, "url", endpoint); err != nil {
		return domain.Webhook{}, "", err
	}
	fresh, err := domain.MintSigningSecret(m.random)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	w, err = m.webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
		if w.Secret == "" {
			w.Secret = fresh
		}
		w.Endpoint, w.SetAt = endpoint, m.clock()
		secret = shown(w)
		return nil
	})
	return answered(w, secret, err)
}

// Rotate draws a new secret.
func (m *ManagingWebhooks) Rotate(ctx context.Context, email string) (w domain.Webhook, secret string, err error) {
	account, err := m.account(ctx, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	fresh, err := domain.MintSigningSecret(m.random)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	w, err = m.webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
		if w.Secret == "" {
			return domain.ErrNoWebhook
		}
		w.Rotate(fresh, m.clock())
		secret = shown(w)
		return nil
	})
	return answered(w, secret, err)
}

// Show shows the webhook, and its secret if it never was.
func (m *ManagingWebhooks) Show(ctx context.Context, email string) (w domain.Webhook, secret string, err error) {
	account, err := m.account(ctx, email)
	if err != nil {
		return domain.Webhook{}, "", err
	}
	w, err = m.webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
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
	account, err := m.account(ctx, email)
	if err != nil {
		return err
	}
	found := false
	_, err = m.webhooks.Update(ctx, account.ID, func(w *domain.Webhook) error {
		found = w.Secret != ""
		*w = domain.Webhook{AccountID: w.AccountID}
		return nil
	})
	if err == nil && !found {
		err = domain.ErrNoWebhook
	}
	return err
}

// Test sends a made-up event, from here and at once: the service need not run.
func (m *ManagingWebhooks) Test(ctx context.Context, email string) (domain.Delivery, error) {
	account, err := m.entitled(ctx, email)
	if err != nil {
		return domain.Delivery{}, err
	}
	if err := m.hasEndpoint(ctx, account.ID); err != nil {
		return domain.Delivery{}, err
	}
	return m.add(ctx, domain.Delivery{AccountID: account.ID, Kind: domain.TestDelivery})
}

// Deliveries lists the latest deliveries.
func (m *ManagingWebhooks) Deliveries(ctx context.Context, email string, limit int) ([]domain.Delivery, error) {
	account, err := m.account(ctx, email)
	if err != nil {
		return nil, err
	}
	return m.deliveries.Latest(ctx, account.ID, limit)
}

// Redeliver sends an event again as a new delivery, whose webhook-id tells the
// receiver that it is the same event. A batch's goes to the batch's own URL, on
// any plan, and needs no endpoint.
func (m *ManagingWebhooks) Redeliver(ctx context.Context, email, deliveryID string) (domain.Delivery, error) {
	account, err := m.account(ctx, email)
	if err != nil {
		return domain.Delivery{}, err
	}
	former, err := m.deliveries.Find(ctx, account.ID, deliveryID)
	if err != nil {
		return domain.Delivery{}, err
	}
	if former.Kind != domain.BatchDelivery {
		if !account.HasWebhooks() {
			return domain.Delivery{}, domain.ErrWebhookPlan
		}
		if err := m.hasEndpoint(ctx, account.ID); err != nil {
			return domain.Delivery{}, err
		}
	}
	return m.add(ctx, domain.Delivery{AccountID: account.ID, EventID: former.EventID, Kind: former.Kind, RunID: former.RunID, BatchID: former.BatchID})
}

// add stores a new delivery, which the service makes; a test is made here.
func (m *ManagingWebhooks) add(ctx context.Context, d domain.Delivery) (domain.Delivery, error) {
	d.CreatedAt = m.clock()
	d, err := newDelivery(d)
	if err != nil {
		return domain.Delivery{}, err
	}
	if err := m.deliveries.Add(ctx, d); err != nil {
		return domain.Delivery{}, err
	}
	if d.Kind != domain.TestDelivery {
		return d, nil
	}
	d, err = m.delivering.deliverNow(ctx, d)
	if errors.Is(err, domain.ErrNothingToDo) { // the endpoint was removed a moment ago
		return domain.Delivery{}, domain.ErrNoWebhook.Caused(err)
	}
	return d, err
}

func (m *ManagingWebhooks) hasEndpoint(ctx context.Context, accountID string) error {
	w, err := m.webhooks.Of(ctx, accountID)
	if err == nil && w.Endpoint == "" {
		return domain.ErrNoWebhook
	}
	return err
}

// entitled finds an account that may have runs announced (contract, section 6).
func (m *ManagingWebhooks) entitled(ctx context.Context, email string) (domain.Account, error) {
	account, err := m.account(ctx, email)
	if err == nil && !account.HasWebhooks() {
		return domain.Account{}, domain.ErrWebhookPlan
	}
	return account, err
}

func (m *ManagingWebhooks) account(ctx context.Context, email string) (domain.Account, error) {
	email, err := domain.ParseEmail(email)
	if err != nil {
		return domain.Account{}, err
	}
	return m.accounts.ByEmail(ctx, email)
}
