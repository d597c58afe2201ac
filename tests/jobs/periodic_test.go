package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/ports"
)

// sweepingOften has the engine add a sweep every second.
func sweepingOften(p *jobs.Params) { p.Settings.Sweep = time.Second }

var sweep = ports.Job{Kind: ports.SweepJob}

// Two processes on one database sweep it as often as one does.
func TestHousekeepingIsDoneRegularlyAndByOne(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		var first, second worked
		began := time.Now()
		started(t, one, &first, sweepingOften)
		started(t, db.open(t), &second, sweepingOften)
		eventually(t, func() bool { return first.timesEnded(sweep)+second.timesEnded(sweep) >= 3 }, "it is done again and again")
		require.LessOrEqual(t, first.timesBegun(sweep)+second.timesBegun(sweep), int(time.Since(began)/(time.Second*9/10))+1, "one of them does it at a time")
	})
}

// The autopilot's passes and mails are looked for in periods of their own, by one process.
func TestPassesAndMailsAreLookedForRegularly(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		often := func(p *jobs.Params) { p.Settings.Schedule, p.Settings.Alarms = time.Second, time.Second }
		var first, second worked
		began := time.Now()
		started(t, one, &first, often)
		started(t, db.open(t), &second, often)
		for _, kind := range []ports.JobKind{ports.ScheduleJob, ports.AlarmJob} {
			job := ports.Job{Kind: kind}
			eventually(t, func() bool { return first.timesEnded(job)+second.timesEnded(job) >= 2 }, "it is done again and again")
			require.LessOrEqual(t, first.timesBegun(job)+second.timesBegun(job), int(time.Since(began)/(time.Second*9/10))+1, "one of them does it at a time")
		}
	})
}

// A sweep that takes longer than its period is not joined by another, and one
// that fails is not tried again: the next one comes.
func TestOneSweepAtATime(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		release := make(chan struct{})
		var text lines
		work := worked{job: func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
			<-release
			return 0, errors.New("table locked")
		}}
		e := started(t, one, &work, sweepingOften, logTo(&text))
		eventually(t, func() bool { return work.timesBegun(sweep) == 1 }, "it is begun")
		eventually(t, func() bool {
			var looks int
			const others = "SELECT count(*) FROM river_job WHERE queue = 'look_housekeeping' AND state <> 'running'"
			require.NoError(t, plain(one).QueryRowContext(t.Context(), others).Scan(&looks))
			return looks >= 2
		}, "periods pass meanwhile")
		require.Equal(t, 1, work.timesBegun(sweep))
		close(release)
		eventually(t, func() bool { return work.timesEnded(sweep) >= 2 }, "the next comes")
		require.NoError(t, e.Stop(t.Context()))
		require.Equal(t, work.timesEnded(sweep), text.with("the next of its kind comes by itself"), "every failure is logged")
	})
}

// What housekeeping leaves unfinished at a stop is done after the next start.
func TestAStopEndsASweepUnderWay(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		var stopped atomic.Bool
		var text lines
		work := worked{job: func(ctx context.Context, _ ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			if stopped.Load() {
				return 0, nil
			}
			<-ctx.Done()
			return 0, ctx.Err()
		}}
		e := started(t, one, &work, sweepingOften, logTo(&text))
		eventually(t, func() bool { return work.timesBegun(sweep) == 1 }, "it is begun")
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		require.NoError(t, e.Stop(ctx))
		require.Zero(t, text.with("comes by itself"), "a stop is no failure")
		stopped.Store(true)
		before := work.timesEnded(sweep)
		started(t, one, &work, takeover(3*time.Second)) // whose own period is an hour
		eventually(t, func() bool { return work.timesEnded(sweep) > before }, "it is done")
	})
}

// The period of a round is counted from its begin, however long it takes: its looks come by their own
// period. By the engine's clock this one takes ten minutes.
func TestPeriodsAreCountedFromTheBegin(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		var ahead atomic.Int64
		began := make(chan int64, 1)
		work := worked{job: func(ctx context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			if job != sweep {
				return 0, nil
			}
			var now int64
			err := plain(one).QueryRowContext(ctx, "SELECT "+db.now).Scan(&now)
			ahead.Store(int64(10 * time.Minute))
			began <- now
			return 0, err
		}}
		started(t, one, &work, takeover(3*time.Second), clockAhead(&ahead)) // with a sweep each hour
		say(t, one, "UPDATE jobs SET due_at_us = "+db.past+" WHERE kind = 'sweep'")
		limit := <-began + (55 * time.Minute).Microseconds()
		eventually(t, func() (due bool) {
			require.NoError(t, plain(one).QueryRowContext(t.Context(),
				fmt.Sprintf("SELECT due_at_us BETWEEN %s AND %d FROM jobs WHERE kind = 'sweep'", db.now, limit)).Scan(&due))
			return due
		}, "the pause begins at the end of the round")
	})
}
