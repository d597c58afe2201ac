package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// endLimit is how long the end of a job may take to be stored once the job
// itself has been told to stop.
const endLimit = 10 * time.Second

// RunningBatches makes the runs of batches.
type RunningBatches struct {
	in RunningBatchesParams
}

// RunningBatchesParams are what NewRunningBatches needs.
type RunningBatchesParams struct {
	fx.In

	Jobs        ports.BatchJobs
	Runs        ports.Runs
	Reconciling *Reconciling
	Answers     ports.BatchAnswers
	Clock       ports.Clock
	Log         *slog.Logger
}

// NewRunningBatches makes the use case.
func NewRunningBatches(p RunningBatchesParams) *RunningBatches { return &RunningBatches{p} }

// How a job of a batch ended, for the log.
const (
	jobStored    = "stored"    // with a run
	jobDuplicate = "duplicate" // with the results of an identical run of a moment ago
	jobRefused   = "refused"   // the caller alone can mend it
	jobFailed    = "failed"    // a fault of ours, the last time
	jobDeadly    = "deadly"    // processes died at it
	jobStale     = "stale"     // the engine does not call for it any more
)

// Run makes one run of a batch, as POST /reconcile would. Its result is stored
// in the transaction that stores the run, so that a job that is done twice ends
// once, and with the run that was stored. What the caller alone can mend ends the
// job with its message; a fault of ours is returned, and ends it if this was the
// last time. A job at which domain.MaxDeaths processes have died is ended without
// a look at its files.
func (b *RunningBatches) Run(ctx context.Context, job ports.Job, a ports.JobAttempt) error {
	if a.Deaths >= domain.MaxDeaths {
		return b.endDeadly(ctx, job)
	}
	began := b.in.Clock()
	account, req, err := b.in.Jobs.Begin(ctx, job.Run, began)
	brand, courierName := b.in.Reconciling.labels(req)
	if err == nil {
		req.Source = domain.SourceBatch
		err = b.run(ctx, account, req, job.Run, began) // which lets go of the files: nothing here needs them any more
	}
	switch {
	case err == nil, errors.Is(err, domain.ErrNothingToDo):
		return nil
	case isCallers(err):
		return b.endWithFault(ctx, job.AccountID, job.Run, brand, courierName, fault{err, jobRefused, codeOf(err), began})
	case a.Last:
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
		defer cancel()
		return errors.Join(err, b.endWithFault(ctx, job.AccountID, job.Run, brand, courierName, fault{domain.ErrJobFailed, jobFailed, "", began}))
	}
	return err
}

// endDeadly ends a job at which processes died. Reading its files may be what they
// died of, so nothing is read but its labels.
func (b *RunningBatches) endDeadly(ctx context.Context, job ports.Job) error {
	brand, courierName, err := b.in.Jobs.Labels(ctx, job.Run)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case err != nil && !errors.Is(err, domain.ErrUnreadable):
		return err
	}
	brand, courierName = b.in.Reconciling.labels(ports.Request{Brand: brand, CourierName: courierName})
	return b.endWithFault(ctx, job.AccountID, job.Run, brand, courierName, fault{cause: domain.ErrJobGivenUp, outcome: jobDeadly})
}

// tell logs the end of a job.
func (b *RunningBatches) tell(ctx context.Context, accountID string, job domain.BatchJob, outcome string, took time.Duration, more ...slog.Attr) {
	b.in.Log.LogAttrs(ctx, slog.LevelInfo, "batch job", append([]slog.Attr{
		slog.String("account_id", accountID), slog.String("batch_id", job.BatchID), slog.Int("position", job.Position),
		slog.String("outcome", outcome), slog.Duration("took", took),
	}, more...)...)
}

// run makes the run and ends the job with it. A panic becomes an error, so that
// it can end the job as any other fault does.
func (b *RunningBatches) run(ctx context.Context, account domain.Account, req ports.Request, job domain.BatchJob, began time.Time) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	checked, err := b.in.Reconciling.checked(req)
	if err != nil {
		return err
	}
	complete := completion(account.ID, job)
	outcome, err := b.in.Reconciling.reconcile(ctx, ports.Caller{Account: account}, checked, func(o *ports.FinishedRun, e *ports.Entry) error {
		result, err := b.result(o)
		e.End = b.end(job, began, result, complete)
		return err
	})
	if err != nil {
		return err
	}
	ended := jobStored
	if outcome.Duplicate {
		ended = jobDuplicate
	}
	b.tell(ctx, account.ID, job, ended, b.in.Clock().Sub(began), slog.String("run_id", outcome.Run.ID))
	outcome.Release()
	return nil
}

// result writes the result of a job. It is written twice, and the first time only
// measured: a buffer that grows to tens of megabytes takes three times as much.
func (b *RunningBatches) result(o *ports.FinishedRun) ([]byte, error) {
	var size measure
	if err := b.in.Answers.JobResult(&size, o.Run.Brand, o.Run.CourierName, o); err != nil {
		return nil, fmt.Errorf("measure the result of a job: %w", err)
	}
	result := bytes.NewBuffer(make([]byte, 0, size))
	if err := b.in.Answers.JobResult(result, o.Run.Brand, o.Run.CourierName, o); err != nil {
		return nil, fmt.Errorf("write the result of a job: %w", err)
	}
	return result.Bytes(), nil
}

// measure counts what is written.
type measure int

func (m *measure) Write(p []byte) (int, error) {
	*m += measure(len(p))
	return len(p), nil
}

// completion is the delivery of a batch, for whichever of its jobs ends last.
func completion(accountID string, job domain.BatchJob) domain.Delivery {
	return newDelivery(domain.Delivery{AccountID: accountID, Kind: domain.BatchDelivery, BatchID: job.BatchID})
}

// end is the end of a job that began at a time; the zero time for one that was
// given up, which tells nothing of how long jobs take.
func (b *RunningBatches) end(job domain.BatchJob, began time.Time, result []byte, complete domain.Delivery) ports.JobEnd {
	now := b.in.Clock()
	complete.CreatedAt = now
	e := ports.JobEnd{BatchJob: job, At: now, Result: result, Delivery: complete}
	if !began.IsZero() {
		e.Took = now.Sub(began)
	}
	return e
}

// isCallers says that an error is one that the caller alone can mend: a field, a
// file, the cap, or files that must be sent again.
func isCallers(err error) bool {
	kind, code, _ := domain.KindOf(err)
	return kind == domain.KindInvalid || code == domain.CodeRunCap || code == domain.CodeUnreadable
}

// codeOf is the code of a fault of the caller's, for the log: its text may quote
// a file.
func codeOf(err error) domain.Code {
	if own, ok := errors.AsType[*domain.Error](err); ok {
		return own.Code
	}
	return domain.CodeFile
}

// fault is how a job ends without a run.
type fault struct {
	cause   error // for the caller
	outcome string
	code    domain.Code // blank if there is none
	began   time.Time   // zero if it was not attempted
}

// endWithFault ends a job without a run. A job that has ended before stays as it
// is.
func (b *RunningBatches) endWithFault(ctx context.Context, accountID string, job domain.BatchJob, brand, courierName string, f fault) error {
	var result bytes.Buffer
	if err := b.in.Answers.JobFault(&result, brand, courierName, f.cause); err != nil {
		return fmt.Errorf("write the fault of a job: %w", err)
	}
	complete := completion(accountID, job)
	var end ports.JobEnd
	err := b.in.Runs.Update(ctx, accountID, func(book ports.RunBook) error {
		end = b.end(job, f.began, result.Bytes(), complete)
		return book.Write(ports.Entry{End: end})
	})
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case err != nil:
		return err
	}
	var code []slog.Attr
	if f.code != "" {
		code = append(code, slog.String("code", string(f.code)))
	}
	b.tell(ctx, accountID, job, f.outcome, end.Took, code...)
	return nil
}

// staleJobs is how many jobs of batches one round gives up at most; the next round
// goes on.
const staleJobs = 100

// giveUpStale ends the jobs submitted before a time.
func (b *RunningBatches) giveUpStale(ctx context.Context, submittedBefore time.Time) error {
	stale, err := b.in.Jobs.Stale(ctx, submittedBefore, staleJobs)
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

// giveUp ends a job that the engine does not call for any more. One whose
// request cannot be had ends without its labels.
func (b *RunningBatches) giveUp(ctx context.Context, job ports.StaleJob) error {
	brand, courierName, err := b.in.Jobs.Labels(ctx, job.BatchJob)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case errors.Is(err, domain.ErrDatabase):
		return err
	}
	if !isCallers(err) {
		err = domain.ErrJobFailed
	}
	brand, courierName = b.in.Reconciling.labels(ports.Request{Brand: brand, CourierName: courierName})
	return b.endWithFault(ctx, job.AccountID, job.BatchJob, brand, courierName, fault{cause: err, outcome: jobStale})
}
