package network

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/locked"
)

// Unruly is a listener on this machine whose connections misbehave as a test says. Accept
// gives the connections to whoever serves them. It is safe for concurrent use.
type Unruly struct {
	net.Listener
	mu       sync.Mutex
	manners  Manners
	accepted int
	conns    map[*unrulyConn]struct{}
	closed   chan struct{}
	once     sync.Once
}

// Manners are how a server misbehaves. The zero Manners are those of a good server.
type Manners struct {
	// Silent makes the server accept connections and say nothing.
	Silent bool
	// Dribble is how long the server waits before each single byte.
	Dribble time.Duration
	// Cut is how many bytes the server says before it hangs up; 0: it does not.
	Cut int
	// Unreachable makes the server hang up at once.
	Unreachable bool
}

// NewUnruly listens on 127.0.0.1 until the test ends.
func NewUnruly(t testing.TB) *Unruly {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	u := &Unruly{Listener: l, conns: map[*unrulyConn]struct{}{}, closed: make(chan struct{})}
	t.Cleanup(func() { _ = u.Close() })
	return u
}

// Serve serves a listener with serve until the test ends. Then each of what is named is closed.
func Serve(t testing.TB, serve func(net.Listener) error, listener net.Listener, closed ...io.Closer) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = serve(listener)
	}()
	t.Cleanup(func() {
		for _, c := range closed {
			_ = c.Close()
		}
		<-done
	})
}

// HostPort returns where it listens.
func (u *Unruly) HostPort() (host, port string) {
	host, port, _ = net.SplitHostPort(u.Addr().String())
	return host, port
}

// Behave changes the manners, those of open connections too. Bytes that were said before do
// not count for Cut.
func (u *Unruly) Behave(m Manners) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.manners = m
	for c := range u.conns {
		c.said = 0
	}
}

// Accepted counts the connections so far.
func (u *Unruly) Accepted() int { return locked.Get(&u.mu, func() int { return u.accepted }) }

// HangUp ends all connections.
func (u *Unruly) HangUp() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for c := range u.conns {
		_ = c.Conn.Close()
	}
}

// Close ends the listener and all connections.
func (u *Unruly) Close() error {
	u.once.Do(func() { close(u.closed) })
	err := u.Listener.Close()
	u.HangUp()
	return err
}

// Accept fills net.Listener.
func (u *Unruly) Accept() (net.Conn, error) {
	for {
		made, err := u.Listener.Accept()
		if err != nil {
			return nil, err
		}
		u.mu.Lock()
		u.accepted++
		gone := u.manners.Unreachable
		c := &unrulyConn{Conn: made, of: u}
		if !gone {
			u.conns[c] = struct{}{}
		}
		u.mu.Unlock()
		if !gone {
			return c, nil
		}
		_ = made.Close()
	}
}

// unrulyConn is the server's end of a connection.
type unrulyConn struct {
	net.Conn
	of   *Unruly
	said int
}

// Close ends the connection.
func (c *unrulyConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.conns, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// Write says what the manners allow.
func (c *unrulyConn) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) {
		part, err := c.turn(p[written:])
		if err != nil {
			return written, err
		}
		n, err := c.Conn.Write(part)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// turn returns how much may be said now.
func (c *unrulyConn) turn(p []byte) ([]byte, error) {
	c.of.mu.Lock()
	m, said := c.of.manners, c.said
	switch {
	case m.Dribble > 0:
		p = p[:1]
	case m.Cut > 0 && said+len(p) > m.Cut:
		p = p[:max(0, m.Cut-said)]
	}
	c.said += len(p)
	c.of.mu.Unlock()
	switch {
	case m.Silent:
		<-c.of.closed
		return nil, net.ErrClosed
	case m.Dribble > 0:
		select {
		case <-time.After(m.Dribble):
		case <-c.of.closed:
			return nil, net.ErrClosed
		}
	case len(p) == 0:
		_ = c.Conn.Close()
		return nil, net.ErrClosed
	}
	return p, nil
}
