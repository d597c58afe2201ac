package sources

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"milaan/domain"
	"milaan/ports/peers"
)

// network is how one open source reaches its hosts: all its connections, and the limits of what
// is being done with them. All connections end with the context with which it was made, and when
// a limit is passed.
type network struct {
	guard, machine peers.Guard
	limits         Limits
	stop           func() bool // ends the wait for the context

	mu      sync.Mutex
	conns   map[*conn]struct{}
	closed  bool
	working bool
	began   time.Time // the work
	until   time.Time // when the work ends
	bytes   int64     // that the work may have
	left    int64     // of them
	failed  error     // *domain.ConnectorError of the first limit that was passed; nil: none
}

// work is what one operation may take.
type work struct {
	time  time.Duration
	bytes int64
}

func newNetwork(ctx context.Context, guard, machine peers.Guard, limits Limits) *network {
	n := &network{guard: guard, machine: machine, limits: limits, conns: map[*conn]struct{}{}, bytes: restBytes, left: restBytes}
	n.stop = context.AfterFunc(ctx, n.closeConns)
	return n
}

// close ends all connections; none can be made any more.
func (n *network) close() {
	n.stop()
	n.closeConns()
}

func (n *network) closeConns() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closeConnsLocked()
}

func (n *network) closeConnsLocked() {
	n.closed = true
	for c := range n.conns {
		_ = c.Conn.Close() // what it says does not matter any more
	}
	clear(n.conns)
}

// begin begins a piece of work. The context that it returns ends with the work's time, and
// the connections end with it.
func (n *network) begin(ctx context.Context, w work) (inner context.Context, done func()) {
	inner, cancel := context.WithCancel(ctx)
	now := time.Now()
	n.mu.Lock()
	n.working, n.began, n.until, n.bytes, n.left = true, now, now.Add(w.time), w.bytes, w.bytes
	for c := range n.conns {
		n.extend(c, now)
	}
	n.mu.Unlock()
	over := time.AfterFunc(w.time, func() {
		defer cancel()
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.working && n.began.Equal(now) { // else the work has ended at the same time
			n.fail(&domain.ConnectorError{Rule: domain.ConnSlow, Wait: w.time})
		}
	})
	stop := context.AfterFunc(ctx, n.closeConns)
	return inner, func() {
		stop()
		over.Stop()
		cancel()
		n.rest()
	}
}

// rest ends a piece of work: the server need say nothing until the next one.
func (n *network) rest() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.working, n.bytes, n.left = false, restBytes, restBytes
	for c := range n.conns {
		_ = c.Conn.SetDeadline(time.Time{}) // if it fails, the next work does
	}
}

// extend gives a connection time for its next bytes.
func (n *network) extend(c *conn, now time.Time) {
	end := now.Add(n.limits.Idle)
	if end.After(n.until) {
		end = n.until
	}
	_ = c.Conn.SetDeadline(end) // if it fails, the next read does
}

// fail ends all connections because a limit was passed.
func (n *network) fail(err *domain.ConnectorError) {
	if n.failed == nil {
		n.failed = err
	}
	n.closeConnsLocked()
}

// broken returns the limit that was passed, or nil.
func (n *network) broken() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failed
}

// dial connects to a host through the guard. plain says that the connection is not
// encrypted, so that it may reach this machine alone.
func (n *network) dial(ctx context.Context, host, port string, plain bool) (net.Conn, error) {
	guard := n.guard
	if plain {
		guard = n.machine
	}
	made, err := guard.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		if guard.Forbidden(err) {
			return nil, &domain.ConnectorError{Rule: domain.ConnForbidden, Cause: hushed(err)}
		}
		return nil, &unreachable{err}
	}
	c := &conn{Conn: made, network: n}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, errors.Join(net.ErrClosed, made.Close())
	}
	n.conns[c] = struct{}{}
	if n.working {
		n.extend(c, time.Now())
	}
	return c, nil
}

type unreachable struct{ error }

func (u *unreachable) Unwrap() error { return u.error }

func (n *network) tls(host string) *tls.Config {
	return &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, InsecureSkipVerify: n.guard.IsOwn(host)}
}

// maxHeaders bounds the headers of an answer, in bytes.
const maxHeaders = 64 << 10

// client returns a client for a host, and for hosts below it, by https, or by plain http to this machine. It has no proxy, which
// would dial by itself, and follows no redirect, because the credentials are for nobody else. Its connections end with the network.
func (n *network) client(host string) *http.Client {
	config := n.tls(host)
	config.ServerName = "" // the transport's own: the name in the URL
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			name, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			return n.dial(ctx, name, port, n.guard.IsOwn(host))
		},
		TLSClientConfig:        config,
		DisableCompression:     true,
		DisableKeepAlives:      true, // net/http logs what a server says on a connection that waits
		MaxResponseHeaderBytes: maxHeaders,
		MaxConnsPerHost:        maxConns,
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// maxConns is how many connections an open source has at the same time.
const maxConns = 4

type conn struct {
	net.Conn
	network *network
}

// Read reads, and counts what it has read.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	return n, c.network.countReceived(c, n, err)
}

func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.network.countReceived(c, 0, err)
}

func (c *conn) Close() error {
	c.network.mu.Lock()
	delete(c.network.conns, c)
	c.network.mu.Unlock()
	return c.Conn.Close()
}

// The deadlines of a connection are those of its network.
func (c *conn) SetDeadline(time.Time) error { return nil }

func (c *conn) SetReadDeadline(time.Time) error { return nil }

func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// countReceived counts bytes that a connection has received, and gives it time for more.
func (n *network) countReceived(c *conn, received int, err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.left -= int64(received)
	now := time.Now()
	switch {
	case n.left < 0:
		n.fail(&domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: n.bytes})
	case errors.Is(err, os.ErrDeadlineExceeded):
		wait := n.limits.Idle
		if n.working && !now.Before(n.until) {
			wait = n.until.Sub(n.began)
		}
		n.fail(&domain.ConnectorError{Rule: domain.ConnSlow, Wait: wait})
	case received > 0 && n.working && !n.closed:
		n.extend(c, now)
	}
	if n.failed != nil && err == nil {
		err = n.failed
	}
	return err
}
