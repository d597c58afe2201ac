package ports

import (
	"context"
	"io"
	"iter"
	"milaan/domain"
	"time"
)

// Batching makes runs in the background (guide: batches).
type Batching interface {
	// Submit stores a batch of 1 to domain.MaxBatch requests. The requests belong to
	// Submit until it returns. All faults that can be found without reading the files
	// are in one error with CodeField. Submit also returns domain.ErrOpenBatches,
	// ErrKeptResults, ErrBatchQuota and errors with CodeDatabase; then nothing was
	// stored. After domain.ErrUnsettled it is not known whether the batch was stored.
	//
	// If the caller has a request key, the batch is stored once: a repeat of the
	// request gets that batch as it stands now. Submit returns domain.ErrKeyReused and
	// ErrKeyRunning as Reconcile does.
	Submit(ctx context.Context, caller Caller, batch BatchRequest) (SubmittedBatch, error)
	// Status finds a batch of the caller, with its results if it is complete.
	// It returns domain.ErrNoBatch, or domain.ErrBatchGone.
	Status(ctx context.Context, caller Caller, id string) (BatchStatus, error)
}

// BatchRequest asks for a batch.
type BatchRequest struct {
	Jobs       []Request // those beyond domain.MaxBatch are not checked
	WebhookURL string    // called once all are complete; blank: none
	Misread    domain.Faults
}

// SubmittedBatch is the receipt for a batch.
type SubmittedBatch struct {
	domain.Batch
	Estimate time.Duration // until it is complete, by how long the latest jobs took
}

// BatchStatus is a batch as it is reported.
type BatchStatus struct {
	domain.Batch
	// Write writes the report: the body of GET /status, and of the POST to
	// webhook_url. It may be called once.
	Write func(w io.Writer) error
}

// BatchAnswers writes what is sent later as JSON: the results and the reports of batches, and the
// summaries of runs.
type BatchAnswers interface {
	// JobResult writes one element of results: brand, courierName and the fields of
	// POST /reconcile's answer.
	JobResult(w io.Writer, brand, courierName string, run *FinishedRun) error
	// JobFault writes the element of a job that ended with an error, which
	// domain.KindOf must know.
	JobFault(w io.Writer, brand, courierName string, fault error) error
	// Status writes the report on a batch. results yields the elements; it is nil
	// unless the batch is complete.
	Status(w io.Writer, b domain.Batch, results func(yield func([]byte, error) bool)) error
	// Summary returns the contract's run summary (guide: webhooks): five fields, JSON.
	Summary(run domain.Run) []byte
}

// Batches stores batches. The requests and the results of their jobs are sealed, each for
// its own account, batch and job.
type Batches interface {
	// Submit stores a batch with the request of each job, and adds the engine's jobs, in
	// one transaction. It returns domain.ErrOpenBatches if the account has
	// domain.MaxOpenBatches that are not complete, domain.ErrKeptResults if the files
	// and results of the account's batches would be more than domain.MaxKept (both counted
	// apart for the sandbox),
	// domain.ErrBatchQuota if those of all accounts would be more than the operator
	// allows, and domain.ErrNoAccount. These limits are exact, however many callers
	// submit at the same time. If claim is not the zero Claim, the batch becomes its
	// outcome; Submit returns domain.ErrKeyRunning if the holder has lost the claim.
	Submit(ctx context.Context, b domain.Batch, requests []Request, claim domain.RequestClaim) error
	// Find returns domain.ErrNoBatch if the account has none with this id. A
	// webhook_url that cannot be opened any more is left out.
	Find(ctx context.Context, accountID, id string) (domain.Batch, error)
	// Results yields the results of a complete batch in the order of its jobs. A result
	// may be used until the next one. After an error there are no more results;
	// domain.ErrBatchGone says that they have been deleted or cannot be opened any
	// more.
	Results(ctx context.Context, b domain.Batch) iter.Seq2[[]byte, error]
	// Load returns what must be done before a batch of the given number of jobs is complete if the
	// account submits it now, and how long the jobs took that ended last.
	Load(ctx context.Context, accountID string, jobs int) (domain.BatchLoad, error)
}

// BatchJobs is what those who do the jobs of batches need from storage.
type BatchJobs interface {
	// Begin stores that a job has begun, and returns its account and its request, whose
	// texts belong to the caller, and whose Sandbox is the batch's. It may be repeated. It
	// returns domain.ErrNothingToDo if the job has ended or is unknown, and
	// domain.ErrUnreadable if the request cannot be unsealed.
	Begin(ctx context.Context, job domain.BatchJob, at time.Time) (domain.Account, Request, error)
	// Labels returns the brand and the courierName of a job that has not ended, without
	// reading its files. They are blank for a job that an earlier version has stored.
	// Labels returns domain.ErrNothingToDo if the job has ended or is unknown, and
	// domain.ErrUnreadable if they cannot be unsealed.
	Labels(ctx context.Context, job domain.BatchJob) (brand, courierName string, err error)
	// Stale lists at most limit jobs that were submitted before a time and have not
	// ended, with their accounts. The engine has given them up.
	Stale(ctx context.Context, submittedBefore time.Time, limit int) ([]StaleJob, error)
}

// JobEnd is the end of one job of a batch.
type JobEnd struct {
	domain.BatchJob
	At       time.Time
	Took     time.Duration   // of the last attempt; 0 if the job was given up
	Result   []byte          // element of the batch's results, JSON
	Delivery domain.Delivery // of the batch, if this job completes it
	// Test is the test that a batch of the sandbox sends to the account's endpoint, if this job
	// completes it.
	Test domain.Delivery
}

// StaleJob is a job that the engine has given up.
type StaleJob struct {
	domain.BatchJob
	AccountID string
}
