package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

const (
	// idleWindow is how long a client's rate window is kept after its last
	// change: far beyond any span or block of a rate.
	idleWindow = time.Hour
	// deliveryPatience is how long a delivery may be pending. An endpoint that
	// hangs is sent fewer events than come for it, so that without an end its
	// backlog grows for ever; three days outlast a weekend on which nobody mends
	// it. A delivery whose job the engine has given up ends so too.
	deliveryPatience = 3 * 24 * time.Hour
	// deliveryLog is how long a delivery is kept after it was settled.
	deliveryLog = 30 * 24 * time.Hour
	// revokedKeys is how long a key is kept after another one has replaced it.
	revokedKeys = 30 * 24 * time.Hour
	// jobPatience is how long a job of a batch may wait to be run at least, however
	// shortly results are kept: the engine goes on trying for hours.
	jobPatience = 24 * time.Hour
	// staleJobs is how many jobs of batches one round gives up at most; the next
	// round goes on.
	staleJobs = 100
)

// Housekeeping drops what has no meaning any more. It does a SweepJob.
type Housekeeping struct {
	windows    ports.Windows
	keys       ports.Keys
	deliveries ports.Deliveries
	batches    ports.Batches
	claims     ports.Claims
	running    *RunningBatches
	clock      ports.Clock
	retention  time.Duration
}

// HousekeepingParams are what NewHousekeeping needs.
type HousekeepingParams struct {
	fx.In

	Windows    ports.Windows
	Keys       ports.Keys
	Deliveries ports.Deliveries
	Batches    ports.Batches
	Claims     ports.Claims
	Running    *RunningBatches
	Clock      ports.Clock
	Background ports.Background
}

// NewHousekeeping makes the use case.
func NewHousekeeping(p HousekeepingParams) *Housekeeping {
	return &Housekeeping{
		windows: p.Windows, keys: p.Keys, deliveries: p.Deliveries, batches: p.Batches, claims: p.Claims,
		running: p.Running, clock: p.Clock, retention: p.Background.Retention,
	}
}

// Sweep drops the rate windows of clients that have been away for an hour, keys
// revoked and deliveries settled a month ago, request keys of yesterday, and the
// results of batches that are past their time. It ends the deliveries that have
// been pending for three days, and the jobs that the engine has given up, so that
// their files go and their batches complete. What fails does not keep the rest from
// being done. It may be repeated.
func (h *Housekeeping) Sweep(ctx context.Context) error {
	now := h.clock()
	kept := now.Add(-h.retention)
	return errors.Join(
		h.windows.Sweep(ctx, now.Add(-idleWindow)),
		h.keys.Sweep(ctx, now.Add(-revokedKeys)),
		h.deliveries.GiveUp(ctx, now.Add(-deliveryPatience)),
		h.deliveries.Sweep(ctx, now.Add(-deliveryLog)),
		h.claims.Sweep(ctx, now.Add(-domain.ClaimSpan), now.Add(domain.ClaimSpan)),
		h.giveUp(ctx, now.Add(-max(h.retention, jobPatience))),
		h.batches.Sweep(ctx, kept, kept.Add(-domain.TombstoneSpan)),
	)
}

// giveUp ends the jobs submitted before a time.
func (h *Housekeeping) giveUp(ctx context.Context, submittedBefore time.Time) error {
	stale, err := h.batches.Stale(ctx, submittedBefore, staleJobs)
	if err != nil {
		return fmt.Errorf("look for stale jobs: %w", err)
	}
	var failed []error
	for _, job := range stale {
		if err := h.running.giveUp(ctx, job); err != nil {
			failed = append(failed, fmt.Errorf("give up job %d of batch %s: %w", job.Position, job.BatchID, err))
		}
	}
	return errors.Join(failed...)
}
