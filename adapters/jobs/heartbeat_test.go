package jobs

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

// fakeLedger notes the calls of the heartbeat.
type fakeLedger struct {
	renewals, handOuts []time.Time
	attempts           []fenced
	beats, revivals    int
	err                error
}

func (n *fakeLedger) renew(_ context.Context, attempts []fenced) error {
	n.renewals, n.attempts = append(n.renewals, time.Now()), attempts
	return n.err
}

func (n *fakeLedger) beat(context.Context) error {
	n.beats++
	return n.err
}

func (n *fakeLedger) revive(context.Context) error {
	n.revivals++
	return n.err
}

func (n *fakeLedger) handOut(context.Context) ([]leftBehind, error) {
	n.handOuts = append(n.handOuts, time.Now())
	return nil, n.err
}

func newHeartbeat(n *fakeLedger) *heartbeat {
	return &heartbeat{ledger: n, attempts: newAttempts(), every: 4 * time.Second, scan: func(context.Context, []leftBehind) error { return nil }, clock: time.Now, log: slog.New(slog.DiscardHandler)}
}

func TestTheHeartbeatComesAtOnceAndRegularly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n fakeLedger
		h := newHeartbeat(&n)
		begin := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		go h.run(ctx)
		time.Sleep(10 * time.Second)
		cancel()
		synctest.Wait()
		require.Equal(t, []time.Time{begin, begin.Add(4 * time.Second), begin.Add(8 * time.Second)}, n.handOuts)
		require.Equal(t, n.renewals, n.handOuts, "our own leases are renewed first")
	})
}

func TestAfterAnOutageOthersMayRenewFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n fakeLedger
		h := newHeartbeat(&n)
		require.NoError(t, h.beat(t.Context()))
		n.err = errors.New("the database is away")
		for range 5 {
			time.Sleep(h.every)
			require.Error(t, h.beat(t.Context()))
		}
		n.err, n.handOuts = nil, nil
		time.Sleep(h.every)
		require.NoError(t, h.beat(t.Context()))
		require.Equal(t, 7, n.beats, "our heartbeat is written at once")
		require.Equal(t, 1, n.revivals, "and our deaths are taken back")
		require.Empty(t, n.handOuts, "nobody else's job is touched yet")
		time.Sleep(h.every)
		require.NoError(t, h.beat(t.Context()))
		require.Len(t, n.handOuts, 1)
		require.Equal(t, 1, n.revivals)
	})
}

// Only the time of day shows that a machine was suspended.
func TestHeartbeatsGoByTheTimeOfDay(t *testing.T) {
	h := newHeartbeat(&fakeLedger{})
	require.NoError(t, h.beat(t.Context()))
	require.True(t, h.last == h.last.Round(0), "without the monotonic clock") // Equal compares the instants alone
}

func TestAnAttemptThatOverrunsItsTimeIsNotRenewed(t *testing.T) {
	var n fakeLedger
	h := newHeartbeat(&n)
	ctx, cancel := context.WithCancel(t.Context())
	h.attempts.begin(ctx, fenced{1, 1}, ports.DeliverJob, time.Now())
	end := h.attempts.begin(t.Context(), fenced{2, 1}, ports.DeliverJob, time.Now())
	h.attempts.begin(t.Context(), fenced{3, 4}, ports.RunJob, time.Now())
	cancel()
	end(time.Now())
	require.NoError(t, h.beat(t.Context()))
	require.Equal(t, []fenced{{3, 4}}, n.attempts)
	busy, _ := h.attempts.of(ports.DeliverJob)
	require.Equal(t, 1, busy, "it still has its worker")
}
