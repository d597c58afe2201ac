package intake

import (
	"container/heap"
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"milaan/adapters/httpapi/remarks"
)

// connections limits how many connections are open, in all and per peer. At the limit, a
// new connection takes the place of an unused one, which is closed. A connection is unused
// between two requests, and while its handshake or the header of its first request has not
// arrived. The one to be closed is taken from the peer that has most connections open, so
// that a peer that opens many cannot end the handshakes of others; of that peer's, it is
// the one that has been unused for longest. If all connections serve requests, the new one
// is closed at once, so that its client knows, and does not wait in a queue of the system.
//
// A peer is an address; for IPv6 it is a /64. Trusted proxies have no limit per peer, and
// their connections are closed last, because many clients share them.
type connections struct {
	connectionParams

	mu     sync.Mutex
	open   int
	peers  map[netip.Prefix]*peer
	givers givers
	rests  uint64 // how many times a connection has become unused

	lines remarks.Limit

	lingerers chan struct{}  // holds a token for each connection whose rest is being read
	lingering sync.WaitGroup // has one for each connection that lingers
}

type connectionParams struct {
	all, perPeer int                   // limits
	linger       time.Duration         // see lingering.go
	trusts       func(netip.Addr) bool // says whether an address is a trusted proxy's
	log          *slog.Logger
	figures      figures
}

func newConnections(p connectionParams) *connections {
	return &connections{connectionParams: p, peers: map[netip.Prefix]*peer{}, lingerers: make(chan struct{}, lingerersAtOnce)}
}

// operatorConnections is how many connections the listener for metrics and probes may have
// open.
const operatorConnections = 256

// otherFiles is how many files the process needs besides its clients' connections: for the
// database, calls of endpoints and the metrics.
const otherFiles = 640

// affordable returns how many connections may be open if the setting is most. It is less
// than most if the process may not open enough files.
func affordable(most int, log *slog.Logger) int {
	files, known := openFiles()
	if !known || uint64(most)+otherFiles <= files {
		return most
	}
	taken := min(most, int(max(files/2, files-min(files, otherFiles))))
	if taken < most {
		log.Warn("the process may not open enough files for the connections that are set: fewer are taken",
			"set", most, "taken", taken, "open_files", files)
	}
	return taken
}

// Listener makes the connections of a listener count as those of clients.
func (in *Intake) Listener(inner net.Listener) net.Listener { return in.public.over(inner) }

// OperatorsListener has those of the listener for metrics and probes count,
// apart from those of clients.
func (in *Intake) OperatorsListener(inner net.Listener) net.Listener { return in.operators.over(inner) }

type peer struct {
	trusted bool
	open    int
	unused  list.List // of *connection; the first has been unused for longest
	at      int       // place in givers, if the peer has unused connections
}

// longest returns the connection of a peer that has been unused for longest; nil if
// none is unused.
func (p *peer) longest() *connection {
	if p.unused.Len() == 0 {
		return nil
	}
	return p.unused.Front().Value.(*connection)
}

// givers is a heap of the peers with unused connections. The first peer is the one whose
// connection is closed first.
type givers []*peer

func (g givers) Len() int { return len(g) }

func (g givers) Less(i, j int) bool {
	a, b := g[i], g[j]
	switch {
	case a.trusted != b.trusted:
		return b.trusted
	case a.open != b.open:
		return a.open > b.open
	}
	return a.longest().rested < b.longest().rested
}

func (g givers) Swap(i, j int) {
	g[i], g[j] = g[j], g[i]
	g[i].at, g[j].at = i, j
}

func (g *givers) Push(p any) {
	p.(*peer).at = len(*g)
	*g = append(*g, p.(*peer))
}

func (g *givers) Pop() any {
	last := len(*g) - 1
	p := (*g)[last]
	(*g)[last] = nil
	*g = (*g)[:last]
	return p
}

// connection is a connection that counts until it is closed.
type connection struct {
	net.Conn
	of   *connections
	peer netip.Prefix // the zero Prefix: a trusted proxy, without limit

	// The mutex of connections guards the following fields.
	closed  bool
	busy    int           // requests being served; HTTP/2 has several
	amid    *list.Element // in the list of its peer's unused connections; nil: it is in use
	rested  uint64        // the value of rests when it became unused last
	unread  bool          // it ends with bytes that nobody has read
	lingers bool
}

type listener struct {
	net.Listener
	all *connections
}

// over makes the connections of a listener count.
func (l *connections) over(inner net.Listener) net.Listener { return &listener{inner, l} }

// Accept returns the next connection that may stay open. After any error, such as too many open files, net/http
// pauses and accepts again, unless the listener is closed.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil, err
		case err != nil:
			l.all.acceptFailed(err)
			return nil, temporary{err}
		}
		boundSendBuffer(conn)
		if admitted := l.all.admit(conn); admitted != nil {
			return admitted, nil
		}
	}
}

// temporary is an error after which net/http accepts again.
type temporary struct{ error }

func (temporary) Temporary() bool { return true }

func (temporary) Timeout() bool { return false }

// acceptFailed closes an unused connection, because the process most likely has too many
// open files, and logs the error at most once a minute.
func (l *connections) acceptFailed(err error) {
	l.mu.Lock()
	evicted := l.giver()
	l.mu.Unlock()
	if evicted != nil {
		_ = evicted.cut()
	}
	if times, now := l.lines.Due("accept", time.Now()); now {
		l.log.Warn("connections cannot be accepted", "error", err, "times", times)
	}
}

// admit returns a connection that counts, or closes it and returns nil.
func (l *connections) admit(conn net.Conn) net.Conn {
	c := &connection{Conn: conn, of: l, peer: l.peerOf(conn)}
	evicted, reason := l.add(c)
	if evicted != nil {
		l.refused(gaveWay)
		_ = evicted.cut()
	}
	if reason == "" {
		return c
	}
	l.refused(reason)
	_ = conn.Close()
	return nil
}

// The reasons for which a connection is closed: the first two close a new one, and the last
// one closes an unused one in favour of a new one.
const (
	overAll  = "limit"
	overPeer = "peer_limit"
	gaveWay  = "unused"
)

// add counts a connection. At a limit it takes another one out of the count, evicted, which
// the caller must close. reason is not blank if the connection cannot stay.
func (l *connections) add(c *connection) (evicted *connection, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.peers[c.peer]
	if p == nil {
		p = &peer{trusted: !c.peer.IsValid()}
		l.peers[c.peer] = p
	}
	l.resize(p, 1) // before the choice, so that a peer that opens many connections loses its own
	switch {
	case !p.trusted && p.open > l.perPeer:
		reason, evicted = overPeer, p.longest()
	case l.open > l.all:
		reason, evicted = overAll, l.giver()
	}
	if reason != "" && evicted == nil {
		l.resize(p, -1)
		if p.open == 0 {
			delete(l.peers, c.peer)
		}
		return nil, reason
	}
	if evicted != nil {
		l.forget(evicted)
	}
	l.figures.open.Inc()
	l.rest(c)
	return evicted, ""
}

// resize adds to the connections that a peer has open.
func (l *connections) resize(p *peer, n int) {
	l.open += n
	p.open += n
	if p.unused.Len() > 0 {
		heap.Fix(&l.givers, p.at)
	}
}

// giver returns the unused connection that is closed first; nil if there is none.
func (l *connections) giver() *connection {
	if len(l.givers) == 0 {
		return nil
	}
	return l.givers[0].longest()
}

// refused counts a connection that was closed, and logs it at most once a minute. The
// caller must not hold the mutex, because writing to the log may be slow.
func (l *connections) refused(reason string) {
	l.figures.refused.WithLabelValues(reason).Inc()
	if times, now := l.lines.Due("refused", time.Now()); now {
		l.log.Warn("there are as many connections as may be: some are closed", "reason", reason, "times", times)
	}
}

// rest notes that a connection is unused from now on.
func (l *connections) rest(c *connection) {
	l.rests++
	p := l.peers[c.peer]
	c.amid, c.rested = p.unused.PushBack(c), l.rests
	if p.unused.Len() == 1 {
		heap.Push(&l.givers, p)
	}
}

// wake notes that a connection is in use again.
func (l *connections) wake(c *connection) {
	p := l.peers[c.peer]
	if p.unused.Len() == 1 {
		heap.Remove(&l.givers, p.at) // before the list is empty, which Less compares
	}
	p.unused.Remove(c.amid)
	c.amid = nil
	if p.unused.Len() > 0 {
		heap.Fix(&l.givers, p.at)
	}
}

// forget takes a connection out of the count. It may be called again.
func (l *connections) forget(c *connection) {
	if c.closed {
		return
	}
	c.closed = true
	if c.amid != nil {
		l.wake(c)
	}
	l.figures.open.Dec()
	p := l.peers[c.peer]
	if l.resize(p, -1); p.open == 0 {
		delete(l.peers, c.peer)
	}
}

// peerOf returns the peer at the other end; the zero Prefix for a trusted proxy, or if the
// address is unknown.
func (l *connections) peerOf(conn net.Conn) netip.Prefix {
	ap, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	a := ap.Addr().Unmap().WithZone("")
	if err != nil || l.trusts(a) {
		return netip.Prefix{}
	}
	return NetworkOf(a)
}

// NetworkOf returns the network that belongs to one client: the address itself, or the /64
// of an IPv6 address.
func NetworkOf(a netip.Addr) netip.Prefix {
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // it fails only for more bits than the address has
	return p
}

// begin notes that the connection serves a request, and end that the request has ended.
func (c *connection) begin() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.busy++; c.busy == 1 && !c.closed {
		c.of.wake(c)
	}
}

func (c *connection) end() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.busy--; c.busy == 0 && !c.closed {
		c.of.rest(c)
	}
}

type connectionKey struct{}

// NoteConnection is for http.Server.ConnContext.
func NoteConnection(ctx context.Context, conn net.Conn) context.Context {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}
