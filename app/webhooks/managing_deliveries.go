package webhooks

import (
	"context"
	"errors"

	"milaan/app/ids"
	"milaan/domain"
)

func (m *Managing) Test(ctx context.Context, account domain.Account) (domain.Delivery, error) {
	if !account.HasWebhooks() {
		return domain.Delivery{}, domain.ErrWebhookPlan
	}
	if err := m.checkEndpoint(ctx, account.ID); err != nil {
		return domain.Delivery{}, err
	}
	return m.add(ctx, domain.Delivery{AccountID: account.ID, Kind: domain.TestDelivery})
}

func (m *Managing) Deliveries(ctx context.Context, accountID string, limit int) ([]domain.Delivery, error) {
	return m.Log.Latest(ctx, accountID, limit)
}

// Redeliver adds a new delivery of an event. Its webhook-id tells the receiver that it is
// the same event. The event of a batch goes to the batch's own webhook_url: it needs no
// endpoint, and any plan will do.
func (m *Managing) Redeliver(ctx context.Context, account domain.Account, deliveryID string) (domain.Delivery, error) {
	if !domain.IsStorable(deliveryID) {
		return domain.Delivery{}, domain.ErrNoDelivery
	}
	former, err := m.Log.Find(ctx, account.ID, deliveryID)
	if err != nil {
		return domain.Delivery{}, err
	}
	if former.Kind != domain.BatchDelivery {
		if !account.HasWebhooks() {
			return domain.Delivery{}, domain.ErrWebhookPlan
		}
		if err := m.checkEndpoint(ctx, account.ID); err != nil {
			return domain.Delivery{}, err
		}
	}
	return m.add(ctx, domain.Delivery{AccountID: account.ID, EventID: former.EventID, Kind: former.Kind, RunID: former.RunID,
		BatchID: former.BatchID, Sandbox: former.Sandbox})
}

// add stores a new delivery. The service makes the attempts; a test is made here.
func (m *Managing) add(ctx context.Context, d domain.Delivery) (domain.Delivery, error) {
	d.CreatedAt = m.Clock()
	d = domain.NewDelivery(ids.New(), d)
	if d.ByHand() { // no job that a hold keeps posts it
		if err := m.MaySend.Check(ctx); err != nil {
			return domain.Delivery{}, err
		}
	}
	if err := m.Log.Add(ctx, d); err != nil {
		return domain.Delivery{}, err
	}
	if !d.ByHand() {
		return d, nil
	}
	d, err := m.Delivering.deliverNow(ctx, d)
	if errors.Is(err, domain.ErrNothingToDo) { // the endpoint was removed a moment ago
		return domain.Delivery{}, domain.ErrNoWebhook.Caused(err)
	}
	return d, err
}

func (m *Managing) checkEndpoint(ctx context.Context, accountID string) error {
	w, err := m.Webhooks.Of(ctx, accountID)
	if err == nil && w.Endpoint == "" {
		return domain.ErrNoWebhook
	}
	return err
}
