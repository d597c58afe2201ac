package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// mostLooks is how many looks of one kind are added at most when a hold ends. The heartbeat makes up for
// the others.
const mostLooks = 10_000

// hold is what this instance knows of the hold: nothing is sent by the service. It asks at the start,
// before the first job, and with each heartbeat. So all instances follow within seconds.
type hold struct {
	ask   ports.MaySend
	clock ports.Clock
	log   *slog.Logger

	on      atomic.Bool
	resumed atomic.Pointer[time.Time] // when this instance saw the last hold end; nil: none has
}

// look asks, and returns whether a hold has ended since it was asked for the last time. If the
// database does not answer, it stays as it was.
func (h *hold) look(ctx context.Context) (resumed bool, err error) {
	limited, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	err = h.ask.Check(limited)
	held := errors.Is(err, domain.ErrHeld)
	if err != nil && !held {
		return false, err
	}
	switch before := h.on.Swap(held); {
	case held && !before:
		h.log.WarnContext(ctx, "the service is held: it serves, but sends no webhook, mail or phone code, makes no pass of the autopilot and "+
			"changes no subscription, until an operator runs milaan resume; milaan help backup says when")
	case before && !held:
		h.resumed.Store(new(h.clock()))
		h.log.InfoContext(ctx, "the service is not held any more")
		return true, nil
	}
	return false, nil
}

// keeps says whether jobs of a kind wait for the end of the hold.
func (h *hold) keeps(k kind) bool { return k.sends && h.on.Load() }

// ended returns when the last hold ended; the zero time: there was none.
func (h *hold) ended() time.Time {
	if at := h.resumed.Load(); at != nil {
		return *at
	}
	return time.Time{}
}
