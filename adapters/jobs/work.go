package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"milaan/domain"
	"milaan/ports"
)

// worker does the jobs of one kind.
type worker struct {
	river.WorkerDefaults[args]
	engine *Engine
	kind   kind
}

// Timeout is how long one attempt may take.
func (w *worker) Timeout(*river.Job[args]) time.Duration { return w.kind.limit }

// Work makes one attempt.
func (w *worker) Work(ctx context.Context, job *river.Job[args]) error {
	return w.engine.attempt(ctx, job.JobRow, w.kind, jobOf(job))
}

// errFailed is all that river is told of an error, for it keeps the text.
var errFailed = errors.New("failed: the service's log says why")

// errDeadly is what river is told of a job that is given up because of its deaths.
var errDeadly = errors.New("given up: processes died at it")

// endingPause is how long a job at which processes died waits until the application is
// called to end it again, once it has used up its attempts. This goes on until the
// application has ended the job, because its batch stays open until then.
const endingPause = time.Minute

// attempt makes an attempt, and tells river what is to become of the job.
func (e *Engine) attempt(ctx context.Context, row *rivertype.JobRow, kind kind, job ports.Job) error {
	end := e.attempts.begin(ctx, attempt{row.ID, row.Attempt}, job.Kind, e.clock())
	defer func() { end(e.clock()) }()
	deaths := deathsOf(row)
	// An attempt that a death ended is no failure.
	exhausted := row.Attempt-deaths >= kind.attempts
	ending := kind.mustEnd && deaths >= domain.MaxDeaths
	made := ports.JobAttempt{Last: exhausted && !ending, Deaths: deaths}
	again, err := e.do(ctx, job, made)
	switch {
	case err == nil && again > 0:
		e.figures.countEnd(job.Kind, outcomeAgain)
		return river.JobSnooze(again)
	case err == nil && ending:
		e.figures.countEnd(job.Kind, outcomeGivenUp)
		return river.JobCancel(errDeadly)
	case err == nil:
		e.figures.countEnd(job.Kind, outcomeDone)
		return nil
	case errors.Is(ctx.Err(), context.Canceled): // by a stop: a limit is another error
		e.figures.countEnd(job.Kind, outcomeReturned)
		return ctx.Err()
	}
	e.logFailure(ctx, row, kind, made.Last, err)
	switch {
	case made.Last:
		e.figures.countEnd(job.Kind, outcomeGivenUp)
		return river.JobCancel(errFailed)
	case exhausted:
		e.figures.countEnd(job.Kind, outcomeAgain)
		return river.JobSnooze(endingPause)
	}
	e.figures.countEnd(job.Kind, outcomeFailed)
	return errFailed
}

// deathsOf counts the processes that died at a job.
func deathsOf(row *rivertype.JobRow) int {
	var noted struct {
		Deaths []string `json:"deaths"` // ids of engines
	}
	_ = json.Unmarshal(row.Metadata, &noted) // written by the database itself
	return len(noted.Deaths)
}

// do calls the application, and returns a panic of it as an error.
func (e *Engine) do(ctx context.Context, job ports.Job, made ports.JobAttempt) (again time.Duration, err error) {
	defer func() {
		if p := recover(); p != nil {
			again, err = 0, &panicked{value: p, stack: debug.Stack()}
		}
	}()
	return e.work.Do(ctx, job, made)
}

// panicked is a panic as an error.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func (e *Engine) logFailure(ctx context.Context, row *rivertype.JobRow, kind kind, last bool, err error) {
	attrs := []slog.Attr{slog.String("kind", row.Kind), slog.Int64("job", row.ID), slog.Int("attempt", row.Attempt), slog.Any("error", err)}
	if p, ok := errors.AsType[*panicked](err); ok {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	level, text := slog.LevelWarn, "a job failed and is tried again"
	switch {
	case kind.period != nil:
		level, text = slog.LevelError, "a job failed, and the next of its kind comes by itself"
	case last:
		level, text = slog.LevelError, "a job failed and is given up"
	}
	e.log.LogAttrs(ctx, level, text, attrs...)
}
