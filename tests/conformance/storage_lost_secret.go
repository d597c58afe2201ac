package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// What cannot be opened any more is treated as absent, so that its owner can
// begin afresh and no job is tried in vain.

func lostWebhook(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	account, removing := enterprise(t, one, "lost"), enterprise(t, one, "removing")
	require.ErrorIs(t, only.Err(lost.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)
	afresh := domain.Webhook{AccountID: account.ID, Endpoint: anEndpoint + "-afresh", Secret: formerSecret}
	Change(t, lost.Webhooks, account.ID, func(w *domain.Webhook) {
		require.Equal(t, domain.Webhook{AccountID: account.ID}, *w)
		*w = afresh
	})
	require.Equal(t, afresh, WebhookOf(t, lost, account.ID))

	require.NoError(t, only.Err(lost.Webhooks.Update(t.Context(), removing.ID, domain.SecurityEvent{}, func(*domain.Webhook) error { return nil })))
	require.ErrorIs(t, only.Err(one.Webhooks.Of(t.Context(), removing.ID)), domain.ErrNoWebhook, "it was deleted")
}

func lostDelivery(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	account := enterprise(t, one, "lost")
	run := announced(t, one, account, "of-a-run")
	requireSettled(t, lost, run, domain.DeliveryDropped)

	Change(t, lost.Webhooks, account.ID, func(w *domain.Webhook) { w.Secret = formerSecret })
	batch := submitted(t, one, account, "batch", anEndpoint, aRequest(0))
	end := anEnd(batch, 0)
	ended(t, one, account, end)
	end.Delivery.AccountID = account.ID
	requireSettled(t, lost, end.Delivery, domain.DeliveryDropped)
}

func lostBatch(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	account := created(t, one, "lost")
	batch := submitted(t, one, account, "batch", anEndpoint, requests(2)...)
	ended(t, one, account, anEnd(batch, 0))
	require.ErrorIs(t, only.Err2(lost.Batches.Begin(t.Context(), domain.BatchJob{BatchID: batch.ID, Position: 1}, noon)), domain.ErrUnreadable)
	require.NoError(t, lost.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error { return b.Write(ports.Entry{End: anEnd(batch, 1)}) }))

	got := BatchOf(t, lost, account.ID, batch.ID)
	require.Equal(t, domain.BatchComplete, got.State())
	require.Empty(t, got.WebhookURL)
	results, err := resultsOf(t, lost, got)
	require.ErrorIs(t, err, domain.ErrBatchGone)
	require.Empty(t, results)
}
