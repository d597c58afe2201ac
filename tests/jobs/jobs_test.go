package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/postgres"
)

func TestMain(m *testing.M) { postgres.Main(m) }

// patience is how long what must happen may take: machines are slow.
const patience = time.Minute

// onBoth runs a check on an empty database of either kind.
func onBoth(t *testing.T, check func(t *testing.T, db database)) {
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		check(t, onSQLite(t))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		check(t, onPostgreSQL(t, postgres.Database(t)))
	})
}

// engine makes an engine that is stopped when the test ends.
func engine(t *testing.T, db jobs.Database, work ports.Work, change func(*jobs.Settings, *ports.Clock, **slog.Logger)) *jobs.Engine {
	t.Helper()
	settings, clock, log := jobs.Settings{Deliveries: 8, Batches: 1}, ports.Clock(time.Now), slog.New(slog.DiscardHandler)
	if change != nil {
		change(&settings, &clock, &log)
	}
	e, err := jobs.New(settings, db, work, clock, log)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 5*time.Second)
		defer cancel()
		_ = e.Stop(ctx)
	})
	return e
}

func started(t *testing.T, db jobs.Database, work ports.Work) *jobs.Engine {
	t.Helper()
	e := engine(t, db, work, nil)
	require.NoError(t, e.Start(t.Context()))
	return e
}

func eventually(t *testing.T, so func() bool, says string) {
	t.Helper()
	require.Eventually(t, so, patience, 10*time.Millisecond, says)
}

func say(t *testing.T, db jobs.Database, statement string) {
	t.Helper()
	_, err := plain(db).ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

func count(t *testing.T, db jobs.Database, where string) (n int) {
	t.Helper()
	require.NoError(t, plain(db).QueryRowContext(t.Context(), "SELECT count(*) FROM river_job WHERE "+where).Scan(&n))
	return n
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
		eventually(t, func() bool { return count(t, one, "state = 'completed'") == transactions*3/4 }, "a job is lost")
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
		var work worked
		started(t, one, &work)
		run := ports.Job{Kind: ports.RunJob, AccountID: "account", Run: domain.BatchJob{BatchID: "batch", Position: 7}}
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1), run))
		eventually(t, func() bool { return work.timesEnded(run) == 1 && work.timesEnded(delivery(1)) == 1 }, "both are done")
		require.Error(t, newAdder(t, one)(t.Context(), true, ports.Job{Kind: "unheard of"}))
	})
}

func TestAJobThatFailsIsTriedAgain(t *testing.T) {
	faults := map[string]func() error{
		"an error": func() error { return errors.New("CONFIDENTIAL") },
		"a panic":  func() error { panic("CONFIDENTIAL") },
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, db database) {
				one := db.open(t)
				var calls atomic.Int64
				work := worked{job: func(context.Context, ports.Job, bool) (time.Duration, error) {
					if calls.Add(1) == 1 {
						return 0, fault()
					}
					return 0, nil
				}}
				var text lines
				e := engine(t, one, &work, func(_ *jobs.Settings, _ *ports.Clock, log **slog.Logger) {
					*log = slog.New(slog.NewTextHandler(&text, nil))
				})
				require.NoError(t, e.Start(t.Context()))
				require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
				eventually(t, func() bool { return count(t, one, "state = 'completed'") == 1 }, "it is done in the end")
				require.EqualValues(t, 2, calls.Load())
				require.Equal(t, 1, text.with("CONFIDENTIAL"), "the service's log says why, once")
				require.Equal(t, 1, count(t, one, "errors IS NOT NULL"))
				require.Zero(t, count(t, one, "CAST(errors AS text) LIKE '%CONFIDENTIAL%'"), "the database does not")
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
		const times = 25 // more than there are attempts after errors
		one := db.open(t)
		var calls, lasts atomic.Int64
		started(t, one, &worked{job: func(_ context.Context, _ ports.Job, last bool) (time.Duration, error) {
			if last {
				lasts.Add(1)
			}
			if calls.Add(1) < times {
				return time.Millisecond, nil
			}
			return 0, nil
		}})
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		eventually(t, func() bool { return count(t, one, "state = 'completed'") == 1 }, "it is done in the end")
		require.EqualValues(t, times, calls.Load())
		require.Zero(t, lasts.Load(), "to be called again is no failure")
		require.Zero(t, count(t, one, "errors IS NOT NULL"))
	})
}

func TestTheLastAttemptIsCalledSo(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "UPDATE river_job SET attempt = 18")
		var mu sync.Mutex
		var lasts []bool
		e := engine(t, one, &worked{job: func(_ context.Context, _ ports.Job, last bool) (time.Duration, error) {
			mu.Lock()
			defer mu.Unlock()
			lasts = append(lasts, last)
			return 0, errors.New("never works")
		}}, func(_ *jobs.Settings, clock *ports.Clock, _ **slog.Logger) {
			// The pause before the last attempt is ten minutes: it is over already.
			*clock = func() time.Time { return time.Now().Add(-time.Hour) }
		})
		require.NoError(t, e.Start(t.Context()))
		eventually(t, func() bool {
			say(t, one, "UPDATE river_job SET scheduled_at = "+db.past+" WHERE state IN ('available', 'retryable')")
			return count(t, one, "state = 'cancelled'") == 1
		}, "it is given up")
		mu.Lock()
		defer mu.Unlock()
		require.Equal(t, []bool{false, true}, lasts)
	})
}

func TestAJobThatADeadProcessLeftIsTakenOver(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		left, others, hopeless := delivery(1), delivery(2), delivery(3)
		require.NoError(t, newAdder(t, one)(t.Context(), true, left))
		say(t, one, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = "+db.past)
		require.NoError(t, newAdder(t, one)(t.Context(), true, hopeless))
		say(t, one, "UPDATE river_job SET state = 'running', attempt = max_attempts, attempted_at = "+db.past+" WHERE state = 'available'")
		require.NoError(t, newAdder(t, one)(t.Context(), true, others))
		say(t, one, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = "+db.now+" WHERE state = 'available'")
		var work worked
		e := engine(t, one, &work, func(s *jobs.Settings, _ *ports.Clock, _ **slog.Logger) { s.Takeover = 30 * time.Minute })
		require.NoError(t, e.Start(t.Context()))
		eventually(t, func() bool { return work.timesEnded(left) == 1 }, "it is done by somebody else")
		require.Zero(t, work.timesBegun(others), "one of which was heard is left alone")
		require.Zero(t, work.timesBegun(hopeless))
		require.Equal(t, 1, count(t, one, "state = 'discarded'"), "one that kills its workers is given up")
	})
}

func TestAnEngineThatIsCutOffLosesItsJobs(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one, two := db.open(t), db.open(t)
		brief := func(s *jobs.Settings, _ *ports.Clock, _ **slog.Logger) { s.Takeover = 3 * time.Second }
		stuck := worked{job: func(ctx context.Context, _ ports.Job, _ bool) (time.Duration, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}}
		dying := engine(t, one, &stuck, brief)
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
		require.NoError(t, engine(t, two, &work, brief).Start(t.Context()))
		eventually(t, func() bool { return work.timesEnded(job) == 1 }, "it is done by the other")
	})
}

func TestALongJobIsHeardOf(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		release := make(chan struct{})
		work := worked{job: func(context.Context, ports.Job, bool) (time.Duration, error) {
			<-release
			return 0, nil
		}}
		e := engine(t, one, &work, func(s *jobs.Settings, _ *ports.Clock, _ **slog.Logger) { s.Takeover = 3 * time.Second })
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		eventually(t, func() bool { return work.timesBegun(delivery(1)) == 1 }, "it is begun")
		for range 2 {
			say(t, one, "UPDATE river_job SET attempted_at = "+db.now)
			say(t, one, "CREATE TABLE seen AS SELECT attempted_at FROM river_job")
			eventually(t, func() bool {
				return count(t, one, "attempted_at > (SELECT max(attempted_at) FROM seen)") == 1
			}, "it is said to be alive")
			say(t, one, "DROP TABLE seen")
		}
		close(release)
		eventually(t, func() bool { return count(t, one, "state = 'completed'") == 1 }, "it is done")
	})
}

func TestTwoEnginesShareTheWork(t *testing.T) {
	db := onPostgreSQL(t, postgres.Database(t))
	const all = 200
	var both sync.WaitGroup
	both.Add(2)
	works := [2]worked{}
	for i := range works {
		var first sync.Once
		works[i].job = func(context.Context, ports.Job, bool) (time.Duration, error) {
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
	eventually(t, func() bool { return count(t, one, "state = 'completed'") == all }, "all are done")
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
		work := worked{job: func(ctx context.Context, job ports.Job, _ bool) (time.Duration, error) {
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
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		stopped := make(chan error, 1)
		go func() { stopped <- e.Stop(ctx) }()
		eventually(t, func() bool { return e.Ready(t.Context()) != nil }, "it is stopping")
		close(release)
		require.NoError(t, <-stopped)
		require.Equal(t, 1, count(t, one, "state = 'completed'"), "one was waited for")
		require.Equal(t, 1, count(t, one, "state = 'available' AND attempt = 0 AND errors IS NULL"), "the other was returned, as if it had never been begun")

		var next worked
		started(t, one, &next)
		eventually(t, func() bool { return next.timesEnded(lasts) == 1 }, "it is done after the next start")
		require.Zero(t, next.timesBegun(ends))
	})
}

func TestReadyTellsAnEngineThatDoesNotWork(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "UPDATE river_job SET scheduled_at = "+db.past)
		say(t, one, "INSERT INTO river_queue (name, updated_at, paused_at) VALUES ('deliveries', "+db.now+", "+db.now+")")
		var ahead atomic.Int64
		e := engine(t, one, &worked{}, func(_ *jobs.Settings, clock *ports.Clock, _ **slog.Logger) {
			*clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		})
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "it stands")
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, e.Ready(t.Context()), "it has just been started")
		ahead.Store(int64(time.Minute))
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "a job is due, workers are free, and none begins it")
		ahead.Store(int64(2 * time.Minute))
		say(t, one, "UPDATE river_job SET scheduled_at = "+db.now)
		require.NoError(t, e.Ready(t.Context()), "the job has just become due")
		require.NoError(t, e.Stop(t.Context()))
		require.ErrorIs(t, e.Ready(t.Context()), domain.ErrEngine, "it is stopped")
	})
}

func TestTheFiguresOfTheEngine(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		run := ports.Job{Kind: ports.RunJob, AccountID: "account", Run: domain.BatchJob{BatchID: "batch"}}
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "UPDATE river_job SET scheduled_at = "+db.past)
		say(t, one, "INSERT INTO river_queue (name, updated_at, paused_at) VALUES ('deliveries', "+db.now+", "+db.now+")")
		release := make(chan struct{})
		var ahead atomic.Int64
		work := worked{job: func(context.Context, ports.Job, bool) (time.Duration, error) {
			<-release
			return 0, nil
		}}
		e := engine(t, one, &work, func(_ *jobs.Settings, clock *ports.Clock, _ **slog.Logger) {
			*clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		})
		registry := prometheus.NewPedanticRegistry()
		require.NoError(t, registry.Register(e.Collector()))
		require.NoError(t, e.Start(t.Context()))
		require.NoError(t, newAdder(t, one)(t.Context(), true, run))
		eventually(t, func() bool { return work.timesBegun(run) == 1 }, "it is begun")
		figures := gathered(t, registry)
		require.EqualValues(t, 1, figures["milaan_jobs_waiting deliver"])
		require.EqualValues(t, 0, figures["milaan_jobs_running deliver"])
		require.GreaterOrEqual(t, figures["milaan_jobs_oldest_seconds deliver"], 3600.0)
		require.EqualValues(t, 0, figures["milaan_jobs_waiting batch_run"])
		require.EqualValues(t, 1, figures["milaan_jobs_running batch_run"])
		require.EqualValues(t, 0, figures["milaan_jobs_total batch_run done"])
		close(release)
		eventually(t, func() bool {
			ahead.Add(int64(time.Second))
			figures = gathered(t, registry)
			return figures["milaan_jobs_total batch_run done"] == 1 && figures["milaan_jobs_running batch_run"] == 0
		}, "it is counted")
	})
}

func gathered(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	all := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			name := family.GetName()
			for _, label := range metric.GetLabel() {
				name += " " + label.GetValue()
			}
			all[name] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
		}
	}
	return all
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
