package jobs

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"milaan/ports"
)

// look is a job of river's. It says that a job of a kind may be due; which one, the table of jobs says.
type look struct {
	Of ports.JobKind `json:"of"`
}

// Kind is by what river finds the worker.
func (look) Kind() string { return "look" }

// lookAttempts is how often river calls a look that failed, because the database did not answer, or
// that an instance of the version before has handed out because it takes it for left behind.
// One that is given up is made up for by the heartbeat.
const lookAttempts = 30

// InsertOpts gives the looks of each kind a queue of their own, which an earlier version does not
// work on.
func (l look) InsertOpts() river.InsertOpts {
	k, _ := kindOf(l.Of)
	return river.InsertOpts{Queue: k.looks(), MaxAttempts: lookAttempts}
}

func (k kind) looks() string { return "look_" + k.queue }

// looksFor are looks, as many of each kind as are given.
func looksFor(n map[ports.JobKind]int) (all []river.InsertManyParams) {
	for kind, n := range n {
		if _, known := kindOf(kind); !known { // a later version beside this one has added the job
			continue
		}
		for range n {
			all = append(all, river.InsertManyParams{Args: look{kind}})
		}
	}
	return all
}

// client is river's client of either database.
type client interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
	InsertMany(ctx context.Context, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
	JobList(ctx context.Context, which *river.JobListParams) (*river.JobListResult, error)
}

func newClient(db Database, config *river.Config) (client, error) {
	if db.SQLite != nil {
		return river.NewClient[*sql.Tx](riversqlite.New(db.SQLite), config)
	}
	return river.NewClient[pgx.Tx](riverpgxv5.New(db.Postgres), config)
}

func (e *Engine) config(id string, settings Settings) *river.Config {
	config := &river.Config{
		ID:                          id,
		Queues:                      map[string]river.QueueConfig{},
		Workers:                     river.NewWorkers(),
		FetchPollInterval:           fetchEvery,
		FetchCooldown:               fetchPause,
		RescueStuckJobsAfter:        rescueAfter,
		RetryPolicy:                 retryPolicy{e.clock},
		CompletedJobRetentionPeriod: keepLooks,
		CancelledJobRetentionPeriod: keepLooks,
		DiscardedJobRetentionPeriod: keepLooks,
		Logger:                      newRiverLog(e.log, e.clock),
	}
	river.AddWorker(config.Workers, &lookWorker{engine: e})
	for _, k := range kinds {
		queue := river.QueueConfig{MaxWorkers: k.workers(settings)}
		if k.period != nil {
			period := k.period(settings)
			queue.FetchPollInterval = max(fetchEvery, period/10)
			config.PeriodicJobs = append(config.PeriodicJobs, river.NewPeriodicJob(river.PeriodicInterval(period),
				func() (river.JobArgs, *river.InsertOpts) { return look{k.name}, nil }, nil))
		}
		config.Queues[k.looks()] = queue
	}
	addEarlier(config, e)
	return config
}

type lookWorker struct {
	river.WorkerDefaults[look]
	engine *Engine
}

// Timeout is longer than any look takes: an attempt at the job has its own. River's rescuer leaves
// jobs alone that have none.
func (w *lookWorker) Timeout(*river.Job[look]) time.Duration { return 2 * rescueAfter }

// errLook is all that river is told of an error, for it keeps the text.
var errLook = errors.New("the database did not answer: the service's log says why")

// Work makes an attempt at the next job of a kind, if one is due. The look stays as long as the
// job, whichever it was: it is snoozed until that job is to be done again.
func (w *lookWorker) Work(ctx context.Context, job *river.Job[look]) error {
	e, lane := w.engine, w.engine.lanes[job.Args.Of]
	if lane == nil {
		return nil
	}
	lane.looking.Add(1)
	defer lane.looking.Add(-1)
	again, err := e.look(ctx, lane)
	switch {
	case errors.Is(err, context.Canceled): // by a stop
		return river.JobSnooze(0)
	case err != nil:
		e.riverLog.WarnContext(ctx, "a job cannot be begun", "kind", job.Args.Of, "error", err)
		return errLook
	case again >= 0:
		return river.JobSnooze(again)
	}
	return nil
}

// none is returned by a look that need not be repeated.
const none time.Duration = -1

// soon is how far ahead of the database's clock a look may be that found nothing due. It is short,
// or looks that are not needed any more would never end while jobs become due.
const soon = 50 * time.Millisecond

// look makes an attempt at the next job, and returns after what time to look again.
func (e *Engine) look(ctx context.Context, l *lane) (again time.Duration, err error) {
	if e.hold.keeps(l.kind) {
		return none, nil // when the hold ends, looks are added
	}
	until, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.stopping, cancel)()
	h, end, ok, err := l.take(until, e.ledger)
	if err != nil {
		return none, err
	}
	if ok {
		defer end()
		if e.hold.keeps(l.kind) { // since this look asked
			return none, e.ledger.again(ctx, h.fenced, 0, h.attempts-1)
		}
		return e.attempt(ctx, l.kind, h), nil
	}
	wait, waits, err := e.ledger.untilNext(until, l.kind.name)
	if err != nil || !waits || wait > soon || l.kind.period != nil {
		return none, err
	}
	return wait, nil
}

// addLooks adds looks, and logs if it cannot: the heartbeat makes up for them.
func (e *Engine) addLooks(ctx context.Context, n map[ports.JobKind]int) {
	all := looksFor(n)
	if len(all) == 0 {
		return
	}
	if _, err := e.client.InsertMany(ctx, all); err != nil && ctx.Err() == nil {
		e.log.LogAttrs(ctx, slog.LevelWarn, "the job engine cannot be told of jobs that are due", slog.Any("error", err))
	}
}

// lookForOverdue adds looks for the jobs that are overdue while workers of this instance are free: a
// process that was killed has left them, or has taken the looks for them along. After a hold nobody
// looks for those that have waited, so there must be one look for each.
func (e *Engine) lookForOverdue(ctx context.Context, resumed bool) error {
	overdue, err := e.ledger.overdue(ctx, e.heartbeat.every)
	if err != nil {
		return err
	}
	for kind, l := range e.lanes {
		switch {
		case e.hold.keeps(l.kind):
			overdue[kind] = 0
		case resumed && l.kind.sends:
			overdue[kind] = min(overdue[kind], mostLooks)
		default:
			overdue[kind] = min(overdue[kind], int(l.workers-l.looking.Load()))
		}
	}
	e.addLooks(ctx, overdue)
	return nil
}
