package webhooks_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/webhooks"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/hooks"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

type webhooksBench struct {
	held bool
	*deliveringBench
	manage *webhooks.Managing
}

const endpoint = "https://hooks.example/asha"

func newWebhooksBench(t *testing.T, account domain.Account) *webhooksBench {
	t.Helper()
	b := &webhooksBench{deliveringBench: newDeliveringBench(t, account)}
	maySend := func(context.Context) error {
		if b.held {
			return domain.ErrHeld
		}
		return nil
	}
	b.manage = &webhooks.Managing{Webhooks: b.Webhooks, Log: b.Deliveries, Poster: b.receivers, Delivering: b.delivering, Clock: b.Clock,
		MaySend: maySend}
	return b
}

func TestASecretThatSignsBatchesAlone(t *testing.T) {
	t.Parallel()
	unseen := domain.Webhook{AccountID: "account-1", Secret: hooks.Secret}
	for name, first := range map[string]func(*webhooksBench) (domain.Webhook, string, error){
		"show": func(b *webhooksBench) (domain.Webhook, string, error) {
			return b.manage.Show(t.Context(), b.Account.ID)
		},
		"set": func(b *webhooksBench) (domain.Webhook, string, error) {
			return b.manage.Set(t.Context(), b.Account, endpoint, domain.ByCommandLine)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newWebhooksBench(t, storage.EnterpriseAccount())
			b.SetWebhook(unseen)
			_, secret := only.Both(first(b))(t)
			require.Equal(t, hooks.Secret.Reveal(), secret)
			_, secret = only.Both(first(b))(t)
			require.Empty(t, secret)
		})
	}
	b := newWebhooksBench(t, storage.ProAccount())
	b.SetWebhook(unseen)
	_, secret, err := b.manage.Show(t.Context(), b.Account.ID)
	require.NoError(t, err, "on any plan")
	require.Equal(t, hooks.Secret.Reveal(), secret)
}

// One that cannot be opened any more is shown to the change as absent.
func TestRemoveForgetsWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{Endpoint: endpoint, Secret: hooks.Secret})
	require.NoError(t, only.Err(b.Behind.ExecContext(t.Context(), "UPDATE webhooks SET secret = x'00'")))
	require.ErrorIs(t, b.manage.Remove(t.Context(), b.Account.ID, domain.ByCommandLine), domain.ErrNoWebhook)
	require.Equal(t, []int{0}, storage.Column[int](b.Store, "SELECT count(*) FROM webhooks"))
}

func TestTestSendsOnce(t *testing.T) {
	t.Parallel()
	for _, outcome := range []domain.Outcome{domain.OutcomeDelivered, domain.OutcomeTimeout} {
		b := newWebhooksBench(t, storage.EnterpriseAccount())
		b.SetWebhook(domain.Webhook{AccountID: "account-1", Endpoint: endpoint, Secret: hooks.Secret})
		b.receivers.Answer = func(string, int) domain.Attempt { return domain.Attempt{Outcome: outcome} }
		d := only.Value(b.manage.Test(t.Context(), b.Account))(t)
		want := domain.DeliveryFailed
		if outcome == domain.OutcomeDelivered {
			want = domain.DeliveryDelivered
		}
		require.Equal(t, want, d.State)
		require.Equal(t, []domain.Attempt{{Number: 1, At: b.Now, Outcome: outcome}}, d.Attempts)
		require.Equal(t, d, b.Delivery(d.ID))
		require.Empty(t, b.Jobs(), "nobody else sends it")
		require.Len(t, b.receivers.Posts, 1)
		got := b.receivers.Posts[0]
		require.Equal(t, "test", got.Headers["X-Milaan-Event"])
		require.Regexp(t, `^test-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12} Milaan test 2026-08-31T20:00:00Z$`, got.Body)

		again := only.Value(b.manage.Redeliver(t.Context(), b.Account, d.ID))(t)
		require.Equal(t, want, again.State, "a test is sent again at once")
		require.NotEqual(t, d.ID, again.ID)
		require.Equal(t, got.Headers["webhook-id"], b.receivers.Posts[1].Headers["webhook-id"])
		require.Equal(t, got.Body, b.receivers.Posts[1].Body)

		b.held = true
		require.ErrorIs(t, only.Err(b.manage.Test(t.Context(), b.Account)), domain.ErrHeld)
		require.ErrorIs(t, only.Err(b.manage.Redeliver(t.Context(), b.Account, d.ID)), domain.ErrHeld)
		require.Len(t, b.receivers.Posts, 2)
	}
}

func TestRedeliver(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{AccountID: "account-1", Secret: hooks.Secret})
	b.event("d1")
	b.batchDone("b1")
	require.ErrorIs(t, only.Err(b.manage.Redeliver(t.Context(), b.Account, "d1")), domain.ErrNoWebhook, "there is nowhere to send it")
	w := b.Webhook()
	w.Endpoint = endpoint
	b.SetWebhook(w)

	for _, id := range []string{"d1", "delivery-b1"} {
		former, before := b.Delivery(id), len(b.Jobs())
		d := only.Value(b.manage.Redeliver(t.Context(), b.Account, id))(t)
		require.NotEqual(t, id, d.ID)
		former.ID, former.CreatedAt = d.ID, b.Now
		require.Equal(t, former, d, "a new delivery of the same event")
		require.Len(t, b.Jobs(), before+1, "which the service makes")
	}
	require.Empty(t, b.receivers.Posts)
	require.ErrorIs(t, only.Err(b.manage.Redeliver(t.Context(), b.Account, "unknown")), domain.ErrNoDelivery)
	require.Len(t, only.Value(b.manage.Deliveries(t.Context(), b.Account.ID, 3))(t), 3)
}

// TestRedeliverOfADeletedRun has a delivery that has outlived its run.
func TestRedeliverOfADeletedRun(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{AccountID: "account-1", Secret: hooks.Secret, Endpoint: endpoint})
	b.event("d1")
	require.NoError(t, b.Sweep(t.Context(), ports.Expiry{Runs: b.Now.Add(time.Hour)}))
	require.Empty(t, b.Delivery("d1").RunID)
	before := len(b.Jobs())
	require.ErrorIs(t, only.Err(b.manage.Redeliver(t.Context(), b.Account, "d1")), domain.ErrNoRun)
	require.Len(t, b.Jobs(), before)
}

func TestEveryPlanHasItsBatchesSentAgain(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.ProAccount())
	b.event("d1")
	b.batchDone("b1")
	require.Equal(t, domain.BatchDelivery, only.Value(b.manage.Redeliver(t.Context(), b.Account, "delivery-b1"))(t).Kind)
	require.Len(t, b.Jobs(), 5)
	require.ErrorIs(t, only.Err(b.manage.Redeliver(t.Context(), b.Account, "d1")), domain.ErrWebhookPlan)
	require.Len(t, b.Jobs(), 5)
}

func TestManagingWebhooksRefuses(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.EnterpriseAccount())
	set := func() error {
		_, secret, err := b.manage.Set(t.Context(), b.Account, endpoint, domain.ByCommandLine)
		require.Empty(t, secret, "no secret is shown that was not stored")
		return err
	}
	b.receivers.Refuse = domain.RuleNoHost
	require.Equal(t, domain.Faults{{Field: domain.FieldEndpoint, Rule: domain.RuleNoHost}}.Err(), set())
	require.Zero(t, b.Webhook())
	b.receivers.Refuse = ""
	b.Fault = storage.Failing("webhook", domain.ErrDatabase)
	require.ErrorIs(t, set(), domain.ErrDatabase)
	b.Fault = storage.Failing("", nil)
	b.SetWebhook(domain.Webhook{Secret: hooks.Secret})
	require.ErrorIs(t, only.Err(b.manage.Test(t.Context(), b.Account)), domain.ErrNoWebhook, "a secret is no endpoint")
}
