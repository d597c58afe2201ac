package app

import (
	"context"
	"fmt"
	"time"

	"milaan/ports"
)

// Working gives each job to the use case that does it. It fills ports.Work.
type Working map[ports.JobKind]func(context.Context, ports.Job, ports.JobAttempt) (again time.Duration, err error)

// NewWorking lists the use case of each kind of job.
func NewWorking(delivering *Delivering, running *RunningBatches, housekeeping *Housekeeping) Working {
	return Working{
		ports.DeliverJob: delivering.Deliver,
		ports.RunJob: func(ctx context.Context, job ports.Job, a ports.JobAttempt) (time.Duration, error) {
			return 0, running.Run(ctx, job, a)
		},
		ports.SweepJob: func(ctx context.Context, _ ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			return 0, housekeeping.Sweep(ctx)
		},
	}
}

// Do fills ports.Work. A job of an unknown kind is an error: an instance of another version
// has added it and may do it at the next attempt.
func (w Working) Do(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	do, known := w[job.Kind]
	if !known {
		return 0, fmt.Errorf("no use case does jobs of the kind %q", job.Kind)
	}
	return do(ctx, job, a)
}
