package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestBatchWebhook holds the call to webhook_url. It waits for the pause between two attempts,
// so it stands in one of the last files, as TestFailedDeliveries does.
func TestBatchWebhook(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	t.Run("webhook_url is called once all jobs are complete, with the full results and signed", func(t *testing.T) {
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

		_, secret, err := s.Webhooks.Show(t.Context(), c.Email)
		require.NoError(t, err)
		s.secrets.Store(secret, true)
		verified(t, secret, calls[0])
	})
	t.Run("the call has the same one retry", func(t *testing.T) {
		c, e := s.Customer(t), NewEndpoint(t, answering(500))
		c.Complete(t, Jobs(Named("b")).With("webhook_url", e.URL))
		deliveries := c.Deliveries(t)
		require.Len(t, deliveries, 1)
		require.Equal(t, domain.DeliveryFailed, deliveries[0].State)
		require.Len(t, e.Calls(), 2)
	})
	t.Run("without webhook_url nobody is called", func(t *testing.T) {
		c, e := s.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		c.Watch(t, e)
		c.Complete(t, Jobs(Named("b"), Named("c")))
		for _, d := range c.Deliveries(t) {
			require.Equal(t, domain.RunDelivery, d.Kind)
		}
		require.Len(t, e.Calls(), 2, "the summaries of its runs")
	})
	t.Run("webhook_url is a string or null", func(t *testing.T) {
		c := s.Customer(t)
		c.Batch(t, Jobs(Named("b")).With("webhook_url", 5)).Refused(t, 400, "webhook_url must be a string, not a number")
		c.Submit(t, Jobs(Named("b")).With("webhook_url", nil))
	})
}
