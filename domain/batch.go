package domain

import "time"

const (
	// MaxBatch is how many jobs a batch may have (guide: limits 5).
	MaxBatch = 20
	// MaxOpenBatches is how many incomplete batches an account may have. Each of
	// them keeps its files until its jobs have ended.
	MaxOpenBatches = 20
	// MaxKept is how many bytes of files and results the batches of one account may
	// keep, so that no account fills the disk.
	MaxKept int64 = 2 << 30
	// RememberedSpan is how long the service remembers the id of a batch whose
	// results are deleted, so that it can answer that they are deleted.
	RememberedSpan = 30 * 24 * time.Hour
	// MaxDeaths is how many processes may die at one job. Then the job is given up:
	// its files are probably what ends the processes, and the next one would die
	// too.
	MaxDeaths = 5
	// MaxSharedDeaths is how many of these deaths may happen while other jobs of
	// batches run in the same process. After that a job runs alone in its process,
	// so it can neither harm another job nor be harmed by one. Therefore a harmless
	// job has at most this many deaths that others caused, and is not given up.
	MaxSharedDeaths = 2
)

// BatchState says how far a batch has come (guide: batches).
type BatchState string

// The states of a batch.
const (
	BatchQueued     BatchState = "queued"
	BatchProcessing BatchState = "processing"
	BatchComplete   BatchState = "complete"
)

// Batch is a set of runs that were requested together and are made in the
// background.
type Batch struct {
	ID          string // UUID
	AccountID   string
	WebhookURL  string // receives the results once all jobs have ended; blank: nobody is told
	Jobs        int
	Completed   int // jobs that have ended, by a run or by an error
	SubmittedAt time.Time
	StartedAt   time.Time // when the first job began; zero until then
	CompletedAt time.Time // when the last job ended; zero until then
	Dropped     bool      // the results have been deleted
	Sandbox     bool      // of the sandbox key, which alone can see it
}

// State is the state that follows from the times.
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
	Position int // from 0, in the order of the request
}

// BatchLoad is how much work of batches comes before a batch is complete, and how
// quickly such work was done lately.
type BatchLoad struct {
	AheadBytes int64         // size of the files of all jobs that are done before the batch is complete
	DoneBytes  int64         // size of the files of the jobs that ended last
	DoneTook   time.Duration // how long those jobs took
}

// Waiting is the work of one account that has not been done yet.
type Waiting struct {
	Jobs  int
	Bytes int64 // size of their files
}

// Ahead estimates how many bytes of files are processed before a new batch of the
// account is complete. waiting is the work of every account by its id, without the
// new batch, and jobs is the number of jobs in the new batch. Jobs are started round-robin by
// account. So everything that the account already has waiting comes first, and of each other
// account as many jobs as the account itself has. The size of another account's jobs is taken
// as their average.
func Ahead(waiting map[string]Waiting, accountID string, jobs int) int64 {
	own := waiting[accountID]
	rounds := int64(own.Jobs + jobs)
	ahead := own.Bytes
	for account, w := range waiting {
		if n := int64(w.Jobs); account != accountID && n > 0 {
			ahead += w.Bytes * min(n, rounds) / n
		}
	}
	return ahead
}
