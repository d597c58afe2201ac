package app

import (
	"context"
	"fmt"
	"time"

	"milaan/ports"
)

// Working gives each job to the use case that does it. It fills ports.Work.
type Working struct {
	delivering *Delivering
	running    *RunningBatches
}

// NewWorking makes the dispatcher.
func NewWorking(delivering *Delivering, running *RunningBatches) *Working {
	return &Working{delivering: delivering, running: running}
}

// Do fills ports.Work. A job of unknown kind is an error: a copy of another
// version has added it, and may still do it.
func (w *Working) Do(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	switch job.Kind {
	case ports.DeliverJob:
		return w.delivering.Deliver(ctx, job, a)
	case ports.RunJob:
		return 0, w.running.Run(ctx, job, a)
	}
	return 0, fmt.Errorf("no use case does jobs of the kind %q", job.Kind)
}
