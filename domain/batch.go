package domain

import "time"

const (
	// MaxBatch is how many jobs a batch may have (contract, section 8).
	MaxBatch = 20
	// MaxOpenBatches is how many batches of one account may be under way: each
	// keeps its files until its jobs have run.
	MaxOpenBatches = 20
	// MaxKept is how many bytes of files and results the batches of one account
	// may keep, so that no account fills the disk.
	MaxKept int64 = 2 << 30
	// TombstoneSpan is how long the id of a batch is still known after its
	// results are gone, to say so.
	TombstoneSpan = 30 * 24 * time.Hour
	// MaxDeaths is how many processes may die at one job: then it is given up,
	// for its files are what kills them, and the next process would die too.
	MaxDeaths = 5
	// MostCompanyDeaths is how many of these may come while other jobs of batches
	// run in the same process. After that many, a job runs alone: no other dies
	// with it any more, and it dies with no other. So a job that does no harm has
	// that many deaths at most from the harm of others, and is not given up.
	MostCompanyDeaths = 2
)

// BatchState is how far a batch has come (contract, section 3).
type BatchState string

// The states of a batch.
const (
	BatchQueued     BatchState = "queued"
	BatchProcessing BatchState = "processing"
	BatchComplete   BatchState = "complete"
)

// Batch is a number of runs that were asked for at once and are made in the
// background.
type Batch struct {
	ID          string // UUID
	AccountID   string
	WebhookURL  string // called once all jobs are complete; blank: nobody is
	Jobs        int
	Completed   int // jobs that have ended, with a run or with an error
	SubmittedAt time.Time
	StartedAt   time.Time // when its first job began; zero before
	CompletedAt time.Time // when its last job ended; zero before
	Dropped     bool      // its results have been deleted
}

// State follows from the times.
func (b Batch) State() BatchState {
	switch {
	case !b.CompletedAt.IsZero():
		return BatchComplete
	case !b.StartedAt.IsZero():
		return BatchProcessing
	}
	return BatchQueued
}

// BatchJob names one job of a batch.
type BatchJob struct {
	BatchID  string
	Position int // from 0, in the order sent
}

// BatchLoad is what is known of the work of batches: what is to be done before a
// batch is complete, and how quickly it was done of late.
type BatchLoad struct {
	AheadBytes int64 // of the files of jobs that are done before it or in between
	DoneBytes  int64 // of the files of the jobs that ended last
	DoneTook   time.Duration
}

// Waiting is what one account has to be done.
type Waiting struct {
	Jobs  int
	Bytes int64 // of their files
}

// Ahead is how many bytes are done before a batch of so many jobs, which the
// account submits now, is complete. Accounts have their turn one after the other:
// all that the account has waiting comes first, and of each other account as many
// jobs as it takes until then. What their jobs are in bytes is their average.
func Ahead(waiting map[string]Waiting, accountID string, jobs int) int64 {
	own := waiting[accountID]
	turns := int64(own.Jobs + jobs)
	ahead := own.Bytes
	for account, w := range waiting {
		if n := int64(w.Jobs); account != accountID && n > 0 {
			ahead += w.Bytes * min(n, turns) / n
		}
	}
	return ahead
}
