package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// serverFault is what the caller is told of a job that failed through a fault
// of ours. The fault itself is for the log alone.
const serverFault = "Unexpected server error: send this job again"

// endLimit is how long the end of a job may take to be stored once the job
// itself has been told to stop.
const endLimit = 10 * time.Second

// RunningBatches makes the runs of batches.
type RunningBatches struct {
	batches     ports.Batches
	runs        ports.Runs
	reconciling *Reconciling
	answers     ports.BatchAnswers
	clock       ports.Clock
}

// NewRunningBatches makes the use case.
func NewRunningBatches(batches ports.Batches, runs ports.Runs, reconciling *Reconciling, answers ports.BatchAnswers, clock ports.Clock) *RunningBatches {
	return &RunningBatches{batches: batches, runs: runs, reconciling: reconciling, answers: answers, clock: clock}
}

// Run makes one run of a batch, as POST /reconcile would. Its result is stored
// in the transaction that stores the run, so that a job that is done twice ends
// once, and with the run that was stored. What the caller alone can mend ends the
// job with its message; a fault of ours is returned, and ends it if this was the
// last time.
func (b *RunningBatches) Run(ctx context.Context, job ports.Job, last bool) error {
	began := b.clock()
	account, req, err := b.batches.Begin(ctx, job.Run, began)
	if err == nil {
		req.Source = domain.SourceBatch
		err = b.run(ctx, account, req, job.Run, began)
	}
	message, callers := callersFault(err)
	switch {
	case err == nil, errors.Is(err, domain.ErrNothingToDo):
		return nil
	case callers:
		return b.endWithFault(ctx, job.AccountID, job.Run, req, began, message)
	case last:
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
		defer cancel()
		return errors.Join(err, b.endWithFault(ctx, job.AccountID, job.Run, req, began, serverFault))
	}
	return err
}

// run makes the run and ends the job with it. A panic becomes an error, so that
// it can end the job as any other fault does.
func (b *RunningBatches) run(ctx context.Context, account domain.Account, req ports.Request, job domain.BatchJob, began time.Time) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	complete, err := completion(account.ID, job)
	if err != nil {
		return err
	}
	outcome, err := b.reconciling.reconcile(ctx, ports.Caller{Account: account}, req, func(book ports.RunBook, o *ports.Outcome) error {
		var result bytes.Buffer
		if err := b.answers.JobResult(&result, o.Run.Brand, o.Run.CourierName, o); err != nil {
			return fmt.Errorf("write the result of a job: %w", err)
		}
		return book.EndJob(b.end(job, began, result.Bytes(), complete))
	})
	if err != nil {
		return err
	}
	outcome.Release()
	return nil
}

// completion is the delivery of a batch, for whichever of its jobs ends last.
func completion(accountID string, job domain.BatchJob) (domain.Delivery, error) {
	return newDelivery(domain.Delivery{AccountID: accountID, Kind: domain.BatchDelivery, BatchID: job.BatchID})
}

// end is the end of a job that began at a time; the zero time for one that was
// given up, which tells nothing of how long jobs take.
func (b *RunningBatches) end(job domain.BatchJob, began time.Time, result []byte, complete domain.Delivery) ports.JobEnd {
	now := b.clock()
	complete.CreatedAt = now
	e := ports.JobEnd{BatchJob: job, At: now, Result: result, Delivery: complete}
	if !began.IsZero() {
		e.Took = now.Sub(began)
	}
	return e
}

// callersFault is what the caller is told of an error that they alone can mend:
// a field, a file, the cap, or files that must be sent again.
func callersFault(err error) (message string, callers bool) {
	if fault, ok := errors.AsType[*domain.FileError](err); ok {
		return fault.Error(), true
	}
	fault, ok := errors.AsType[*domain.Error](err)
	if ok && (fault.Kind == domain.KindInvalid || fault.Code == domain.CodeRunCap || fault.Code == domain.CodeUnreadable) {
		return fault.Text, true
	}
	return "", false
}

// endWithFault ends a job without a run. A job that has ended before stays as it
// is.
func (b *RunningBatches) endWithFault(ctx context.Context, accountID string, job domain.BatchJob, req ports.Request, began time.Time, message string) error {
	brand, courierName := b.reconciling.labels(req)
	var result bytes.Buffer
	if err := b.answers.JobFault(&result, brand, courierName, message); err != nil {
		return fmt.Errorf("write the fault of a job: %w", err)
	}
	complete, err := completion(accountID, job)
	if err != nil {
		return err
	}
	err = b.runs.Settle(ctx, accountID, func(book ports.RunBook) error {
		return book.EndJob(b.end(job, began, result.Bytes(), complete))
	})
	if errors.Is(err, domain.ErrNothingToDo) {
		return nil
	}
	return err
}

// giveUp ends a job that the engine does not call for any more. One whose
// request cannot be had ends without its labels.
func (b *RunningBatches) giveUp(ctx context.Context, job ports.StaleJob) error {
	now := b.clock()
	_, req, err := b.batches.Begin(ctx, job.BatchJob, now)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case errors.Is(err, domain.ErrDatabase):
		return err
	}
	message, callers := callersFault(err)
	if !callers {
		message = serverFault
	}
	return b.endWithFault(ctx, job.AccountID, job.BatchJob, req, time.Time{}, message)
}
