package cron

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"milaan/ports"
)

const (
	// every is the time between two rounds of housekeeping: what is to be deleted
	// by a certain time is gone soon after.
	every = time.Minute
	// jitter is how much later a round may come, so that copies of the service
	// that started together do not sweep together.
	jitter = 6 * time.Second
	// roundLimit is how long one round may take.
	roundLimit = time.Minute
)

// Cron calls housekeeping until it is stopped.
type Cron struct {
	housekeeping ports.Housekeeping
	log          *slog.Logger
	cancel       context.CancelFunc
	done         chan struct{}
}

// New makes a clock that stands.
func New(housekeeping ports.Housekeeping, log *slog.Logger) *Cron {
	return &Cron{housekeeping: housekeeping, log: log}
}

// Start sets the clock going and returns at once. The first round comes after
// one interval. ctx bounds the start only.
func (c *Cron) Start(context.Context) error {
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel, c.done = cancel, make(chan struct{})
	go func() {
		defer close(c.done)
		c.run(ctx)
	}()
	return nil
}

// Stop ends the clock and waits for a round under way, which is told to end
// too; at the latest until ctx ends.
func (c *Cron) Stop(ctx context.Context) error {
	c.cancel()
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Cron) run(ctx context.Context) {
	for {
		timer := time.NewTimer(every + rand.N(jitter))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
			c.round(ctx)
		}
	}
}

// round sweeps once. A failure is for the log: the next round tries again.
func (c *Cron) round(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	if err := c.housekeeping.Sweep(limited); err != nil && ctx.Err() == nil {
		c.log.LogAttrs(ctx, slog.LevelError, "housekeeping failed", slog.Any("error", err))
	}
}
