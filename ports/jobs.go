package ports

import "milaan/domain"

// JobKind says what a job does.
type JobKind string

// The kinds of jobs.
const (
	DeliverJob JobKind = "deliver"   // makes a delivery
	RunJob     JobKind = "batch_run" // makes one run of a batch
	SweepJob   JobKind = "sweep"     // drops what has no meaning any more; the engine adds one every minute
)

// Job is a piece of work that outlives the request for it. It is added in the
// transaction that it follows from, so that it exists exactly if that one is
// committed, and done by any copy of the service. It says what is to be done by
// ids alone: nothing of a file is in it.
type Job struct {
	Kind      JobKind
	AccountID string          // blank for a SweepJob
	Delivery  string          // id, of a DeliverJob
	Run       domain.BatchJob // of a RunJob
}
