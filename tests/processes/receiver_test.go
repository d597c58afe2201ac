package processes_test

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
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
	at     time.Time
	path   string
	header http.Header
	body   []byte
}

// receiver is a customer's endpoint: it notes what comes, by webhook-id, and
// answers as its path says.
type receiver struct {
	url string

	mu      sync.Mutex
	posts   map[string][]posted
	hanging int // POSTs that hang now
	hung    int // the most that did at once
}

// behaviours are what the receiver does with a POST to each path.
var behaviours = map[string]func(w http.ResponseWriter, r *http.Request){
	"/ok":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	"/hang": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	// /hold answers 101 and keeps the line, which is nobody's request any more.
	"/hold": hijacking(func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: line\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn)
	}),
	"/trickle-header": hijacking(func(conn net.Conn) {
		for _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n"); err == nil; _, err = io.WriteString(conn, "X-A: b\r\n") {
			time.Sleep(100 * time.Millisecond)
		}
	}),
}

// hijacking answers past HTTP, and then ends the connection.
func hijacking(answer func(conn net.Conn)) func(w http.ResponseWriter, _ *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			answer(conn)
			_ = conn.Close()
		}
	}
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{posts: map[string][]posted{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // before, for Close waits for those that hang
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
	r.posts[id] = append(r.posts[id], posted{at: time.Now(), path: request.URL.Path, header: request.Header, body: body})
	r.mu.Unlock()
	first, _, _ := strings.Cut(request.URL.Path[1:], "/")
	if first == "hang" {
		r.hangs(1)
		defer r.hangs(-1)
	}
	if behave := behaviours["/"+first]; behave != nil {
		behave(w, request)
	}
}

// hangs counts a POST that begins or ceases to hang.
func (r *receiver) hangs(change int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hanging += change
	r.hung = max(r.hung, r.hanging)
}

// mostHung is the most POSTs that have hung at once.
func (r *receiver) mostHung() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hung
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

// watch has the webhooks of accounts call the receiver below a path, each at a path of
// its own, past the service. It returns the endpoints by account id.
func (in *installation) watch(t *testing.T, r *receiver, path string, accounts ...account) map[string]string {
	t.Helper()
	webhooks, done := in.webhooks(t, in.secret)
	defer done()
	endpoints := map[string]string{}
	for _, a := range accounts {
		endpoints[a.id] = r.url + path + a.id
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
