package httpapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard/assets"
	"milaan/adapters/httpapi/intake"
	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/web"
	"milaan/tests/only"
)

func TestRoutes(t *testing.T) {
	s := start(t, nil)
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/healthz", 200, ""}, {"HEAD", "/healthz", 200, ""},
		{"GET", "/readyz", 200, ""}, {"HEAD", "/readyz", 200, ""},
		{"GET", "/metrics", 200, ""}, {"HEAD", "/metrics", 200, ""},
		{"GET", "/openapi.json", 200, ""}, {"HEAD", "/openapi.json", 200, ""},
		{"GET", "/docs", 200, ""}, {"HEAD", "/docs", 200, ""},
		{"GET", "/demo", 200, ""}, {"HEAD", "/demo", 200, ""},
		{"POST", "/reconcile/batch", 415, ""}, {"GET", "/status/7", 401, ""}, {"HEAD", "/status/7", 401, ""},
		{"GET", "/reconcile", 405, "POST"}, {"PUT", "/reconcile", 405, "POST"}, {"OPTIONS", "/reconcile", 405, "POST"},
		{"GET", "/generate-api-key", 405, "POST"}, {"GET", "/reconcile/batch", 405, "POST"},
		{"POST", "/demo", 405, "GET, HEAD"}, {"DELETE", "/", 405, "GET, HEAD"}, {"POST", "/status/7", 405, "GET, HEAD"},
		{"BREW", "/demo", 405, "GET, HEAD"},
		{"GET", "/nothing", 404, ""}, {"POST", "/reconcile/", 404, ""}, {"GET", "/status/", 404, ""}, {"GET", "//demo", 404, ""},
	} {
		got := s.call(t, c.method, c.path)
		require.Equal(t, c.status, got.status, "%s %s", c.method, c.path)
		require.Equal(t, c.allow, got.header.Get("Allow"), "%s %s", c.method, c.path)
		require.NotEmpty(t, got.header.Get("X-Request-Id"))
		switch {
		case c.method == "HEAD":
			require.Empty(t, got.body)
		case c.status == 404:
			demandError(t, got, 404, said(errNoRoute))
		case c.status == 405:
			demandError(t, got, 405, said(errNoMethod))
		}
	}
	log := s.log.String()
	require.Contains(t, log, "route=/status/:job_id")
	require.NotContains(t, log, "/nothing", "paths are the caller's")
	require.NotContains(t, log, "BREW")
}

func TestRequestIDs(t *testing.T) {
	s := start(t, nil)
	for given, kept := range map[string]bool{
		"abc-DEF_1.9": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "a b": false, "a/b": false, "": false, "é": false,
	} {
		got := s.call(t, "GET", "/healthz", "X-Request-Id", given).header.Get("X-Request-Id")
		if kept {
			require.Equal(t, given, got)
			continue
		}
		require.EqualValues(t, 7, only.Value(uuid.Parse(got))(t).Version())
	}
}

func TestReadiness(t *testing.T) {
	s := start(t, nil)
	database := domain.ErrDatabase.Caused(errors.New("no route"))
	engine := domain.ErrEngine.Caused(errors.New("nothing is done"))
	for _, c := range []struct {
		database, engine error
		stops            bool // while the probe is under way
		want             error
	}{{want: nil}, {database: database, want: domain.ErrDatabase}, {engine: engine, want: domain.ErrEngine}, {engine: engine, stops: true, want: errDraining}, {want: nil}} {
		s.isReady = func(context.Context) error { return c.database }
		s.isWorking = func(context.Context) error {
			s.server.draining.Store(c.stops)
			return c.engine
		}
		got := s.call(t, "GET", "/readyz")
		s.server.draining.Store(false)
		require.Equal(t, 200, s.call(t, "GET", "/healthz").status)
		if c.want == nil {
			require.JSONEq(t, `{"status":"ok"}`, got.body)
			continue
		}
		demandError(t, got, 503, said(c.want))
		require.Equal(t, "5", got.header.Get("Retry-After"))
	}
	require.Contains(t, s.log.String(), "nothing is done")
	require.Contains(t, s.log.String(), `"request failed"`)
	s.log.reset()
	s.server.draining.Store(true)
	demandError(t, s.call(t, "GET", "/readyz"), 503, said(errDraining))
	s.server.draining.Store(false)
	require.Eventually(t, func() bool { return strings.Contains(s.log.String(), "code=stopping") }, time.Minute, time.Millisecond)
	require.NotContains(t, s.log.String(), "request failed", "a stop is no failure")
}

// While nothing can be stored, all requests fail alike: the log must not fill what is left of the disk.
func TestLinesAboutFailuresAreLimited(t *testing.T) {
	s := start(t, nil)
	s.isReady = func(context.Context) error { return domain.ErrDiskFull.Caused(errors.New("no space left")) }
	for range 50 {
		demandError(t, s.call(t, "GET", "/readyz"), 503, said(domain.ErrDiskFull))
	}
	require.Equal(t, 20, strings.Count(s.log.String(), "no space left"))
	s.isReady = func(context.Context) error { return errors.New("a fault of the program") }
	for range 30 {
		require.Equal(t, 500, s.call(t, "GET", "/readyz").status)
	}
	require.Equal(t, 30, strings.Count(s.log.String(), "a fault of the program"))
}

func TestMetricsOnTheirOwnAddress(t *testing.T) {
	s := start(t, func(s *Settings) { s.MetricsAddr = "127.0.0.1:0" })
	require.Equal(t, 404, s.call(t, "GET", "/metrics").status)
	require.Equal(t, 200, do(t, s.post(t, text(goodBody))).status)
	figures := call(t, "GET", "http://"+s.server.metricsAt.String()+"/metrics", "Accept",
		"application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,application/openmetrics-text;q=0.5")
	require.Equal(t, 200, figures.status)
	require.Contains(t, figures.header.Get("Content-Type"), "text/plain; version=0.0.4", "whatever is asked for")
	require.Contains(t, figures.body, "# HELP milaan_runs_total Runs asked for by POST /reconcile")
	require.Contains(t, figures.body, "# TYPE milaan_http_request_seconds histogram")
	for _, line := range []string{
		`milaan_http_requests_total{method="POST",route="/reconcile",status="200"} 1`, `milaan_http_requests_total{method="GET",route="none",status="404"} 1`,
		`milaan_http_request_seconds_count{route="/reconcile"} 1`, `milaan_runs_total{outcome="stored"} 1`, `milaan_flags_total{flag="MISSING"} 0`,
		`milaan_rate_limited_total{route="/reconcile"} 0`, `milaan_rate_limited_total{route="/demo"} 0`,
		`milaan_connections_refused_total{reason="peer_limit"} 0`, "milaan_body_bytes 0", "milaan_body_waiting 0", `milaan_build_info{go_version="` + runtime.Version() + `",revision="`, `",version="` + config.ThisBuild().Version + `"} 1`, "go_goroutines ", "process_start_time_seconds ",
	} {
		require.Contains(t, figures.body, line)
	}
	require.Equal(t, 200, s.callOperations(t, "/healthz").status)
	require.Equal(t, 200, s.callOperations(t, "/readyz").status)
	demandError(t, s.callOperations(t, "/demo"), 404, said(errNoRoute))
}

func TestDocumentationWithASlash(t *testing.T) {
	s := start(t, nil)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		answer := s.call(t, method, "/docs/")
		require.Equal(t, http.StatusMovedPermanently, answer.status)
		require.Equal(t, "/docs", answer.header.Get("Location"))
	}
	demandError(t, s.call(t, http.MethodPost, "/docs/"), 404, said(errNoRoute))
}

func TestWhatCannotStartSaysWhatToSet(t *testing.T) {
	taken := start(t, nil).server.Addr().String()
	for says, change := range map[string]func(*Settings){
		taken + ": bind: address already in use: set MILAAN_ADDR to another address":            func(s *Settings) { s.Addr = taken },
		taken + ": bind: address already in use: set MILAAN_METRICS_ADDR to another address":    func(s *Settings) { s.MetricsAddr = taken },
		"load the certificate of MILAAN_TLS_CERT with the key of MILAAN_TLS_KEY: open none.pem": func(s *Settings) { s.TLSCert, s.TLSKey = "none.pem", "none.pem" },
	} {
		require.ErrorContains(t, only.Value(New((&service{}).params(change)))(t).Start(t.Context()), says)
	}
}

// A request in flight is finished; a new one finds no listener; the probe on
// the metrics address says not ready meanwhile.
func TestStopDrains(t *testing.T) {
	s := start(t, func(s *Settings) { s.MetricsAddr = "127.0.0.1:0" })
	working, finish := make(chan struct{}), make(chan struct{})
	s.reconcile = func(context.Context, caller, request) (*outcome, error) {
		close(working)
		<-finish
		return s.outcome(storedRun), nil
	}
	answered := make(chan reply)
	go func() {
		got, _ := attempt(s.post(t, text(goodBody)))
		answered <- got
	}()
	<-working
	stopped := make(chan error)
	go func() { stopped <- s.server.Stop(context.Background()) }()
	require.NoError(t, s.server.Wait(), "the listener has ended")

	require.Error(t, only.Err(attempt(s.post(t, text(goodBody)))), "no new connections")
	demandError(t, s.callOperations(t, "/readyz"), 503, said(errDraining))

	close(finish)
	require.Equal(t, 200, (<-answered).status)
	require.NoError(t, <-stopped)
}

// From the order to stop on, /readyz says so and everything else is answered as
// before, for as long as the load balancer needs to notice.
func TestStopServesForItsDelay(t *testing.T) {
	s := &service{}
	s.server = only.Value(New(s.params(func(s *Settings) { s.DrainDelay = 20 * time.Second })))(t)
	ask := func(method, path string, body io.Reader) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, body)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+goodKey)
		w := httptest.NewRecorder()
		s.server.public.Handler.ServeHTTP(w, r)
		return w
	}
	s.server.transport.loopback = true
	require.Equal(t, 200, ask("GET", "/readyz", nil).Code)
	require.Empty(t, ask("POST", "/reconcile", text(goodBody)).Header().Get("Connection"))
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		stopped := make(chan error, 1)
		go func() { stopped <- s.server.Stop(t.Context()) }()
		time.Sleep(20*time.Second - 1) // synctest's clock
		synctest.Wait()
		require.Empty(t, stopped)
		w := ask("GET", "/readyz", nil)
		require.Equal(t, 503, w.Code)
		require.Equal(t, string(errorBody(said(errDraining))), w.Body.String())
		require.Equal(t, 200, ask("GET", "/healthz", nil).Code)
		w = ask("POST", "/reconcile", text(goodBody))
		require.Equal(t, 200, w.Code)
		require.Equal(t, "close", w.Header().Get("Connection"), "the next request goes to another instance")
		require.NoError(t, <-stopped)
		require.Equal(t, 20*time.Second, time.Since(began))
	})
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.NoError(t, s.server.Stop(ctx), "nobody was connected")
		require.Equal(t, time.Second, time.Since(began), "the delay is no longer than the time that there is")
	})
}

func TestStopDoesNotWaitForever(t *testing.T) {
	s := start(t, func(s *Settings) { s.DrainTimeout = 20 * time.Millisecond })
	working := make(chan struct{})
	s.reconcile = func(ctx context.Context, _ caller, _ request) (*outcome, error) {
		close(working)
		<-ctx.Done() // cut off
		return nil, ctx.Err()
	}
	answered := make(chan error)
	go func() {
		_, err := attempt(s.post(t, text(goodBody)))
		answered <- err
	}()
	<-working
	require.ErrorIs(t, s.server.Stop(context.Background()), context.DeadlineExceeded)
	require.Error(t, <-answered)
}

func TestTLS(t *testing.T) {
	cert, key, roots := web.Certificate(t)
	s := start(t, func(s *Settings) { s.TLSCert, s.TLSKey = cert, key })
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
	post := func(body string) reply {
		r := s.post(t, text(body))
		r.URL.Scheme = "https"
		answer, err := client.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		require.Equal(t, 2, answer.ProtoMajor)
		return reply{answer.StatusCode, answer.Header, ""}
	}
	s.admit = func(context.Context, string) (caller, error) { return caller{}, domain.ErrKey }
	require.Equal(t, 401, post(padded(intake.MaxBody)).status)
	s.admit = nil
	got := post(padded(intake.MaxBody))
	require.Equal(t, 200, got.status)
	require.Equal(t, "max-age=31536000", got.header.Get("Strict-Transport-Security"))

	require.Equal(t, 400, s.call(t, "GET", "/healthz").status, "plain HTTP on the TLS port")
	client.CloseIdleConnections() // a stop waits a second for a client of HTTP/2 to leave
	require.NoError(t, s.server.Stop(t.Context()))
	require.NotRegexp(t, regexp.MustCompile(`127\.0\.0\.1:\d+: `), s.log.String(), "a client's address is in the log")
}

func TestFiguresOfOneNameAreRefused(t *testing.T) {
	p := (&service{}).params(nil)
	p.Collectors = []prometheus.Collector{prometheus.NewGauge(prometheus.GaugeOpts{Name: "milaan_body_bytes", Help: "Of a test."})}
	require.ErrorContains(t, only.Err(New(p)), "milaan_body_bytes")
}

// TestPagesOfTheDashboard holds that each page and file is served, and that a mistyped address
// of a page is answered with the page, which says so.
func TestPagesOfTheDashboard(t *testing.T) {
	s := start(t, nil)
	for _, page := range assets.Pages {
		got := s.call(t, "GET", strings.ReplaceAll(page, ":id", "0198"))
		require.Equal(t, 200, got.status, page)
		require.Equal(t, "text/html; charset=utf-8", got.header.Get("Content-Type"), page)
		require.Contains(t, got.header.Get("Content-Security-Policy"), "trusted-types 'none'", page)
		for _, file := range regexp.MustCompile(`/app/assets/[a-z.-]+`).FindAllString(got.body, -1) {
			again := strings.Replace(file, assets.At, assets.At+"again/2/", 1)
			require.Equal(t, 200, s.call(t, "GET", file).status, file)
			require.Equal(t, s.call(t, "GET", file).body, s.call(t, "GET", again).body)
		}
	}
	for _, unknown := range []string{"/app/nothing", "/app/history/1/2"} {
		got := s.call(t, "GET", unknown)
		require.Equal(t, 404, got.status, unknown)
		require.Equal(t, "text/html; charset=utf-8", got.header.Get("Content-Type"), unknown)
	}
	for _, got := range []reply{s.call(t, "GET", "/app/assets/nothing.js"), s.call(t, "GET", "/app/api/nothing"), s.call(t, "POST", "/app/nothing")} {
		require.Equal(t, 404, got.status)
		require.Contains(t, got.body, `"code":"route_missing"`)
	}
	demandError(t, s.call(t, "GET", "/application"), 404, said(errNoRoute))
	require.Equal(t, "/app", s.call(t, "GET", "/app/").header.Get("Location"))
}

// TestThePagesKnowTheLimits holds that pages refuse no file that the service would take.
func TestThePagesKnowTheLimits(t *testing.T) {
	me := start(t, nil).call(t, "GET", "/app/api/me")
	require.Contains(t, me.body, fmt.Sprintf(`"body_bytes":%d}`, intake.MaxUpload))
}

// TestIDsThatNobodyCanHave: PostgreSQL would fail on them.
func TestIDsThatNobodyCanHave(t *testing.T) {
	s := start(t, nil)
	refused := func(method, path string, missing error) {
		got := s.call(t, method, path)
		require.Equal(t, http.StatusNotFound, got.status, path)
		require.Contains(t, got.body, said(missing))
	}
	for _, id := range []string{"%00", "a%ff"} {
		refused("GET", "/connections/"+id+"/open-items", domain.ErrNoConnection)
		refused("GET", "/account/connections/"+id, domain.ErrNoConnection)
		refused("DELETE", "/app/api/connections/c/files/"+id, domain.ErrNoConnection)
		refused("DELETE", "/account/people/"+id, domain.ErrNoMember)
	}
}
