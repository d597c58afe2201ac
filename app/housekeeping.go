package app

import (
	"context"
	"time"

	"milaan/ports"
)

// idleWindow is how long a client's rate window is kept after its last change:
// far beyond any span or block of the demo's rate.
const idleWindow = time.Hour

// Housekeeping drops what has no meaning any more. It fills ports.Housekeeping.
type Housekeeping struct {
	windows ports.Windows
	clock   ports.Clock
}

// NewHousekeeping makes the use case.
func NewHousekeeping(windows ports.Windows, clock ports.Clock) *Housekeeping {
	return &Housekeeping{windows: windows, clock: clock}
}

// Sweep drops the windows of clients that have been away for an hour.
func (h *Housekeeping) Sweep(ctx context.Context) error {
	return h.windows.Sweep(ctx, h.clock().Add(-idleWindow))
}
