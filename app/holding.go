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
type Holding struct {
	fx.In

	Holds    ports.Holds
	Alarming *mails.Alarming
	Clock    ports.Clock
}

func (h *Holding) Hold(ctx context.Context) (since time.Time, err error) {
	return h.Holds.Hold(ctx, h.Clock())
}

// Resume adds the alarms and digests that are due before it discards mails. Else they would be
// added right after the hold, although the service that was backed up may have sent them.
func (h *Holding) Resume(ctx context.Context, discard bool) (ports.Waited, error) {
	since, err := h.Holds.Held(ctx)
	switch {
	case err != nil:
		return ports.Waited{}, err
	case since.IsZero():
		return ports.Waited{}, domain.ErrNotHeld
	}
	if discard {
		if err := h.Alarming.Round(ctx); err != nil {
			return ports.Waited{}, err
		}
	}
	return h.Holds.Resume(ctx, discard, h.Clock())
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
