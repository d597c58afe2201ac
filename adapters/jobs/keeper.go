package jobs

import (
	"context"
	"log/slog"
	"time"

	"milaan/ports"
)

// keeper says which jobs this copy is at, and hands out again those of which
// nobody says so any more: their process was killed, or cut off from the
// database. Every copy has one, so it does not matter which is left.
type keeper struct {
	ledger register
	held   *held
	after  time.Duration // as Settings.Takeover
	every  time.Duration
	clock  ports.Clock
	log    *slog.Logger
	heard  time.Time // when the database last answered
}

// register is what the keeper needs of the ledger.
type register interface {
	renewed(ctx context.Context, attempts []attempt) error
	handedOut(ctx context.Context, unheard time.Duration) (map[ports.JobKind]handedOut, error)
}

// run goes round until ctx ends, the first time at once.
func (k *keeper) run(ctx context.Context) {
	ticker := time.NewTicker(k.every)
	defer ticker.Stop()
	for {
		if err := k.round(ctx); err != nil && ctx.Err() == nil {
			k.log.LogAttrs(ctx, slog.LevelWarn, "the job engine cannot say which jobs it is at", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// round is one of them. If the database was away, or this process was
// suspended, nothing was heard of other copies' jobs either: then they have
// until the next round to be heard of.
func (k *keeper) round(ctx context.Context) error {
	if err := k.ledger.renewed(ctx, k.held.alive()); err != nil { // also if there are none: does the database answer?
		return err
	}
	now := k.clock()
	missed := !k.heard.IsZero() && now.Sub(k.heard) > 2*k.every
	k.heard = now
	if missed {
		return nil
	}
	left, err := k.ledger.handedOut(ctx, k.after)
	if err != nil {
		return err
	}
	for kind, h := range left {
		if h.again > 0 {
			k.log.LogAttrs(ctx, slog.LevelWarn, "jobs that were left behind are done again", slog.String("kind", string(kind)), slog.Int("jobs", h.again))
		}
		if h.givenUp > 0 {
			k.log.LogAttrs(ctx, slog.LevelError, "jobs during which the service died again and again are given up", slog.String("kind", string(kind)), slog.Int("jobs", h.givenUp))
		}
	}
	return nil
}
