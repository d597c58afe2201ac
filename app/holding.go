package app

import (
	"context"
	"time"

	"go.uber.org/fx"

	"milaan/app/mails"
	"milaan/domain"
	"milaan/ports"
)

// Holding holds the service and resumes it.
type Holding struct{ in HoldingParams }

// HoldingParams are what NewHolding needs.
type HoldingParams struct {
	fx.In

	Holds    ports.Holds
	Alarming *mails.Alarming
	Clock    ports.Clock
}

// NewHolding makes the use case.
func NewHolding(p HoldingParams) *Holding { return &Holding{p} }

func (h *Holding) Hold(ctx context.Context) (since time.Time, err error) {
	return h.in.Holds.Hold(ctx, h.in.Clock())
}

// Resume adds the alarms and digests that are due before it discards mails. Else they would be
// added right after the hold, although the service that was backed up may have sent them.
func (h *Holding) Resume(ctx context.Context, discard bool) (ports.Waited, error) {
	since, err := h.in.Holds.Held(ctx)
	switch {
	case err != nil:
		return ports.Waited{}, err
	case since.IsZero():
		return ports.Waited{}, domain.ErrNotHeld
	}
	if discard {
		if err := h.in.Alarming.Round(ctx); err != nil {
			return ports.Waited{}, err
		}
	}
	return h.in.Holds.Resume(ctx, discard, h.in.Clock())
}

// NewMaySend returns the question that whoever sends something asks first.
func NewMaySend(holds ports.Holds) ports.MaySend {
	return func(ctx context.Context) error {
		since, err := holds.Held(ctx)
		if err == nil && !since.IsZero() {
			err = domain.ErrHeld
		}
		return err
	}
}
