package service

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/adapters"
	"milaan/adapters/httpapi"
	"milaan/app"
	"milaan/config"
	"milaan/couriers"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/postgres"
)

// Options are what a test's service differs in.
type Options struct {
	DatabaseURL string    // blank: SQLite in a folder of the test's own
	Now         time.Time // zero: Morning
	Settings    func(*config.Config)
	Trust       *x509.CertPool // of the client, where Settings turn TLS on
	// Broken takes the place of a part, to see how its faults are answered, or
	// what others see while it stands still.
	Broken fx.Option
	// FaultsExpected lets the log hold errors; without it one fails the test.
	FaultsExpected bool

	clock *Clock // nil: one of its own
}

// Service is a running service.
type Service struct {
	URL         string
	DataDir     string
	DatabaseURL string
	Clock       *Clock
	Log         *Log
	Manage      ports.ManagingAccounts
	Webhooks    ports.ManagingWebhooks
	Deliveries  ports.ManagingWebhooks
	Batching    ports.Batching
	Branding    ports.ManagingAccounts
	Housekeep   app.Housekeeping
	Sign        ports.SigningIn
	Links       ports.SigningIn
	Subkeys     ports.Subkeys
	Couriers    ports.Couriers
	Reconciling ports.Reconciling
	Answers     peers.Answers
	Routes      []string                               // such as GET /app/api/me
	Stop        func()                                 // stops the service before the end of the test
	StopWithin  func(t testing.TB, most time.Duration) // the same, with so little time for what is under way

	client      *http.Client
	header      []string // of every request, as that of Request
	description *description
	stopping    context.Context
	secrets     sync.Map // keys and tokens that a test has seen

	querying sync.Once
	queries  *sql.DB // of Query, once it has asked a server
}

// Start runs a service until the end of the test.
func Start(t testing.TB, o Options) *Service {
	t.Helper()
	settings := config.Defaults()
	settings.HTTP.Addr = "127.0.0.1:0"
	settings.Storage.DataDir = t.TempDir()
	settings.Storage.DatabaseURL = config.DatabaseURL(postgres.Narrow(o.DatabaseURL))
	settings.Secrets.DataDir = settings.Storage.DataDir
	settings.Log.Level = slog.LevelDebug
	if o.Settings != nil {
		o.Settings(&settings)
	}
	if o.DatabaseURL == "" {
		require.NoError(t, beginMigrated(settings.Storage.DataDir))
	}
	s := &Service{DataDir: settings.Storage.DataDir, DatabaseURL: o.DatabaseURL, Clock: o.clock, Log: &Log{}}
	s.Clock = cmp.Or(s.Clock, &Clock{now: Morning})
	if !o.Now.IsZero() {
		s.Clock.Set(o.Now)
	}
	if o.Broken == nil {
		o.Broken = fx.Options()
	}
	var server *httpapi.Server
	program := fx.New(config.Module(), couriers.Module(), app.Module(), adapters.Module(), fx.NopLogger,
		fx.Replace(settings), o.Broken,
		fx.Decorate(func(ports.Clock) ports.Clock { return s.Clock.Now }),
		fx.Decorate(func(*slog.Logger) *slog.Logger {
			return adapters.NewLog(s.Log, slog.LevelDebug)
		}),
		fx.Populate(&server, &s.Manage, &s.Webhooks, &s.Deliveries, &s.Batching, &s.Branding, &s.Housekeep, &s.Sign, &s.Links, &s.Subkeys, &s.Couriers, &s.Reconciling, &s.Answers))
	require.NoError(t, program.Start(t.Context()))
	s.URL, s.Routes = "http://"+server.Addr().String(), server.Routes()
	transport := &http.Transport{MaxIdleConnsPerHost: 64, ForceAttemptHTTP2: true, ExpectContinueTimeout: workTime}
	if settings.HTTP.TLS() {
		s.URL = "https://" + server.Addr().String()
		transport.TLSClientConfig = &tls.Config{RootCAs: o.Trust, MinVersion: tls.VersionTLS12}
	}
	s.client = &http.Client{Transport: transport, Timeout: workTime}
	stop := sync.OnceValue(func() error {
		transport.CloseIdleConnections()
		return program.Stop(s.stopping)
	})
	s.stopping = context.WithoutCancel(t.Context())
	s.Stop = func() { require.NoError(t, stop()) }
	s.StopWithin = func(t testing.TB, most time.Duration) {
		t.Helper()
		ctx, cancel := context.WithTimeout(s.stopping, most)
		defer cancel()
		s.stopping = ctx
		s.Stop()
	}
	t.Cleanup(func() {
		s.Stop()
		s.checkLog(t, o.FaultsExpected)
		if s.queries != nil {
			_ = s.queries.Close()
		}
	})
	s.description = s.describe(t)
	return s
}

// unitless finds a duration as Go writes it, where the log must have a number.
var unitless = regexp.MustCompile(`":"(\d+(\.\d+)?(ns|µs|ms|s|m|h))+"`)

// checkLog holds at the end of every test: no secret that the service has
// handed out is in its log, and no fault that the test did not provoke.
func (s *Service) checkLog(t testing.TB, faultsExpected bool) {
	t.Helper()
	text := s.Log.String()
	for secret := range s.secrets.Range {
		if strings.Contains(text, secret.(string)) {
			t.Errorf("the log holds a secret: %.20s…", secret)
		}
	}
	for line := range strings.Lines(text) {
		if unitless.MatchString(line) {
			t.Errorf("the log writes a duration as text: %s", line)
		}
		if strings.Contains(line, `"level":"ERROR"`) && !faultsExpected {
			t.Errorf("the log tells of a fault: %s", line)
		}
	}
}

// Log is everything that the service has written to its log.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
