package processes_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"milaan/tests/only"
)

// network stands between the service and its database. It can hold back everything
// and it can break connections.
type network struct {
	target string
	gate   sync.RWMutex // held for writing: nothing passes

	mu    sync.Mutex
	links map[net.Conn]net.Conn // the service's end to the database's
}

// throughNetwork gives an installation a network, and returns both.
func throughNetwork(t *testing.T) (*installation, *network) {
	t.Helper()
	in := newInstallation(t, clone(t))
	u := only.Value(url.Parse(in.database))(t)
	n := &network{target: u.Host, links: map[net.Conn]net.Conn{}}
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
	n.mu.Lock()
	n.links[near] = far
	n.mu.Unlock()
	go n.carry(near, far)
	n.carry(far, near)
	n.mu.Lock()
	delete(n.links, near)
	n.mu.Unlock()
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

// cut breaks one connection, whatever it is in the midst of; whether the
// database's answer gets lost or the service's question is chance.
func (n *network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for near, far := range n.links { // in random order
		broken := []io.Closer{near, far}
		_ = broken[rand.IntN(2)].Close()
		return
	}
}

// Connections to the database break all the time, many of them in the midst of
// a commit. What is answered is stored, once, and what is refused may be
// repeated.
func TestConnectionsBreakDuringRuns(t *testing.T) {
	t.Parallel()
	in, network := throughNetwork(t)
	requests := size(80, 500, 3000)
	// A broken connection may count a request twice towards the rate.
	o := &outage{book: newLedger(t, in, requests, 4), replicas: in.pair(t)}
	ctx, stop := context.WithCancel(t.Context())
	var cuts atomic.Int64
	var wait sync.WaitGroup
	wait.Go(func() {
		for ctx.Err() == nil {
			before, _ := o.answers()
			network.cut()
			cuts.Add(1)
			for now, _ := o.answers(); ctx.Err() == nil && now < before+3; now, _ = o.answers() {
				time.Sleep(time.Millisecond)
			}
		}
	})
	parallel(8, requests, func(i int) { o.run(t, i) })
	stop()
	wait.Wait()
	o.requireClean(t)
	unheard := o.book.check(t, in)
	t.Logf("%d connections broken: %d requests, %d answered and all of them stored once, %d refused of which %d are stored; longest answer %v",
		cuts.Load(), o.book.sent, len(o.book.answered), o.book.unanswered, unheard, o.slowest.Round(time.Millisecond))
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
