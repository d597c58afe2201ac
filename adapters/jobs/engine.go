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
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

const (
	// fetchEvery is how often the queues are queried in case a notification of a new look
	// was lost; fetchPause is the least time between two queries.
	fetchEvery = time.Second
	fetchPause = 5 * time.Millisecond
	// rescueAfter is when river hands out a look again whose process was killed. By then the
	// heartbeat has long made up for it.
	rescueAfter = time.Hour
	// keepLooks is how long rows of looks that have ended are kept.
	keepLooks = time.Minute
)

const (
	// softStop is how long a stop waits for jobs to end by themselves; most jobs take
	// less. Then the contexts of the rest are cancelled, and hardStop is how long the
	// stop waits for them to return. If there is less time, softStop is shortened first.
	softStop = 10 * time.Second
	hardStop = 5 * time.Second
	// One part in giveBackShare of a stop's time, and at most maxGiveBack, is left for
	// giving back the jobs that do not return, and for what stops after the engine.
	giveBackShare = 5
	maxGiveBack   = 3 * time.Second
)

// Engine does this instance's share of the jobs.
type Engine struct {
	work      ports.Work
	clock     ports.Clock
	log       *slog.Logger
	tracing   peers.Tracing
	riverLog  *slog.Logger
	client    client
	ledger    ledger
	lanes     map[ports.JobKind]*lane
	attempts  *attempts
	heartbeat heartbeat
	figures   *figures
	hold      *hold
	started   time.Time
	running   atomic.Bool
	endBeats  context.CancelFunc // of the heartbeat; nil before the start
	beating   sync.WaitGroup
	settings  Settings
	stopping  context.Context // ends when a stop begins: no more jobs are begun
	beginStop context.CancelFunc
	stopped   chan struct{}
	stopError error // once stopped is closed
}

// Params are what New needs.
type Params struct {
	fx.In

	Settings Settings
	Database Database // migrated, and open until the engine has stopped
	Work     ports.Work
	MaySend  ports.MaySend // says whether the service is held
	Clock    ports.Clock
	Log      *slog.Logger
	Tracing  peers.Tracing `optional:"true"` // nil: nobody collects traces
}

// New makes an engine that is not started.
func New(p Params) (*Engine, error) {
	db, clock, log := p.Database, p.Clock, p.Log
	if err := db.check(); err != nil {
		return nil, err
	}
	settings := p.Settings.WithDefaults()
	id := "milaan-" + uuid.NewString() // river's own would have the machine's name in it
	e := &Engine{
		work: p.Work, clock: clock, log: log, tracing: p.Tracing, riverLog: newRiverLog(log, clock), attempts: newAttempts(),
		ledger: newLedger(db, id, settings.Takeover), lanes: map[ports.JobKind]*lane{}, settings: settings, stopped: make(chan struct{}),
	}
	e.stopping, e.beginStop = context.WithCancel(context.Background())
	for _, k := range kinds {
		e.lanes[k.name] = newLane(k, settings)
	}
	e.hold = &hold{ask: p.MaySend, clock: clock, log: log}
	e.figures = newFigures(e.ledger, e.hold, clock, log)
	e.heartbeat = heartbeat{ledger: e.ledger, attempts: e.attempts, every: settings.beat(), clock: clock, log: log, scan: e.scan}
	var err error
	if e.client, err = newClient(db, e.config(id, settings)); err != nil {
		return nil, fmt.Errorf("make the job engine: %w", err)
	}
	return e, nil
}

// Start starts the engine and returns. ctx bounds the start only. It fails if the
// database is out of reach.
func (e *Engine) Start(ctx context.Context) error {
	e.started = e.clock()
	// The first heartbeat comes before the first job: if this process dies at it, others
	// can tell.
	if err := e.ledger.join(ctx, e.settings); err != nil {
		return fmt.Errorf("start the job engine: %w", err)
	}
	if _, err := e.hold.look(ctx); err != nil {
		return fmt.Errorf("start the job engine: %w", err)
	}
	if err := e.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job engine: %w", err)
	}
	beats, end := context.WithCancel(context.WithoutCancel(ctx))
	e.endBeats = end
	e.beating.Go(func() { e.heartbeat.run(beats) })
	e.running.Store(true)
	return nil
}

// BeginStop begins a stop and returns at once; Stop waits for its end. It is for a
// caller that has something else to stop meanwhile. ctx is as for Stop and must not end
// before Stop returns.
func (e *Engine) BeginStop(ctx context.Context) {
	if !e.running.Swap(false) {
		return
	}
	e.beginStop()
	go func() {
		defer close(e.stopped)
		e.stopError = e.stop(ctx)
	}()
}

// Stop begins no more jobs and waits for those that are being done, ten seconds if ctx
// allows. Then it cancels their contexts and gives them back, so that another instance
// does them, or this one after its next start. It returns before ctx ends, however long
// jobs go on: one that does not return is given back too, and whoever does it next finds
// out whether it was done.
func (e *Engine) Stop(ctx context.Context) error {
	e.BeginStop(ctx)
	if e.endBeats == nil { // it was never started
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
	soft, hard := stopTimes(ctx)
	e.leave(ctx, soft/2)
	err := e.stopClient(ctx, soft, hard)
	e.endBeats()
	e.beating.Wait()
	given, failed := e.ledger.giveBack(ctx) // even if all have ended: one may have been begun unheard
	switch {
	case err != nil && failed != nil:
		return fmt.Errorf("stop the job engine: %w", failed)
	case err != nil:
		e.log.WarnContext(ctx, "jobs did not end in time and are given back", "error", err)
	}
	e.addLooks(ctx, given)
	return nil
}

// leave says that what becomes of this process from now on is no death. If the database
// is away, the end of this process may count as one.
func (e *Engine) leave(ctx context.Context, timeout time.Duration) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := e.ledger.leave(limited); err != nil {
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

// stopTimes returns after how long the contexts of jobs are cancelled, and after how
// long the stop does not wait for them any more.
func stopTimes(ctx context.Context) (soft, hard time.Duration) {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return softStop, softStop + hardStop
	}
	left := time.Until(deadline)
	hard = left - min(maxGiveBack, left/giveBackShare)
	return min(softStop, max(hard-hardStop, hard/2)), min(hard, softStop+hardStop)
}

// overdue is how long a job may be due, while no job of its kind is begun or ends, until
// the engine counts as stuck. While a worker of the kind is busy, the time limit of one
// attempt is added.
const overdue = 30 * time.Second

var (
	errNotRunning = errors.New("the job engine does not run")
	errStuck      = errors.New("jobs are due, and none has been begun or has ended")
)

func (e *Engine) Ready(ctx context.Context) error {
	if !e.running.Load() {
		return domain.ErrEngine.Caused(errNotRunning)
	}
	depths, err := e.figures.depths(ctx)
	if err != nil {
		return domain.ErrEngine.Caused(err)
	}
	now := e.clock()
	for _, kind := range kinds {
		depth := depths[kind.name]
		busy, moved := e.attempts.of(kind.name)
		if e.hold.keeps(kind) {
			continue
		}
		for _, begin := range []time.Time{e.started, e.hold.ended()} {
			if moved.Before(begin) {
				moved = begin
			}
		}
		// A long queue alone does not count as stuck: a job must have been begun or ended.
		timeout := overdue
		if busy > 0 {
			timeout += kind.limit
		}
		if still := now.Sub(moved); depth.oldest > overdue && still > timeout {
			return domain.ErrEngine.Caused(fmt.Errorf("%w for %s: kind %s, of which one has been due for %s, and %d are under way",
				errStuck, still.Round(time.Second), kind.name, depth.oldest.Round(time.Second), busy))
		}
	}
	return nil
}

func (e *Engine) Held() bool { return e.hold.on.Load() }

// scan has the jobs begun that were handed out, that are overdue, and that an instance of an earlier
// version has left. After a hold, all that have waited are overdue.
func (e *Engine) scan(ctx context.Context, handedOut []leftBehind) error {
	resumed, err := e.hold.look(ctx)
	if err != nil {
		return err
	}
	looks := map[ports.JobKind]int{}
	for _, job := range handedOut {
		if !job.givenUp {
			looks[job.kind]++
		}
	}
	e.addLooks(ctx, looks)
	looked := e.lookForOverdue(ctx, resumed)
	if looked != nil && resumed {
		e.hold.on.Store(true) // the next heartbeat sees the end once more
	}
	return errors.Join(looked, e.moveLeft(ctx))
}
