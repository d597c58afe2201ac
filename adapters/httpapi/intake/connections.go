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
)

// connections bounds how many connections are open, all together and of one
// peer. A new one beyond that takes the place of an unused one: it is between two
// requests, or its header or handshake has not come. The peer that has most
// connections open gives it, of its own the one that has served nothing for
// longest, so that nobody ends the handshakes of others by opening many. Where
// all of them serve a request, the new one is closed at once, so that its client
// knows, and does not wait in a queue of the system.
//
// A peer is an address, and of IPv6 its /64. Trusted proxies have no limit of
// their own, and give way last: many clients share them.
type connections struct {
	connectionParams

	mu     sync.Mutex
	open   int
	peers  map[netip.Prefix]*peer
	givers givers
	rests  uint64 // how many times a connection has begun to rest

	refusals, failures remark
}

// connectionParams are what connections need.
type connectionParams struct {
	all, perPeer int                   // limits
	trusts       func(netip.Addr) bool // says whether an address is a trusted proxy's
	log          *slog.Logger
	figures      figures
}

func newConnections(p connectionParams) *connections {
	return &connections{connectionParams: p, peers: map[netip.Prefix]*peer{}}
}

// operatorConnections is how many connections the listener for metrics and probes
// has at most.
const operatorConnections = 256

// otherFiles is how many files the process needs for all but its connections:
// databases, calls of endpoints, the metrics.
const otherFiles = 640

// affordable is how many connections are taken where most are set: no more than
// the files that the process may open.
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

// Listener has the connections of a listener for clients count.
func (in *Intake) Listener(inner net.Listener) net.Listener { return in.public.over(inner) }

// OperatorsListener has those of the listener for metrics and probes count,
// apart from those of clients.
func (in *Intake) OperatorsListener(inner net.Listener) net.Listener { return in.operators.over(inner) }

// peer is who has connections open.
type peer struct {
	trusted bool
	open    int
	unused  list.List // of *connection, the longest unused first
	at      int       // in givers; only with unused connections
}

// longest returns the connection of a peer that has been unused for longest; nil if
// none is unused.
func (p *peer) longest() *connection {
	if p.unused.Len() == 0 {
		return nil
	}
	return p.unused.Front().Value.(*connection)
}

// givers is a heap of the peers with unused connections. The first gives way
// before the others do.
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

// Push is for package heap, as Pop is.
func (g *givers) Push(p any) {
	p.(*peer).at = len(*g)
	*g = append(*g, p.(*peer))
}

// Pop is for package heap.
func (g *givers) Pop() any {
	last := len(*g) - 1
	p := (*g)[last]
	(*g)[last] = nil
	*g = (*g)[:last]
	return p
}

// connection is one that counts until it is closed.
type connection struct {
	net.Conn
	of   *connections
	peer netip.Prefix // the zero one has no limit

	// What follows is guarded by the mutex of connections.
	closed bool
	busy   int           // requests being served; HTTP/2 has several
	amid   *list.Element // in the list of its peer's unused ones; nil: it is in use
	rested uint64        // the number of its last rest
}

// listener is a listener whose connections count.
type listener struct {
	net.Listener
	all    *connections
	closed context.Context
	end    context.CancelFunc // of closed
}

// over makes the connections of a listener count.
func (l *connections) over(inner net.Listener) net.Listener {
	closed, end := context.WithCancel(context.Background())
	return &listener{Listener: inner, all: l, closed: closed, end: end}
}

// Close ends Accept, even while it waits after a failure. It may be called again.
func (l *listener) Close() error {
	defer l.end()
	return l.Listener.Close()
}

const (
	firstRest   = 5 * time.Millisecond
	longestRest = time.Second
)

// Accept returns the next connection that may stay. An error means that the
// listener is closed: any other, such as too many open files, is logged, and
// Accept goes on after a while.
func (l *listener) Accept() (net.Conn, error) {
	rest := firstRest
	for {
		conn, err := l.Listener.Accept()
		if err == nil {
			rest = firstRest
			boundSendBuffer(conn)
			if admitted := l.all.admit(conn); admitted != nil {
				return admitted, nil
			}
			continue
		}
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		l.all.acceptFailed(err)
		select {
		case <-time.After(rest):
		case <-l.closed.Done():
		}
		rest = min(2*rest, longestRest)
	}
}

// acceptFailed makes room, for files are what most likely lacks, and logs the
// error once a minute.
func (l *connections) acceptFailed(err error) {
	l.mu.Lock()
	evicted := l.giver()
	times, now := l.failures.due(time.Now())
	l.mu.Unlock()
	if evicted != nil {
		_ = evicted.Close()
	}
	if now {
		l.log.Warn("connections cannot be accepted", "error", err, "times", times)
	}
}

// admit makes a connection one that counts, or closes it and returns nil.
func (l *connections) admit(conn net.Conn) net.Conn {
	c := &connection{Conn: conn, of: l, peer: l.peerOf(conn)}
	evicted, reason := l.add(c)
	if evicted != nil {
		l.refused(gaveWay)
		_ = evicted.Close()
	}
	if reason == "" {
		return c
	}
	l.refused(reason)
	_ = conn.Close()
	return nil
}

// The reasons for which a connection is closed before it is served, or in favour
// of another one.
const (
	overAll  = "limit"
	overPeer = "peer_limit"
	gaveWay  = "unused"
)

// add counts a connection, in the place of another one if there must be one. A
// reason says that there is no place for it.
func (l *connections) add(c *connection) (evicted *connection, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.peers[c.peer]
	if p == nil {
		p = &peer{trusted: !c.peer.IsValid()}
		l.peers[c.peer] = p
	}
	l.resize(p, 1) // first, so that those who open connections give way to each other
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

// giver is the connection that gives way first, or nil.
func (l *connections) giver() *connection {
	if len(l.givers) == 0 {
		return nil
	}
	return l.givers[0].longest()
}

// refused counts a connection that was closed, and says so once a minute. The
// caller does not hold the mutex, for a log may be slow.
func (l *connections) refused(reason string) {
	l.figures.refused.WithLabelValues(reason).Inc()
	l.mu.Lock()
	times, now := l.refusals.due(time.Now())
	l.mu.Unlock()
	if now {
		l.log.Warn("there are as many connections as may be: some are closed", "reason", reason, "times", times)
	}
}

// rest notes that a connection serves nothing from now on.
func (l *connections) rest(c *connection) {
	l.rests++
	p := l.peers[c.peer]
	c.amid, c.rested = p.unused.PushBack(c), l.rests
	if p.unused.Len() == 1 {
		heap.Push(&l.givers, p)
	}
}

// wake notes that it does.
func (l *connections) wake(c *connection) {
	p := l.peers[c.peer]
	if p.unused.Len() == 1 {
		heap.Remove(&l.givers, p.at) // while its place can still be compared
	}
	p.unused.Remove(c.amid)
	c.amid = nil
	if p.unused.Len() > 0 {
		heap.Fix(&l.givers, p.at)
	}
}

// forget ends the counting of a connection.
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

// peerOf is who is at the other end; the zero Prefix for those without a limit.
func (l *connections) peerOf(conn net.Conn) netip.Prefix {
	ap, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	a := ap.Addr().Unmap().WithZone("")
	if err != nil || l.trusts(a) {
		return netip.Prefix{}
	}
	return NetworkOf(a)
}

// NetworkOf is what one client has addresses of: the address, and of IPv6 its
// /64.
func NetworkOf(a netip.Addr) netip.Prefix {
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // fails for more bits than there are
	return p
}

// Close ends the connection, which then does not count any more.
func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.forget(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite is what net/http calls so that a client sees the end of an answer
// before the end of the connection.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// begin notes that the connection serves a request, and end that it has.
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

// connectionKey is by what the context of a request knows its connection.
type connectionKey struct{}

// NoteConnection is for http.Server.ConnContext.
func NoteConnection(ctx context.Context, conn net.Conn) context.Context {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// remark is something for the log that may happen very often.
type remark struct {
	next  time.Time
	times int
}

// remarkPause is the time between two lines of the log about the same thing.
const remarkPause = time.Minute

// due counts one more time, and says whether it is time to log, and how many
// times it has happened since that was done last.
func (r *remark) due(now time.Time) (times int, due bool) {
	r.times++
	if now.Before(r.next) {
		return 0, false
	}
	times, r.times, r.next = r.times, 0, now.Add(remarkPause)
	return times, true
}
