package cli

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// managedWebhooks returns what it was given, and keeps what it was asked.
type managedWebhooks struct {
	asked      []any
	webhook    domain.Webhook
	secret     string
	delivery   domain.Delivery
	deliveries []domain.Delivery
	fault      error
	now        time.Time
	closed     int
}

func (m *managedWebhooks) Set(_ context.Context, a domain.Account, endpoint string, by domain.Actor) (domain.Webhook, string, error) {
	m.asked = []any{"set", a.ID, endpoint, by}
	return m.webhook, m.secret, m.fault
}

func (m *managedWebhooks) Rotate(_ context.Context, accountID string, by domain.Actor) (domain.Webhook, string, error) {
	m.asked = []any{"rotate", accountID, by}
	return m.webhook, m.secret, m.fault
}

func (m *managedWebhooks) Show(_ context.Context, accountID string) (domain.Webhook, string, error) {
	m.asked = []any{"show", accountID}
	return m.webhook, m.secret, m.fault
}

func (m *managedWebhooks) Find(context.Context, string) (domain.Webhook, error) {
	return m.webhook, m.fault
}

func (m *managedWebhooks) Remove(_ context.Context, accountID string, by domain.Actor) error {
	m.asked = []any{"remove", accountID, by}
	return m.fault
}

func (m *managedWebhooks) Test(_ context.Context, a domain.Account) (domain.Delivery, error) {
	m.asked = []any{"test", a.ID}
	return m.delivery, m.fault
}

func (m *managedWebhooks) Deliveries(_ context.Context, accountID string, limit int) ([]domain.Delivery, error) {
	m.asked = []any{"deliveries", accountID, limit}
	return m.deliveries, m.fault
}

func (m *managedWebhooks) Redeliver(_ context.Context, a domain.Account, id string) (domain.Delivery, error) {
	m.asked = []any{"redeliver", a.ID, id}
	return m.delivery, m.fault
}

func (m *managedWebhooks) deps() Deps {
	return Deps{Clock: func() time.Time { return m.now }, Open: opens(&m.closed, as[ports.ManagingAccounts](named{}), as[ports.ManagingWebhooks](m))}
}

var (
	noon     = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	refused  = domain.Attempt{Number: 1, At: noon, Took: 120 * time.Millisecond, Outcome: domain.OutcomeRefused, Status: 500, Failure: "oops"}
	timedOut = domain.Attempt{Number: 2, At: noon.Add(5 * time.Second), Took: 5 * time.Second, Outcome: domain.OutcomeTimeout, Failure: "no answer"}
)

func TestWebhookSetShowsTheSecret(t *testing.T) {
	m := &managedWebhooks{secret: "whsec_c2VjcmV0", webhook: domain.Webhook{Endpoint: "https://shop.example/milaan?a=1&b=2", Secret: "whsec_c2VjcmV0", SetAt: noon}}
	got := run(m.deps(), "webhook", "set", "--email", asha, "--url", "https://shop.example/milaan?a=1&b=2")
	require.Equal(t, ran{stdout: `{
  "email": "asha@shop.example",
  "url": "https://shop.example/milaan?a=1&b=2",
  "set_at": "2026-11-21T12:00:00Z",
  "secret": "whsec_c2VjcmV0",
  "rotated_at": null,
  "former_secret_until": null
}
`, stderr: "Keep the secret now: it is not shown again.\n"}, got)
	require.Equal(t, []any{"set", asha, "https://shop.example/milaan?a=1&b=2", domain.ByCommandLine}, m.asked)
	require.Equal(t, 1, m.closed)
}

func TestWebhookShowHidesAShownSecret(t *testing.T) {
	m := &managedWebhooks{webhook: domain.Webhook{Secret: "whsec_bmV3", Former: "whsec_b2xk", RotatedAt: noon}, now: noon}
	for _, command := range []string{"show", "rotate"} {
		got := run(m.deps(), "webhook", command, "--email", asha)
		require.Empty(t, got.stderr)
		require.JSONEq(t, `{"email":"asha@shop.example","url":null,"set_at":null,"secret":null,
			"rotated_at":"2026-11-21T12:00:00Z","former_secret_until":"2026-11-22T12:00:00Z"}`, got.stdout)
		require.Equal(t, map[string][]any{"show": {"show", asha}, "rotate": {"rotate", asha, domain.ByCommandLine}}[command], m.asked)
	}
	m.now = noon.Add(domain.RotationSpan)
	require.Contains(t, run(m.deps(), "webhook", "show", "--email", asha).stdout, `"former_secret_until": null`, "it signs no more")
}

func TestWebhookRemove(t *testing.T) {
	m := &managedWebhooks{}
	require.Equal(t, ran{stdout: "The webhook is removed.\n"}, run(m.deps(), "webhook", "remove", "--email", asha))
	m.fault = domain.ErrNoWebhook
	got := run(m.deps(), "webhook", "remove", "--email", asha)
	require.Equal(t, ExitFailed, got.code)
	require.Equal(t, "milaan: the account has no webhook endpoint: set one with milaan webhook set\n", got.stderr)
	require.Empty(t, got.stdout)
}

func TestWebhookTestSaysWhatCameOfIt(t *testing.T) {
	m := &managedWebhooks{delivery: domain.Delivery{ID: "d1", EventID: "evt_1", Kind: domain.TestDelivery, State: domain.DeliveryDelivered, CreatedAt: noon,
		Attempts: []domain.Attempt{{Number: 1, At: noon, Took: 31 * time.Millisecond, Outcome: domain.OutcomeDelivered, Status: 204}}}}
	got := run(m.deps(), "webhook", "test", "--email", asha)
	require.Equal(t, ExitDone, got.code, got.stderr)
	require.JSONEq(t, `{"id":"d1","webhook_id":"evt_1","kind":"test","state":"delivered","created_at":"2026-11-21T12:00:00Z",
		"attempts":[{"number":1,"at":"2026-11-21T12:00:00Z","took_ms":31,"outcome":"delivered","http_status":204}]}`, got.stdout)

	m.delivery.State, m.delivery.Attempts = domain.DeliveryFailed, []domain.Attempt{refused}
	got = run(m.deps(), "webhook", "test", "--email", asha)
	require.Equal(t, ExitFailed, got.code)
	require.Equal(t, "milaan: the test event was not delivered: refused (500) in 120ms: oops\n", got.stderr)
	require.Contains(t, got.stdout, `"failure": "oops"`)
}

func TestWebhookDeliveriesAreListed(t *testing.T) {
	m := &managedWebhooks{}
	require.Equal(t, ran{stdout: "No deliveries yet: each stored run makes one.\n"}, run(m.deps(), "webhook", "deliveries", "--email", asha))
	require.Equal(t, []any{"deliveries", asha, 20}, m.asked)
	require.Equal(t, ran{stdout: "[]\n"}, run(m.deps(), "webhook", "deliveries", "--email", asha, "--json"))

	m.deliveries = []domain.Delivery{
		{ID: "d3", Kind: domain.RunDelivery, RunID: "r3", State: domain.DeliveryPending, CreatedAt: noon},
		{ID: "d2", Kind: domain.BatchDelivery, BatchID: "b2", State: domain.DeliveryFailed, CreatedAt: noon, Attempts: []domain.Attempt{refused, timedOut}},
		{ID: "d1", Kind: domain.RunDelivery, RunID: "r1", State: domain.DeliveryPending, CreatedAt: noon, Attempts: []domain.Attempt{{Number: 1, At: noon}}},
	}
	got := run(m.deps(), "webhook", "deliveries", "--email", asha, "--limit", "3")
	require.Equal(t, `Delivery  Of     Since                 State      Attempts
d3        run    2026-11-21 17:30 IST  Under way  none yet
d2        batch  2026-11-21 17:30 IST  Failed     refused (500) in 120ms: oops, then timeout after 5s: no answer
d1        run    2026-11-21 17:30 IST  Under way  not known
`, got.stdout)
	got = run(m.deps(), "webhook", "deliveries", "--email", asha, "--json")
	require.Contains(t, got.stdout, `"outcome": null`)
	require.Contains(t, got.stdout, `"batch_id": "b2"`)
}

func TestWebhookRedeliver(t *testing.T) {
	m := &managedWebhooks{delivery: domain.Delivery{ID: "d9", EventID: "evt_1", Kind: domain.RunDelivery, RunID: "r1", State: domain.DeliveryPending, CreatedAt: noon}}
	got := run(m.deps(), "webhook", "redeliver", "--email", asha, "d1")
	require.Equal(t, []any{"redeliver", asha, "d1"}, m.asked)
	require.JSONEq(t, `{"id":"d9","webhook_id":"evt_1","kind":"run","run_id":"r1","state":"pending","created_at":"2026-11-21T12:00:00Z","attempts":[]}`, got.stdout)
}

func TestWebhookSetNamesItsFlagInAFault(t *testing.T) {
	m := &managedWebhooks{fault: domain.Faults{{Field: domain.FieldEndpoint, Rule: domain.RuleHTTPSHere}}.Err()}
	got := run(m.deps(), "webhook", "set", "--email", asha, "--url", "http://shop.example")
	got.refused(t, ExitUsage, "milaan: --url must begin with https://: plain http is for endpoints on this machine alone")
	require.Empty(t, got.stdout)
}
