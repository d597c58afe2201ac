package app

import (
	"context"
	"errors"
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
)

// Housekeeping drops what has no meaning any more. It does a SweepJob.
type Housekeeping struct {
	in HousekeepingParams
}

// HousekeepingParams are what NewHousekeeping needs.
type HousekeepingParams struct {
	fx.In

	Upkeep     ports.Upkeep
	Running    *RunningBatches
	Clock      ports.Clock
	Background ports.Background
}

// NewHousekeeping makes the use case.
func NewHousekeeping(p HousekeepingParams) *Housekeeping { return &Housekeeping{p} }

// Sweep drops the rate windows of clients that have been away for an hour, keys
// revoked and deliveries settled a month ago, request keys of yesterday, and the
// results of batches that are past their time. It ends the deliveries that have
// been pending for three days, and the jobs that the engine has given up, so that
// their files go and their batches complete. What fails does not keep the rest from
// being done. It may be repeated.
func (h *Housekeeping) Sweep(ctx context.Context) error {
	now := h.in.Clock()
	kept := now.Add(-h.in.Background.Retention)
	return errors.Join(
		h.in.Running.giveUpStale(ctx, now.Add(-max(h.in.Background.Retention, jobPatience))),
		h.in.Upkeep.Sweep(ctx, ports.Expiry{
			Windows: now.Add(-idleWindow), Keys: now.Add(-revokedKeys),
			Pending: now.Add(-deliveryPatience), Deliveries: now.Add(-deliveryLog),
			Claims: now.Add(-domain.ClaimSpan), ClaimsAhead: now.Add(domain.ClaimSpan),
			Results: kept, Batches: kept.Add(-domain.TombstoneSpan),
		}),
	)
}
