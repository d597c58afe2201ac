package conformance

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func aDelivery(account domain.Account, id string) domain.Delivery {
	return domain.Delivery{ID: id, EventID: "evt_" + id, AccountID: account.ID, Kind: domain.RunDelivery, RunID: "run-of-" + id,
		State: domain.DeliveryPending, CreatedAt: noon}
}

func deliverJob(d domain.Delivery) ports.Job {
	return ports.Job{Kind: ports.DeliverJob, AccountID: d.AccountID, Delivery: d.ID}
}

// announced stores a run and announces it.
func announced(t *testing.T, s Storage, account domain.Account, id string) domain.Delivery {
	t.Helper()
	d := aDelivery(account, id)
	require.NoError(t, s.Write(t.Context(), account.ID, announcement(account, d)))
	return d
}

func announcement(account domain.Account, d domain.Delivery) ports.Entry {
	return ports.Entry{Run: aRun(account, d.RunID, noon), Event: d}
}

func requireNothingAnnounced(t *testing.T, s Storage, account domain.Account) {
	t.Helper()
	require.Empty(t, only.Value(s.Deliveries.Latest(t.Context(), account.ID, many))(t))
	require.Empty(t, s.Jobs(t))
}

var _ = promises.add("a run is announced to the endpoint", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "announced")
	d := announced(t, one, account, "first")
	require.Equal(t, d, DeliveryOf(t, other, account.ID, d.ID))
	require.Equal(t, []ports.Job{deliverJob(d)}, one.Jobs(t))
})

var _ = promises.add("without an endpoint nothing is announced", func(t *testing.T, one, _ Storage) {
	without := created(t, one, "without")
	announced(t, one, without, "a-run-of-an-account-without-webhook")
	requireNothingAnnounced(t, one, without)

	signing := created(t, one, "signing") // batches only
	Change(t, one.Webhooks, signing.ID, func(w *domain.Webhook) { w.Secret = aSecret })
	announced(t, one, signing, "a-run-of-an-account-without-endpoint")
	requireNothingAnnounced(t, one, signing)
})

var _ = promises.add("a settlement that panics leaves no event either", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "undone")
	batch := submitted(t, one, account, "undone", anEndpoint, aRequest(0))
	added := one.Jobs(t)
	refusal := errors.New("refused")
	write := func(b ports.RunBook) {
		require.NoError(t, b.Write(announcement(account, aDelivery(account, "undone"))))
		require.NoError(t, b.Write(ports.Entry{End: anEnd(batch, 0)}))
	}
	require.Same(t, refusal, one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
		write(b)
		return refusal
	}))
	require.Panics(t, func() {
		_ = one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
			write(b)
			panic("a fault of the program")
		})
	})
	requireNoRuns(t, one, account)
	require.Empty(t, only.Value(one.Deliveries.Latest(t.Context(), account.ID, many))(t))
	require.Equal(t, added, one.Jobs(t))
	require.Equal(t, batch, BatchOf(t, one, account.ID, batch.ID))
	_, req := only.Both(one.Batches.Begin(t.Context(), domain.BatchJob{BatchID: batch.ID}, noon))(t)
	require.Equal(t, aRequest(0), req, "the files are still there")
	settle(t, other, account, aRun(account, "next", noon))
})
