package jobs

import (
	"context"
	"log/slog"
	"time"

	"milaan/domain"
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
	last   time.Time // when the database last answered
}

// register is what the keeper needs of the ledger.
type register interface {
	heard(ctx context.Context) error
	revived(ctx context.Context) error
	renewed(ctx context.Context, attempts []attempt) error
	handedOut(ctx context.Context, unheard time.Duration) ([]leftBehind, error)
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
// until the next round to be heard of. This copy may have been taken for dead
// meanwhile, which is taken back.
func (k *keeper) round(ctx context.Context) error {
	if err := k.ledger.heard(ctx); err != nil {
		return err
	}
	if err := k.ledger.renewed(ctx, k.held.alive()); err != nil {
		return err
	}
	now := k.clock().Round(0) // of the wall: Go's other clock stands while a machine is suspended
	missed := !k.last.IsZero() && now.Sub(k.last) > 2*k.every
	if missed {
		if err := k.ledger.revived(ctx); err != nil {
			return err
		}
	}
	k.last = now
	if missed {
		return nil
	}
	all, err := k.ledger.handedOut(ctx, k.after)
	if err != nil {
		return err
	}
	for _, job := range all {
		k.tell(ctx, job)
	}
	return nil
}

func (k *keeper) tell(ctx context.Context, job leftBehind) {
	kind, _ := kindOf(job.kind)
	level, text := slog.LevelWarn, "a job that was left behind is done again"
	switch {
	case job.givenUp:
		level, text = slog.LevelError, "a job that was left behind again and again is given up"
	case kind.ended && job.deaths == domain.MaxDeaths:
		level, text = slog.LevelError, "a job at which the service died again and again is given up"
	}
	k.log.LogAttrs(ctx, level, text, slog.String("kind", string(job.kind)), slog.Int64("job", job.id), slog.Int("deaths", job.deaths))
}
