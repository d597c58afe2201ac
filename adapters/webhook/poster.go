package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// maxHeaders bounds the headers of an answer, in bytes.
const maxHeaders = 16 << 10

// Settings are the service's settings of webhooks.
type Settings struct {
	// AllowLoopback also allows endpoints on this machine, by https or plain http, but no
	// other addresses that are not public. For development.
	AllowLoopback bool
	RootCAs       *x509.CertPool // nil: the system's
	Guards        peers.Guards
}

// Poster calls endpoints. It is safe for concurrent use.
type Poster struct {
	settings      Settings
	clock         ports.Clock
	secure, plain way
	posts         *prometheus.CounterVec
}

// way is how the endpoints of one scheme are reached.
type way struct {
	peers.Guard
	transport *http.Transport
}

// New makes a Poster.
func New(settings Settings, clock ports.Clock) *Poster {
	s := &Poster{
		settings: settings, clock: clock,
		secure: newWay(settings.Guards.For(settings.AllowLoopback), settings.RootCAs),
		plain:  newWay(settings.Guards.ThisMachine(), nil),
		posts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "milaan_webhook_attempts_total",
			Help: "POSTs to customers' endpoints that this instance has made, by how they ended."}, []string{"outcome"}),
	}
	for _, o := range []domain.Outcome{domain.OutcomeDelivered, domain.OutcomeRefused, domain.OutcomeRedirected,
		domain.OutcomeTimeout, domain.OutcomeUnreachable, domain.OutcomeForbidden} {
		s.posts.WithLabelValues(string(o)) // so that the figure is there from the start
	}
	return s
}

// newWay makes a transport without a proxy, which would dial by itself. It keeps no
// connection, so that the guard checks each POST anew, and no POST fails because the other
// side has closed a kept connection.
func newWay(g peers.Guard, roots *x509.CertPool) way {
	return way{g, &http.Transport{
		DialContext:            dialUntilEnd(g),
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    domain.PostLimit,
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeaders,
	}}
}

// endOfAttempt is the key of the time at which an attempt ends. It is a value of the
// attempt's context because the transport detaches a dial from the deadline of its request,
// so that another request may use the connection; here none does.
type endOfAttempt struct{}

func withEnd(ctx context.Context, end time.Time) context.Context {
	return context.WithValue(ctx, endOfAttempt{}, end)
}

// dialUntilEnd dials connections that end with the attempt that they are dialled for, or
// after domain.PostLimit. A context is not enough for that: the transport hands some
// connections over, such as that of an answer of 101, and then no context ends them.
func dialUntilEnd(g peers.Guard) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		end, ok := ctx.Value(endOfAttempt{}).(time.Time)
		if !ok {
			end = time.Now().Add(domain.PostLimit)
		}
		ctx, cancel := context.WithDeadline(ctx, end)
		defer cancel()
		return g.DialContext(ctx, network, address)
	}
}

func (s *Poster) wayTo(u *url.URL) way {
	if u.Scheme == "http" {
		return s.plain
	}
	return s.secure
}

// Check looks the host up, within domain.PostLimit.
func (s *Poster) Check(ctx context.Context, field domain.Field, endpoint string) domain.Faults {
	u, fault := s.parse(endpoint)
	if fault.Rule == "" {
		fault = s.reach(ctx, u)
	}
	return faultsOf(field, fault)
}

func (s *Poster) CheckText(field domain.Field, endpoint string) domain.Faults {
	_, fault := s.parse(endpoint)
	return faultsOf(field, fault)
}

func faultsOf(field domain.Field, fault domain.Fault) (faults domain.Faults) {
	fault.Field = field
	faults.Add(fault.Rule != "", fault)
	return faults
}

// reach looks the host of an endpoint up, and says what is wrong with its addresses.
func (s *Poster) reach(ctx context.Context, u *url.URL) domain.Fault {
	ctx, cancel := context.WithTimeout(ctx, domain.PostLimit)
	defer cancel()
	fault := s.wayTo(u).Check(ctx, u.Hostname())
	if fault.Rule == domain.RulePublic && u.Scheme == "http" {
		return domain.Fault{Rule: domain.RuleHTTPSHere}
	}
	return fault
}

// Post does not read the body of a 2xx answer. Of any other answer it reads the first
// bytes, as far as they come in time.
func (s *Poster) Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt {
	began := s.clock()
	posting := ports.SpanOf(ctx).Step(ports.StepPost)
	a := s.post(ctx, endpoint, headers, body)
	a.Took = s.clock().Sub(began)
	posting.Set(ports.SpanOutcome, string(a.Outcome))
	posting.End(nil) // that an endpoint fails is no fault of the service
	s.posts.WithLabelValues(string(a.Outcome)).Inc()
	return a
}

// Collector returns the count of the POSTs of this instance, by outcome, for Prometheus.
func (s *Poster) Collector() prometheus.Collector { return s.posts }

func (s *Poster) post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt {
	u, fault := s.parse(endpoint)
	if fault.Rule != "" {
		return domain.Attempt{Outcome: domain.OutcomeForbidden,
			Failure: "the endpoint is not one that may be called: set it again to be told why"}
	}
	end := time.Now().Add(domain.PostLimit)
	limited, cancel := context.WithDeadline(withEnd(ctx, end), end)
	defer cancel()
	// The transport is used without a client, which would follow redirects and keep cookies.
	answer, err := s.wayTo(u).transport.RoundTrip(newRequest(limited, u, headers, body))
	if err != nil {
		if !time.Now().Before(end) {
			err = errors.Join(err, context.DeadlineExceeded) // the connection may report its end in another way
		}
		return failedAttempt(ctx, err, s.secure.Forbidden(err))
	}
	defer func() { _ = answer.Body.Close() }()
	return attemptOf(u, answer)
}

// newRequest makes a request whose body can be read only once. Otherwise the transport might
// send it again by itself, and an attempt is one POST.
func newRequest(ctx context.Context, u *url.URL, headers []domain.Header, body []byte) *http.Request {
	r := (&http.Request{
		Method: http.MethodPost, URL: u, Host: u.Host, Header: http.Header{},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}).WithContext(ctx)
	for _, h := range headers {
		r.Header.Set(h.Name, h.Value)
	}
	return r
}
