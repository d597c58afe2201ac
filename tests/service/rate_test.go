package service

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
)

// TestKeyRate holds the rate of section 8: 10 in a rolling 60 s per key, and a
// block of 5 minutes. Requests that fail on their JSON are quick and count.
func TestKeyRate(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	send := func(t *testing.T, c *Customer) Answer {
		t.Helper()
		return s.Post(t, "/reconcile", c.Key, noJSON)
	}
	allowed := func(t *testing.T, c *Customer, times int) {
		t.Helper()
		for range times {
			send(t, c).Refused(t, 400, "the request body")
		}
	}
	c := s.Customer(t)
	allowed(t, c, 10)
	for _, step := range []struct {
		advance time.Duration
		wait    string
	}{{0, "300"}, {0, "300"}, {time.Microsecond, "300"}, {time.Second - time.Microsecond, "299"}, {298*time.Second + 500*time.Millisecond, "1"}, {499 * time.Millisecond, "1"}} {
		s.Clock.Advance(step.advance)
		a := send(t, c)
		require.Equal(t, http.StatusTooManyRequests, a.Status)
		require.JSONEq(t, `{"error":"Rate limit exceeded"}`, string(a.Body))
		require.Equal(t, step.wait, a.Header.Get("Retry-After"))
	}
	s.Clock.Advance(time.Millisecond)
	allowed(t, c, 1)
}

// TestDemoRate holds section 4.2: 20 in a rolling 60 s per IP, and a block of
// 60 s (guide: limits 3). Clients come through a proxy on loopback.
func TestDemoRate(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: func(c *config.Config) {
		c.HTTP.TrustedProxies = config.Networks{netip.MustParsePrefix("127.0.0.0/8")}
	}})
	from := func(t *testing.T, ip string) Answer {
		t.Helper()
		return s.Get(t, "/demo", "X-Forwarded-Proto", "https", "X-Forwarded-For", ip)
	}
	t.Run("the twenty-first request in 60 s is refused and blocks the IP for 60 s", func(t *testing.T) {
		for i := range 20 {
			require.Equal(t, http.StatusOK, from(t, "203.0.113.1").Status, i)
		}
		for _, wait := range []int{60, 59} {
			a := from(t, "203.0.113.1")
			a.Refused(t, 429, "Rate limit exceeded")
			require.Equal(t, fmt.Sprint(wait), a.Header.Get("Retry-After"))
			s.Clock.Advance(time.Second)
		}
		require.Equal(t, http.StatusOK, from(t, "203.0.113.2").Status, "another client is free")
		s.Clock.Advance(58*time.Second - time.Microsecond)
		require.Equal(t, "1", from(t, "203.0.113.1").Header.Get("Retry-After"))
		s.Clock.Advance(time.Microsecond)
		require.Equal(t, http.StatusOK, from(t, "203.0.113.1").Status)
	})
	t.Run("the addresses of clients are not kept", func(t *testing.T) {
		from(t, "203.0.113.77")
		for _, row := range s.Query(t, "SELECT subject FROM rate_windows") {
			require.NotContains(t, row[0], "203.0.113")
		}
		require.NotContains(t, s.Log.String(), "203.0.113")
	})
}
