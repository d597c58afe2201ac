package autopilot

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

// mostScheduled is how many passes one ScheduleJob adds at most; the next one continues.
const mostScheduled = 10_000

// Scheduling adds the passes that are due. It does a ScheduleJob.
type Scheduling struct {
	fx.In

	Passes     ports.Passes
	Clock      ports.Clock
	Background ports.Background
}

// Schedule adds a pass for each connection that is due. It may be repeated, and may be done by
// several instances at the same time.
func (s *Scheduling) Schedule(ctx context.Context) error {
	if _, err := s.Passes.Schedule(ctx, s.Clock(), passPeriod(s.Background), mostScheduled); err != nil {
		return fmt.Errorf("schedule passes: %w", err)
	}
	return nil
}

// passPeriod is the time from one pass of a connection to the next.
func passPeriod(b ports.Background) time.Duration { return cmp.Or(b.PassPeriod, domain.PassPeriod) }

// stalePasses is how many passes one sweep looks at; the next sweep continues.
const stalePasses = 500

// EndStale ends the passes that their jobs have not ended: those of which an attempt began
// longer than domain.PassLimit ago, and those that nobody has begun for a whole period.
func (p *Passing) EndStale(ctx context.Context) error {
	now := p.in.Clock()
	stale, err := p.in.PassLog.Stale(ctx, now.Add(-domain.PassLimit), stalePasses)
	if err != nil {
		return fmt.Errorf("look for stale passes: %w", err)
	}
	for _, pass := range stale {
		waits := pass.StartedAt.IsZero() && now.Sub(pass.Due) < max(passPeriod(p.in.Background), domain.PassLimit)
		if waits || now.Sub(pass.StartedAt) < domain.PassLimit+runs.EndLimit {
			continue
		}
		t := &attempt{Passing: p, BegunPass: ports.BegunPass{Pass: pass}}
		if err := t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnInterrupted})); err != nil {
			p.in.Log.LogAttrs(ctx, slog.LevelWarn, "a stale pass cannot be ended", slog.String("pass_id", pass.ID), slog.Any("error", err))
		}
	}
	return nil
}
