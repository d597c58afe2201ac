package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", atOnce)
	postgres.Main(m)
}

// waitLimit is how long what must happen may take: machines are slow.
const waitLimit = time.Minute

// onBoth runs a check on an empty database of SQLite and, where that is asked for, of PostgreSQL, beside
// other tests. What instances on one database do is always tested on PostgreSQL.
func onBoth(t *testing.T, check func(t *testing.T, db database)) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		check(t, onSQLite(t))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		postgres.OnlyWithBoth(t)
		t.Parallel()
		// One connection hears of new jobs. Each costs the server as much as many statements.
		check(t, onPostgreSQL(t, clone(t)+"&pool_max_conns=3"))
	})
}

// engine makes an engine that is stopped when the test ends.
func engine(t *testing.T, db jobs.Database, work ports.Work, changes ...func(*jobs.Params)) *jobs.Engine {
	t.Helper()
	p := jobs.Params{Settings: jobs.Settings{Deliveries: 8, Runners: 1, Sweep: time.Hour, Schedule: time.Hour, Alarms: time.Hour, Billing: time.Hour},
		Database: db, Work: work, Clock: time.Now, Log: slog.New(slog.DiscardHandler)}
	for _, change := range changes {
		change(&p)
	}
	e := only.Value(jobs.New(p))(t)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 5*time.Second)
		defer cancel()
		_ = e.Stop(ctx)
	})
	return e
}

func started(t *testing.T, db jobs.Database, work ports.Work, changes ...func(*jobs.Params)) *jobs.Engine {
	t.Helper()
	e := engine(t, db, work, changes...)
	require.NoError(t, e.Start(t.Context()))
	return e
}

// takeover has jobs handed out when their lease was not renewed for a time.
func takeover(after time.Duration) func(*jobs.Params) {
	return func(p *jobs.Params) { p.Settings.Takeover = after }
}

// batches is how many jobs of batches are done at once.
func batches(n int) func(*jobs.Params) { return func(p *jobs.Params) { p.Settings.Runners = n } }

func logTo(to io.Writer) func(*jobs.Params) {
	return func(p *jobs.Params) { p.Log = slog.New(slog.NewTextHandler(to, nil)) }
}

// clockAhead has the engine's clock stand still, and run ahead by a time that the test changes: however busy the
// machine is, no heartbeat comes too late by it, after which an engine would hand out nothing.
func clockAhead(by *atomic.Int64) func(*jobs.Params) {
	start := time.Now()
	return func(p *jobs.Params) { p.Clock = func() time.Time { return start.Add(time.Duration(by.Load())) } }
}

// until does a job that lasts until a channel is closed, or has a value for it.
func until(end <-chan struct{}) func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
	return func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
		<-end
		return 0, nil
	}
}

func eventually(t *testing.T, so func() bool, says string) {
	t.Helper()
	require.Eventually(t, so, waitLimit, 25*time.Millisecond, says)
}

// someoneWaits waits until a session of the database waits for a lock of another one.
func someoneWaits(t *testing.T, db jobs.Database, says string) {
	t.Helper()
	eventually(t, func() (waits bool) {
		require.NoError(t, plain(db).QueryRowContext(t.Context(),
			"SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()").Scan(&waits))
		return waits
	}, says)
}

func say(t *testing.T, db jobs.Database, statement string) {
	t.Helper()
	require.NoError(t, only.Err(plain(db).ExecContext(t.Context(), statement)))
}

// count counts the jobs that have not ended, but for those of periodic kinds.
func count(t *testing.T, db jobs.Database, where string) (n int) {
	t.Helper()
	require.NoError(t, plain(db).QueryRowContext(t.Context(), "SELECT count(*) FROM jobs WHERE origin IS NULL AND "+where).Scan(&n))
	return n
}

func ended(t *testing.T, db jobs.Database) func() bool {
	return func() bool { return count(t, db, "true") == 0 }
}

// allEnd waits for the end of each of some jobs: all together may take longer on a busy machine.
func allEnd(t *testing.T, db jobs.Database, left int) {
	t.Helper()
	for left > 0 {
		before := left
		eventually(t, func() bool {
			left = count(t, db, "true")
			return left < before
		}, "one more is done")
	}
}

// pause has river give out no looks of a queue, before an engine has begun to.
func pause(t *testing.T, one jobs.Database, db database, queue string) {
	t.Helper()
	say(t, one, fmt.Sprintf("INSERT INTO river_queue (name, updated_at, paused_at) VALUES ('look_%s', %s, %s)", queue, db.heardNow, db.heardNow))
}

func TestJobsShareTheFateOfTheirTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		const transactions, rivals = 200, 8
		one := db.open(t)
		var work worked
		started(t, one, &work)
		add := newAdder(t, one)
		errs := make([]error, rivals)
		var all sync.WaitGroup
		for r := range rivals {
			all.Go(func() {
				for n := r; n < transactions; n += rivals {
					errs[r] = errors.Join(errs[r], add(t.Context(), n%4 != 0, delivery(n)))
				}
			})
		}
		all.Wait()
		require.NoError(t, errors.Join(errs...))
		eventually(t, ended(t, one), "a job is lost")
		for n := range transactions {
			want := 1
			if n%4 == 0 {
				want = 0
			}
			require.Equal(t, want, work.timesBegun(delivery(n)), "transaction %d", n)
		}
	})
}

func TestJobsOfBothKindsArriveAsTheyWere(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		limits := map[ports.JobKind]time.Duration{ports.DeliverJob: 30 * time.Second, ports.RunJob: 5 * time.Minute}
		work := worked{job: func(ctx context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			if end, ok := ctx.Deadline(); !ok || time.Until(end) > limits[job.Kind] {
				return 0, errors.New("an attempt that hangs is not cut off")
			}
			return 0, nil
		}}
		started(t, one, &work)
		run := ports.Job{Kind: ports.RunJob, AccountID: "account", Run: domain.BatchJob{BatchID: "batch", Position: 7}}
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1), run))
		eventually(t, func() bool { return work.timesEnded(run) == 1 && work.timesEnded(delivery(1)) == 1 }, "both are done")
		eventually(t, ended(t, one), "and not to be done again")
		require.Len(t, work.begunAs(), 2)
		require.Error(t, newAdder(t, one)(t.Context(), true, ports.Job{Kind: "unheard of"}))
	})
}

func TestAJobThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	faults := map[string]func() error{
		"an error": func() error { return errors.New("CONFIDENTIAL") },
		"a panic":  func() error { panic("CONFIDENTIAL") },
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, db database) {
				one := db.open(t)
				var work worked
				work.job = func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
					if len(work.begunAs()) == 1 {
						return 0, fault()
					}
					return 0, nil
				}
				var text lines
				started(t, one, &work, logTo(&text))
				require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
				eventually(t, ended(t, one), "it is done in the end")
				require.Equal(t, 2, work.timesBegun(delivery(1)))
				require.Equal(t, 1, text.with("CONFIDENTIAL"), "the service's log says why, once")
			})
		})
	}
}

// lines is a log that may be written by many.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) with(text string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(l.text.Bytes()) {
		if bytes.Contains(line, []byte(text)) {
			n++
		}
	}
	return n
}

func TestAJobMayAskToBeCalledAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		const times = 3 // more than attempts are left
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "UPDATE jobs SET attempts = 18")
		var work worked
		work.job = func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
			if len(work.begunAs()) < times {
				return time.Millisecond, nil
			}
			return 0, nil
		}
		started(t, one, &work)
		eventually(t, ended(t, one), "it is done in the end")
		require.Equal(t, make([]ports.JobAttempt, times), work.begunAs(), "to be called again is no failure")
	})
}

func TestTheLastAttemptIsCalledSo(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "UPDATE jobs SET attempts = 18")
		work := worked{job: func(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
			return 0, errors.New("never works")
		}}
		started(t, one, &work, takeover(3*time.Second))
		eventually(t, func() bool {
			say(t, one, "UPDATE jobs SET due_at_us = "+db.past+" WHERE engine = '' AND origin IS NULL") // the pause is over
			return count(t, one, "true") == 0
		}, "it is given up")
		require.Equal(t, []ports.JobAttempt{{}, {Last: true}}, work.begunAs())
	})
}

func TestMigratingJobsMayBeRepeated(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		require.NoError(t, jobs.Migrate(t.Context(), one))
		require.Equal(t, 1, count(t, one, "true"))
	})
	require.Error(t, jobs.Migrate(t.Context(), jobs.Database{}))
}

// River's tables are older than its library after an upgrade of the program.
func TestRiversOlderTablesAreMigrated(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		version := func() (version int) {
			require.NoError(t, plain(one).QueryRowContext(t.Context(), "SELECT max(version) FROM river_migration").Scan(&version))
			return version
		}
		last := version()
		if one.SQLite != nil {
			migrateDown(t, riversqlite.New(one.SQLite))
		} else {
			migrateDown(t, riverpgxv5.New(one.Postgres))
		}
		require.Equal(t, last-1, version())
		require.NoError(t, newAdder(t, one)(t.Context(), true, run("account", 1)))
		say(t, one, "DELETE FROM job_versions") // the process was killed before it had noted them
		require.NoError(t, jobs.Migrate(t.Context(), one))
		require.Equal(t, last, version())
		var work worked
		started(t, one, &work)
		eventually(t, func() bool { return work.timesEnded(run("account", 1)) == 1 }, "a job of before the migration is done")
	})
}

// migrateDown takes river's tables back to the version before.
func migrateDown[Tx any](t *testing.T, driver riverdriver.Driver[Tx]) {
	t.Helper()
	migrator := only.Value(rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)}))(t)
	require.NoError(t, only.Err(migrator.Migrate(t.Context(), rivermigrate.DirectionDown, &rivermigrate.MigrateOpts{MaxSteps: 1})))
}

// doing is ports.Work whose jobs last until they are let go.
type doing struct{ begun, end chan struct{} }

func (d doing) Do(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
	d.begun <- struct{}{}
	<-d.end
	return 0, nil
}

// A job that is handed out in the moment in which its attempt ends has ended
// all the same, unless another attempt has been begun.
func TestAJobIsHandedOutWhileItEnds(t *testing.T) {
	t.Parallel()
	db := onPostgreSQL(t, clone(t))
	one := db.open(t)
	work := doing{begun: make(chan struct{}), end: make(chan struct{})}
	started(t, one, work)
	require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
	<-work.begun

	handing := only.Value(plain(one).BeginTx(t.Context(), nil))(t)
	require.NoError(t, only.Err(handing.ExecContext(t.Context(), "UPDATE jobs SET engine = '' WHERE origin IS NULL")))
	work.end <- struct{}{}
	someoneWaits(t, one, "nobody notes the end of the job")
	require.NoError(t, handing.Commit())
	eventually(t, ended(t, one), "the job does not end")
}
