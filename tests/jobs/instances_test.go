package jobs_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/domain"
	"milaan/ports"
)

func TestAJobThatADeadProcessLeftIsTakenOver(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		left, others, hopeless := delivery(1), delivery(2), delivery(3)
		require.NoError(t, newAdder(t, one)(t.Context(), true, left))
		say(t, one, "UPDATE jobs SET engine = 'other', attempts = 1, lease_until_us = "+db.past)
		require.NoError(t, newAdder(t, one)(t.Context(), true, hopeless))
		say(t, one, "UPDATE jobs SET engine = 'other', attempts = 30, lease_until_us = "+db.past+" WHERE engine = ''")
		require.NoError(t, newAdder(t, one)(t.Context(), true, others))
		say(t, one, "UPDATE jobs SET engine = 'other', attempts = 1, lease_until_us = 60000000 + "+db.now+" WHERE engine = ''")
		var work worked
		started(t, one, &work, takeover(30*time.Minute))
		eventually(t, func() bool { return work.timesEnded(left) == 1 }, "another instance does it")
		require.Zero(t, work.timesBegun(others), "one whose lease was renewed is left alone")
		require.Zero(t, work.timesBegun(hopeless))
		eventually(t, func() bool { return count(t, one, "true") == 1 }, "one that is left again and again is given up")
	})
}

func TestAnEngineThatIsCutOffLosesItsJobs(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one, two := db.open(t), db.open(t)
		stuck := worked{job: func(ctx context.Context, _ ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}}
		// It is never stopped: river's notifier, told to stop without a database,
		// would try to reach it without a pause for as long as this process lives.
		dying, err := jobs.New(jobs.Params{Settings: jobs.Settings{Deliveries: 8, Runners: 1, Takeover: 3 * time.Second, Schedule: time.Hour, Alarms: time.Hour}, Database: one,
			Work: &stuck, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		require.NoError(t, dying.Start(t.Context()))
		job := delivery(1)
		require.NoError(t, newAdder(t, two)(t.Context(), true, job))
		eventually(t, func() bool { return stuck.timesBegun(job) == 1 }, "it is begun")
		cut := make(chan struct{})
		go func() { // waits for statements that are under way
			defer close(cut)
			if one.SQLite != nil {
				_ = one.SQLite.Close()
			} else {
				one.Postgres.Close()
			}
		}()
		t.Cleanup(func() { <-cut })
		var work worked
		started(t, two, &work, takeover(3*time.Second), batches(1))
		eventually(t, func() bool { return work.timesEnded(job) == 1 }, "it is done by the other")
	})
}

func TestTheLeaseOfALongJobIsRenewed(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		release := make(chan struct{})
		work := worked{job: until(release)}
		started(t, one, &work, takeover(3*time.Second))
		job := run("account", 1) // a delivery would be cut off after half a minute
		require.NoError(t, newAdder(t, one)(t.Context(), true, job))
		eventually(t, func() bool { return work.timesBegun(job) == 1 }, "it is begun")
		for range 2 {
			say(t, one, "CREATE TABLE seen AS SELECT lease_until_us FROM jobs WHERE origin IS NULL")
			eventually(t, func() bool {
				return count(t, one, "attempts = 1 AND lease_until_us > (SELECT max(lease_until_us) FROM seen)") == 1
			}, "its lease is renewed, and it is not begun again")
			say(t, one, "DROP TABLE seen")
		}
		close(release)
		eventually(t, ended(t, one), "it is done")
	})
}

func TestTwoEnginesShareTheWork(t *testing.T) {
	t.Parallel()
	db := onPostgreSQL(t, clone(t))
	const all = 200
	var both sync.WaitGroup
	both.Add(2)
	works := [2]worked{}
	for i := range works {
		var first sync.Once
		works[i].job = func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
			first.Do(func() {
				both.Done()
				both.Wait() // the other has begun one too
			})
			return 0, nil
		}
	}
	one := db.open(t)
	var added []ports.Job
	for n := range all {
		added = append(added, delivery(n))
	}
	require.NoError(t, newAdder(t, one)(t.Context(), true, added...))
	started(t, one, &works[0])
	started(t, db.open(t), &works[1])
	eventually(t, ended(t, one), "all are done")
	for _, job := range added {
		require.Equal(t, 1, works[0].timesBegun(job)+works[1].timesBegun(job))
	}
	require.Positive(t, works[0].distinct())
	require.Positive(t, works[1].distinct())
}

func TestAStopReturnsWhatDoesNotEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		ends, lasts := delivery(1), delivery(2)
		release := make(chan struct{})
		work := worked{job: func(ctx context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			if job == ends {
				<-release
				return 0, ctx.Err()
			}
			<-ctx.Done()
			return 0, domain.ErrDatabase // whatever it says
		}}
		e := started(t, one, &work)
		require.NoError(t, newAdder(t, one)(t.Context(), true, ends, lasts))
		eventually(t, func() bool { return work.timesBegun(ends)+work.timesBegun(lasts) == 2 }, "both are begun")
		ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
		defer cancel()
		stopped := make(chan error, 1)
		go func() { stopped <- e.Stop(ctx) }()
		eventually(t, func() bool { return e.Ready(t.Context()) != nil }, "it is stopping")
		close(release)
		require.NoError(t, <-stopped)
		require.Equal(t, 1, work.timesEnded(ends), "one was waited for")
		require.Equal(t, 1, count(t, one, "true"))
		require.Equal(t, 1, count(t, one, "engine = '' AND attempts = 0"), "the other was returned, as if it had never been begun")

		var next worked
		started(t, one, &next)
		eventually(t, func() bool { return next.timesEnded(lasts) == 1 }, "it is done after the next start")
		require.Zero(t, next.timesBegun(ends))
	})
}

// An attempt that a stop interrupts does not count, so that the last one is made again.
func TestAStopLeavesTheLastAttempt(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, run("account", 1)))
		say(t, one, "UPDATE jobs SET attempts = 19")
		work := worked{job: func(ctx context.Context, _ ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}}
		e := started(t, one, &work)
		eventually(t, func() bool { return work.distinct() == 1 }, "it is begun")
		ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
		defer cancel()
		require.NoError(t, e.Stop(ctx))
		require.Equal(t, 1, count(t, one, "engine = '' AND attempts = 19"), "it is returned")

		var next worked
		started(t, one, &next)
		eventually(t, ended(t, one), "it is done after the next start")
		require.Equal(t, []ports.JobAttempt{{Last: true}}, work.begunAs())
		require.Equal(t, []ports.JobAttempt{{Last: true}}, next.begunAs())
	})
}

// A stop ends in time although jobs go on, gives these jobs back, and is no death.
func TestAStopEndsInTimeWhateverJobsDo(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		release := make(chan struct{})
		defer close(release)
		work := worked{job: until(release)}
		e := started(t, one, &work)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1), delivery(2), run("account", 1)))
		eventually(t, func() bool { return work.distinct() == 3 }, "all are begun")
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		e.BeginStop(ctx)
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "at once")
		require.NoError(t, e.Stop(ctx))
		require.NoError(t, ctx.Err(), "it ended in time")
		require.NoError(t, e.Stop(ctx), "it may be repeated")
		require.Equal(t, 3, count(t, one, "engine = '' AND attempts = 0"), "they are returned, as if they had never been begun")
		require.Zero(t, count(t, one, "deaths <> ''"))

		say(t, one, "UPDATE jobs SET engine = (SELECT id FROM job_engines), lease_until_us = "+db.past+" WHERE origin IS NULL")
		say(t, one, "UPDATE job_engines SET heard_at = "+db.heardPast)
		var next worked
		started(t, one, &next, takeover(3*time.Second), batches(1))
		eventually(t, ended(t, one), "they are done after the next start")
		require.Equal(t, make([]ports.JobAttempt, 3), next.begunAs(), "and if it had not returned them, that were no death either")
	})
}
