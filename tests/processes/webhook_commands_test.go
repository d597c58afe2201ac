package processes_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// webhookView is what the webhook commands print of a webhook.
type webhookView struct {
	Email  string
	URL    *string
	Secret *string
}

// deliveryView is what they print of a delivery.
type deliveryView struct {
	ID        string
	WebhookID string `json:"webhook_id"`
	Kind      string
	RunID     string `json:"run_id"`
	State     string
	Attempts  []struct{ Outcome *string }
}

// webhook runs a webhook command that must succeed, and reads what it prints.
func (in *installation) webhook(t *testing.T, view any, args ...string) {
	t.Helper()
	printed := in.succeed(t, []string{toThisMachine}, append([]string{"webhook"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(printed), view), printed)
}

// From a webhook that is set to one that is removed, with the commands beside
// the running service.
func TestWebhookCommandsWorkWhileTheServiceRuns(t *testing.T) {
	t.Parallel()
	const email, confidential = "accounts@shop.example", "url-secret-7f3a"
	onSQLite(t, func(t *testing.T, in *installation) {
		t.Parallel()
		endpoint := newReceiver(t)
		url := endpoint.url + "/ok/" + confidential
		in.hide("the path of an endpoint", confidential)
		r := in.start(t, toThisMachine)
		key := keyOf(t, r.issueKey(t, in.session(t, email, "enterprise")))

		var set, shown webhookView
		in.webhook(t, &set, "set", "--email", email, "--url", url)
		require.NotNil(t, set.Secret)
		secret := *set.Secret
		in.hide("a signing secret", secret)
		in.webhook(t, &shown, "show", "--email", email)
		require.Equal(t, webhookView{Email: email, URL: &url}, shown, "the secret is shown once")

		var tested deliveryView
		in.webhook(t, &tested, "test", "--email", email)
		require.Equal(t, "delivered", tested.State)
		posts := endpoint.of(tested.WebhookID)
		require.Len(t, posts, 1, "before the command ends")
		verifyByOthers(t, posts[0], secret)

		// The service tells of a run at the URL that the command set.
		run := r.reconcile(t, key, "first")
		outcomeOf(t, run)
		var deliveries []deliveryView
		delivered := func(n int) {
			t.Helper()
			await(t, "the delivery", func() bool { return in.count(t, "SELECT COUNT(*) FROM deliveries WHERE state = 'delivered'") == n })
			deliveries = nil
			in.webhook(t, &deliveries, "deliveries", "--email", email, "--json")
			require.Len(t, deliveries, n)
			require.Equal(t, "delivered", deliveries[0].State)
		}
		delivered(2)
		require.Equal(t, run.header.Get("X-Run-Id"), deliveries[0].RunID)
		require.Equal(t, tested, deliveries[1])
		first := deliveries[0]
		posts = endpoint.of(first.WebhookID)
		require.Len(t, posts, 1)
		require.Equal(t, first.RunID, summaryOf(t, posts[0]).RunID)
		verifyByOthers(t, posts[0], secret)

		// A command asks, and the service sends.
		var again deliveryView
		in.webhook(t, &again, "redeliver", "--email", email, first.ID)
		require.NotEqual(t, first.ID, again.ID)
		require.Equal(t, first.WebhookID, again.WebhookID)
		delivered(3)
		require.Equal(t, again.ID, deliveries[0].ID)
		posts = endpoint.of(first.WebhookID)
		require.Len(t, posts, 2)
		require.Equal(t, posts[0].body, posts[1].body)
		verifyByOthers(t, posts[1], secret)

		in.succeed(t, nil, "webhook", "remove", "--email", email)
		outcomeOf(t, r.reconcile(t, key, "second"))
		delivered(3) // what was made is still listed, and nothing follows
		untold := in.runWith(t, []string{toThisMachine}, "webhook", "test", "--email", email)
		require.Equal(t, 1, untold.code, untold.stderr)
		r.stop(t)
		require.Len(t, endpoint.seen(), 2, "nobody is told any more")
	})
}
