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
	"milaan/ports/glue"
)

// line is the network of one open source: all its connections, and the limits of what is
// being done with them. All connections end with the context with which it was made, and when
// a limit is passed.
type line struct {
	guard, machine glue.Guard
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

func newLine(ctx context.Context, guard, machine glue.Guard, limits Limits) *line {
	l := &line{guard: guard, machine: machine, limits: limits, conns: map[*conn]struct{}{}, bytes: restBytes, left: restBytes}
	l.stop = context.AfterFunc(ctx, l.hangUp)
	return l
}

// close ends all connections; none can be made any more.
func (l *line) close() {
	l.stop()
	l.hangUp()
}

func (l *line) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hangUpLocked()
}

func (l *line) hangUpLocked() {
	l.closed = true
	for c := range l.conns {
		_ = c.Conn.Close() // what it says does not matter any more
	}
	clear(l.conns)
}

// begin begins a piece of work. The context that it returns ends with the work's time, and
// the connections end with it.
func (l *line) begin(ctx context.Context, w work) (inner context.Context, done func()) {
	inner, cancel := context.WithCancel(ctx)
	now := time.Now()
	l.mu.Lock()
	l.working, l.began, l.until, l.bytes, l.left = true, now, now.Add(w.time), w.bytes, w.bytes
	for c := range l.conns {
		l.extend(c, now)
	}
	l.mu.Unlock()
	over := time.AfterFunc(w.time, func() {
		defer cancel()
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.working && l.began.Equal(now) { // else the work has ended at the same time
			l.fail(&domain.ConnectorError{Rule: domain.ConnSlow, Wait: w.time})
		}
	})
	stop := context.AfterFunc(ctx, l.hangUp)
	return inner, func() {
		stop()
		over.Stop()
		cancel()
		l.rest()
	}
}

// rest ends a piece of work: the server need say nothing until the next one.
func (l *line) rest() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.working, l.bytes, l.left = false, restBytes, restBytes
	for c := range l.conns {
		_ = c.Conn.SetDeadline(time.Time{}) // if it fails, the next work does
	}
}

// extend gives a connection time for its next bytes.
func (l *line) extend(c *conn, now time.Time) {
	end := now.Add(l.limits.Idle)
	if end.After(l.until) {
		end = l.until
	}
	_ = c.Conn.SetDeadline(end) // if it fails, the next read does
}

// fail ends all connections because a limit was passed.
func (l *line) fail(err *domain.ConnectorError) {
	if l.failed == nil {
		l.failed = err
	}
	l.hangUpLocked()
}

// broken returns the limit that was passed, or nil.
func (l *line) broken() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// dial connects to a host through the guard. plain says that the connection is not
// encrypted, so that it may reach this machine alone.
func (l *line) dial(ctx context.Context, host, port string, plain bool) (net.Conn, error) {
	guard := l.guard
	if plain {
		guard = l.machine
	}
	made, err := guard.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		if guard.Forbidden(err) {
			return nil, &domain.ConnectorError{Rule: domain.ConnForbidden, Cause: hushed(err)}
		}
		return nil, &unreachable{err}
	}
	c := &conn{Conn: made, line: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errors.Join(net.ErrClosed, made.Close())
	}
	l.conns[c] = struct{}{}
	if l.working {
		l.extend(c, time.Now())
	}
	return c, nil
}

// unreachable is an error of a dial.
type unreachable struct{ error }

func (u *unreachable) Unwrap() error { return u.error }

// tls returns how a host is spoken to by TLS.
func (l *line) tls(host string) *tls.Config {
	return &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, InsecureSkipVerify: l.guard.IsOwn(host)}
}

// maxHeaders bounds the headers of an answer, in bytes.
const maxHeaders = 64 << 10

// transport returns a transport to a host, and to hosts below it, by https, or by plain http
// to this machine. It has no proxy, which would dial by itself. Its connections end with the
// line.
func (l *line) transport(host string) *http.Transport {
	config := l.tls(host)
	config.ServerName = "" // the transport's own: the name in the URL
	return &http.Transport{
		DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			name, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			return l.dial(ctx, name, port, l.guard.IsOwn(host))
		},
		TLSClientConfig:        config,
		DisableCompression:     true,
		DisableKeepAlives:      true, // net/http logs what a server says on a connection that waits
		MaxResponseHeaderBytes: maxHeaders,
		MaxConnsPerHost:        maxConns,
	}
}

// maxConns is how many connections an open source has at the same time.
const maxConns = 4

// conn is a connection of a line.
type conn struct {
	net.Conn
	line *line
}

// Read reads, and counts what it has read.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	return n, c.line.heard(c, n, err)
}

// Write writes.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.line.heard(c, 0, err)
}

// Close ends the connection.
func (c *conn) Close() error {
	c.line.mu.Lock()
	delete(c.line.conns, c)
	c.line.mu.Unlock()
	return c.Conn.Close()
}

// The deadlines of a connection are those of its line.
func (c *conn) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing.
func (c *conn) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// heard counts bytes that a connection has received, and gives it time for more.
func (l *line) heard(c *conn, n int, err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left -= int64(n)
	now := time.Now()
	switch {
	case l.left < 0:
		l.fail(&domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: l.bytes})
	case errors.Is(err, os.ErrDeadlineExceeded):
		wait := l.limits.Idle
		if l.working && !now.Before(l.until) {
			wait = l.until.Sub(l.began)
		}
		l.fail(&domain.ConnectorError{Rule: domain.ConnSlow, Wait: wait})
	case n > 0 && l.working && !l.closed:
		l.extend(c, now)
	}
	if l.failed != nil && err == nil {
		err = l.failed
	}
	return err
}
