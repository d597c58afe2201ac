package webhook_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/network"
)

// script is what a hostile endpoint does with a connection. It returns when it
// cannot write any more.
type script func(c net.Conn)

// drip writes a beginning, and then a piece over and over until the connection
// is gone.
func drip(begin, piece string, pause time.Duration) script {
	return func(c net.Conn) {
		for _, err := io.WriteString(c, begin+piece); err == nil; _, err = io.WriteString(c, piece) {
			time.Sleep(pause)
		}
	}
}

// silence holds the line.
func silence(begin string) script {
	return func(c net.Conn) {
		if begin != "" { // an empty write is read too
			_, _ = io.WriteString(c, begin)
		}
	}
}

func frame(kind, flags byte, stream byte, payload string) string {
	n := len(payload)
	return string([]byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags, 0, 0, 0, stream}) + payload
}

// The frames of HTTP/2 that the endpoints use.
var (
	frameSettings = frame(4, 0, 0, "")
	framePing     = frame(6, 0, 0, "12345678")
	// frameHints is an answer with status 103, as a literal that is not indexed.
	frameHints = frame(1, 4, 1, "\x08\x03103")
	frame101   = frame(1, 4, 1, "\x08\x03101")
	// frameBegun is a header block that is not at its end.
	frameBegun = frame(1, 0, 1, "")
	frameMore  = frame(9, 0, 1, "\x00\x01x\x01y")
)

// endpointOn plays a script on each connection of a wire, over TLS if there is a
// certificate. gone gets the time at which each connection ended.
func endpointOn(t *testing.T, w *network.Wire, certificate *tls.Certificate, protocols []string, play script) (gone chan time.Time) {
	gone = make(chan time.Time, 8)
	serve := func(c net.Conn) {
		defer func() { _ = c.Close() }()
		if _, err := c.Read(make([]byte, 16<<10)); err == nil { // an answer before the question is none
			go play(c)
		}
		_, _ = io.Copy(io.Discard, c) // until the other side ends it
		gone <- time.Now()
	}
	go func() {
		for {
			c, err := w.Accept()
			if err != nil {
				return
			}
			if certificate != nil {
				c = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{*certificate}, NextProtos: protocols})
			}
			go serve(c)
		}
	}()
	t.Cleanup(func() { _ = w.Close() })
	return gone
}

// certified is a certificate for example.com, and what trusts it.
func certified(t *testing.T) (*tls.Certificate, *x509.CertPool) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return &server.TLS.Certificates[0], roots
}

// Whatever an endpoint does with the line, an attempt and its connection end
// with the limit at the latest, and an answer of 1xx is a failure.
func TestAnAttemptEndsWhateverTheEndpointDoes(t *testing.T) {
	certificate, roots := certified(t)
	const held = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: line\r\n\r\n"
	const hints = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
	unreadable, dripped := unreadable, refused(500, "xxx")
	unreadable.Took, dripped.Took = domain.PostLimit, domain.PostLimit
	for name, c := range map[string]struct {
		protocol string // of TLS; blank: plain HTTP
		play     script
		want     domain.Attempt // its Took is what it may take at most
	}{
		"101 that holds the line":           {"", silence(held), refused(101, "")},
		"101 that drips":                    {"", drip(held, "x", time.Second), refused(101, "")},
		"101 over TLS":                      {"http/1.1", silence(held), refused(101, "")},
		"101 over HTTP/2":                   {"h2", drip(frameSettings+frame101, framePing, time.Second), late},
		"103 without end":                   {"", drip(hints, hints, 10*time.Millisecond), unreadable},
		"103 now and then":                  {"", drip(hints, hints, 2*time.Second), late},
		"103 over HTTP/2":                   {"h2", drip(frameSettings+frameHints, frameHints, 2*time.Second), late},
		"103 over HTTP/2, without end":      {"h2", drip(frameSettings+frameHints, frameHints, 10*time.Millisecond), unreadable},
		"100 without end":                   {"", drip("", "HTTP/1.1 100 Continue\r\n\r\n", 10*time.Millisecond), late},
		"a header that drips":               {"", drip("HTTP/1.1 200 OK\r\nX-A: ", "x", time.Second), late},
		"headers that drip":                 {"", drip("HTTP/1.1 200 OK\r\n", "X-A: b\r\n", time.Second), late},
		"headers without end":               {"", drip("HTTP/1.1 200 OK\r\n", "X-A: "+strings.Repeat("b", 1<<10)+"\r\n", time.Millisecond), unreadable},
		"a status line that drips":          {"", drip("HTTP/1.1 2", "0", time.Second), late},
		"silence":                           {"", silence(""), late},
		"TLS that drips":                    {"raw", drip("\x16\x03\x03\x40\x00", "x", time.Second), late},
		"TLS and silence":                   {"http/1.1", silence(""), late},
		"HTTP/2 and silence":                {"h2", silence(frameSettings), late},
		"HTTP/2 without its first frame":    {"h2", silence(""), late},
		"HTTP/2 that pings":                 {"h2", drip(frameSettings, framePing, time.Second), late},
		"HTTP/2 whose header drips":         {"h2", drip(frameSettings+frameBegun, frameMore, time.Second), late},
		"an error whose body drips":         {"", drip("HTTP/1.1 500 Oh\r\n\r\n", "x", 2*time.Second), dripped},
		"an answer, then the line is held":  {"", silence("HTTP/1.1 204 No Content\r\n\r\n"), delivered(204)},
		"hints, then an answer, as it must": {"", silence(hints + "HTTP/1.1 204 No Content\r\n\r\n"), delivered(204)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, endpoint := network.NewWire(), hook
				var cert *tls.Certificate
				if c.protocol != "" {
					endpoint = "https://example.com/hook"
				}
				if c.protocol != "" && c.protocol != "raw" {
					cert = certificate
				}
				defer time.Sleep(10 * time.Second) // whoever drips finds out
				defer w.HangUp()                   // where the test has failed
				gone := endpointOn(t, w, cert, []string{c.protocol}, c.play)
				s := newPoster(world{AllowLoopback: true, RootCAs: roots, Dial: w.Dial, Resolver: network.Always(map[string][]string{"example.com": {publicAddress}})}, time.Now)
				began := time.Now()
				ended := make(chan domain.Attempt, 1)
				go func() { ended <- s.Post(context.WithoutCancel(t.Context()), endpoint, nil, []byte("{}")) }()
				select {
				case got := <-ended:
					require.LessOrEqual(t, got.Took, max(c.want.Took, time.Second), "%+v", got)
					got.Took = c.want.Took
					require.Equal(t, c.want, got)
				case <-time.After(time.Minute):
					t.Error("the attempt does not end")
				}
				select {
				case at := <-gone:
					require.LessOrEqual(t, at.Sub(began), domain.PostLimit, "the connection outlives the attempt")
				case <-time.After(time.Minute):
					t.Error("the connection does not end")
				}
			})
		})
	}
}
