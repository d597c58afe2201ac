// Package network replaces the network in tests of what dials hosts: names that resolve as a
// test says, connections within the process, and targets that nobody may reach.
package network

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/ports/peers"
	"milaan/tests/fakes/locked"
)

// Names is a resolver that knows what it is told. Each look-up of a name gets
// the next of its answers, and the last one for good.
type Names struct {
	mu      sync.Mutex
	known   map[string][][]string
	lookups []string
}

// Always makes every look-up of each name give the same addresses.
func Always(known map[string][]string) *Names {
	n := &Names{known: map[string][][]string{}}
	for name, addresses := range known {
		n.known[name] = [][]string{addresses}
	}
	return n
}

// Changing makes each look-up of a name give the next of its answers, and the last one for
// good.
func Changing(known map[string][][]string) *Names { return &Names{known: known} }

// Lookups are the names that were looked up.
func (n *Names) Lookups() []string {
	return locked.Get(&n.mu, func() []string { return slices.Clone(n.lookups) })
}

func (n *Names) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lookups = append(n.lookups, host)
	host = strings.TrimSuffix(host, ".")
	answers, found := n.known[host]
	if network != "ip" || !found {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		n.known[host] = answers[1:]
	}
	all := make([]netip.Addr, 0, len(answers[0]))
	for _, a := range answers[0] {
		all = append(all, netip.MustParseAddr(a))
	}
	return all, nil
}

// Unused is a dialer that must not be called.
func Unused(t testing.TB) peers.Dial {
	return func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("dialled %s", address)
		return nil, fmt.Errorf("dialled %s", address)
	}
}

// Wire is a network within the test: whoever dials is connected with the
// listener that it is.
type Wire struct {
	mu      sync.Mutex
	dialled []string
	ends    []net.Conn
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

// NewWire makes a Wire.
func NewWire() *Wire { return &Wire{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (w *Wire) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	w.mu.Lock()
	w.dialled = append(w.dialled, address)
	w.ends = append(w.ends, ours, theirs)
	w.mu.Unlock()
	select {
	case w.conns <- theirs:
		return ours, nil
	case <-w.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// HangUp ends every connection, so that a test that has failed ends too.
func (w *Wire) HangUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.ends {
		_ = c.Close()
	}
}

// Addresses are what was dialled.
func (w *Wire) Addresses() []string {
	return locked.Get(&w.mu, func() []string { return slices.Clone(w.dialled) })
}

// Accept fills net.Listener.
func (w *Wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

// Close fills net.Listener.
func (w *Wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

// Addr fills net.Listener.
func (w *Wire) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443} }

// Serve answers on the wire until the test ends, which waits for its handlers.
func (w *Wire) Serve(t testing.TB, handler http.HandlerFunc) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(w)
	}()
	t.Cleanup(func() {
		require.NoError(t, server.Shutdown(context.Background()), "every handler ends")
		<-done
	})
}
