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

// BatchLoad is what is known of the work of batches: what is to be done, and
// how quickly it was done of late.
type BatchLoad struct {
	WaitingBytes int64 // of the files of jobs that have not ended
	DoneBytes    int64 // of the files of the jobs that ended last
	DoneTook     time.Duration
}
