package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

const publicAddress = "93.184.216.34"

// A name that was public when it was saved, and is not when it is called.
func TestRebindingBetweenSavingAndDialling(t *testing.T) {
	for _, then := range [][]string{{"127.0.0.1"}, {"169.254.169.254"}, {"::ffff:10.0.0.1"}, {publicAddress, "10.0.0.1"}} {
		resolver := &names{known: map[string][][]string{"rebound.example": {{publicAddress}, then}}}
		s := New(Settings{Resolver: resolver, Dial: unused(t)}, time.Now)
		require.Empty(t, s.Check(t.Context(), domain.FieldEndpoint, "https://rebound.example/"))
		for range 3 {
			a := s.Post(t.Context(), "https://rebound.example/", nil, []byte("{}"))
			require.Equal(t, domain.OutcomeForbidden, a.Outcome)
			require.Equal(t, "the host has an address that is not public", a.Failure)
		}
	}
}

// A name whose addresses change with each look-up: what is dialled is what was
// looked at, for there is one look-up, and the dialler is given no name.
func TestRebindingBetweenLookingAndConnecting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resolver := &names{known: map[string][][]string{"rebound.example": {{publicAddress}, {"127.0.0.1"}}}}
		w := newWire()
		s := New(Settings{Resolver: resolver, Dial: w.Dial}, time.Now)
		go func() {
			if c, err := w.Accept(); err == nil {
				_ = c.Close()
			}
		}()
		a := s.Post(t.Context(), "https://rebound.example:8443/", nil, []byte("{}"))
		require.Equal(t, domain.OutcomeUnreachable, a.Outcome)
		require.Equal(t, []string{publicAddress + ":8443"}, w.addresses())
		require.Equal(t, []string{"rebound.example."}, resolver.lookups)

		a = s.Post(t.Context(), "https://rebound.example:8443/", nil, []byte("{}"))
		require.Equal(t, domain.OutcomeForbidden, a.Outcome, "no connection or answer of DNS is kept for the next POST")
		require.Len(t, w.addresses(), 1)
	})
}

// Whatever the looking at addresses lets through, the default dialer stops at the
// socket, before the system is asked to connect. Loopback alone is tried, so
// that no packet leaves this machine even if this fails.
func TestTheDefaultDialerIsGuarded(t *testing.T) {
	g := secureGuard(Settings{})
	for _, address := range []string{"127.0.0.1:1", "[::1]:1"} {
		_, err := g.dial(t.Context(), "tcp", address)
		require.ErrorIs(t, err, errForbidden)
	}
}

func TestAProxyOfTheEnvironmentIsNotUsed(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://10.0.0.1:3128")
	s := New(Settings{Resolver: always(nil), Dial: unused(t)}, time.Now)
	require.Nil(t, s.secure.transport.Proxy)
	require.Nil(t, s.plain.transport.Proxy)
}

func TestTheNextAddressIsTriedIfOneIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const dead, refused = "2606:4700::1111", "2606:4700::2222"
		w := newWire()
		w.serve(t, func(http.ResponseWriter, *http.Request) {})
		dial := func(ctx context.Context, network, address string) (net.Conn, error) {
			switch netip.MustParseAddrPort(address).Addr().String() {
			case dead:
				<-ctx.Done()
				return nil, ctx.Err()
			case refused:
				return nil, errors.New("connection refused")
			}
			return w.Dial(ctx, network, address)
		}
		g := newGuard(Settings{Resolver: always(map[string][]string{"shop.example": {dead, refused, publicAddress}}), Dial: dial}, secureGuard(Settings{}).allows)
		began := time.Now()
		conn, err := g.DialContext(t.Context(), "tcp", "shop.example:443")
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.Equal(t, domain.PostLimit/3, time.Since(began), "an address has its share of the time")

		g.resolver = always(map[string][]string{"shop.example": {dead, dead, dead, dead, dead, dead, dead, dead}})
		began = time.Now()
		_, err = g.DialContext(t.Context(), "tcp", "shop.example:443")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, domain.PostLimit, time.Since(began))
	})
}
