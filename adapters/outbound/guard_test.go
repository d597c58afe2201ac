package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/ports/peers"
	"milaan/tests/fakes/network"
	"milaan/tests/only"
)

func guardOf(s Settings) *guard { return New(s).For(false).(*guard) }

const publicAddress = "93.184.216.34"

// Whatever the looking at addresses lets through, the default dialer stops at the
// socket, before the system is asked to connect. Loopback alone is tried, so
// that no packet leaves this machine even if this fails.
func TestTheDefaultDialerIsGuarded(t *testing.T) {
	g := guardOf(Settings{})
	for _, address := range []string{"127.0.0.1:1", "[::1]:1"} {
		require.ErrorIs(t, only.Err(g.dial(t.Context(), "tcp", address)), errForbidden)
	}
}

func TestTheNextAddressIsTriedIfOneIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const dead, refused = "2606:4700::1111", "2606:4700::2222"
		w := network.NewWire()
		w.Serve(t, func(http.ResponseWriter, *http.Request) {})
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
		g := guardOf(Settings{Resolver: network.Always(map[string][]string{"shop.example": {dead, refused, publicAddress}}), Dial: dial})
		began := time.Now()
		conn := only.Value(g.DialContext(t.Context(), "tcp", "shop.example:443"))(t)
		require.NoError(t, conn.Close())
		require.Equal(t, connectLimit/3, time.Since(began), "an address has its share of the time")

		g.resolver = network.Always(map[string][]string{"shop.example": {dead, dead, dead, dead, dead, dead, dead, dead}})
		began = time.Now()
		require.ErrorIs(t, only.Err(g.DialContext(t.Context(), "tcp", "shop.example:443")), context.DeadlineExceeded)
		require.Equal(t, connectLimit, time.Since(began))
	})
}

// Whatever the reading of a URL lets through, the dialling does not.
func TestForbiddenTargetsAreNotDialled(t *testing.T) {
	network.EachForbidden(func(name, host string, resolver *network.Names) {
		guards := New(Settings{Resolver: resolver, Dial: network.Unused(t)})
		g := guards.For(false)
		host = strings.NewReplacer("[", "", "]", "", "%25", "%").Replace(host)
		_, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort(host, "443"))
		require.True(t, g.Forbidden(err) || peers.IsUnknownName(err), "%s: %v", name, err)
		require.NotEmpty(t, g.Check(t.Context(), host).Rule, name)
	})
}

// Only this machine may be spoken to without TLS or with any certificate, and only where it is
// allowed.
func TestOnlyThisMachineIsOwn(t *testing.T) {
	for host, own := range map[string]bool{
		"127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true, "localhost": true, "LocalHost": true,
		"": false, "10.0.0.1": false, "0.0.0.0": false, "::": false, "::1%lo": false, "[::1]": false,
		"localhost.example": false, "127.0.0.1.example": false, "a.localhost": false, "sftp.example.com": false,
	} {
		require.Equal(t, own, peers.IsThisMachine(host), host)
		require.Equal(t, own, New(Settings{}).For(true).IsOwn(host), host)
		require.Equal(t, own, New(Settings{}).ThisMachine().IsOwn(host), host)
		require.False(t, New(Settings{}).For(false).IsOwn(host), host)
	}
}

// The guard looks again at the socket, where there is only the address.
func TestForbiddenAddressesArePassedByNoSocket(t *testing.T) {
	for name, address := range network.ForbiddenAddresses {
		require.ErrorIs(t, guardOf(Settings{}).checkSocket("tcp", net.JoinHostPort(address, "443"), nil), errForbidden, name)
	}
	require.ErrorIs(t, guardOf(Settings{}).checkSocket("tcp", "no address", nil), errForbidden)
	for _, address := range []string{"93.184.216.34:443", "[2606:4700::1111]:8443", "[::ffff:93.184.216.34]:443"} {
		require.NoError(t, guardOf(Settings{}).checkSocket("tcp", address, nil))
	}
}

// No caller lengthens the time that a connection has from its dialling on.
func TestAConnectionsTimeIsNotLengthened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := network.NewWire()
		w.Serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		g := New(Settings{Dial: w.Dial}).ThisMachine()
		began := time.Now()
		ctx, cancel := context.WithDeadline(t.Context(), began.Add(2*time.Second))
		defer cancel()
		c := only.Value(g.DialContext(ctx, "tcp", "127.0.0.1:8080"))(t)
		defer func() { _ = c.Close() }()
		for _, lengthen := range []func(time.Time) error{c.SetDeadline, c.SetReadDeadline, c.SetWriteDeadline} {
			require.NoError(t, lengthen(time.Now().Add(time.Hour)))
			require.NoError(t, lengthen(time.Time{}))
		}
		require.Error(t, only.Err(c.Read(make([]byte, 1))))
		require.Equal(t, 2*time.Second, time.Since(began))
		require.NoError(t, c.SetDeadline(time.Now().Add(-time.Second)), "it may be shortened")
	})
}
