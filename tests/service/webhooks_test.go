package service

import (
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// verified holds that a call is signed by a secret, as a receiver would with a
// library that is not ours. The service's clock stands, so its age does not
// count.
func verified(t testing.TB, secret string, call Call) {
	t.Helper()
	require.Equal(t, contractSignature(secret, call.Body), call.Header.Get("X-Milaan-Sig"))
	require.NoError(t, verifiable(t, secret, call))
}

func verifiable(t testing.TB, secret string, call Call) error {
	t.Helper()
	verifier := only.Value(standardwebhooks.NewWebhook(secret))(t)
	return verifier.VerifyIgnoringTimestamp(call.Body, call.Header)
}

// TestRunWebhook holds the summary of every stored run, for Enterprise.
func TestRunWebhook(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	customer := func(t *testing.T) (*Customer, *Endpoint, string) {
		t.Helper()
		c, e := s.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		return c, e, c.Watch(t, e)
	}
	t.Run("every stored run is announced once, in five fields", func(t *testing.T) {
		c, e, _ := customer(t)
		s.Clock.Advance(7*time.Millisecond + 999*time.Microsecond)
		a := c.Reconcile(t, EightFlags().With("brand", "Chai & <Co>"))
		deliveries := c.Deliveries(t)
		require.Len(t, deliveries, 1)
		require.Equal(t, domain.DeliveryDelivered, deliveries[0].State)
		calls := e.Calls()
		require.Len(t, calls, 1)
		require.Equal(t, http.MethodPost, calls[0].Method)
		require.Equal(t, "/milaan", calls[0].Path)
		require.Equal(t, map[string]any{
			"brand": "Chai & <Co>", "run_at": s.Clock.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
			"flagged_count": 6.0, "amount_risk": 2802.0, "run_id": a.Header.Get("X-Run-Id"),
		}, fields(t, calls[0].Body))
		require.True(t, strings.HasPrefix(calls[0].Header.Get("Content-Type"), "application/json"))
		require.Equal(t, "run", calls[0].Header.Get("X-Milaan-Event"))
		require.NoError(t, s.description.webhook("run", calls[0]))
	})
	t.Run("X-Milaan-Sig is the hex HMAC-SHA256 of the raw body by the signing secret", func(t *testing.T) {
		c, e, secret := customer(t)
		c.Run(t, Small())
		c.Deliveries(t)
		verified(t, secret, e.Calls()[0])
		require.NotEqual(t, contractSignature(c.Key, e.Calls()[0].Body), e.Calls()[0].Header.Get("X-Milaan-Sig"), "the API key does not sign")
	})
	t.Run("a duplicate and a failed run are not announced", func(t *testing.T) {
		c, e, _ := customer(t)
		c.Run(t, Small())
		require.NotNil(t, c.Run(t, Small()).Duplicate)
		c.Reconcile(t, badFile()).Refused(t, 400, "courier file (courier)")
		require.Len(t, c.Deliveries(t), 1)
		require.Len(t, e.Calls(), 1)
	})
	t.Run("Enterprise only", func(t *testing.T) {
		c, e := s.Customer(t), NewEndpoint(t, nil)
		require.ErrorIs(t, only.Err2(s.Webhooks.Set(t.Context(), c.Stored(t), e.URL, domain.ByCommandLine)), domain.ErrWebhookPlan)
		c.Run(t, Small())
		require.Empty(t, c.Deliveries(t))

		former, e, _ := customer(t)
		former.Change(t, func(a *domain.Account) { a.Plan = domain.Pro })
		former.Run(t, Small())
		for _, d := range former.Deliveries(t) {
			require.Equal(t, domain.DeliveryDropped, d.State)
		}
		require.Empty(t, e.Calls())
	})
	t.Run("runs of a batch are announced as well", func(t *testing.T) {
		c, e, secret := customer(t)
		c.Complete(t, Jobs(Named("first"), Named("second"), Named("first"), badFile().With("brand", "third")))
		require.Len(t, c.Deliveries(t), 2)
		var brands []any
		for _, call := range e.Calls() {
			verified(t, secret, call)
			require.Len(t, fields(t, call.Body), 5)
			brands = append(brands, fields(t, call.Body)["brand"])
		}
		require.ElementsMatch(t, []any{"first", "second"}, brands)
	})
}

// TestForbiddenEndpoints holds that nobody has an address called that is not public. All of them are in adapters/outbound: these call
// nobody, even if they are not refused.
func TestForbiddenEndpoints(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	b := c.SignIn(t)
	for _, endpoint := range []string{"https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://[::ffff:127.0.0.1]/"} {
		b.Send(t, http.MethodPut, "/app/api/webhook", Body{"endpoint": endpoint}).RefusedPage(t, 400, "field_invalid", "endpoint")
		c.Batch(t, Jobs(Named("b")).With("webhook_url", endpoint)).Refused(t, 400, "webhook_url ")
	}
	require.NotContains(t, string(b.Get(t, "/app/api/connectors").Body), "base_url", "that of a shop is for development")
}

// TestBatchWebhook holds the call to webhook_url.
func TestBatchWebhook(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback, Broken: soon})
	c, e := s.Customer(t), NewEndpoint(t, nil) // on Pro
	id := c.Submit(t, Jobs(Named("one"), EightFlags().With("brand", "two"), badFile().With("brand", "three")).With("webhook_url", e.URL)).BatchID
	c.Await(t, id, domain.BatchComplete)
	deliveries := c.Deliveries(t)
	require.Len(t, deliveries, 1)
	require.Equal(t, domain.BatchDelivery, deliveries[0].Kind)
	require.Equal(t, domain.DeliveryDelivered, deliveries[0].State)
	calls := e.Calls()
	require.Len(t, calls, 1)
	require.Equal(t, "batch", calls[0].Header.Get("X-Milaan-Event"))
	require.NoError(t, s.description.webhook("batch", calls[0]))
	require.JSONEq(t, string(c.Status(t, id).Body), string(calls[0].Body))
	require.Equal(t, "complete", fields(t, calls[0].Body)["status"])

	_, secret := only.Both(s.Webhooks.Show(t.Context(), c.Stored(t).ID))(t)
	s.secrets.Store(secret, true)
	verified(t, secret, calls[0])
}
