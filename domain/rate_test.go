package domain_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
)

// naiveWindow keeps every admission for ever and counts them all each time: the
// rule of the contract in its simplest form.
type naiveWindow struct {
	rate         domain.Rate
	admitted     []time.Time
	blockedUntil time.Time
}

func (n *naiveWindow) admit(now time.Time) time.Duration {
	if now.Before(n.blockedUntil) {
		return n.blockedUntil.Sub(now)
	}
	recent := 0
	for _, at := range n.admitted {
		if now.Sub(at) < n.rate.Span {
			recent++
		}
	}
	if recent >= n.rate.Limit && n.rate.Block == 0 {
		// Without a block it waits for as many to be forgotten as make room.
		return n.admitted[len(n.admitted)-n.rate.Limit].Add(n.rate.Span).Sub(now)
	}
	if recent >= n.rate.Limit {
		n.blockedUntil = now.Add(n.rate.Block)
		return n.rate.Block
	}
	n.admitted = append(n.admitted, now)
	return 0
}

func TestRollingWindowAgreesWithTheNaiveOne(t *testing.T) {
	steps := []time.Duration{0, 1, time.Millisecond, time.Second, 6 * time.Second, 59 * time.Second,
		time.Minute - 1, time.Minute, time.Minute + 1, 5*time.Minute - 1, 5 * time.Minute, time.Hour}
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]domain.Rate{domain.KeyRate, domain.DemoRate, domain.PollRate, {Limit: 2, Span: time.Minute},
			{Limit: 1, Span: time.Minute, Block: time.Second}, {Limit: 3, Span: time.Second, Block: time.Minute}}).Draw(t, "rate")
		now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
		naive := naiveWindow{rate: rate}
		var w domain.RateWindow
		for range rapid.IntRange(1, 160).Draw(t, "requests") {
			now = now.Add(rapid.SampledFrom(steps).Draw(t, "step"))
			before := w
			idle := len(w.Admitted) == 0 || now.Sub(w.Admitted[len(w.Admitted)-1]) >= rate.Span
			idle = idle && !w.BlockedUntil.After(now)
			next, wait, changed := rate.Admit(w, now)
			require.Equal(t, naive.admit(now), wait)
			require.LessOrEqual(t, len(next.Admitted), rate.Limit)
			if !changed {
				require.Equal(t, before, next)
			}
			if idle {
				fresh, freshWait, _ := rate.Admit(domain.RateWindow{}, now)
				require.Equal(t, fresh, next, "an idle window may be forgotten")
				require.Equal(t, freshWait, wait)
			}
			w = next
		}
	})
}

func TestTheContractsRates(t *testing.T) {
	for name, c := range map[string]struct {
		rate  domain.Rate
		limit int
		block time.Duration
	}{
		"a key":  {domain.KeyRate, 10, 300 * time.Second},
		"a demo": {domain.DemoRate, 20, 60 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
			var w domain.RateWindow
			for i := range c.limit {
				next, wait, changed := c.rate.Admit(w, start.Add(time.Duration(i)*time.Second))
				require.Zero(t, wait)
				require.True(t, changed)
				w = next
			}
			_, wait, _ := c.rate.Admit(w, start.Add(time.Minute))
			require.Zero(t, wait, "a request stops counting exactly a minute after it")

			breach := start.Add(time.Minute - time.Nanosecond)
			blocked, wait, changed := c.rate.Admit(w, breach)
			require.Equal(t, c.block, wait)
			require.True(t, changed)

			_, wait, changed = c.rate.Admit(blocked, breach.Add(c.block-time.Nanosecond))
			require.Equal(t, time.Nanosecond, wait)
			require.False(t, changed, "requests do not lengthen a block")
			free, wait, _ := c.rate.Admit(blocked, breach.Add(c.block))
			require.Zero(t, wait)
			require.Len(t, free.Admitted, 1, "the block ends with a clean slate")
		})
	}
}

// TestPollingIsNeverBlocked: the rate of polling has a span and no block
// (guide: limits 3). A request over it is refused and has no other effect.
func TestPollingIsNeverBlocked(t *testing.T) {
	require.Equal(t, domain.Rate{Limit: 60, Span: time.Minute}, domain.PollRate)
	start := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	var w domain.RateWindow
	for i := range 60 {
		w, _, _ = domain.PollRate.Admit(w, start.Add(time.Duration(i)*time.Millisecond))
	}
	require.Len(t, w.Admitted, 60)
	for _, early := range []time.Duration{30 * time.Second, time.Minute - 1} {
		next, wait, changed := domain.PollRate.Admit(w, start.Add(early))
		require.Equal(t, time.Minute-early, wait, "until the oldest request stops counting")
		require.False(t, changed)
		require.Equal(t, w, next)
	}
	next, wait, changed := domain.PollRate.Admit(w, start.Add(time.Minute))
	require.Zero(t, wait)
	require.True(t, changed)
	require.Len(t, next.Admitted, 60)
	_, wait, _ = domain.PollRate.Admit(next, start.Add(time.Minute))
	require.Equal(t, time.Millisecond, wait)
}

func TestAdmitLeavesTheWindowAsItWas(t *testing.T) {
	start := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	w := domain.RateWindow{Admitted: append(make([]time.Time, 0, 8), start)}
	first, _, _ := domain.KeyRate.Admit(w, start.Add(time.Second))
	second, _, _ := domain.KeyRate.Admit(w, start.Add(2*time.Second))
	require.Equal(t, []time.Time{start, start.Add(time.Second)}, first.Admitted, "a decision may be repeated")
	require.Equal(t, []time.Time{start, start.Add(2 * time.Second)}, second.Admitted)
}

// TestAClockThatWasAheadLocksNobodyOut: what such a clock wrote is removed; or, if
// it was ahead by no more than the clocks of two instances may be, it counts as
// written now.
func TestAClockThatWasAheadLocksNobodyOut(t *testing.T) {
	start := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	for name, rate := range map[string]domain.Rate{"key": domain.KeyRate, "demo": domain.DemoRate, "poll": domain.PollRate, "issue": domain.IssueRate} {
		t.Run(name, func(t *testing.T) {
			longest := max(rate.Block, rate.Span)
			if rate.Block > 0 {
				longest = rate.Block
			}
			for _, ahead := range []time.Duration{domain.ClockSkew + 1, time.Hour, 50 * 365 * 24 * time.Hour} {
				var w domain.RateWindow
				for range rate.Limit {
					w, _, _ = rate.Admit(w, start.Add(ahead))
				}
				next, wait, changed := rate.Admit(w, start)
				require.Zero(t, wait, "%d requests of the future count for nothing", rate.Limit)
				require.True(t, changed)
				require.Equal(t, domain.RateWindow{Admitted: []time.Time{start}}, next)

				w, _, _ = rate.Admit(w, start.Add(ahead)) // blocked then, if the rate has a block
				blocked, wait, changed := rate.Admit(w, start)
				require.LessOrEqual(t, wait, rate.Block)
				if rate.Block == 0 {
					continue
				}
				require.Equal(t, rate.Block, wait, "the block is shortened to what it may be")
				require.True(t, changed, "and ends then")
				_, wait, _ = rate.Admit(blocked, start.Add(rate.Block))
				require.Zero(t, wait)
			}
			for _, ahead := range []time.Duration{1, time.Millisecond, domain.ClockSkew} {
				var w domain.RateWindow
				for range rate.Limit {
					w, _, _ = rate.Admit(w, start.Add(ahead))
				}
				next, wait, changed := rate.Admit(w, start)
				require.Equal(t, longest, wait, "two instances whose clocks differ a little let no more in than one")
				require.True(t, changed)
				_, wait, _ = rate.Admit(next, start.Add(longest))
				require.Zero(t, wait, "a request that waits as long as it was told is let in")
			}
		})
	}
}

// TestClocksThatJump: whatever clocks wrote into a window and however the clock
// jumps, no wait is longer than the block, a client that waits that long is
// admitted, and within a span of one clock no more than the limit are admitted.
func TestClocksThatJump(t *testing.T) {
	steps := []time.Duration{0, 1, time.Second, 4 * time.Second, time.Minute, 6 * time.Minute, -1, -time.Second, -5 * time.Second,
		-6 * time.Second, -time.Minute, -time.Hour, 24 * 365 * time.Hour, -24 * 365 * time.Hour}
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]domain.Rate{domain.KeyRate, domain.DemoRate, domain.PollRate, domain.IssueRate}).Draw(t, "rate")
		longest := cmp.Or(rate.Block, rate.Span)
		now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
		var w domain.RateWindow
		for range rapid.IntRange(1, 160).Draw(t, "requests") {
			now = now.Add(rapid.SampledFrom(steps).Draw(t, "step"))
			next, wait, changed := rate.Admit(w, now)
			require.GreaterOrEqual(t, wait, time.Duration(0))
			require.LessOrEqual(t, wait, longest)
			require.LessOrEqual(t, len(next.Admitted), rate.Limit)
			require.True(t, slices.IsSortedFunc(next.Admitted, time.Time.Compare))
			if !changed {
				require.Equal(t, w, next)
			} else {
				w = next
			}
			if wait > 0 {
				_, after, _ := rate.Admit(w, now.Add(wait))
				require.Zero(t, after, "a request that waits as long as it was told is let in")
			}
		}
	})
}

// TestWindowsOfOneClient: if two windows of one client remember some of the same
// requests, these count once and none is lost.
func TestWindowsOfOneClient(t *testing.T) {
	start := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) domain.RateWindow {
			seconds := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 8).Draw(t, name)
			slices.Sort(seconds)
			var w domain.RateWindow
			for _, s := range seconds {
				w.Admitted = append(w.Admitted, start.Add(time.Duration(s)*time.Second))
			}
			return w
		}
		a, b := draw("a"), draw("b")
		both := a.With(b)
		require.True(t, slices.IsSortedFunc(both.Admitted, time.Time.Compare))
		times := func(w domain.RateWindow, at time.Time) (n int) {
			for _, admitted := range w.Admitted {
				if admitted.Equal(at) {
					n++
				}
			}
			return n
		}
		for s := range 6 {
			at := start.Add(time.Duration(s) * time.Second)
			require.Equal(t, max(times(a, at), times(b, at)), times(both, at))
		}
		require.Equal(t, both, both.With(b), "remembered once, it may be looked at again")
	})
	blocked := domain.RateWindow{BlockedUntil: start}
	require.Equal(t, blocked, domain.RateWindow{}.With(blocked))
	require.Equal(t, blocked, blocked.With(domain.RateWindow{}))
}
