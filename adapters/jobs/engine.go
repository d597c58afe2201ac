package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"go.uber.org/fx"

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
	// most jobs take less. It is cut short so that hardStop is left, in which
	// those that do not are told to and return.
	softStop = 10 * time.Second
	hardStop = 5 * time.Second
	// giveBackShare is the part of a stop's time that is left for giving back the
	// jobs that do not return, and for whatever stops after the engine; at most
	// mostGiveBack.
	giveBackShare = 10
	mostGiveBack  = time.Second
)

// Engine does jobs, this copy's share of them.
type Engine struct {
	work      ports.Work
	clock     ports.Clock
	log       *slog.Logger
	client    client
	ledger    ledger
	turns     *turns
	held      *held
	keeper    keeper
	figures   *figures
	started   time.Time
	running   atomic.Bool
	endKeeper context.CancelFunc
	keeperEnd chan struct{}
	stopping  sync.Once
	stopped   chan struct{}
	stopError error // once stopped is closed
}

// client is river's, of either database.
type client interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
}

// Params are what New needs.
type Params struct {
	fx.In

	Settings Settings
	Database Database // migrated, and open until the engine has stopped
	Work     ports.Work
	Clock    ports.Clock
	Log      *slog.Logger
}

// New makes an engine that stands.
func New(p Params) (*Engine, error) {
	db, clock, log := p.Database, p.Clock, p.Log
	if err := db.check(); err != nil {
		return nil, err
	}
	settings := p.Settings.WithDefaults()
	id := "milaan-" + uuid.NewString() // river's own would have the machine's name in it
	e := &Engine{
		work: p.Work, clock: clock, log: log, held: newHeld(),
		ledger: newLedger(db, id), turns: newTurns(db, settings.Batches), stopped: make(chan struct{}),
	}
	e.figures = newFigures(e.ledger, clock, log)
	e.keeper = keeper{ledger: e.ledger, held: e.held, after: settings.Takeover, every: settings.beat(), clock: clock, log: log}
	var err error
	if config := e.config(id, settings); db.SQLite != nil {
		e.client, err = newClient(riversqlite.New(db.SQLite), e.turns, config)
	} else {
		e.client, err = newClient(riverpgxv5.New(db.Postgres), e.turns, config)
	}
	if err != nil {
		return nil, fmt.Errorf("make the job engine: %w", err)
	}
	return e, nil
}

func newClient[Tx any](driver riverdriver.Driver[Tx], turns *turns, config *river.Config) (client, error) {
	return river.NewClient[Tx](fair[Tx]{driver, turns}, config)
}

func (e *Engine) config(id string, settings Settings) *river.Config {
	config := &river.Config{
		ID:                          id,
		Queues:                      map[string]river.QueueConfig{},
		Workers:                     river.NewWorkers(),
		FetchPollInterval:           fetchEvery,
		FetchCooldown:               fetchPause,
		RescueStuckJobsAfter:        rescueAfter,
		RetryPolicy:                 pauses{e.clock},
		CompletedJobRetentionPeriod: keepDone,
		CancelledJobRetentionPeriod: keepGivenUp,
		DiscardedJobRetentionPeriod: keepGivenUp,
		Logger:                      newCalm(e.log, e.clock),
	}
	for _, k := range kinds {
		queue := river.QueueConfig{MaxWorkers: k.workers(settings)}
		// River's other functions know a kind by the type of its arguments.
		river.AddWorkerArgs(config.Workers, args{kind: k.name}, &worker{engine: e, kind: k})
		if k.period != nil {
			period := k.period(settings)
			queue.FetchPollInterval = max(fetchEvery, period/10)
			config.PeriodicJobs = append(config.PeriodicJobs, river.NewPeriodicJob(river.PeriodicInterval(period),
				func() (river.JobArgs, *river.InsertOpts) { return args{kind: k.name}, nil }, nil))
		}
		config.Queues[k.queue] = queue
	}
	return config
}

// Start sets the engine going and returns. ctx bounds the start only. It fails
// if the database is out of reach.
func (e *Engine) Start(ctx context.Context) error {
	e.started = e.clock()
	// Before it has a job, so that its death would be known for one.
	if err := e.ledger.joined(ctx); err != nil {
		return fmt.Errorf("start the job engine: %w", err)
	}
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

// BeginStop takes on no more jobs and returns at once; Stop has the rest. It is
// for whoever has something else to stop meanwhile. ctx is as for Stop and must
// not end before Stop returns.
func (e *Engine) BeginStop(ctx context.Context) {
	if !e.running.Swap(false) {
		return
	}
	e.stopping.Do(func() {
		go func() {
			defer close(e.stopped)
			e.stopError = e.stop(ctx)
		}()
	})
}

// Stop takes on no more jobs and waits for those that are being done, ten seconds
// if ctx allows; then it ends them and returns them, to be done by another copy or
// after the next start. It ends before ctx does, however long jobs go on: one that
// does not return is given to others all the same, who find out whether it ended.
func (e *Engine) Stop(ctx context.Context) error {
	e.BeginStop(ctx)
	if e.endKeeper == nil { // it was never started
		return nil
	}
	select {
	case <-e.stopped:
		return e.stopError
	case <-ctx.Done():
		return fmt.Errorf("stop the job engine: %w", ctx.Err())
	}
}

func (e *Engine) stop(ctx context.Context) error {
	soft, hard := shares(ctx)
	e.leave(ctx, soft/2)
	err := e.stopClient(ctx, soft, hard)
	e.endKeeper()
	<-e.keeperEnd
	if err == nil {
		return nil
	}
	if err := e.ledger.gaveBack(ctx); err != nil {
		return fmt.Errorf("stop the job engine: %w", err)
	}
	e.log.WarnContext(ctx, "jobs did not end in time and are given back", "error", err)
	return nil
}

// leave says that what becomes of this process from now on is no death. A
// database that is away may believe otherwise later.
func (e *Engine) leave(ctx context.Context, patience time.Duration) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := e.ledger.left(limited); err != nil {
		e.log.WarnContext(ctx, "the job engine cannot say that it stops", "error", err)
	}
}

func (e *Engine) stopClient(ctx context.Context, soft, hard time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, hard)
	defer cancel()
	softly, cancelSoftly := context.WithTimeout(ctx, soft)
	defer cancelSoftly()
	if err := e.client.Stop(softly); err == nil {
		return nil
	}
	return e.client.StopAndCancel(ctx)
}

// shares are after how long jobs are told to end, and after how long they are not
// waited for any more.
func shares(ctx context.Context) (soft, hard time.Duration) {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return softStop, softStop + hardStop
	}
	left := time.Until(deadline)
	hard = left - min(mostGiveBack, left/giveBackShare)
	return min(softStop, max(hard-hardStop, hard/2)), min(hard, softStop+hardStop)
}

// overdue is how long a job may be due, while nothing is begun and nothing ends,
// until the engine counts as stuck. Where workers are busy, the time comes on top
// in which each of their jobs must end.
const overdue = 30 * time.Second

var (
	errStands = errors.New("the job engine does not run")
	errStuck  = errors.New("jobs are due, and none has been begun or has ended")
)

// Ready is nil if the engine runs and gets on with jobs that are due.
func (e *Engine) Ready(ctx context.Context) error {
	if !e.running.Load() {
		return domain.ErrEngine.Caused(errStands)
	}
	depths, err := e.figures.depths(ctx)
	if err != nil {
		return domain.ErrEngine.Caused(err)
	}
	now := e.clock()
	for _, kind := range kinds {
		depth := depths[kind.name]
		busy, moved := e.held.of(kind.name)
		if moved.Before(e.started) {
			moved = e.started
		}
		// A queue may be long, and a worker be free between two of its jobs.
		patience := overdue
		if busy > 0 {
			patience += kind.limit
		}
		if still := now.Sub(moved); depth.oldest > overdue && still > patience {
			return domain.ErrEngine.Caused(fmt.Errorf("%w for %s: kind %s, of which one has been due for %s, and %d are under way",
				errStuck, still.Round(time.Second), kind.name, depth.oldest.Round(time.Second), busy))
		}
	}
	return nil
}
