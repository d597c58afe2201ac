package jobs

import (
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"milaan/domain"
	"milaan/ports"
)

// Each kind of job has a queue of its own, so that one never waits for the
// other.
const (
	deliveries = "deliveries"
	batches    = "batches"
)

const (
	// deliverLimit is how long a delivery may take: one POST, and what is
	// recorded before and after it.
	deliverLimit = 30 * time.Second
	// runLimit is how long a run of a batch may take: files of 25 MB, on a
	// machine that has much else to do.
	runLimit = 5 * time.Minute
)

const (
	// lastAttempt is the one after whose error a job is given up.
	lastAttempt = 20
	// maxAttempts has some to spare for processes that died meanwhile.
	maxAttempts = lastAttempt + 10
)

// args is what river keeps of a job. The names of its fields are read by other
// versions of the program.
type args interface {
	river.JobArgs
	river.JobArgsWithInsertOpts
	job() ports.Job
}

type deliverArgs struct {
	AccountID string `json:"account_id"`
	Delivery  string `json:"delivery"`
}

func (deliverArgs) Kind() string { return string(ports.DeliverJob) }

func (deliverArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: deliveries, MaxAttempts: maxAttempts}
}

func (a deliverArgs) job() ports.Job {
	return ports.Job{Kind: ports.DeliverJob, AccountID: a.AccountID, Delivery: a.Delivery}
}

type runArgs struct {
	AccountID string `json:"account_id"`
	BatchID   string `json:"batch_id"`
	Position  int    `json:"position"`
}

func (runArgs) Kind() string { return string(ports.RunJob) }

func (runArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: batches, MaxAttempts: maxAttempts}
}

func (a runArgs) job() ports.Job {
	return ports.Job{Kind: ports.RunJob, AccountID: a.AccountID, Run: domain.BatchJob{BatchID: a.BatchID, Position: a.Position}}
}

func argsOf(job ports.Job) (args, error) {
	switch job.Kind {
	case ports.DeliverJob:
		return deliverArgs{AccountID: job.AccountID, Delivery: job.Delivery}, nil
	case ports.RunJob:
		return runArgs{AccountID: job.AccountID, BatchID: job.Run.BatchID, Position: job.Run.Position}, nil
	}
	return nil, fmt.Errorf("no worker knows jobs of the kind %q", job.Kind)
}
