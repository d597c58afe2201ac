package jobs_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/domain"
	"milaan/ports"
)

// held is a service that is held or not.
func held(on *atomic.Bool) func(*jobs.Params) {
	return func(p *jobs.Params) {
		p.MaySend = func(context.Context) error {
			if on.Load() {
				return domain.ErrHeld
			}
			return nil
		}
	}
}

// While the service is held, no job is begun that sends; the others go on. When the hold ends, two
// engines do all that has waited, each job once, although nothing has looked for them meanwhile.
func TestWhatSendsWaitsWhileTheServiceIsHeld(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		const waiting = 40
		one := db.open(t)
		var on atomic.Bool
		on.Store(true)
		var work worked
		var ahead atomic.Int64
		first := started(t, one, &work, held(&on), clockAhead(&ahead), takeover(time.Second))
		second := started(t, one, &work, held(&on), clockAhead(&ahead), takeover(time.Second))
		require.True(t, first.Held())
		add := newAdder(t, one)
		for n := range waiting {
			require.NoError(t, add(t.Context(), true, delivery(n)))
		}
		require.NoError(t, add(t.Context(), true, ports.Job{Kind: ports.MailJob, AccountID: "account", Mail: "mail"}))
		require.NoError(t, add(t.Context(), true, run("account", 1)))
		eventually(t, func() bool { return work.distinct() == 1 }, "a run of a batch goes on")
		say(t, one, "UPDATE jobs SET due_at_us = "+db.past+" WHERE engine = '' AND origin IS NULL")
		ahead.Store(int64(time.Hour))
		require.NoError(t, first.Ready(t.Context()), "what waits is not stuck")
		require.Equal(t, waiting+1, count(t, one, "engine = ''"))
		require.Equal(t, 1, work.distinct())

		on.Store(false)
		eventually(t, ended(t, one), "what has waited is done")
		require.Equal(t, waiting+2, work.distinct())
		for n := range waiting {
			require.Equal(t, 1, work.timesBegun(delivery(n)))
		}
		eventually(t, func() bool { return !first.Held() && !second.Held() }, "both have seen it")
		require.NoError(t, first.Ready(t.Context()))

		on.Store(true)
		eventually(t, func() bool { return first.Held() && second.Held() }, "it is held while they run")
		require.NoError(t, add(t.Context(), true, run("account", 2)))
		eventually(t, func() bool { return work.distinct() == waiting+3 }, "what was looked for before has ended")
		require.NoError(t, add(t.Context(), true, delivery(waiting)))
		require.NoError(t, add(t.Context(), true, run("account", 3)))
		eventually(t, func() bool { return work.distinct() == waiting+4 }, "a run of a batch goes on")
		require.Zero(t, work.timesBegun(delivery(waiting)))
	})
}

// An engine that cannot learn whether the service is held does not start.
func TestAnEngineAsksForTheHoldBeforeItBegins(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		var work worked
		e := engine(t, db.open(t), &work, func(p *jobs.Params) {
			p.MaySend = func(context.Context) error { return domain.ErrDatabase }
		})
		require.ErrorIs(t, e.Start(t.Context()), domain.ErrDatabase)
	})
}
