package runs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"milaan/app/ids"
	"milaan/app/panics"
	"milaan/domain"
	"milaan/ports"
)

// EndLimit is how long the service tries to store the end of a job after the context
// of the job has ended.
const EndLimit = 10 * time.Second

// RunningBatches makes the runs of batches.
type RunningBatches struct {
	fx.In

	Jobs        ports.BatchJobs
	Runs        ports.Runs
	Reconciling *Reconciling
	Answers     ports.BatchAnswers
	Memory      ports.Memory `optional:"true"` // nil: nobody shares it
	Clock       ports.Clock
	Log         *slog.Logger
}

// How a job of a batch ended, for the log.
const (
	jobStored    = "stored"    // with a run
	jobSandbox   = "tried"     // in the sandbox, which stores no run
	jobDuplicate = "duplicate" // with the results of an identical run of the last 30 seconds
	jobRefused   = "refused"   // with an error that only the caller can correct
	jobFailed    = "failed"    // with a fault of the service, at the last attempt
	jobDeadly    = "deadly"    // too many processes died while they ran it
	jobStale     = "stale"     // the engine has given it up
)

// Run makes one run of a batch, as POST /reconcile would. The result is stored in the
// transaction that stores the run, so that a job that is done twice ends once, and with
// the run that was stored. An error that only the caller can correct ends the job with
// its message. A fault of the service is returned, and ends the job at the last
// attempt. A job that a stop of the instance interrupted is left to the next instance,
// even at the last attempt. A job that domain.MaxDeaths processes died at is ended
// without reading its files.
func (b *RunningBatches) Run(ctx context.Context, job ports.Job, a ports.JobAttempt) error {
	if a.Deaths >= domain.MaxDeaths {
		return b.endDeadly(ctx, job)
	}
	if b.Memory != nil {
		giveBack, err := b.Memory.Take(ctx, ports.JobBytes())
		if err != nil {
			return err
		}
		defer giveBack()
	}
	began := b.Clock()
	account, req, err := b.Jobs.Begin(ctx, job.Run, began)
	brand, courierName := b.Reconciling.labels(req)
	if err == nil {
		req.Source = domain.SourceBatch
		if simulated := b.simulatedError(account, req); simulated != nil {
			return b.endWithFault(ctx, job.AccountID, job.Run, brand, courierName, fault{simulated, jobRefused, codeOf(simulated), began})
		}
		err = b.run(ctx, account, req, job.Run, began) // the files are not used after this, so that their memory can be freed
	}
	switch {
	case err == nil, errors.Is(err, domain.ErrNothingToDo), errors.Is(err, domain.ErrNoAccount):
		return nil
	case isCallers(err):
		return b.endWithFault(ctx, job.AccountID, job.Run, brand, courierName, fault{err, jobRefused, codeOf(err), began})
	case a.Last && !errors.Is(ctx.Err(), context.Canceled):
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), EndLimit)
		defer cancel()
		return errors.Join(err, b.endWithFault(ctx, job.AccountID, job.Run, brand, courierName, fault{domain.ErrJobFailed, jobFailed, "", began}))
	}
	return err
}

// simulatedError returns the error that a job of the sandbox asks for by its brand, as a job of
// a live batch would end with it; nil if it asks for none.
func (b *RunningBatches) simulatedError(a domain.Account, req ports.Request) error {
	err := b.Reconciling.enterSandbox(ports.Caller{Account: a, Sandbox: req.Sandbox}, &req)
	if errors.Is(err, domain.ErrSimulated) {
		return domain.ErrJobFailed
	}
	return err
}

// endDeadly ends a job at which processes died. Reading its files may be the cause, so
// only its labels are read.
func (b *RunningBatches) endDeadly(ctx context.Context, job ports.Job) error {
	brand, courierName, err := b.Jobs.Labels(ctx, job.Run)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case err != nil && !errors.Is(err, domain.ErrUnreadable):
		return err
	}
	brand, courierName = b.Reconciling.storedLabels(brand, courierName)
	return b.endWithFault(ctx, job.AccountID, job.Run, brand, courierName, fault{cause: domain.ErrJobGivenUp, outcome: jobDeadly})
}

func (b *RunningBatches) logEnd(
	ctx context.Context, accountID string, job domain.BatchJob, outcome string, took time.Duration, more ...slog.Attr,
) {
	b.Log.LogAttrs(ctx, slog.LevelInfo, "batch job", append([]slog.Attr{
		slog.String("account_id", accountID), slog.String("batch_id", job.BatchID), slog.Int("position", job.Position),
		slog.String("outcome", outcome), slog.Duration("took", took),
	}, more...)...)
}

// run makes the run and ends the job with it. A panic is returned as an error, so that
// it can end the job as other faults do.
func (b *RunningBatches) run(
	ctx context.Context, account domain.Account, req ports.Request, job domain.BatchJob, began time.Time,
) (err error) {
	defer panics.RecoverInto(&err)
	t, faults := b.Reconciling.check(req)
	if err := b.Reconciling.findAsked(ctx, account, &t, faults); err != nil {
		return err
	}
	complete := newCompletion(account.ID, job)
	finished, err := b.Reconciling.reconcile(ctx, ports.Caller{Account: account, Sandbox: t.Sandbox}, t,
		func(finished *ports.FinishedRun, e *ports.Entry) error {
			result, err := b.result(finished)
			e.End = b.end(job, began, result, complete)
			return err
		})
	if err != nil {
		return err
	}
	outcome := jobStored
	switch {
	case finished.Duplicate:
		outcome = jobDuplicate
	case t.Sandbox:
		outcome = jobSandbox
	}
	b.logEnd(ctx, account.ID, job, outcome, b.Clock().Sub(began), slog.String("run_id", finished.Run.ID))
	finished.Release()
	return nil
}

// result writes the result of a job. It is written twice, the first time only to learn
// its size: a buffer that grows to tens of megabytes takes three times as much memory.
func (b *RunningBatches) result(finished *ports.FinishedRun) ([]byte, error) {
	var size measure
	if err := b.Answers.JobResult(&size, finished.Run.Brand, finished.Run.CourierName, finished); err != nil {
		return nil, fmt.Errorf("measure the result of a job: %w", err)
	}
	result := bytes.NewBuffer(make([]byte, 0, size))
	if err := b.Answers.JobResult(result, finished.Run.Brand, finished.Run.CourierName, finished); err != nil {
		return nil, fmt.Errorf("write the result of a job: %w", err)
	}
	return result.Bytes(), nil
}

// measure counts the bytes that are written to it.
type measure int

func (m *measure) Write(p []byte) (int, error) {
	*m += measure(len(p))
	return len(p), nil
}

// newCompletion makes the delivery of a batch, which the job that ends last will store.
func newCompletion(accountID string, job domain.BatchJob) domain.Delivery {
	return domain.NewDelivery(ids.New(), domain.Delivery{AccountID: accountID, Kind: domain.BatchDelivery, BatchID: job.BatchID})
}

// end makes the end of a job. began is the zero time for a job that was given up: it
// does not count towards the time that jobs take.
func (b *RunningBatches) end(job domain.BatchJob, began time.Time, result []byte, complete domain.Delivery) ports.JobEnd {
	now := b.Clock()
	complete.CreatedAt = now
	e := ports.JobEnd{BatchJob: job, At: now, Result: result, Delivery: complete,
		Test: newSandboxTest(domain.Delivery{AccountID: complete.AccountID, CreatedAt: now})}
	if !began.IsZero() {
		e.Took = now.Sub(began)
	}
	return e
}

// isCallers says whether only the caller can correct an error: a field, a file, the cap,
// or files that must be sent again.
func isCallers(err error) bool {
	kind, code, _ := domain.KindOf(err)
	return kind == domain.KindInvalid || code == domain.CodeRunCap || code == domain.CodeUnreadable
}

// codeOf returns the code of an error for the log. The text of the error may quote a
// file and is not logged.
func codeOf(err error) domain.Code {
	if own, ok := errors.AsType[*domain.Error](err); ok {
		return own.Code
	}
	return domain.CodeFile
}

type fault struct {
	cause   error // for the caller
	outcome string
	code    domain.Code // blank if there is none
	began   time.Time   // zero if it was not attempted
}

// endWithFault ends a job without a run. A job that has ended already is not changed.
func (b *RunningBatches) endWithFault(
	ctx context.Context, accountID string, job domain.BatchJob, brand, courierName string, f fault,
) error {
	var result bytes.Buffer
	if err := b.Answers.JobFault(&result, brand, courierName, f.cause); err != nil {
		return fmt.Errorf("write the fault of a job: %w", err)
	}
	complete := newCompletion(accountID, job)
	var end ports.JobEnd
	err := b.Runs.Update(ctx, accountID, func(book ports.RunBook) error {
		end = b.end(job, f.began, result.Bytes(), complete)
		return book.Write(ports.Entry{End: end})
	})
	switch {
	case errors.Is(err, domain.ErrNothingToDo), errors.Is(err, domain.ErrNoAccount):
		return nil
	case err != nil:
		return err
	}
	var code []slog.Attr
	if f.code != "" {
		code = append(code, slog.String("code", string(f.code)))
	}
	b.logEnd(ctx, accountID, job, f.outcome, end.Took, code...)
	return nil
}

// staleJobs is how many jobs of batches one sweep gives up at most; the next sweep
// continues.
const staleJobs = 100

// GiveUpStale ends the jobs that were submitted before a time and have not ended.
func (b *RunningBatches) GiveUpStale(ctx context.Context, submittedBefore time.Time) error {
	stale, err := b.Jobs.Stale(ctx, submittedBefore, staleJobs)
	if err != nil {
		return fmt.Errorf("look for stale jobs: %w", err)
	}
	var failed []error
	for _, job := range stale {
		if err := b.giveUp(ctx, job); err != nil {
			failed = append(failed, fmt.Errorf("give up job %d of batch %s: %w", job.Position, job.BatchID, err))
		}
	}
	return errors.Join(failed...)
}

// giveUp ends a job that the engine has given up. If its request cannot be read, its
// result has no labels.
func (b *RunningBatches) giveUp(ctx context.Context, job ports.StaleJob) error {
	brand, courierName, err := b.Jobs.Labels(ctx, job.BatchJob)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case errors.Is(err, domain.ErrDatabase):
		return err
	}
	if !isCallers(err) {
		err = domain.ErrJobFailed
	}
	brand, courierName = b.Reconciling.storedLabels(brand, courierName)
	return b.endWithFault(ctx, job.AccountID, job.BatchJob, brand, courierName, fault{cause: err, outcome: jobStale})
}
