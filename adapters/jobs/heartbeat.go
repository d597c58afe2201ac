package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// heartbeat renews the leases of the jobs that this instance does, and hands out
// again the jobs of others whose lease has ended: their process was killed, or cut off
// from the database. Every instance has a heartbeat, so any that is left takes over.
type heartbeat struct {
	ledger   leases
	attempts *attempts
	every    time.Duration
	scan     func(context.Context, []leftBehind) error // has the jobs begun that were handed out or are overdue
	clock    ports.Clock
	log      *slog.Logger
	last     time.Time // when the database last answered
}

// leases is what the heartbeat needs of the ledger.
type leases interface {
	beat(ctx context.Context) error
	revive(ctx context.Context) error
	renew(ctx context.Context, attempts []fenced) error
	handOut(ctx context.Context) ([]leftBehind, error)
}

// run beats until ctx ends, the first time at once.
func (h *heartbeat) run(ctx context.Context) {
	ticker := time.NewTicker(h.every)
	defer ticker.Stop()
	for {
		if err := h.beat(ctx); err != nil && ctx.Err() == nil {
			h.log.LogAttrs(ctx, slog.LevelWarn, "the job engine cannot write its heartbeat", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// beat is one heartbeat. If the last one is too long ago, because the database was
// away or this process was suspended, other instances may have had no chance to renew
// their leases either. So their jobs are left alone until the next heartbeat. The
// others may also have taken this instance for dead, which is taken back.
func (h *heartbeat) beat(ctx context.Context) error {
	if err := h.ledger.beat(ctx); err != nil {
		return err
	}
	if err := h.ledger.renew(ctx, h.attempts.listAlive()); err != nil {
		return err
	}
	now := h.clock().Round(0) // the time of day: Go's monotonic clock stands still while a machine is suspended
	missed := !h.last.IsZero() && now.Sub(h.last) > 2*h.every
	if missed {
		if err := h.ledger.revive(ctx); err != nil {
			return err
		}
	}
	h.last = now
	if missed {
		return nil
	}
	all, err := h.ledger.handOut(ctx)
	for _, job := range all {
		h.report(ctx, job)
	}
	return errors.Join(err, h.scan(ctx, all))
}

// report logs what became of a job that was left behind.
func (h *heartbeat) report(ctx context.Context, job leftBehind) {
	kind, _ := kindOf(job.kind)
	level, text := slog.LevelWarn, "a job that was left behind is done again"
	switch {
	case job.givenUp:
		level, text = slog.LevelError, "a job that was left behind again and again is given up"
	case kind.mustEnd && job.deaths == domain.MaxDeaths:
		level, text = slog.LevelError, "a job at which the service died again and again is given up"
	}
	h.log.LogAttrs(ctx, level, text, slog.String("kind", string(job.kind)), slog.Int64("job", job.id), slog.Int("deaths", job.deaths))
}
