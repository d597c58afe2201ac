package intake

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

// fakeConn is a connection from an address.
type fakeConn struct {
	net.Conn
	from   string
	closed bool
}

func (c *fakeConn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.from))
}

func (c *fakeConn) Close() error {
	c.closed = true
	return nil
}

// fakeListener accepts what a test gives it, connections and errors.
type fakeListener struct {
	net.Listener
	next []any
}

func (l *fakeListener) Accept() (net.Conn, error) {
	if len(l.next) == 0 {
		return nil, net.ErrClosed
	}
	next := l.next[0]
	l.next = l.next[1:]
	if err, ok := next.(error); ok {
		return nil, err
	}
	return next.(net.Conn), nil
}

func (*fakeListener) Close() error { return nil }

// house is a set of connections under test.
type house struct {
	*connections
	t   *testing.T
	log bytes.Buffer
}

func newHouse(t *testing.T, all, perPeer int) *house {
	h := &house{t: t}
	h.connections = newConnections(connectionParams{all: all, perPeer: perPeer, trusts: netip.MustParsePrefix("10.0.0.0/8").Contains,
		log: slog.New(slog.NewTextHandler(&h.log, nil)), figures: newFigures()})
	return h
}

// opens has an address open a connection; nil if it may not stay.
func (h *house) opens(from string) (*connection, *fakeConn) {
	raw := &fakeConn{from: from}
	admitted, err := h.over(&fakeListener{next: []any{raw}}).Accept()
	if err != nil {
		require.ErrorIs(h.t, err, net.ErrClosed)
		return nil, raw
	}
	return admitted.(*connection), raw
}

func (h *house) requireRefused(reason string, times int) {
	h.t.Helper()
	require.EqualValues(h.t, times, sum(h.t, []prometheus.Collector{h.figures.refused}, "milaan_connections_refused_total", reason))
}

func TestConnectionsInUseAreCapped(t *testing.T) {
	h := newHouse(t, 2, 2)
	for _, from := range []string{"192.0.2.1:1", "192.0.2.2:1"} {
		c, _ := h.opens(from)
		c.begin()
	}
	require.EqualValues(t, 2, sum(t, []prometheus.Collector{h.figures.open}, "milaan_connections", ""))
	refused, raw := h.opens("192.0.2.3:1")
	require.Nil(t, refused)
	require.True(t, raw.closed, "it is closed at once, and not left to wait")
	h.requireRefused(overAll, 1)
	require.Contains(t, h.log.String(), "as many connections as may be")
	require.NotContains(t, h.log.String(), "192.0.2")
}

// Whoever has served nothing for longest gives way.
func TestUnusedConnectionsGiveWay(t *testing.T) {
	h := newHouse(t, 3, 3)
	first, firstRaw := h.opens("192.0.2.1:1")
	_, secondRaw := h.opens("192.0.2.2:1")
	busy, busyRaw := h.opens("192.0.2.3:1")
	first.begin()
	first.end() // it has served a request, so the second is the longest without one
	busy.begin()
	busy.begin()
	busy.end() // one of its two requests goes on

	third, _ := h.opens("192.0.2.4:1")
	require.NotNil(t, third)
	require.True(t, secondRaw.closed)
	require.False(t, firstRaw.closed)
	fourth, _ := h.opens("192.0.2.5:1")
	require.NotNil(t, fourth)
	require.True(t, firstRaw.closed)
	require.False(t, busyRaw.closed)
	h.requireRefused(gaveWay, 2)
	require.EqualValues(t, 3, sum(t, []prometheus.Collector{h.figures.open}, "milaan_connections", ""))
	require.NoError(t, first.Close(), "it was closed already")
	require.EqualValues(t, 3, sum(t, []prometheus.Collector{h.figures.open}, "milaan_connections", ""))
	for _, c := range []*connection{busy, third, fourth} {
		require.NoError(t, c.Close())
	}
	busy.end()
	require.Zero(t, sum(t, []prometheus.Collector{h.figures.open}, "milaan_connections", ""))
	require.Empty(t, h.givers)
	require.Empty(t, h.peers)
}

// Who has most connections open makes room for others, so that churn from many
// peers ends nobody else's handshake.
func TestWhoHasMostConnectionsGivesWay(t *testing.T) {
	h := newHouse(t, 8, 8)
	_, handshake := h.opens("192.0.2.1:1") // the longest unused of all
	var proxied, churned []*fakeConn
	for i := range 3 {
		_, raw := h.opens(fmt.Sprintf("10.0.0.1:%d", i+1))
		proxied = append(proxied, raw)
	}
	for i := range 4 {
		_, raw := h.opens(fmt.Sprintf("198.51.100.%d:%d", i%2+1, i+1)) // two of each
		churned = append(churned, raw)
	}
	for i := range 20 {
		c, raw := h.opens(fmt.Sprintf("198.51.100.%d:%d", i%2+1, i+10))
		require.NotNil(t, c)
		churned = append(churned, raw)
		require.True(t, churned[i].closed, "the longest unused of those who have most, the new one counted")
		require.False(t, churned[i+1].closed)
	}
	newcomer, _ := h.opens("192.0.2.2:1")
	require.NotNil(t, newcomer)
	require.True(t, churned[20].closed)
	require.False(t, handshake.closed)
	for _, raw := range proxied {
		require.False(t, raw.closed, "many clients share a trusted proxy")
	}
}

// Only where nobody else has an unused connection does a trusted proxy give way.
func TestTrustedProxiesGiveWayLast(t *testing.T) {
	h := newHouse(t, 3, 3)
	_, proxied := h.opens("10.0.0.1:1")
	_, second := h.opens("10.0.0.1:2")
	peer, own := h.opens("192.0.2.1:1")
	_, raw := h.opens("192.0.2.2:1")
	require.True(t, own.closed)
	require.NoError(t, peer.Close())
	require.False(t, proxied.closed)
	next, _ := h.opens("192.0.2.2:2")
	require.True(t, raw.closed)
	next.begin()
	last, _ := h.opens("192.0.2.3:1")
	require.NotNil(t, last)
	require.True(t, proxied.closed)
	require.False(t, second.closed)
	last.begin()
	refusedByUse, _ := h.opens("192.0.2.2:3")
	require.NotNil(t, refusedByUse, "the second of the proxy gives way")
	refusedByUse.begin()
	full, _ := h.opens("192.0.2.4:1")
	require.Nil(t, full)
	for _, c := range []*connection{next, last, refusedByUse} {
		require.NoError(t, c.Close())
	}
	require.Empty(t, h.peers)
	require.Zero(t, h.open)
}

func TestAPeerHasItsLimit(t *testing.T) {
	for name, c := range map[string]struct {
		from []string // the last one is one too many, or not
		one  bool
	}{
		"one address":               {[]string{"192.0.2.1:1", "192.0.2.1:2", "192.0.2.1:3"}, true},
		"IPv4 over IPv6":            {[]string{"192.0.2.1:1", "[::ffff:192.0.2.1]:2", "192.0.2.1:3"}, true},
		"one network of IPv6":       {[]string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::ffff:3]:1"}, true},
		"another network of IPv6":   {[]string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8:0:1::1]:1"}, false},
		"another address":           {[]string{"192.0.2.1:1", "192.0.2.1:2", "192.0.2.2:1"}, false},
		"a trusted proxy":           {[]string{"10.1.2.3:1", "10.1.2.3:2", "10.1.2.3:3"}, false},
		"a trusted proxy over IPv6": {[]string{"[::ffff:10.1.2.3]:1", "10.1.2.3:2", "10.1.2.3:3"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, 10, 2)
			_, other := h.opens("198.51.100.1:1")
			for i, from := range c.from {
				conn, raw := h.opens(from)
				if refused := c.one && i == 2; refused {
					require.Nil(t, conn)
					require.True(t, raw.closed)
					continue
				}
				require.NotNil(t, conn)
				conn.begin()
			}
			require.False(t, other.closed, "another's gives no way for a peer at its own limit")
			h.requireRefused(overPeer, map[bool]int{true: 1}[c.one])
		})
	}
}

// A peer at its limit makes room with its own unused connections.
func TestAPeersOwnUnusedConnectionsGiveWay(t *testing.T) {
	h := newHouse(t, 10, 2)
	_, other := h.opens("198.51.100.1:1")
	_, first := h.opens("192.0.2.1:1")
	_, second := h.opens("192.0.2.1:2")
	third, _ := h.opens("192.0.2.1:3")
	require.NotNil(t, third)
	require.True(t, first.closed)
	require.False(t, second.closed)
	require.False(t, other.closed)
}

// Accepting goes on after an error. It is logged once a minute, and where files
// lack, an unused connection gives way.
func TestAcceptErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, 10, 10)
		_, unused := h.opens("192.0.2.1:1")
		accept := func(waits time.Duration, next ...any) {
			began := time.Now()
			server := http.Server{ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
			require.ErrorIs(t, server.Serve(h.over(&fakeListener{next: next})), net.ErrClosed)
			require.Equal(t, waits, time.Since(began))
		}
		tooMany := &net.OpError{Op: "accept", Err: syscall.EMFILE}
		accept(35*time.Millisecond, tooMany, tooMany, tooMany)
		require.True(t, unused.closed)
		require.Equal(t, 1, strings.Count(h.log.String(), "level=WARN"), h.log.String())
		require.Contains(t, h.log.String(), "too many open files")
		time.Sleep(59 * time.Second) // synctest's clock
		accept(5*time.Millisecond, tooMany)
		require.Equal(t, 1, strings.Count(h.log.String(), "level=WARN"))
		time.Sleep(time.Second)
		accept(5*time.Millisecond, tooMany)
		require.Equal(t, 2, strings.Count(h.log.String(), "level=WARN"))
		require.Contains(t, h.log.String(), "times=4", "three that were not logged, and this one")

		after := &fakeConn{from: "192.0.2.2:1"}
		got, err := h.over(&fakeListener{next: []any{after}}).Accept()
		require.NoError(t, err)
		require.Same(t, after, got.(*connection).Conn)
	})
}

// A log that is slow to take a line holds up no other connection.
func TestConnectionsGoOnWhileTheLogIsSlow(t *testing.T) {
	h := newHouse(t, 2, 1)
	served, _ := h.opens("192.0.2.1:1")
	served.begin()
	logged := false
	h.connections.log = slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		logged = true
		require.True(t, h.mu.TryLock(), "what every request needs is held")
		h.mu.Unlock()
		return len(p), nil
	}), nil))
	refused, _ := h.opens("192.0.2.1:2")
	require.Nil(t, refused)
	require.True(t, logged)
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
