package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func attempted(t *testing.T, s Storage, id string, at time.Time) ports.Outgoing {
	t.Helper()
	return only.Value(s.Deliveries.Attempt(t.Context(), id, at))(t)
}

func requireSettled(t *testing.T, s Storage, d domain.Delivery, state domain.DeliveryState) {
	t.Helper()
	require.ErrorIs(t, only.Err(s.Deliveries.Attempt(t.Context(), d.ID, noon)), domain.ErrNothingToDo)
	requireState(t, s, d, state)
}

func requireState(t *testing.T, s Storage, d domain.Delivery, state domain.DeliveryState) domain.Delivery {
	t.Helper()
	got := DeliveryOf(t, s, d.AccountID, d.ID)
	require.Equal(t, state, got.State)
	return got
}

func failedAttempt(number int) domain.Attempt {
	return domain.Attempt{Number: number, At: noon, Took: 1500 * time.Microsecond, Outcome: domain.OutcomeRefused, Status: 503, Failure: "busy ₹"}
}

func goodAttempt(number int) domain.Attempt {
	return domain.Attempt{Number: number, At: noon, Took: time.Second, Outcome: domain.OutcomeDelivered, Status: 204}
}

var _ = promises.add("a delivery is added with its job", func(t *testing.T, one, other Storage) {
	account, neighbour := enterprise(t, one, "added"), created(t, one, "neighbour")
	first := announced(t, one, account, "first")
	again := first
	again.ID, again.CreatedAt = "again", noon.Add(time.Second)
	test := domain.Delivery{ID: "test", EventID: "evt_test", AccountID: account.ID, Kind: domain.TestDelivery, State: domain.DeliveryPending, CreatedAt: noon.Add(2 * time.Second)}
	for _, d := range []domain.Delivery{again, test} {
		require.NoError(t, one.Deliveries.Add(t.Context(), d))
	}
	require.ElementsMatch(t, []ports.Job{deliverJob(first), deliverJob(again)}, one.Jobs(t), "a test is made by whoever asks for it")
	require.Equal(t, first.EventID, attempted(t, other, again.ID, noon).Delivery.EventID)
	require.Equal(t, anEndpoint, attempted(t, other, test.ID, noon).Endpoint)

	latest := only.Value(other.Deliveries.Latest(t.Context(), account.ID, 2))(t)
	require.Equal(t, []string{"test", "again"}, []string{latest[0].ID, latest[1].ID})
	require.Len(t, latest, 2)
	require.Len(t, latest[0].Attempts, 1)

	require.ErrorIs(t, only.Err(one.Deliveries.Find(t.Context(), neighbour.ID, first.ID)), domain.ErrNoDelivery)
	require.Empty(t, only.Value(one.Deliveries.Latest(t.Context(), neighbour.ID, many))(t))
	test.ID, test.AccountID = "of-nobody", "nobody"
	require.ErrorIs(t, one.Deliveries.Add(t.Context(), test), domain.ErrNoAccount)
	require.Error(t, one.Deliveries.Add(t.Context(), first), "a delivery stored twice is a fault of the program")
})

var _ = promises.add("an attempt is recorded with all that it needs", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "recorded")
	d := announced(t, one, account, "delivery")
	webhook := WebhookOf(t, one, account.ID)

	want := d
	for number := 1; number <= domain.MaxAttempts; number++ {
		at := noon.Add(time.Duration(number) * time.Second)
		want.Attempts = append(want.Attempts, domain.Attempt{Number: number, At: at})
		out := attempted(t, one, d.ID, at)
		require.Equal(t, ports.Outgoing{Delivery: want, Number: number, Endpoint: anEndpoint, Webhook: webhook, Run: aRun(account, d.RunID, noon)}, out)
		require.Equal(t, want, DeliveryOf(t, other, account.ID, d.ID), "an attempt is recorded before it is sent")

		done := failedAttempt(number)
		done.At = at
		for range 2 {
			require.NoError(t, other.Deliveries.Complete(t.Context(), d.ID, done, domain.DeliveryPending))
		}
		want.Attempts[number-1] = done
	}
	require.Equal(t, want, requireState(t, one, d, domain.DeliveryPending))
	requireSettled(t, one, d, domain.DeliveryFailed)

	require.ErrorIs(t, only.Err(one.Deliveries.Attempt(t.Context(), "unknown", noon)), domain.ErrNothingToDo)
	require.NoError(t, one.Deliveries.Complete(t.Context(), "unknown", goodAttempt(1), domain.DeliveryDelivered))
})

var _ = promises.add("no delivery has more than two attempts", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "parallel")
	d := announced(t, one, account, "wanted")
	numbers := make([]int, many)
	attempts := InParallel(one, other, func(s Storage, i int) error {
		out, err := s.Deliveries.Attempt(t.Context(), d.ID, noon)
		numbers[i] = out.Number
		return err
	})
	require.Len(t, Succeeded(t, attempts, domain.ErrNothingToDo), 2)
	require.ElementsMatch(t, []int{1, 2}, slices.DeleteFunc(numbers, func(n int) bool { return n == 0 }))
	require.Len(t, requireState(t, one, d, domain.DeliveryFailed).Attempts, domain.MaxAttempts)
})

var _ = promises.add("a settled delivery stays so", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "settled")
	complete := func(d domain.Delivery, a domain.Attempt, state domain.DeliveryState) {
		require.NoError(t, other.Deliveries.Complete(t.Context(), d.ID, a, state))
	}
	good := announced(t, one, account, "good")
	attempted(t, one, good.ID, noon)
	complete(good, goodAttempt(1), domain.DeliveryDelivered)
	requireSettled(t, one, good, domain.DeliveryDelivered)

	failed := announced(t, one, account, "failed")
	attempted(t, one, failed.ID, noon)
	complete(failed, failedAttempt(1), domain.DeliveryPending)
	attempted(t, one, failed.ID, noon)
	complete(failed, failedAttempt(2), domain.DeliveryFailed)
	requireSettled(t, one, failed, domain.DeliveryFailed)

	// The first attempt is completed after the second one has settled it.
	late := announced(t, one, account, "late")
	attempted(t, one, late.ID, noon)
	attempted(t, one, late.ID, noon)
	complete(late, failedAttempt(2), domain.DeliveryFailed)
	complete(late, failedAttempt(1), domain.DeliveryPending)
	requireSettled(t, one, late, domain.DeliveryFailed)
	complete(late, goodAttempt(1), domain.DeliveryDelivered)
	requireSettled(t, one, late, domain.DeliveryDelivered)
	complete(late, failedAttempt(2), domain.DeliveryFailed)
	got := requireState(t, one, late, domain.DeliveryDelivered)
	require.Equal(t, []domain.Attempt{goodAttempt(1), failedAttempt(2)}, got.Attempts)

	// A stranger's bytes are no reason to forget an attempt.
	odd := announced(t, one, account, "odd")
	attempted(t, one, odd.ID, noon)
	answer := failedAttempt(1)
	answer.Failure = "\x00\xff\xfe" + strings.Repeat("x", domain.MaxFailure)
	complete(odd, answer, domain.DeliveryPending)
	require.NotEmpty(t, requireState(t, one, odd, domain.DeliveryPending).Attempts[0].Failure)
})

var _ = promises.add("a delivery that has no endpoint any more is dropped", func(t *testing.T, one, other Storage) {
	removed := enterprise(t, one, "removed")
	d := announced(t, one, removed, "without-endpoint")
	attempted(t, one, d.ID, noon)
	Change(t, other.Webhooks, removed.ID, func(w *domain.Webhook) { w.Endpoint = "" })
	requireSettled(t, one, d, domain.DeliveryDropped)

	lesser := enterprise(t, one, "lesser")
	d = announced(t, one, lesser, "without-plan")
	Change(t, other.Accounts, lesser.Email, func(a *domain.Account) { a.Plan = domain.Pro })
	requireSettled(t, one, d, domain.DeliveryDropped)
	Change(t, other.Accounts, lesser.Email, func(a *domain.Account) { a.Plan = domain.Enterprise })
	requireSettled(t, one, d, domain.DeliveryDropped)
})

var _ = promises.add("a batch's delivery goes to its own address", func(t *testing.T, one, other Storage) {
	account := created(t, one, "batch") // of any plan, and without an endpoint
	signing := func(secret domain.SigningSecret) domain.Webhook {
		w := Change(t, one.Webhooks, account.ID, func(w *domain.Webhook) { w.Secret = secret })
		return w
	}
	webhook := signing(aSecret)
	const url = "https://shop.example/batches?token=of-the-batch"
	owed := func(name string) (domain.Batch, domain.Delivery) {
		batch := submitted(t, one, account, name, url, aRequest(0))
		end := anEnd(batch, 0)
		ended(t, one, account, end)
		batch = BatchOf(t, one, account.ID, batch.ID)
		d := end.Delivery
		d.BatchID, d.Kind, d.AccountID, d.State = batch.ID, domain.BatchDelivery, account.ID, domain.DeliveryPending
		require.Contains(t, one.Jobs(t), deliverJob(d))
		return batch, d
	}
	batch, d := owed("batch")
	out := attempted(t, other, d.ID, noon)
	d.Attempts = []domain.Attempt{{Number: 1, At: noon}}
	require.Equal(t, ports.Outgoing{Delivery: d, Number: 1, Endpoint: url, Webhook: webhook}, out)

	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{Results: batch.CompletedAt.Add(time.Hour)}))
	requireSettled(t, one, d, domain.DeliveryDropped)

	_, unsigned := owed("unsigned")
	signing("")
	requireSettled(t, one, unsigned, domain.DeliveryDropped)
})

var _ = promises.add("old deliveries are swept away", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "swept")
	var all [4]domain.Delivery
	for i := range all {
		all[i] = announced(t, one, account, fmt.Sprint("delivery-", i))
		attempted(t, one, all[i].ID, noon)
	}
	settleAt := func(d domain.Delivery, at time.Time) {
		a := goodAttempt(1)
		a.At = at.Add(-a.Took)
		require.NoError(t, one.Deliveries.Complete(t.Context(), d.ID, a, domain.DeliveryDelivered))
	}
	settleAt(all[0], noon.Add(-time.Microsecond))
	settleAt(all[1], noon)
	attempted(t, one, all[2].ID, noon)
	require.ErrorIs(t, only.Err(one.Deliveries.Attempt(t.Context(), all[2].ID, noon.Add(-time.Hour))), domain.ErrNothingToDo)
	for range 2 {
		require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Deliveries: noon}))
		latest := only.Value(one.Deliveries.Latest(t.Context(), account.ID, many))(t)
		require.Len(t, latest, 2, "one of the time itself, and one that is pending")
		requireState(t, one, all[1], domain.DeliveryDelivered)
		requireState(t, one, all[3], domain.DeliveryPending)
	}
})

var _ = promises.add("what is pending for too long is given up", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "given-up")
	add := func(id string, createdAt time.Time) domain.Delivery {
		d := aDelivery(account, id)
		d.CreatedAt = createdAt
		require.NoError(t, one.Write(t.Context(), account.ID, announcement(account, d)))
		return d
	}
	early := noon.Add(-time.Microsecond)
	untried, tried, late := add("untried", early), add("tried", early), add("late", early)
	delivered, present := add("delivered", early), add("present", noon)
	for _, d := range []domain.Delivery{tried, late, delivered} {
		attempted(t, one, d.ID, noon)
	}
	require.NoError(t, one.Deliveries.Complete(t.Context(), delivered.ID, goodAttempt(1), domain.DeliveryDelivered))
	for range 2 {
		require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Pending: noon}))
		requireSettled(t, one, untried, domain.DeliveryFailed)
		requireSettled(t, one, tried, domain.DeliveryFailed)
		requireState(t, one, delivered, domain.DeliveryDelivered)
		requireState(t, one, present, domain.DeliveryPending)
	}
	require.NoError(t, one.Deliveries.Complete(t.Context(), late.ID, goodAttempt(1), domain.DeliveryDelivered))
	requireState(t, one, late, domain.DeliveryDelivered)

	// It counts as settled when its time was over.
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Deliveries: noon}))
	requireState(t, one, untried, domain.DeliveryFailed)
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Deliveries: noon.Add(time.Microsecond)}))
	require.ErrorIs(t, only.Err(one.Deliveries.Find(t.Context(), account.ID, untried.ID)), domain.ErrNoDelivery)
})

const anEndpoint = "https://shop.example/hooks?token=of-the-endpoint"

// enterprise is an account that may have webhooks, with an endpoint.
func enterprise(t *testing.T, s Storage, name string) domain.Account {
	t.Helper()
	a := anAccount(name)
	a.Plan = domain.Enterprise
	require.NoError(t, s.Accounts.Create(t.Context(), a))
	Change(t, s.Webhooks, a.ID, func(w *domain.Webhook) { w.Endpoint, w.Secret = anEndpoint, aSecret })
	return a
}

const (
	aSecret      = domain.SigningSecret("whsec_the-present-one")
	formerSecret = domain.SigningSecret("whsec_the-former-one")
)

var _ = promises.add("a webhook comes back as it was stored", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "webhook"), created(t, one, "neighbour")
	require.ErrorIs(t, only.Err(one.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)

	full := domain.Webhook{AccountID: account.ID, Endpoint: anEndpoint, Secret: aSecret, Former: formerSecret,
		RotatedAt: noon.Add(time.Hour), Shown: true, SetAt: noon}
	bare := domain.Webhook{AccountID: account.ID, Secret: formerSecret}
	was := domain.Webhook{AccountID: account.ID}
	for _, want := range []domain.Webhook{full, bare, full} {
		got := Change(t, one.Webhooks, account.ID, func(w *domain.Webhook) {
			require.Equal(t, was, *w)
			*w = want
			w.AccountID = neighbour.ID
		})
		require.Equal(t, want, got)
		require.Equal(t, want, WebhookOf(t, other, account.ID))
		was = want
	}
	require.ErrorIs(t, only.Err(one.Webhooks.Of(t.Context(), neighbour.ID)), domain.ErrNoWebhook)
})

var _ = promises.add("a webhook without a secret is none", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "removed")
	for range 2 {
		Change(t, one.Webhooks, account.ID, func(w *domain.Webhook) { w.Secret = "" })
		require.ErrorIs(t, only.Err(other.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)
	}
})

var _ = promises.add("a webhook's updates are whole and exact", updates(func(s Storage) updating[domain.Webhook] { return s.Webhooks },
	func(w *domain.Webhook) { w.Secret += "x" }, func(w domain.Webhook) int { return len(w.Secret.Reveal()) }))
