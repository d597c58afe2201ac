package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// A job that an engine leaves behind counts a death only if the engine is known, was not told
// to stop, and has no heartbeat any more.
func TestOnlyTheDeathOfAProcessIsCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		heard   func(database) string // when the engine had its last heartbeat; nil: never
		stopped bool
		attempt string
		want    ports.JobAttempt
	}{
		"it died":                     {func(db database) string { return db.heardPast }, false, "19", ports.JobAttempt{Deaths: 1}},
		"it died at the last attempt": {func(db database) string { return db.heardPast }, false, "30", ports.JobAttempt{Deaths: 1, Last: true}},
		"it was told to stop":         {func(db database) string { return db.heardPast }, true, "18", ports.JobAttempt{}},
		"it lives, and the job hangs": {func(db database) string { return db.heardNow }, false, "18", ports.JobAttempt{}},
		"it is of an older version":   {nil, false, "18", ports.JobAttempt{}},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, db database) {
				one := db.open(t)
				kinds := []ports.Job{delivery(1), run("account", 1)}
				require.NoError(t, newAdder(t, one)(t.Context(), true, kinds...))
				say(t, one, "UPDATE jobs SET engine = 'other', attempts = "+c.attempt+", lease_until_us = "+db.past)
				if c.heard != nil {
					say(t, one, fmt.Sprintf("INSERT INTO job_engines (id, heard_at, stopped) VALUES ('other', %s, %t)", c.heard(db), c.stopped))
				}
				var work worked
				started(t, one, &work, takeover(30*time.Minute))
				for _, job := range kinds {
					eventually(t, func() bool { return work.timesEnded(job) == 1 }, "another instance does it")
				}
				require.Equal(t, []ports.JobAttempt{c.want, c.want}, work.begunAs())
			})
		})
	}
}

// Deaths add up, and the application is told when there are as many as a job may
// have: what it does then gives the job up.
func TestDeathsAddUp(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, run("account", 1)))
		pause(t, one, db, "batches")
		var log lines
		e := started(t, one, &worked{}, takeover(time.Second), clockAhead(new(atomic.Int64)), logTo(&log))
		for n := range domain.MaxDeaths {
			require.Zero(t, log.with("given up"))
			dead := fmt.Sprintf("dead-%d", n)
			say(t, one, "INSERT INTO job_engines (id, heard_at, stopped) VALUES ('"+dead+"', "+db.heardPast+", false)")
			say(t, one, "UPDATE jobs SET engine = '"+dead+"', attempts = attempts + 1, lease_until_us = "+db.past+" WHERE origin IS NULL")
			eventually(t, func() bool {
				return count(t, one, fmt.Sprintf("engine = '' AND %s = %d", deathsIn, n+1)) == 1
			}, "it is handed out")
		}
		eventually(t, func() bool {
			return log.with("level=ERROR msg=\"a job at which the service died again and again is given up\" kind=batch_run") == 1
		}, "the log says so")
		require.NoError(t, e.Stop(t.Context()))

		say(t, one, "DELETE FROM river_queue")
		var work worked
		started(t, one, &work)
		eventually(t, ended(t, one), "it is given up")
		require.Equal(t, []ports.JobAttempt{{Deaths: domain.MaxDeaths}}, work.begunAs())
	})
}

// A job at which processes died is ended, however often that fails and however
// many attempts it has behind it: else its batch would stay open.
func TestADeadlyJobIsEndedInTheEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, run("account", 1)))
		say(t, one, "UPDATE jobs SET attempts = 40, deaths = "+deaths(6))
		var work worked
		work.job = func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
			if len(work.begunAs()) < 3 {
				return 0, errors.New("the database is away")
			}
			return 0, nil
		}
		started(t, one, &work, takeover(3*time.Second))
		for range 2 {
			eventually(t, func() bool { return count(t, one, "engine = '' AND attempts = 40 AND due_at_us > "+db.now) == 1 }, "it waits to be ended again, which costs no attempts")
			say(t, one, "UPDATE jobs SET due_at_us = "+db.past+" WHERE origin IS NULL")
		}
		eventually(t, ended(t, one), "it is ended")
		require.Equal(t, slices.Repeat([]ports.JobAttempt{{Deaths: 6}}, 3), work.begunAs())
	})
}

// An engine that was taken for dead and comes back takes its death back.
func TestAnEngineThatComesBackHadNoDeath(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		release := make(chan struct{})
		var ahead atomic.Int64
		work := worked{job: until(release)}
		started(t, one, &work, takeover(3*time.Second), clockAhead(&ahead))
		job := run("account", 1)
		require.NoError(t, newAdder(t, one)(t.Context(), true, job, delivery(1)))
		eventually(t, func() bool { return work.timesBegun(job)+work.timesBegun(delivery(1)) == 2 }, "they are begun")
		var id string
		require.NoError(t, plain(one).QueryRowContext(t.Context(), "SELECT id FROM job_engines").Scan(&id))
		say(t, one, "UPDATE jobs SET deaths = 'another "+id+" '") // as another instance does
		eventually(t, func() bool {
			ahead.Add(int64(time.Minute)) // it has not said a word for so long
			return count(t, one, deathsIn+" = 1") == 2
		}, "nobody says that it lives")
		close(release)
	})
}

// deathsIn is how many deaths a job has: each id has a blank after it.
const deathsIn = "(length(deaths) - length(replace(deaths, ' ', '')))"

// A job that has killed twice is done in a process that does no other of its kind,
// although others never cease to come; one that has been given up harms nobody.
func TestAJobThatKilledTwiceRunsAlone(t *testing.T) {
	t.Parallel()
	for died, alone := range map[int]bool{1: false, 2: true, 4: true, 5: false} {
		t.Run(fmt.Sprint(died), func(t *testing.T) {
			onBoth(t, func(t *testing.T, db database) {
				const workers, neighbours = 4, 40
				one := db.open(t)
				feared := run("feared", 1)
				var mu sync.Mutex
				under := map[ports.Job]bool{}
				var company, others int
				meet := make(chan struct{})
				met := sync.OnceFunc(func() { close(meet) })
				beside := make(chan struct{})
				two := sync.OnceFunc(func() { close(beside) })
				work := worked{job: func(_ context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
					mu.Lock()
					under[job] = true
					if len(under) > 1 {
						others++
						two()
						if under[feared] {
							company++
						}
						if !alone && company > 0 {
							met()
						}
					}
					mu.Unlock()
					if job == feared && !alone {
						<-meet // one comes beside it
					} else {
						select { // the first two wait for each other, unless one is alone
						case <-beside:
						case <-time.After(time.Second):
						}
						time.Sleep(5 * time.Millisecond)
					}
					mu.Lock()
					defer mu.Unlock()
					delete(under, job)
					return 0, nil
				}}
				add := newAdder(t, one)
				var all []ports.Job
				for n := range neighbours {
					all = append(all, run(fmt.Sprintf("neighbour-%d", n%4), n))
				}
				require.NoError(t, add(t.Context(), true, all[:neighbours/2]...))
				require.NoError(t, add(t.Context(), true, feared))
				say(t, one, "UPDATE jobs SET deaths = "+deaths(died)+" WHERE account_id = 'feared'")
				require.NoError(t, add(t.Context(), true, all[neighbours/2:]...))
				started(t, one, &work, takeover(3*time.Second), batches(workers))
				eventually(t, func() bool { return count(t, one, "true") == 0 }, "all end")
				require.Positive(t, others, "workers work beside each other")
				require.Equal(t, alone, company == 0)
			})
		})
	}
}
