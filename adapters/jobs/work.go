package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/sethvargo/go-retry"

	"milaan/domain"
	"milaan/ports"
)

// endingPause is how long a job at which processes died waits until the application is
// called to end it again, once it has used up its attempts. This goes on until the
// application has ended the job, because its batch stays open until then.
const endingPause = time.Minute

// attempt makes an attempt at a job, and writes what is to become of it. It returns after what time
// the job is to be done again, or none.
func (e *Engine) attempt(ctx context.Context, kind kind, h held) (again time.Duration) {
	began := e.clock()
	if e.tracing != nil && kind.period == nil {
		ctx = e.tracing.Job(ctx, kind.name, h.cause)
	}
	limited, cancel := context.WithTimeout(ctx, kind.limit)
	defer cancel()
	end := e.attempts.begin(limited, h.fenced, kind.name, e.clock())
	defer func() { end(e.clock()) }()
	failures := h.attempts - h.deaths // an attempt that a death ended is no failure
	exhausted := failures >= kind.attempts
	ending := kind.mustEnd && h.deaths >= domain.MaxDeaths
	made := ports.JobAttempt{Last: exhausted && !ending, Deaths: h.deaths}
	after, err := e.do(limited, h.job, made)
	attempts, outcome := h.attempts, outcomeFailed
	switch {
	case err == nil && after > 0:
		again, attempts, outcome = after, attempts-1, outcomeAgain
	case err == nil && ending:
		again, outcome = none, outcomeGivenUp
	case err == nil:
		again, outcome = none, outcomeDone
	case ctx.Err() != nil: // by a stop: a limit does not end ctx
		again, attempts, outcome = 0, attempts-1, outcomeReturned
	case made.Last:
		again, outcome = none, outcomeGivenUp
	case exhausted:
		again, attempts, outcome = endingPause, attempts-1, outcomeAgain
	default:
		again = backoffAfter(h.attempts)
	}
	if err != nil && outcome != outcomeReturned {
		e.logFailure(ctx, h, kind, made.Last, err)
	}
	span := ports.SpanOf(ctx)
	span.Set(ports.SpanOutcome, outcome)
	span.End(err)
	e.figures.total.WithLabelValues(string(kind.name), outcome).Inc()
	write := func(ctx context.Context) error { return e.ledger.again(ctx, h.fenced, again, attempts) }
	next := again
	switch {
	case kind.period != nil && outcome != outcomeReturned:
		// Its looks come by themselves, counted from the begin.
		again, attempts = max(0, kind.pause(e.settings)-e.clock().Sub(began)), 0
		next = none
	case again == none:
		write = func(ctx context.Context) error { return e.ledger.end(ctx, h.fenced) }
	}
	backoff := retry.WithMaxRetries(endRetries, retry.NewExponential(firstBackoff))
	err = retry.Do(context.WithoutCancel(ctx), backoff, func(ctx context.Context) error {
		return retry.RetryableError(write(ctx))
	})
	if err != nil { // the lease ends, and the job is handed out
		e.riverLog.WarnContext(ctx, "the end of an attempt cannot be written, and the job is done again", "kind", kind.name, "job", h.id,
			"error", err)
		return none
	}
	return next
}

// endRetries is how often the end of an attempt is written again if the database does not answer, for
// some seconds. Meanwhile the lease is renewed.
const endRetries = 3

// pause is how long after its begin the job of a periodic kind is due again: a bit less than its period,
// so that the look which comes then finds it.
func (k kind) pause(s Settings) time.Duration {
	period := k.period(s)
	return period - min(period/10, time.Second)
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

type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func (e *Engine) logFailure(ctx context.Context, h held, kind kind, last bool, err error) {
	attrs := []slog.Attr{slog.String("kind", string(kind.name)), slog.Int64("job", h.id), slog.Int("attempt", h.attempts),
		slog.Any("error", err)}
	if p, ok := errors.AsType[*panicked](err); ok {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	level, text := slog.LevelWarn, "a job failed and is tried again"
	switch {
	case kind.period != nil:
		text = "a job failed, and the next of its kind comes by itself"
		if !errors.Is(err, domain.ErrDatabase) { // an outage of the database is told by all that meets it
			level = slog.LevelError
		}
	case last:
		level, text = slog.LevelError, "a job failed and is given up"
	}
	e.log.LogAttrs(ctx, level, text, attrs...)
}
