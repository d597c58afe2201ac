package webhook

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
)

// names is a resolver that knows what it is told. Each look-up of a name gets
// the next of its answers, and the last one for good.
type names struct {
	mu      sync.Mutex
	known   map[string][][]string
	lookups []string
}

// always makes every look-up of each name give the same addresses.
func always(known map[string][]string) *names {
	n := &names{known: map[string][][]string{}}
	for name, addresses := range known {
		n.known[name] = [][]string{addresses}
	}
	return n
}

func (n *names) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
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

// unused is a dialer that must not be called.
func unused(t *testing.T) Dial {
	return func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("dialled %s", address)
		return nil, fmt.Errorf("dialled %s", address)
	}
}

// wire is a network within the test: whoever dials is connected with the
// listener that it is.
type wire struct {
	mu      sync.Mutex
	dialled []string
	ends    []net.Conn
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newWire() *wire { return &wire{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (w *wire) Dial(ctx context.Context, _, address string) (net.Conn, error) {
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

// hangUp ends every connection, so that a test that has failed ends too.
func (w *wire) hangUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.ends {
		_ = c.Close()
	}
}

func (w *wire) addresses() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.dialled)
}

func (w *wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

func (w *wire) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443} }

// serve answers on the wire until the test ends, which waits for its handlers.
func (w *wire) serve(t *testing.T, handler http.HandlerFunc) {
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
