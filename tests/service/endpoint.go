package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// Call is a POST that an endpoint was sent.
type Call struct {
	Method string
	Path   string
	Header http.Header
	Body   []byte
}

// Endpoint is what a customer's webhook calls: a server on loopback that keeps
// every request.
type Endpoint struct {
	URL string

	mu    sync.Mutex
	calls []Call
}

// NewEndpoint serves until the end of the test. answer has the body read
// already; nil answers 200.
func NewEndpoint(t testing.TB, answer http.HandlerFunc) *Endpoint {
	t.Helper()
	e := &Endpoint{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("the body of a webhook broke off: %v", err)
		}
		e.mu.Lock()
		e.calls = append(e.calls, Call{r.Method, r.URL.Path, r.Header.Clone(), body})
		e.mu.Unlock()
		if answer != nil {
			answer(w, r)
		}
	}))
	t.Cleanup(server.Close)
	e.URL = server.URL + "/milaan"
	return e
}

// Calls are the requests so far, in the order in which they came.
func (e *Endpoint) Calls() []Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Call(nil), e.calls...)
}

func answering(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// hanging never answers; the service goes away first.
func hanging(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Resetting breaks the connection off.
func Resetting(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

// OnLoopback lets webhooks call this machine.
func OnLoopback(c *config.Config) { c.Webhook.AllowLoopback = true }

// soon has what failed tried again at once. How long a delivery waits for its second attempt is held in app/webhooks
// (TestEveryFailureIsRetriedOnce), and that the engine waits as long in tests/jobs (TestAJobMayAskToBeCalledAgain).
var soon = fx.Decorate(func(w ports.Work) ports.Work { return hasty{w} })

type hasty struct{ ports.Work }

func (h hasty) Do(ctx context.Context, job ports.Job, made ports.JobAttempt) (time.Duration, error) {
	again, err := h.Work.Do(ctx, job, made)
	return min(again, time.Millisecond), err
}

// Watch sets the endpoint of the account and returns the signing secret.
func (c *Customer) Watch(t testing.TB, e *Endpoint) string {
	t.Helper()
	_, secret, err := c.service.Webhooks.Set(t.Context(), c.Stored(t), e.URL, domain.ByCommandLine)
	require.NoError(t, err)
	require.NotEmpty(t, secret)
	c.service.secrets.Store(secret, true)
	return secret
}

// Deliveries waits until none of the account's deliveries is under way, and
// lists them, latest first. No attempt follows after that.
func (c *Customer) Deliveries(t testing.TB) []domain.Delivery {
	t.Helper()
	var all []domain.Delivery
	account := c.Stored(t)
	require.Eventually(t, func() bool {
		var err error
		all, err = c.service.Deliveries.Deliveries(t.Context(), account.ID, 100)
		if err != nil {
			return false
		}
		for _, d := range all {
			if d.State == domain.DeliveryPending {
				return false
			}
		}
		return true
	}, workTime, pause)
	return all
}

// contractSignature is what section 6 says, by our own hand.
func contractSignature(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// fields are the members of a JSON object.
func fields(t testing.TB, body []byte) map[string]any {
	t.Helper()
	return decoded[map[string]any](t, body)
}
