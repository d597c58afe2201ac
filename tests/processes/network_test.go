package processes_test

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"milaan/tests/only"
)

// network stands between the service and its database, and can hold back everything.
type network struct {
	target string
	gate   sync.RWMutex // held for writing: nothing passes
}

// throughNetwork gives an installation a network, and returns both.
func throughNetwork(t *testing.T) (*installation, *network) {
	t.Helper()
	in := newInstallation(t, clone(t))
	u := only.Value(url.Parse(in.database))(t)
	n := &network{target: u.Host}
	listener := only.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = listener.Close() })
	u.Host = listener.Addr().String()
	in.detour = u.String()
	go n.serve(t.Context(), listener)
	return in, n
}

func (n *network) serve(ctx context.Context, listener net.Listener) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		go n.link(ctx, near)
	}
}

// link joins a connection of the service with one to the database, until one
// of them ends.
func (n *network) link(ctx context.Context, near net.Conn) {
	defer func() { _ = near.Close() }()
	var d net.Dialer
	far, err := d.DialContext(ctx, "tcp", n.target)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	go n.carry(near, far)
	n.carry(far, near)
}

func (n *network) carry(to, from net.Conn) {
	defer func() { _ = to.Close() }()
	buf := make([]byte, 32<<10)
	for {
		got, err := from.Read(buf)
		n.gate.RLock()
		_, lost := to.Write(buf[:got])
		n.gate.RUnlock()
		if err != nil || lost != nil {
			return
		}
	}
}

// A database that takes connections and never answers is worse than none.
// Callers are refused all the same, wherever in a run it falls silent.
func TestTheDatabaseFallsSilent(t *testing.T) {
	t.Parallel()
	in, network := throughNetwork(t)
	o := &outage{book: newLedger(t, in, 2000, 10), replicas: in.pair(t), longest: longestAnswerOfACommit}
	o.loseDatabase(t, 1, network.gate.Lock)
	o.regainDatabase(t, network.gate.Unlock)
	o.runsPass(t)
	unheard := o.book.check(t, in)
	t.Logf("%d requests, %d refused of which %d are stored; longest answer %v, ready again after %v",
		o.book.sent, o.book.unanswered, unheard, o.slowest.Round(time.Millisecond), o.recovery.Round(time.Millisecond))
}
