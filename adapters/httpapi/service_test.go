package httpapi

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard"
	"milaan/config"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/only"
)

// service is a server on a free loopback port, around use cases that do what
// the test says. What is not set answers well.
type service struct {
	ports.Reconciling // has Preview, for which HTTP does not ask
	ports.Gate

	admit     func(ctx context.Context, secret string) (ports.Caller, error)
	reconcile func(ctx context.Context, caller ports.Caller, r ports.Request) (*ports.FinishedRun, error)
	makes     func(r ports.DocumentRequest) (*ports.Document, error)
	runDemo   func(ctx context.Context, client string) (*ports.FinishedRun, error)
	write     func(w io.Writer, o *ports.FinishedRun, resultsOnly bool) error
	early     string // the answer that is begun while its run is stored
	isReady   func(ctx context.Context) error
	isWorking func(ctx context.Context) error
	submit    func(ctx context.Context, caller ports.Caller, batch ports.BatchRequest) (ports.SubmittedBatch, error)
	status    func(ctx context.Context, caller ports.Caller, id string) (ports.BatchStatus, error)

	server   *Server
	log      syncBuffer
	mu       sync.Mutex
	released int
	steps    []string // what was asked, in order
}

func (s *service) step(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, name)
}

func (s *service) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.steps)
}

// syncBuffer is a log that a test may read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b.Reset()
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

const (
	goodKey   = "milaan_live_good"
	goodBody  = `{"shopify":"Name,Total\n#1,5","courier":"AWB No\n1"}`
	storedRun = "01890000-0000-7000-8000-000000000001"
	someBatch = "01890000-0000-7000-8000-00000000000b"
)

// The service is its own use cases.

func (s *service) Admit(ctx context.Context, secret string) (ports.Caller, error) {
	return s.admits(ctx, "admit", secret)
}

func (s *service) AdmitAgain(ctx context.Context, secret string) (ports.Caller, error) {
	return s.admits(ctx, "again", secret)
}

func (s *service) AdmitPoll(ctx context.Context, secret string) (ports.Caller, error) {
	return s.admits(ctx, "poll", secret)
}

func (s *service) AdmitRun(context.Context, domain.Account) error { return nil }

func (s *service) CountChange(context.Context, string) error { return nil }

func (s *service) LogRevokedKey(_ context.Context, secret, address string) {
	s.step("revoked? " + secret + " " + address)
}

func (s *service) admits(ctx context.Context, step, secret string) (ports.Caller, error) {
	s.step(step + " " + secret)
	if s.admit != nil {
		return s.admit(ctx, secret)
	}
	return ports.Caller{Account: domain.Account{ID: "account-1", Email: "asha@shop.example"}}, nil
}

func (s *service) Check(r ports.Request) domain.Faults { return r.Misread }

func (s *service) Reconcile(ctx context.Context, caller ports.Caller, r ports.Request) (*ports.FinishedRun, error) {
	s.step("reconcile")
	if err := r.Misread.Err(); err != nil || s.reconcile == nil {
		return s.outcome(storedRun), err
	}
	return s.reconcile(ctx, caller, r)
}

func (s *service) PreviewDocument(ctx context.Context, r ports.DocumentRequest) (*ports.Document, error) {
	return s.MakeDocument(ctx, ports.Caller{}, r)
}

func (s *service) MakeDocument(_ context.Context, _ ports.Caller, r ports.DocumentRequest) (*ports.Document, error) {
	return s.makes(r)
}

func (s *service) outcome(runID string) *ports.FinishedRun {
	return ports.NewFinishedRun(&verdict.Reconciliation{}, domain.Run{ID: runID}, domain.Mapping{}, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.released++
	})
}

// sampler is the demo, whose Demo cannot be a method beside Reconcile's.
type sampler struct{ *service }

func (d sampler) Demo(ctx context.Context, client string) (*ports.FinishedRun, error) {
	d.step("demo " + client)
	if d.runDemo != nil {
		return d.runDemo(ctx, client)
	}
	return d.outcome(""), nil
}

func (d sampler) Sample(context.Context) (*ports.FinishedRun, error) { return d.outcome(""), nil }

type answerer struct {
	peers.Answers
	*service
}

func (a answerer) WritePage(w io.Writer, run *ports.FinishedRun, _, _ peers.Wording, _ peers.Names) error {
	return a.Write(w, run, false)
}

func (a answerer) Begin(_ *ports.FinishedRun, early func([]byte)) {
	if a.early != "" {
		early([]byte(a.early))
	}
}

func (a answerer) Write(w io.Writer, o *ports.FinishedRun, resultsOnly bool) error {
	if a.write != nil {
		return a.write(w, o, resultsOnly)
	}
	text := `{"results":[],"cycle_guidance":{}}`
	if resultsOnly {
		text = `{"results":[]}`
	}
	_, err := io.WriteString(w, text)
	return err
}

// prober answers a probe as the test has set, and else well.
type prober struct {
	answer *func(ctx context.Context) error
}

func (p prober) Held() bool { return false }

func (p prober) Ready(ctx context.Context) error {
	if *p.answer == nil {
		return nil
	}
	return (*p.answer)(ctx)
}

func (s *service) Submit(ctx context.Context, caller ports.Caller, batch ports.BatchRequest) (ports.SubmittedBatch, error) {
	s.step("submit")
	if s.submit != nil {
		return s.submit(ctx, caller, batch)
	}
	return ports.SubmittedBatch{Batch: domain.Batch{ID: someBatch, Jobs: len(batch.Jobs)}, Estimate: 1500 * time.Microsecond}, misreadIn(batch).Err()
}

// misreadIn is what is wrong with the shape of a batch.
func misreadIn(batch ports.BatchRequest) domain.Faults {
	faults := slices.Clone(batch.Misread)
	for i, r := range batch.Jobs {
		for _, f := range r.Misread {
			f.Job = i + 1
			faults = append(faults, f)
		}
	}
	return faults.Sorted()
}

func (s *service) Status(ctx context.Context, caller ports.Caller, id string) (ports.BatchStatus, error) {
	s.step("status " + id)
	if s.status != nil {
		return s.status(ctx, caller, id)
	}
	return ports.BatchStatus{Write: func(w io.Writer) error {
		_, err := io.WriteString(w, `{"status":"queued"}`)
		return err
	}}, nil
}

// sessions has one session, whose secret is signedIn.
type sessions struct{ ports.SigningIn }

const signedIn = "secret-of-a-session"

func (sessions) Check(_ context.Context, secret string) (ports.SignedIn, error) {
	if secret != signedIn {
		return ports.SignedIn{}, domain.ErrSession
	}
	account := domain.Account{ID: "account-1", Email: "asha@shop.example", Plan: domain.Pro, PhoneVerified: true, Subscription: domain.SubscriptionActive}
	return ports.SignedIn{Session: domain.Session{ID: "session-1", AccountID: account.ID}, Account: account, Email: account.Email, Role: domain.Owner}, nil
}

// noProvider identifies nobody.
type noProvider struct{ ports.IdentityProvider }

func (noProvider) Enabled() bool { return false }

// oneLanguage is the catalogue.
type oneLanguage struct{ peers.Languages }

func (oneLanguage) All() []peers.Language    { return nil }
func (oneLanguage) In(string) peers.Wording  { return catalogue }
func (oneLanguage) Names(string) peers.Names { return Names{} }

// catalogue has the words for errors. An adapter does not know another one, so a
// test from outside sets it.
var catalogue peers.Wording

// Speak sets the catalogue.
func Speak(w peers.Wording) bool {
	catalogue = w
	return true
}

func said(err error) string { return catalogue.Message(err, Names{}) }

type noCouriers struct{ ports.Couriers }

func (noCouriers) Catalogue() []ports.CourierInfo {
	return []ports.CourierInfo{{ID: "dtdc", Name: "DTDC"}}
}

// params are those of a server on a port that is free, whose settings a test may change.
func (s *service) params(change func(*Settings)) Params {
	settings := newSettings(config.Defaults().HTTP, nil)
	settings.Addr = "127.0.0.1:0"
	if change != nil {
		change(&settings)
	}
	return Params{
		Settings: settings, Log: slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Gate: s, Reconciling: s, Documents: s, Demo: sampler{s}, Batching: s, Couriers: noCouriers{}, Answers: answerer{service: s}, Ahead: answerer{service: s}, Wording: catalogue, Database: prober{&s.isReady}, Engine: prober{&s.isWorking},
		Dashboard: dashboard.Params{Clock: time.Now, SigningIn: sessions{}, Provider: noProvider{}, Couriers: noCouriers{}, Languages: oneLanguage{}, Background: ports.Background{RunRetention: 731 * 24 * time.Hour}, Phones: noPhones{}, Gate: s},
	}
}

// noPhones sends no phone codes.
type noPhones struct{ ports.VerifyingPhones }

func (noPhones) CanSend() bool { return false }

// start starts a service that has no other routes than the dashboard's if more adds routes
// to these, and that serves until the test's end.
func start(t *testing.T, change func(*Settings), more ...func(dashboard.Routes)) *service {
	t.Helper()
	s := &service{}
	s.server = only.Value(New(s.params(change)))(t)
	if len(more) > 0 {
		e := s.server.newEngine(s.server.demandHTTPS)
		routes := s.server.dashboard.Routes(e)
		for _, add := range more {
			add(routes)
		}
		s.server.public = s.server.serverOf(e)
	}
	require.NoError(t, s.server.Start(t.Context()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = s.server.Stop(ctx) // a test may have stopped it, or left a request behind
	})
	return s
}

func (s *service) url(path string) string { return "http://" + s.server.Addr().String() + path }

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

func do(t *testing.T, r *http.Request) reply {
	t.Helper()
	return only.Value(attempt(r))(t)
}

func attempt(r *http.Request) (reply, error) {
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, string(text)}, err
}

// post is a request to POST /reconcile as it should be, but for its body.
func (s *service) post(t *testing.T, body io.Reader) *http.Request {
	t.Helper()
	return s.postTo(t, "/reconcile", body)
}

func (s *service) postTo(t *testing.T, path string, body io.Reader) *http.Request {
	t.Helper()
	r := only.Value(http.NewRequestWithContext(t.Context(), http.MethodPost, s.url(path), body))(t)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+goodKey)
	return r
}

func (s *service) call(t *testing.T, method, path string, header ...string) reply {
	t.Helper()
	return call(t, method, s.url(path), header...)
}

// callOperations asks the listener for the operator.
func (s *service) callOperations(t *testing.T, path string) reply {
	t.Helper()
	return call(t, http.MethodGet, "http://"+s.server.metricsAt.String()+path)
}

func call(t *testing.T, method, url string, header ...string) reply {
	t.Helper()
	r := only.Value(http.NewRequestWithContext(t.Context(), method, url, nil))(t)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return do(t, r)
}

// demandError checks the contract's one-field body.
func demandError(t *testing.T, got reply, status int, text string) {
	t.Helper()
	require.Equal(t, status, got.status, got.body)
	require.Equal(t, jsonType, got.header.Get("Content-Type"))
	require.NotEmpty(t, got.header.Get("X-Request-Id"))
	require.Equal(t, string(errorBody(text)), got.body)
}

// Short names for what the tests say often.
type (
	caller  = ports.Caller
	request = ports.Request
	batched = ports.BatchRequest
	outcome = ports.FinishedRun
	writer  = io.Writer
)

func text(s string) io.Reader { return strings.NewReader(s) }

// figure is the sum of a metric over its labels; labels, in pairs, narrow it.
func figure(t *testing.T, f *figures, name string, labels ...string) float64 {
	t.Helper()
	families := only.Value(f.registry.Gather())(t)
	sum := 0.0
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
	metrics:
		for _, m := range family.GetMetric() {
			has := map[string]string{}
			for _, l := range m.GetLabel() {
				has[l.GetName()] = l.GetValue()
			}
			for i := 0; i < len(labels); i += 2 {
				if has[labels[i]] != labels[i+1] {
					continue metrics
				}
			}
			sum += m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return sum
}
