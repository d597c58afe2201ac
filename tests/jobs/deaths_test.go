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

	"milaan/adapters/jobs"
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
		"it died":                     {func(db database) string { return db.past }, false, "19", ports.JobAttempt{Deaths: 1}},
		"it died at the last attempt": {func(db database) string { return db.past }, false, "max_attempts", ports.JobAttempt{Deaths: 1, Last: true}},
		"it was told to stop":         {func(db database) string { return db.past }, true, "18", ports.JobAttempt{}},
		"it lives, and the job hangs": {func(db database) string { return db.now }, false, "18", ports.JobAttempt{}},
		"it is of an older version":   {nil, false, "18", ports.JobAttempt{}},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, db database) {
				one := db.open(t)
				kinds := []ports.Job{delivery(1), run("account", 1)}
				require.NoError(t, newAdder(t, one)(t.Context(), true, kinds...))
				say(t, one, "UPDATE river_job SET state = 'running', attempt = "+c.attempt+", attempted_at = "+db.past+", attempted_by = "+db.engines("other"))
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
		say(t, one, "INSERT INTO river_queue (name, updated_at, paused_at) VALUES ('batches', "+db.now+", "+db.now+")")
		var log lines
		e := started(t, one, &worked{}, takeover(time.Second), logTo(&log))
		for n := range domain.MaxDeaths {
			require.Zero(t, log.with("given up"))
			dead := fmt.Sprintf("dead-%d", n)
			say(t, one, "INSERT INTO job_engines (id, heard_at, stopped) VALUES ('"+dead+"', "+db.past+", false)")
			say(t, one, "UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = "+db.past+", attempted_by = "+db.engines(dead))
			eventually(t, func() bool {
				return count(t, one, fmt.Sprintf("state = 'available' AND %s = %d", deathsIn(one), n+1)) == 1
			}, "it is handed out")
		}
		eventually(t, func() bool {
			return log.with("level=ERROR msg=\"a job at which the service died again and again is given up\" kind=batch_run") == 1
		}, "the log says so")
		require.NoError(t, e.Stop(t.Context()))

		say(t, one, "DELETE FROM river_queue")
		var work worked
		started(t, one, &work)
		eventually(t, func() bool { return count(t, one, "state = 'cancelled'") == 1 }, "it is given up")
		require.Equal(t, []ports.JobAttempt{{Deaths: domain.MaxDeaths}}, work.begunAs())
	})
}

// A job at which processes died is ended, however often that fails and however
// many attempts it has behind it: else its batch would stay open.
func TestADeadlyJobIsEndedInTheEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, run("account", 1)))
		say(t, one, "UPDATE river_job SET attempt = 40, max_attempts = 50, metadata = "+db.deaths(6))
		var work worked
		work.job = func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
			if len(work.begunAs()) < 3 {
				return 0, errors.New("the database is away")
			}
			return 0, nil
		}
		started(t, one, &work)
		for range 2 {
			eventually(t, func() bool { return count(t, one, "state = 'scheduled'") == 1 }, "it waits to be ended again")
			say(t, one, "UPDATE river_job SET state = 'available', scheduled_at = "+db.now)
		}
		eventually(t, func() bool { return count(t, one, "state = 'cancelled'") == 1 }, "it is ended")
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
		add := `jsonb_set(metadata, '{deaths}', '["another", "` + id + `"]')`
		if one.SQLite != nil {
			add = `jsonb_set(metadata, '$.deaths', jsonb('["another", "` + id + `"]'))`
		}
		say(t, one, "UPDATE river_job SET metadata = "+add) // as another instance does
		eventually(t, func() bool {
			ahead.Add(int64(time.Minute)) // it has not said a word for so long
			return count(t, one, deathsIn(one)+" = 1") == 2
		}, "nobody says that it lives")
		close(release)
	})
}

// deathsIn is how many deaths a job has.
func deathsIn(db jobs.Database) string {
	if db.SQLite != nil {
		return "json_array_length(metadata, '$.deaths')"
	}
	return "jsonb_array_length(metadata -> 'deaths')"
}

// A job that has killed twice is done in a process that does no other of its kind,
// although others never cease to come; one that has been given up harms nobody.
func TestAJobThatKilledTwiceRunsAlone(t *testing.T) {
	t.Parallel()
	for deaths, alone := range map[int]bool{1: false, 2: true, 4: true, 5: false} {
		t.Run(fmt.Sprint(deaths), func(t *testing.T) {
			onBoth(t, func(t *testing.T, db database) {
				const workers, neighbours = 4, 40
				one := db.open(t)
				feared := run("feared", 1)
				var mu sync.Mutex
				under := map[ports.Job]bool{}
				var company, others int
				meet := make(chan struct{})
				met := sync.OnceFunc(func() { close(meet) })
				work := worked{job: func(_ context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
					mu.Lock()
					under[job] = true
					if len(under) > 1 {
						others++
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
				say(t, one, "UPDATE river_job SET metadata = "+db.deaths(deaths)+" WHERE args ->> 'account_id' = 'feared'")
				require.NoError(t, add(t.Context(), true, all[neighbours/2:]...))
				started(t, one, &work, takeover(3*time.Second), batches(workers))
				eventually(t, func() bool { return count(t, one, "finalized_at IS NOT NULL") == neighbours+1 }, "all end")
				require.Positive(t, others, "workers work beside each other")
				require.Equal(t, alone, company == 0)
			})
		})
	}
}
