package processes_test

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/secrets"
	"milaan/adapters/storage"
	"milaan/domain"
	"milaan/tests/only"
)

// posted is one POST as the receiver saw it.
type posted struct {
	path   string
	header http.Header
	body   []byte
}

// receiver is a customer's endpoint: it notes what comes, by webhook-id.
type receiver struct {
	url string

	mu    sync.Mutex
	posts map[string][]posted
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{posts: map[string][]posted{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender was killed in the midst of it
	}
	id := request.Header.Get("webhook-id")
	r.mu.Lock()
	r.posts[id] = append(r.posts[id], posted{path: request.URL.Path, header: request.Header, body: body})
	r.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// seen is what has come so far.
func (r *receiver) seen() map[string][]posted {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.posts)
}

// of is what has come of one event.
func (r *receiver) of(id string) []posted {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.posts[id]
}

// summary is the run summary that endpoints get (guide: webhooks).
type summary struct {
	Brand        string  `json:"brand"`
	RunAt        string  `json:"run_at"`
	FlaggedCount int     `json:"flagged_count"`
	AmountRisk   float64 `json:"amount_risk"`
	RunID        string  `json:"run_id"`
}

func summaryOf(t *testing.T, p posted) summary {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(p.body, &fields))
	require.Len(t, fields, 5, "%s", p.body)
	var s summary
	require.NoError(t, json.Unmarshal(p.body, &s))
	return s
}

// toThisMachine lets webhooks reach the receivers of the tests.
const toThisMachine = "MILAAN_WEBHOOK_ALLOW_LOOPBACK=true"

// signingSecret signs the webhooks of all accounts that watch sets.
const signingSecret = domain.SigningSecret(domain.SigningSecretPrefix + "bTF0dGVyIG9mIGZhY3QgYW5kIG5vdGhpbmcgZWxzZSE=")

// watch has the webhooks of accounts call the receiver, each at a path of its own, past the
// service. It returns the endpoints by account id.
func (in *installation) watch(t *testing.T, r *receiver, accounts ...account) map[string]string {
	t.Helper()
	webhooks, done := in.webhooks(t, in.secret)
	defer done()
	endpoints := map[string]string{}
	for _, a := range accounts {
		endpoints[a.id] = r.url + "/" + a.id
		require.NoError(t, only.Err(webhooks.Update(t.Context(), a.id, domain.SecurityEvent{}, func(w *domain.Webhook) error {
			w.Endpoint, w.Secret, w.SetAt, w.Shown = endpoints[a.id], signingSecret, time.Now(), true
			return nil
		})))
	}
	return endpoints
}

// webhooks opens the webhooks that are sealed with a secret, past the service, until
// done.
func (in *installation) webhooks(t *testing.T, secret string) (_ *storage.Webhooks, done func()) {
	t.Helper()
	master := only.Value(hex.DecodeString(secret))(t)
	store, done := in.store(t)
	return storage.New[storage.Webhooks](store, secrets.New(master)), done
}
