package service

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/tests/fakes/web"
)

// TestTransport holds "HTTPS only" of section 1, as decided.
func TestTransport(t *testing.T) {
	t.Parallel()
	t.Run("with a certificate the service speaks HTTPS, and HTTP/2", func(t *testing.T) {
		cert, key, trust := web.Certificate(t)
		s := Start(t, Options{Trust: trust, Settings: func(c *config.Config) { c.HTTP.TLSCert, c.HTTP.TLSKey = cert, key }})
		a := s.Customer(t).Reconcile(t, Small())
		require.Equal(t, http.StatusOK, a.Status)
		require.Equal(t, "HTTP/2.0", a.Protocol)
		require.NotEmpty(t, a.Header.Get("Strict-Transport-Security"))
		blockedOverHTTP2(t, s)
	})
	t.Run("behind a proxy only what came over HTTPS is let in", func(t *testing.T) {
		s := Start(t, Options{Settings: func(c *config.Config) {
			c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.1/32")}
		}})
		for _, path := range []string{"/demo", "/healthz", "/", "/openapi.json", "/nowhere"} {
			s.Get(t, path).Refused(t, 403, "HTTPS only")
			s.Get(t, path, "X-Forwarded-Proto", "http").Refused(t, 403, "HTTPS only")
		}
		require.Equal(t, http.StatusOK, s.Get(t, "/demo", "X-Forwarded-Proto", "https").Status)
		s.Post(t, "/reconcile", "", nil).Refused(t, 403, "HTTPS only")
	})
}

// blockedOverHTTP2 sends a body that is refused unread, which ends its stream
// and not the connection.
func blockedOverHTTP2(t *testing.T, s *Service) {
	t.Helper()
	c := s.Customer(t)
	s.Post(t, "/reconcile", c.Key, tooLong).Refused(t, 413, "request body larger than 25 MB")
	c.Run(t, Small())
}

// The first language of the browser is that of the home page, unless a link asks for another.
func TestHomeIsInTheLanguageOfTheBrowser(t *testing.T) {
	s := Start(t, Options{})
	for _, c := range [][3]string{{"/", "hi-IN, en;q=0.8", `lang="hi"`}, {"/", "en-IN, hi;q=0.8", `lang="en-IN"`}, {"/?lang=hi", "en", `lang="hi"`},
		{"/?lang=en", "hi", `lang="en-IN"`}} {
		require.Contains(t, string(s.Get(t, c[0], "Accept-Language", c[1]).Body), "<html "+c[2], c)
	}
}
