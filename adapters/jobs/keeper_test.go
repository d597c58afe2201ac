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

// noted is a register that notes what it was asked.
type noted struct {
	renewals, handOuts []time.Time
	attempts           []attempt
	hearings, revivals int
	err                error
}

func (n *noted) renewed(_ context.Context, attempts []attempt) error {
	n.renewals, n.attempts = append(n.renewals, time.Now()), attempts
	return n.err
}

func (n *noted) heard(context.Context) error {
	n.hearings++
	return n.err
}

func (n *noted) revived(context.Context) error {
	n.revivals++
	return n.err
}

func (n *noted) handedOut(context.Context, time.Duration) ([]leftBehind, error) {
	n.handOuts = append(n.handOuts, time.Now())
	return nil, n.err
}

func newKeeper(n *noted) *keeper {
	return &keeper{ledger: n, held: newHeld(), after: 12 * time.Second, every: 4 * time.Second, clock: time.Now, log: slog.New(slog.DiscardHandler)}
}

func TestTheKeeperGoesRoundAtOnceAndRegularly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n noted
		k := newKeeper(&n)
		begin := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		go k.run(ctx)
		time.Sleep(10 * time.Second)
		cancel()
		synctest.Wait()
		require.Equal(t, []time.Time{begin, begin.Add(4 * time.Second), begin.Add(8 * time.Second)}, n.handOuts)
		require.Equal(t, n.renewals, n.handOuts, "first we are heard of")
	})
}

func TestAfterAnOutageOthersMayBeHeardOfFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n noted
		k := newKeeper(&n)
		require.NoError(t, k.round(t.Context()))
		n.err = errors.New("the database is away")
		for range 5 {
			time.Sleep(k.every)
			require.Error(t, k.round(t.Context()))
		}
		n.err, n.handOuts = nil, nil
		time.Sleep(k.every)
		require.NoError(t, k.round(t.Context()))
		require.Equal(t, 7, n.hearings, "we are heard of at once")
		require.Equal(t, 1, n.revivals, "and whoever took us for dead was wrong")
		require.Empty(t, n.handOuts, "nobody else's job is touched yet")
		time.Sleep(k.every)
		require.NoError(t, k.round(t.Context()))
		require.Len(t, n.handOuts, 1)
		require.Equal(t, 1, n.revivals)
	})
}

// A machine that was suspended has the time of day alone to tell by.
func TestRoundsGoByTheTimeOfDay(t *testing.T) {
	k := newKeeper(&noted{})
	require.NoError(t, k.round(t.Context()))
	require.True(t, k.last == k.last.Round(0), "no other clock has a part in it") // Equal compares the instants alone
}

func TestOneThatOverrunsItsTimeIsNotRenewed(t *testing.T) {
	var n noted
	k := newKeeper(&n)
	ctx, cancel := context.WithCancel(t.Context())
	k.held.take(ctx, attempt{1, 1}, ports.DeliverJob, time.Now())
	letGo := k.held.take(t.Context(), attempt{2, 1}, ports.DeliverJob, time.Now())
	k.held.take(t.Context(), attempt{3, 4}, ports.RunJob, time.Now())
	cancel()
	letGo(time.Now())
	require.NoError(t, k.round(t.Context()))
	require.Equal(t, []attempt{{3, 4}}, n.attempts)
	busy, _ := k.held.of(ports.DeliverJob)
	require.Equal(t, 1, busy, "it still has its worker")
}
