package service

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// impatient waits for an endpoint that hangs as long as the service does, and the second time for a second.
type impatient struct {
	ports.Poster
	hangs string
	asked atomic.Bool
}

func (p *impatient) Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt {
	if endpoint == p.hangs && p.asked.Swap(true) {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Second)
		defer cancel()
	}
	return p.Poster.Post(ctx, endpoint, headers, body)
}

// TestFailedDeliveries holds the retry of section 6, for all ways to fail. It takes as long as
// the timeout, and stands in the last file, because tests that run beside others are begun from the end.
func TestFailedDeliveries(t *testing.T) {
	t.Parallel()
	elsewhere, stuck := NewEndpoint(t, nil), NewEndpoint(t, hanging)
	s := Start(t, Options{Settings: OnLoopback, Broken: fx.Options(soon, fx.Decorate(func(p ports.Poster) ports.Poster {
		return &impatient{Poster: p, hangs: stuck.URL}
	}))})
	type failing struct {
		answer   http.HandlerFunc
		outcome  domain.Outcome
		status   int
		customer *Customer
		endpoint *Endpoint
		secret   string
	}
	all := map[string]*failing{
		"500":      {answer: answering(500), outcome: domain.OutcomeRefused, status: 500},
		"404":      {answer: answering(404), outcome: domain.OutcomeRefused, status: 404},
		"hanging":  {endpoint: stuck, outcome: domain.OutcomeTimeout},
		"redirect": {answer: http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect).ServeHTTP, outcome: domain.OutcomeRedirected, status: 307},
		"reset":    {answer: Resetting, outcome: domain.OutcomeUnreachable},
	}
	for _, f := range all {
		if f.customer = s.Customer(t, OnPlan(domain.Enterprise)); f.endpoint == nil {
			f.endpoint = NewEndpoint(t, f.answer)
		}
		f.secret = f.customer.Watch(t, f.endpoint)
		f.customer.Run(t, Small())
	}
	for name, f := range all {
		deliveries := f.customer.Deliveries(t)
		require.Len(t, deliveries, 1, name)
		require.Equal(t, domain.DeliveryFailed, deliveries[0].State, name)
		require.Len(t, deliveries[0].Attempts, 2, name)
		for _, attempt := range deliveries[0].Attempts {
			require.Equal(t, f.outcome, attempt.Outcome, name)
			require.Equal(t, f.status, attempt.Status, name)
		}
		calls := f.endpoint.Calls()
		require.Len(t, calls, 2, name)
		require.Equal(t, calls[0].Body, calls[1].Body, name)
		require.Equal(t, calls[0].Header.Get("webhook-id"), calls[1].Header.Get("webhook-id"), name)
		for _, call := range calls {
			verified(t, f.secret, call)
		}
	}
	require.Empty(t, elsewhere.Calls(), "a redirect is not followed")
}
