package service

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// Answer is what the service answered.
type Answer struct {
	Protocol string // such as HTTP/1.1
	Status   int
	Header   http.Header
	Body     []byte
}

// Run is the body of POST /reconcile, and of GET /demo.
type Run struct {
	Results   []Result  `json:"results"`
	Duplicate *bool     `json:"duplicate"`
	RunID     *string   `json:"run_id"`
	Guidance  *Guidance `json:"cycle_guidance"`
	Warnings  []Warning `json:"warnings"`
}

// Warning is one doubt about a run. Its amount is kept as it is written; blank: it
// has none.
type Warning struct {
	Code    string      `json:"code"`
	Message string      `json:"message"`
	Count   *int        `json:"count"`
	Amount  json.Number `json:"amount"`
}

// codes are the codes of a run's warnings.
func (r Run) codes() []string {
	var codes []string
	for _, w := range r.Warnings {
		codes = append(codes, w.Code)
	}
	return codes
}

// Result is one order's result. Amounts are kept as they are written.
type Result struct {
	AWB         string      `json:"awb"`
	OrderID     string      `json:"order_id"`
	CODAmount   json.Number `json:"cod_amount"`
	Remitted    json.Number `json:"remitted"`
	Shortfall   json.Number `json:"shortfall"`
	DaysOverdue int         `json:"days_overdue"`
	Flag        string      `json:"flag"`
	FlagReason  string      `json:"flag_reason"`
	Status      string      `json:"status"`
	MatchMode   string      `json:"match_mode"`
}

// Guidance is cycle_guidance.
type Guidance struct {
	OffsetDays       int     `json:"offset_days"`
	OffsetSource     string  `json:"offset_source"`
	BatchAsOf        string  `json:"batch_as_of"`
	CoverageComplete bool    `json:"courier_coverage_complete"`
	DataThrough      *string `json:"courier_data_through"`
	Guaranteed       int     `json:"guaranteed_coverage_days"`
	Awaiting         int     `json:"awaiting_next_cycle_count"`
}

// IssuedKey is the body of POST /generate-api-key.
type IssuedKey struct {
	Key    string `json:"key"`
	Prefix string `json:"prefix"`
}

// Message is the message of an error answer; blank if the body is anything but
// the contract's one-field object.
func (a Answer) Message() string {
	var fields map[string]string
	if json.Unmarshal(a.Body, &fields) != nil || len(fields) != 1 {
		return ""
	}
	return fields["error"]
}

// Run is the body of an answer that must be 200.
func (a Answer) Run(t testing.TB) Run {
	t.Helper()
	return answered[Run](t, a)
}

// Refused holds that the answer is an error with this status whose message
// begins so.
func (a Answer) Refused(t testing.TB, status int, beginning string) {
	t.Helper()
	if a.Status != status || !strings.HasPrefix(a.Message(), beginning) {
		t.Errorf("got %d %s, want %d %q…", a.Status, a.Body, status, beginning)
	}
}

// Reconcile sends POST /reconcile. It may be called from any goroutine.
func (s *Service) Reconcile(t testing.TB, key string, b Body) Answer {
	t.Helper()
	return s.Post(t, "/reconcile", key, b.Text(t))
}

func (b Body) Text(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(b)
	if err != nil {
		t.Errorf("the request cannot be encoded: %v", err)
	}
	return text
}

// IssueKey sends POST /generate-api-key. It may be called from any goroutine.
func (s *Service) IssueKey(t testing.TB, token string) Answer {
	t.Helper()
	return s.issue(t, "/generate-api-key", token)
}

func (s *Service) issue(t testing.TB, path, token string) Answer {
	t.Helper()
	a := s.Post(t, path, token, nil)
	var issued IssuedKey
	if a.Status == http.StatusOK && json.Unmarshal(a.Body, &issued) == nil {
		s.secrets.Store(issued.Key, true)
	}
	return a
}

// Post sends JSON with a bearer token, without one if it is blank. header is as that of
// Request, and comes before these two.
func (s *Service) Post(t testing.TB, path, token string, body []byte, header ...string) Answer {
	t.Helper()
	usual := []string{"Content-Type", "application/json"}
	if token != "" {
		usual = append(usual, "Authorization", "Bearer "+token)
	}
	return s.Do(t, s.Request(t, http.MethodPost, path, bytes.NewReader(body), append(usual, header...)...))
}

// Get sends a request without a body; header is as that of Request.
func (s *Service) Get(t testing.TB, path string, header ...string) Answer {
	t.Helper()
	return s.Do(t, s.Request(t, http.MethodGet, path, nil, header...))
}

// Request makes a request to the service, for Do. header holds names, each before its value;
// a name with a blank value is left out.
func (s *Service) Request(t testing.TB, method, path string, body io.Reader, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	header = append(slices.Clone(s.header), header...)
	for i := 0; i < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i+1] == "" {
			r.Header.Del(header[i])
		}
	}
	return r
}

// Do sends a request and holds the answer against the service's description
// and against what the contract says of every answer. It may be called from
// any goroutine.
func (s *Service) Do(t testing.TB, r *http.Request) Answer {
	t.Helper()
	response, err := s.client.Do(r)
	if err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		return Answer{}
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s %s: the answer broke off: %v", r.Method, r.URL.Path, err)
	}
	a := Answer{Protocol: response.Proto, Status: response.StatusCode, Header: response.Header, Body: body}
	if err := s.description.allows(r, a); err != nil {
		t.Errorf("%s %s answered %d, which is not as described: %v\n%.500s", r.Method, r.URL.Path, a.Status, err, a.Body)
	}
	return a
}

// sendAtOnce sends n requests, up to 64 of them at the same time, and returns their
// answers.
func sendAtOnce(n int, send func(i int) Answer) []Answer {
	answers := make([]Answer, n)
	var clients errgroup.Group
	clients.SetLimit(64)
	for i := range n {
		clients.Go(func() error {
			answers[i] = send(i)
			return nil
		})
	}
	_ = clients.Wait()
	return answers
}

func statuses(answers []Answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.Status]++
	}
	return counts
}

// Keyed sends a body to a route under a request key, with the customer's API
// key. It may be called from any goroutine.
func (c *Customer) Keyed(t testing.TB, path, requestKey string, b Body) Answer {
	t.Helper()
	return c.KeyedText(t, path, requestKey, b.Text(t))
}

// KeyedText does so with the text of a body.
func (c *Customer) KeyedText(t testing.TB, path, requestKey string, text []byte) Answer {
	t.Helper()
	r := c.service.Request(t, http.MethodPost, path, bytes.NewReader(text), "Content-Type", "application/json", "Authorization", "Bearer "+c.Key)
	r.Header.Set("Idempotency-Key", requestKey) // it may be blank
	return c.service.Do(t, r)
}

// Repeats holds that an answer is that of a first one again.
func (a Answer) Repeats(t testing.TB, first Answer) {
	t.Helper()
	again := a.Run(t)
	require.NotNil(t, again.Duplicate)
	require.Equal(t, first.Header.Get("X-Run-Id"), *again.RunID)
	require.Empty(t, a.Header.Get("X-Run-Id"), "nothing was stored for it")
	require.Equal(t, first.Run(t).Results, again.Results)
	require.Equal(t, first.Run(t).Guidance, again.Guidance)
}

// Claims counts the request keys that are kept, of all accounts.
func (s *Service) Claims(t testing.TB) int {
	t.Helper()
	return len(s.Query(t, "SELECT holder FROM claims"))
}
