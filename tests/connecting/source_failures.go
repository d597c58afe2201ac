package connecting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/network"
	"milaan/tests/only"
)

// all opens the source and reads everything.
func (w *world) all(ctx context.Context) (map[string][]byte, error) {
	opened, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { require.NoError(w, opened.Close()) }()
	files, err := opened.List(ctx, w.recent())
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	for _, f := range files {
		if contents[f.Name], err = opened.Read(ctx, f, limit); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

var _ = sourceCases.add("stopped anywhere, it begins anew", func(t *testing.T, w *world) {
	w.Put("a.csv", bytes.Repeat([]byte("a"), 70_000), now)
	w.Put("b.csv", []byte("b"), now)
	stops := &stops{}
	w.dial = stops.dial
	whole := only.Value(w.all(t.Context()))(t)
	require.Len(t, whole, 2)
	steps := int(stops.count.Load())
	if w.Network == nil {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, only.Err(w.all(ctx)), context.Canceled)
		return
	}
	require.Greater(t, steps, 4, "reads and writes of the network")
	step := 1
	if os.Getenv("MILAAN_SOAK") == "" {
		step = max(1, steps/12)
	}
	stopped := 0
	for at := 1; at <= steps; at += step {
		ctx, cancel := context.WithCancel(t.Context())
		stops.at(int64(at), cancel)
		contents, err := w.all(ctx)
		cancel()
		if err == nil {
			require.Equal(t, whole, contents)
			continue
		}
		stopped++
		require.ErrorIs(t, err, context.Canceled)
		_, isOurs := errors.AsType[*domain.ConnectorError](err)
		require.False(t, isOurs, "an end that was asked for is no failure of the source")
	}
	require.Positive(t, stopped)
	stops.at(0, nil)
	require.Equal(t, whole, only.Value(w.all(t.Context()))(t))
})

// stops counts what is read from the network and written to it, and calls a function at one of
// these.
type stops struct {
	count  atomic.Int64
	when   atomic.Int64
	cancel atomic.Pointer[context.CancelFunc]
}

func (s *stops) at(n int64, cancel context.CancelFunc) {
	s.count.Store(0)
	s.cancel.Store(&cancel)
	s.when.Store(n)
}

func (s *stops) tick() {
	if s.count.Add(1) == s.when.Load() {
		(*s.cancel.Load())()
	}
}

func (s *stops) dial(ctx context.Context, network, address string) (net.Conn, error) {
	s.tick()
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &stoppedConn{c, s}, err
}

type stoppedConn struct {
	net.Conn
	stops *stops
}

func (c *stoppedConn) Read(p []byte) (int, error) {
	c.stops.tick()
	return c.Conn.Read(p)
}

func (c *stoppedConn) Write(p []byte) (int, error) {
	c.stops.tick()
	return c.Conn.Write(p)
}

var _ = sourceCases.add("the connection ends with the context that it was opened with", func(t *testing.T, w *world) {
	w.Put("a.csv", []byte("a"), now)
	ctx, cancel := context.WithCancel(t.Context())
	opened := only.Value(w.open(ctx))(t)
	files := only.Value(opened.List(ctx, longAgo))(t)
	cancel()
	require.ErrorIs(t, only.Err(opened.List(ctx, longAgo)), context.Canceled)
	require.ErrorIs(t, only.Err(opened.Read(ctx, files[0], limit)), context.Canceled)
	require.NoError(t, opened.Close())
})

// brief is how long a server that misbehaves is waited for. What a server that behaves does
// takes a hundredth of it where the machine is not busy.
const brief = 300 * time.Millisecond

// stages are the moments at which a server can begin to misbehave.
func (w *world) stages(each func(stage string, misbehave func(network.Manners) error)) {
	// What a stage begins with, from a server that behaves. This machine may take longer for it
	// than the limits of the stage allow: then it is tried again.
	before := func(list bool) (opened ports.OpenSource, files []ports.SourceFile) {
		w.Network.Behave(network.Manners{})
		for tries := 1; ; tries++ {
			var err error
			if opened, err = w.open(w.Context()); err == nil {
				w.Cleanup(func() { require.NoError(w, opened.Close()) })
				if list {
					files, err = opened.List(w.Context(), longAgo)
				}
			}
			if err == nil {
				return opened, files
			}
			w.fails(err, domain.ConnSlow)
			require.Less(w, tries, 10)
		}
	}
	each("open", func(m network.Manners) error {
		w.Network.Behave(m)
		_, err := w.open(w.Context())
		return err
	})
	each("list", func(m network.Manners) error {
		o, _ := before(false)
		w.Network.Behave(m)
		_, err := o.List(w.Context(), longAgo)
		return err
	})
	if w.Inline {
		return
	}
	each("read", func(m network.Manners) error {
		o, files := before(true)
		w.Network.Behave(m)
		_, err := o.Read(w.Context(), files[0], limit)
		return err
	})
}

var _ = sourceCases.add("a server that says nothing is not waited for", func(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Put("a.csv", bytes.Repeat([]byte("a"), 1000), now)
	w.stages(func(stage string, misbehave func(network.Manners) error) {
		// Only for the stage that misbehaves: the others take their time.
		w.limits = sources.Limits{Idle: brief}
		e := w.fails(misbehave(network.Manners{Silent: true}), domain.ConnSlow)
		require.Positive(t, e.Wait, stage)
		require.LessOrEqual(t, e.Wait, 10*w.limits.Idle, "not the defaults: %s", stage)
	})
})

var _ = sourceCases.add("a server that dribbles is not waited for", func(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Put("a.csv", bytes.Repeat([]byte("a"), 100_000), now)
	for i := range 30 {
		w.Put(fmt.Sprintf("more %d.csv", i), []byte("b"), now)
	}
	w.stages(func(stage string, misbehave func(network.Manners) error) {
		w.limits = sources.Limits{Idle: time.Hour}
		switch stage {
		case "open":
			w.limits.Open = brief
		case "list":
			w.limits.List = brief
		default:
			w.limits.Read = brief
		}
		e := w.fails(misbehave(network.Manners{Dribble: 5 * time.Millisecond}), domain.ConnSlow)
		require.Positive(t, e.Wait, stage)
	})
})

var _ = sourceCases.add("a server that hangs up leaves nothing in part", func(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Put("a.csv", bytes.Repeat([]byte("a"), 50_000), now)
	for _, cut := range []int{1, 100} {
		w.stages(func(stage string, misbehave func(network.Manners) error) {
			err := misbehave(network.Manners{Cut: cut})
			require.Error(t, err, "%s, %d", stage, cut)
			w.fails(err, domain.ConnUnreachable, domain.ConnAnswer)
		})
	}
	w.Network.Behave(network.Manners{})
	require.NoError(t, only.Err(w.all(t.Context())))
})

var _ = sourceCases.add("a server that is not there is unreachable", func(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Network.Behave(network.Manners{Unreachable: true})
	_, err := w.open(t.Context())
	w.fails(err, domain.ConnUnreachable)
	require.Greater(t, w.Network.Accepted(), 1, "it is tried again")
	require.NoError(t, w.Network.Close())
	_, err = w.open(t.Context())
	require.Equal(t, w.HostSetting, w.fails(err, domain.ConnUnreachable).Setting)
})
