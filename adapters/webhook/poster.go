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
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"milaan/domain"
	"milaan/ports"
)

// maxHeaders bounds the headers of an answer, in bytes.
const maxHeaders = 16 << 10

// Settings are the service's settings of webhooks, and what tests replace the network with.
type Settings struct {
	// AllowLoopback also allows endpoints on this machine, by https or plain http, but no
	// other addresses that are not public. For development.
	AllowLoopback bool
	RootCAs       *x509.CertPool // nil: the system's
	Resolver      Resolver       // nil: the system's
	Dial          Dial           // nil: the network, where the guard also checks at the socket
}

// Poster calls endpoints. It fills ports.Poster and is safe for concurrent use.
type Poster struct {
	settings      Settings
	clock         ports.Clock
	secure, plain way
	posts         *prometheus.CounterVec
}

// way is how the endpoints of one scheme are reached.
type way struct {
	*guard
	transport *http.Transport
}

// New makes a Poster.
func New(settings Settings, clock ports.Clock) *Poster {
	s := &Poster{
		settings: settings, clock: clock,
		secure: newWay(secureGuard(settings), settings.RootCAs),
		plain:  newWay(plainGuard(settings), nil),
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
func newWay(g *guard, roots *x509.CertPool) way {
	return way{g, &http.Transport{
		DialContext:            g.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    domain.PostLimit,
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeaders,
	}}
}

func (s *Poster) wayTo(u *url.URL) way {
	if u.Scheme == "http" {
		return s.plain
	}
	return s.secure
}

// Check fills ports.Poster. It looks the host up, within domain.PostLimit.
func (s *Poster) Check(ctx context.Context, field domain.Field, endpoint string) domain.Faults {
	u, fault := parse(endpoint, s.settings.AllowLoopback)
	if fault.Rule == "" {
		fault = s.reach(ctx, u)
	}
	return faultsOf(field, fault)
}

// CheckText fills ports.Poster.
func (s *Poster) CheckText(field domain.Field, endpoint string) domain.Faults {
	_, fault := parse(endpoint, s.settings.AllowLoopback)
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
	_, err := s.wayTo(u).addresses(ctx, u.Hostname())
	host := domain.Shortened(u.Hostname())
	switch {
	case err == nil:
		return domain.Fault{}
	case errors.Is(err, errForbidden) && u.Scheme == "http":
		return domain.Fault{Rule: domain.RuleHTTPSHere}
	case errors.Is(err, errForbidden), unknownName(err):
		// The fault is the same for both: the difference would tell which names exist in the
		// network of the service.
		return domain.Fault{Rule: domain.RulePublic, Value: host, Loopback: !s.settings.AllowLoopback && ofThisMachine(u.Hostname())}
	}
	return domain.Fault{Rule: domain.RuleNameServers, Value: host}
}

// ofThisMachine says whether the text of a host means this machine, without a lookup.
func ofThisMachine(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}

// unknownName says whether DNS has answered that there is no address.
func unknownName(err error) bool {
	e, ok := errors.AsType[*net.DNSError](err)
	return errors.Is(err, errNoAddress) || ok && e.IsNotFound
}

// Post fills ports.Poster. The body of a 2xx answer is not read. Of any other answer the
// first bytes are read, as far as they come in time.
func (s *Poster) Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt {
	began := s.clock()
	a := s.post(ctx, endpoint, headers, body)
	a.Took = s.clock().Sub(began)
	s.posts.WithLabelValues(string(a.Outcome)).Inc()
	return a
}

// Collector returns the count of the POSTs of this instance, by outcome, for Prometheus.
func (s *Poster) Collector() prometheus.Collector { return s.posts }

func (s *Poster) post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt {
	u, fault := parse(endpoint, s.settings.AllowLoopback)
	if fault.Rule != "" {
		return domain.Attempt{Outcome: domain.OutcomeForbidden, Failure: "the endpoint is not one that may be called: set it again to be told why"}
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
		return failedAttempt(ctx, err)
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
