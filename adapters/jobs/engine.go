package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"milaan/domain"
	"milaan/ports"
)

const (
	// fetchEvery is how often the queues are looked at in case no word came of
	// a job; fetchPause is the least time between two looks: one worker begins no
	// more jobs than that.
	fetchEvery = 500 * time.Millisecond
	fetchPause = 5 * time.Millisecond
	// rescueAfter is when river's own rescuer would step in.
	rescueAfter = time.Hour
	// keepDone is how long rows of jobs that were done are kept, keepGivenUp of
	// those that were given up.
	keepDone    = 10 * time.Minute
	keepGivenUp = 7 * 24 * time.Hour
)

const (
	// softStop is how long a stop waits for jobs to end by themselves;
	// most jobs take less. It is cut short so that hardStop is left.
	softStop = 10 * time.Second
	hardStop = 5 * time.Second
)

// Engine does jobs, this copy's share of them.
type Engine struct {
	work      ports.Work
	clock     ports.Clock
	log       *slog.Logger
	workers   map[ports.JobKind]int
	client    client
	held      *held
	keeper    keeper
	figures   *figures
	started   time.Time
	running   atomic.Bool
	endKeeper context.CancelFunc
	keeperEnd chan struct{}
}

// client is river's, of either database.
type client interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
}

// New makes an engine that stands. Its database must have been migrated, and
// stay open until it has stopped.
func New(settings Settings, db Database, work ports.Work, clock ports.Clock, log *slog.Logger) (*Engine, error) {
	if err := db.check(); err != nil {
		return nil, err
	}
	settings = settings.WithDefaults()
	e := &Engine{
		work: work, clock: clock, log: log, held: newHeld(),
		workers: map[ports.JobKind]int{ports.DeliverJob: settings.Deliveries, ports.RunJob: settings.Batches},
	}
	ledger := newLedger(db)
	e.figures = newFigures(ledger, clock, log)
	e.keeper = keeper{ledger: ledger, held: e.held, after: settings.Takeover, every: settings.beat(), clock: clock, log: log}
	var err error
	if config := e.config(settings); db.SQLite != nil {
		e.client, err = newClient(riversqlite.New(db.SQLite), config)
	} else {
		e.client, err = newClient(riverpgxv5.New(db.Postgres), config)
	}
	if err != nil {
		return nil, fmt.Errorf("make the job engine: %w", err)
	}
	return e, nil
}

func newClient[Tx any](driver riverdriver.Driver[Tx], config *river.Config) (client, error) {
	return river.NewClient(driver, config)
}

func (e *Engine) config(settings Settings) *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker[deliverArgs]{engine: e, limit: deliverLimit})
	river.AddWorker(workers, &worker[runArgs]{engine: e, limit: runLimit})
	return &river.Config{
		ID: "milaan-" + uuid.NewString(), // by default it has the machine's name in it
		Queues: map[string]river.QueueConfig{
			deliveries: {MaxWorkers: settings.Deliveries},
			batches:    {MaxWorkers: settings.Batches},
		},
		Workers:                     workers,
		FetchPollInterval:           fetchEvery,
		FetchCooldown:               fetchPause,
		RescueStuckJobsAfter:        rescueAfter,
		RetryPolicy:                 pauses{e.clock},
		CompletedJobRetentionPeriod: keepDone,
		CancelledJobRetentionPeriod: keepGivenUp,
		DiscardedJobRetentionPeriod: keepGivenUp,
		Logger:                      newCalm(e.log, e.clock),
	}
}

// Start sets the engine going and returns. ctx bounds the start only. It fails
// if the database is out of reach.
func (e *Engine) Start(ctx context.Context) error {
	e.started = e.clock()
	if err := e.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job engine: %w", err)
	}
	keeping, end := context.WithCancel(context.WithoutCancel(ctx))
	e.endKeeper, e.keeperEnd = end, make(chan struct{})
	go func() {
		defer close(e.keeperEnd)
		e.keeper.run(keeping)
	}()
	e.running.Store(true)
	return nil
}

// Stop takes on no more jobs and waits for those that are being done, some
// seconds if ctx allows; then it ends them and returns them, to be done by
// another copy or after the next start. If ctx ends before, what is left is
// taken over as if the process had been killed, and Stop returns ctx's error.
func (e *Engine) Stop(ctx context.Context) error {
	if !e.running.Swap(false) {
		return nil
	}
	err := e.stopClient(ctx)
	e.endKeeper()
	<-e.keeperEnd
	if err != nil {
		return fmt.Errorf("stop the job engine: %w", err)
	}
	return nil
}

func (e *Engine) stopClient(ctx context.Context) error {
	soft, cancel := context.WithTimeout(ctx, softly(ctx))
	defer cancel()
	if err := e.client.Stop(soft); err == nil {
		return nil
	}
	return e.client.StopAndCancel(ctx)
}

// softly is how long to wait before jobs are ended.
func softly(ctx context.Context) time.Duration {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return softStop
	}
	left := time.Until(deadline)
	return min(softStop, max(left-hardStop, left/2))
}

// overdue is how long a job may be due, while workers have nothing to do, until
// the engine counts as stuck.
const overdue = 30 * time.Second

var (
	errStands = errors.New("the job engine does not run")
	errStuck  = errors.New("jobs are due, workers are free, and none is begun")
)

// Ready is nil if the engine runs and jobs that are due are begun.
func (e *Engine) Ready(ctx context.Context) error {
	if !e.running.Load() {
		return domain.ErrEngine.Caused(errStands)
	}
	depths, err := e.figures.depths(ctx)
	if err != nil {
		return domain.ErrEngine.Caused(err)
	}
	now := e.clock()
	for kind, depth := range depths {
		busy, began := e.held.of(kind)
		if began.Before(e.started) {
			began = e.started
		}
		// A queue may be long, and a worker be free between two of its jobs.
		if depth.oldest > overdue && now.Sub(began) > overdue && busy < e.workers[kind] {
			return domain.ErrEngine.Caused(fmt.Errorf("%w: kind %s, for %s", errStuck, kind, depth.oldest.Round(time.Second)))
		}
	}
	return nil
}
