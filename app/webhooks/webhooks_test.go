package webhooks_test

import (
	"context"
	"strings"
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

func TestSetShowsTheSecretOnce(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.EnterpriseAccount())
	w, secret := only.Both(b.manage.Set(t.Context(), b.Account, endpoint, domain.ByCommandLine))(t)
	require.True(t, strings.HasPrefix(secret, domain.SigningSecretPrefix))
	require.Equal(t, domain.Webhook{AccountID: "account-1", Endpoint: endpoint, Secret: domain.SigningSecret(secret), Shown: true, SetAt: b.Now}, w)
	require.Equal(t, w, b.Webhook())

	w, again := only.Both(b.manage.Set(t.Context(), b.Account, endpoint+"/2", domain.ByCommandLine))(t)
	require.Empty(t, again, "the secret stays, and was shown before")
	require.Equal(t, domain.SigningSecret(secret), w.Secret)
	require.Equal(t, endpoint+"/2", b.Webhook().Endpoint)
	_, again = only.Both(b.manage.Show(t.Context(), b.Account.ID))(t)
	require.Empty(t, again)
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

func TestRotate(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.ProAccount())
	b.SetWebhook(domain.Webhook{AccountID: "account-1", Secret: hooks.Secret, Shown: true})
	w, secret := only.Both(b.manage.Rotate(t.Context(), b.Account.ID, domain.ByCommandLine))(t)
	require.Equal(t, domain.Webhook{AccountID: "account-1", Secret: domain.SigningSecret(secret), Former: hooks.Secret, RotatedAt: b.Now, Shown: true}, w)
	require.NotEqual(t, hooks.Secret.Reveal(), secret)
	require.Equal(t, w, b.Webhook())
}

func TestLookShowsNoSecret(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.ProAccount())
	require.ErrorIs(t, only.Err(b.manage.Find(t.Context(), b.Account.ID)), domain.ErrNoWebhook)
	b.SetWebhook(domain.Webhook{Secret: hooks.Secret})
	for range 2 {
		require.False(t, only.Value(b.manage.Find(t.Context(), b.Account.ID))(t).Shown)
	}
	_, secret := only.Both(b.manage.Show(t.Context(), b.Account.ID))(t)
	require.NotEmpty(t, secret)
	require.True(t, only.Value(b.manage.Find(t.Context(), b.Account.ID))(t).Shown)
}

func TestRemoveForgetsAll(t *testing.T) {
	t.Parallel()
	b := newWebhooksBench(t, storage.EnterpriseAccount())
	_, first := only.Both(b.manage.Set(t.Context(), b.Account, endpoint, domain.ByCommandLine))(t)
	require.NoError(t, b.manage.Remove(t.Context(), b.Account.ID, domain.ByCommandLine))
	require.Zero(t, b.Webhook())
	require.ErrorIs(t, b.manage.Remove(t.Context(), b.Account.ID, domain.ByCommandLine), domain.ErrNoWebhook)
	_, second := only.Both(b.manage.Set(t.Context(), b.Account, endpoint, domain.ByCommandLine))(t)
	require.NotEmpty(t, second)
	require.NotEqual(t, first, second)
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
	calls := map[string]func(*webhooksBench) error{
		"set": func(b *webhooksBench) error {
			_, secret, err := b.manage.Set(t.Context(), b.Account, endpoint, domain.ByCommandLine)
			require.True(t, err == nil || secret == "")
			return err
		},
		"rotate": func(b *webhooksBench) error {
			_, _, err := b.manage.Rotate(t.Context(), b.Account.ID, domain.ByCommandLine)
			return err
		},
		"show": func(b *webhooksBench) error { _, _, err := b.manage.Show(t.Context(), b.Account.ID); return err },
		"remove": func(b *webhooksBench) error {
			return b.manage.Remove(t.Context(), b.Account.ID, domain.ByCommandLine)
		},
		"test": func(b *webhooksBench) error { _, err := b.manage.Test(t.Context(), b.Account); return err },
		"deliveries": func(b *webhooksBench) error {
			_, err := b.manage.Deliveries(t.Context(), b.Account.ID, 9)
			return err
		},
		"redeliver": func(b *webhooksBench) error {
			_, err := b.manage.Redeliver(t.Context(), b.Account, "d1")
			return err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			b := newWebhooksBench(t, storage.ProAccount())
			switch err := call(b); name {
			case "set", "test":
				require.ErrorIs(t, err, domain.ErrWebhookPlan)
			case "redeliver":
				require.ErrorIs(t, err, domain.ErrNoDelivery)
			case "deliveries":
				require.NoError(t, err)
			default:
				require.ErrorIs(t, err, domain.ErrNoWebhook)
			}

			b = newWebhooksBench(t, storage.EnterpriseAccount())
			if name == "test" {
				require.ErrorIs(t, call(b), domain.ErrNoWebhook)
				b.SetWebhook(domain.Webhook{AccountID: "account-1", Secret: hooks.Secret})
				require.ErrorIs(t, call(b), domain.ErrNoWebhook, "a secret is no endpoint")
			}
			if name == "set" {
				b.receivers.Refuse = domain.RuleNoHost
				require.Equal(t, domain.Faults{{Field: domain.FieldEndpoint, Rule: domain.RuleNoHost}}.Err(), call(b))
				require.Zero(t, b.Webhook())
				b.receivers.Refuse = ""
				b.Fault = storage.Failing("webhook", domain.ErrDatabase)
				require.ErrorIs(t, call(b), domain.ErrDatabase, "and no secret is shown that was not stored")
			}
		})
	}
}

// What changes an account's webhook is logged, with the way it was done and without what an
// endpoint may have that is secret; what is refused or changes nothing is not.
func TestChangesOfTheWebhookAreLogged(t *testing.T) {
	t.Parallel()
	nothing := func(*webhooksBench) {}
	const secretive = "https://hooks.example:8443/token-of-asha?key=1"
	for name, c := range map[string]struct {
		prepare func(*webhooksBench)
		do      func(*webhooksBench) error
		want    []storage.Logged
	}{
		"set": {nothing, func(b *webhooksBench) error {
			_, _, err := b.manage.Set(t.Context(), b.Account, secretive, domain.ByDashboard)
			return err
		}, []storage.Logged{{Kind: domain.SecurityWebhookSet, Detail: "hooks.example", By: domain.ByDashboard}}},
		"shown": {func(b *webhooksBench) { b.SetWebhook(domain.Webhook{Endpoint: endpoint, Secret: hooks.Secret}) }, func(b *webhooksBench) error {
			_, _, err := b.manage.Show(t.Context(), b.Account.ID)
			return err
		}, nil},
		"rotated": {func(b *webhooksBench) { b.SetWebhook(domain.Webhook{Endpoint: endpoint, Secret: hooks.Secret}) }, func(b *webhooksBench) error {
			_, _, err := b.manage.Rotate(t.Context(), b.Account.ID, domain.ByCommandLine)
			return err
		}, []storage.Logged{{Kind: domain.SecurityWebhookSecret, Detail: "hooks.example", By: domain.ByCommandLine}}},
		"removed": {func(b *webhooksBench) { b.SetWebhook(domain.Webhook{Endpoint: endpoint, Secret: hooks.Secret}) }, func(b *webhooksBench) error {
			return b.manage.Remove(t.Context(), b.Account.ID, domain.ByDashboard)
		}, []storage.Logged{{Kind: domain.SecurityWebhookGone, Detail: "hooks.example", By: domain.ByDashboard}}},
		"removed, but not there": {nothing, func(b *webhooksBench) error {
			require.ErrorIs(t, b.manage.Remove(t.Context(), b.Account.ID, domain.ByDashboard), domain.ErrNoWebhook)
			return nil
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newWebhooksBench(t, storage.EnterpriseAccount())
			c.prepare(b)
			require.NoError(t, c.do(b))
			require.Equal(t, c.want, b.SecurityLog())
		})
	}
}
