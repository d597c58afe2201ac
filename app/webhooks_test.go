package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/webhooks"
	"milaan/domain"
	"milaan/ports"
)

type webhooksBench struct {
	*deliveringBench
	manage *webhooks.Managing
	events *webhooks.ManagingDeliveries
}

const (
	owner    = "asha@shop.example"
	endpoint = "https://hooks.example/asha"
)

func newWebhooksBench(t *testing.T, account domain.Account) *webhooksBench {
	t.Helper()
	b := &webhooksBench{deliveringBench: newDeliveringBench(t, account)}
	b.manage = webhooks.NewManaging(webhooks.ManagingParams{Accounts: b.accounts, Webhooks: b.webhooks, Poster: b.receivers, Clock: b.clock})
	b.events = webhooks.NewManagingDeliveries(webhooks.ManagingDeliveriesParams{Accounts: b.accounts, Webhooks: b.webhooks,
		Deliveries: b.deliveries, Delivering: b.delivering, Clock: b.clock})
	return b
}

func TestSetShowsTheSecretOnce(t *testing.T) {
	b := newWebhooksBench(t, enterpriseAccount())
	w, secret, err := b.manage.Set(t.Context(), "Asha@Shop.example", endpoint, domain.ByCommandLine)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(secret, domain.SigningSecretPrefix))
	require.Equal(t, domain.Webhook{AccountID: "account-1", Endpoint: endpoint, Secret: domain.SigningSecret(secret), Shown: true, SetAt: b.now}, w)
	require.Equal(t, w, b.webhook())

	w, again, err := b.manage.Set(t.Context(), owner, endpoint+"/2", domain.ByCommandLine)
	require.NoError(t, err)
	require.Empty(t, again, "the secret stays, and was shown before")
	require.Equal(t, domain.SigningSecret(secret), w.Secret)
	require.Equal(t, endpoint+"/2", b.webhook().Endpoint)
	_, again, err = b.manage.Show(t.Context(), owner)
	require.NoError(t, err)
	require.Empty(t, again)
}

func TestASecretThatSignsBatchesAlone(t *testing.T) {
	unseen := domain.Webhook{AccountID: "account-1", Secret: testSecret}
	for name, first := range map[string]func(*webhooksBench) (domain.Webhook, string, error){
		"show": func(b *webhooksBench) (domain.Webhook, string, error) { return b.manage.Show(t.Context(), owner) },
		"set": func(b *webhooksBench) (domain.Webhook, string, error) {
			return b.manage.Set(t.Context(), owner, endpoint, domain.ByCommandLine)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newWebhooksBench(t, enterpriseAccount())
			b.setWebhook(unseen)
			_, secret, err := first(b)
			require.NoError(t, err)
			require.Equal(t, testSecret.Reveal(), secret)
			_, secret, err = first(b)
			require.NoError(t, err)
			require.Empty(t, secret)
		})
	}
	b := newWebhooksBench(t, proAccount())
	b.setWebhook(unseen)
	_, secret, err := b.manage.Show(t.Context(), owner)
	require.NoError(t, err, "on any plan")
	require.Equal(t, testSecret.Reveal(), secret)
}

func TestRotate(t *testing.T) {
	b := newWebhooksBench(t, proAccount())
	b.setWebhook(domain.Webhook{AccountID: "account-1", Secret: testSecret, Shown: true})
	w, secret, err := b.manage.Rotate(t.Context(), owner, domain.ByCommandLine)
	require.NoError(t, err)
	require.Equal(t, domain.Webhook{AccountID: "account-1", Secret: domain.SigningSecret(secret), Former: testSecret, RotatedAt: b.now, Shown: true}, w)
	require.NotEqual(t, testSecret.Reveal(), secret)
	require.Equal(t, w, b.webhook())
}

func TestLookShowsNoSecret(t *testing.T) {
	b := newWebhooksBench(t, proAccount())
	_, err := b.manage.Find(t.Context(), owner)
	require.ErrorIs(t, err, domain.ErrNoWebhook)
	_, err = b.manage.Find(t.Context(), "ravi@shop.example")
	require.ErrorIs(t, err, domain.ErrNoAccount)
	b.setWebhook(domain.Webhook{Secret: testSecret})
	for range 2 {
		w, err := b.manage.Find(t.Context(), owner)
		require.NoError(t, err)
		require.False(t, w.Shown)
	}
	_, secret, err := b.manage.Show(t.Context(), owner)
	require.NoError(t, err)
	require.NotEmpty(t, secret)
	w, err := b.manage.Find(t.Context(), owner)
	require.NoError(t, err)
	require.True(t, w.Shown)
}

func TestRemoveForgetsAll(t *testing.T) {
	b := newWebhooksBench(t, enterpriseAccount())
	_, first, err := b.manage.Set(t.Context(), owner, endpoint, domain.ByCommandLine)
	require.NoError(t, err)
	require.NoError(t, b.manage.Remove(t.Context(), owner, domain.ByCommandLine))
	require.Zero(t, b.webhook())
	require.ErrorIs(t, b.manage.Remove(t.Context(), owner, domain.ByCommandLine), domain.ErrNoWebhook)
	_, second, err := b.manage.Set(t.Context(), owner, endpoint, domain.ByCommandLine)
	require.NoError(t, err)
	require.NotEmpty(t, second)
	require.NotEqual(t, first, second)
}

// One that cannot be opened any more is shown to the change as absent.
func TestRemoveForgetsWhatCannotBeOpened(t *testing.T) {
	b := newWebhooksBench(t, enterpriseAccount())
	b.setWebhook(domain.Webhook{Endpoint: endpoint, Secret: testSecret})
	_, err := b.behind.ExecContext(t.Context(), "UPDATE webhooks SET secret = x'00'")
	require.NoError(t, err)
	require.ErrorIs(t, b.manage.Remove(t.Context(), owner, domain.ByCommandLine), domain.ErrNoWebhook)
	require.Equal(t, []int{0}, column[int](b.store, "SELECT count(*) FROM webhooks"))
}

func TestTestSendsOnce(t *testing.T) {
	for _, outcome := range []domain.Outcome{domain.OutcomeDelivered, domain.OutcomeTimeout} {
		b := newWebhooksBench(t, enterpriseAccount())
		b.setWebhook(domain.Webhook{AccountID: "account-1", Endpoint: endpoint, Secret: testSecret})
		b.receivers.answer = func(string, int) domain.Attempt { return domain.Attempt{Outcome: outcome} }
		d, err := b.events.Test(t.Context(), owner)
		require.NoError(t, err)
		want := domain.DeliveryFailed
		if outcome == domain.OutcomeDelivered {
			want = domain.DeliveryDelivered
		}
		require.Equal(t, want, d.State)
		require.Equal(t, []domain.Attempt{{Number: 1, At: b.now, Outcome: outcome}}, d.Attempts)
		require.Equal(t, d, b.delivery(d.ID))
		require.Empty(t, b.jobs(), "nobody else sends it")
		require.Len(t, b.receivers.posts, 1)
		got := b.receivers.posts[0]
		require.Equal(t, "test", got.headers["X-Milaan-Event"])
		require.Regexp(t, `^test-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12} Milaan test 2026-08-31T20:00:00Z$`, got.body)

		again, err := b.events.Redeliver(t.Context(), owner, d.ID)
		require.NoError(t, err)
		require.Equal(t, want, again.State, "a test is sent again at once")
		require.NotEqual(t, d.ID, again.ID)
		require.Equal(t, got.headers["webhook-id"], b.receivers.posts[1].headers["webhook-id"])
		require.Equal(t, got.body, b.receivers.posts[1].body)
	}
}

func TestRedeliver(t *testing.T) {
	b := newWebhooksBench(t, enterpriseAccount())
	b.setWebhook(domain.Webhook{AccountID: "account-1", Secret: testSecret})
	b.event("d1")
	b.batchDone("b1")
	_, err := b.events.Redeliver(t.Context(), owner, "d1")
	require.ErrorIs(t, err, domain.ErrNoWebhook, "there is nowhere to send it")
	w := b.webhook()
	w.Endpoint = endpoint
	b.setWebhook(w)

	for _, id := range []string{"d1", "delivery-b1"} {
		former, before := b.delivery(id), len(b.jobs())
		d, err := b.events.Redeliver(t.Context(), owner, id)
		require.NoError(t, err)
		require.NotEqual(t, id, d.ID)
		former.ID, former.CreatedAt = d.ID, b.now
		require.Equal(t, former, d, "a new delivery of the same event")
		require.Len(t, b.jobs(), before+1, "which the service makes")
	}
	require.Empty(t, b.receivers.posts)
	_, err = b.events.Redeliver(t.Context(), owner, "unknown")
	require.ErrorIs(t, err, domain.ErrNoDelivery)
	all, err := b.events.Latest(t.Context(), owner, 3)
	require.NoError(t, err)
	require.Len(t, all, 3)
}

// TestRedeliverOfADeletedRun has a delivery that has outlived its run.
func TestRedeliverOfADeletedRun(t *testing.T) {
	b := newWebhooksBench(t, enterpriseAccount())
	b.setWebhook(domain.Webhook{AccountID: "account-1", Secret: testSecret, Endpoint: endpoint})
	b.event("d1")
	require.NoError(t, b.upkeep.Sweep(t.Context(), ports.Expiry{Runs: b.now.Add(time.Hour)}))
	require.Empty(t, b.delivery("d1").RunID)
	before := len(b.jobs())
	_, err := b.events.Redeliver(t.Context(), owner, "d1")
	require.ErrorIs(t, err, domain.ErrNoRun)
	require.Len(t, b.jobs(), before)
}

func TestEveryPlanHasItsBatchesSentAgain(t *testing.T) {
	b := newWebhooksBench(t, proAccount())
	b.event("d1")
	b.batchDone("b1")
	d, err := b.events.Redeliver(t.Context(), owner, "delivery-b1")
	require.NoError(t, err)
	require.Equal(t, domain.BatchDelivery, d.Kind)
	require.Len(t, b.jobs(), 5)
	_, err = b.events.Redeliver(t.Context(), owner, "d1")
	require.ErrorIs(t, err, domain.ErrWebhookPlan)
	require.Len(t, b.jobs(), 5)
}

func TestManagingWebhooksRefuses(t *testing.T) {
	calls := map[string]func(*webhooksBench, string) error{
		"set": func(b *webhooksBench, email string) error {
			_, secret, err := b.manage.Set(t.Context(), email, endpoint, domain.ByCommandLine)
			require.True(t, err == nil || secret == "")
			return err
		},
		"rotate": func(b *webhooksBench, email string) error {
			_, _, err := b.manage.Rotate(t.Context(), email, domain.ByCommandLine)
			return err
		},
		"show": func(b *webhooksBench, email string) error { _, _, err := b.manage.Show(t.Context(), email); return err },
		"remove": func(b *webhooksBench, email string) error {
			return b.manage.Remove(t.Context(), email, domain.ByCommandLine)
		},
		"test": func(b *webhooksBench, email string) error { _, err := b.events.Test(t.Context(), email); return err },
		"deliveries": func(b *webhooksBench, email string) error {
			_, err := b.events.Latest(t.Context(), email, 9)
			return err
		},
		"redeliver": func(b *webhooksBench, email string) error {
			_, err := b.events.Redeliver(t.Context(), email, "d1")
			return err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			b := newWebhooksBench(t, proAccount())
			require.ErrorIs(t, call(b, "ravi@shop.example"), domain.ErrNoAccount)
			_, code, _ := domain.KindOf(call(b, "asha"))
			require.Equal(t, domain.CodeField, code)
			switch err := call(b, owner); name {
			case "set", "test":
				require.ErrorIs(t, err, domain.ErrWebhookPlan)
			case "redeliver":
				require.ErrorIs(t, err, domain.ErrNoDelivery)
			case "deliveries":
				require.NoError(t, err)
			default:
				require.ErrorIs(t, err, domain.ErrNoWebhook)
			}

			b = newWebhooksBench(t, enterpriseAccount())
			if name == "test" {
				require.ErrorIs(t, call(b, owner), domain.ErrNoWebhook)
				b.setWebhook(domain.Webhook{AccountID: "account-1", Secret: testSecret})
				require.ErrorIs(t, call(b, owner), domain.ErrNoWebhook, "a secret is no endpoint")
			}
			if name == "set" {
				b.receivers.refuse = domain.RuleNoHost
				require.Equal(t, domain.Faults{{Field: domain.FieldEndpoint, Rule: domain.RuleNoHost}}.Err(), call(b, owner))
				require.Zero(t, b.webhook())
				b.receivers.refuse = ""
				b.fault = failing("webhook", domain.ErrDatabase)
				require.ErrorIs(t, call(b, owner), domain.ErrDatabase, "and no secret is shown that was not stored")
			}
		})
	}
}
