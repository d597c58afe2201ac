package runs

import (
	"context"
	_ "embed" // the sample's two files
	"fmt"
	"sync"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// The sample: an invented shop's orders of February and March 2026, and what
// its courier paid out for them. Every flag but AWAITING_NEXT_CYCLE occurs.
var (
	//go:embed demo/orders.csv
	sampleOrders string
	//go:embed demo/remittance.csv
	sampleRemittance string
)

// rememberedBlocks bounds how many blocked clients an instance remembers in memory. A
// request of one that is not remembered costs a query.
const rememberedBlocks = 10_000

// Demo runs the sample for anyone, each client at the demo's rate.
type Demo struct {
	in DemoParams

	mu      sync.Mutex
	blocked map[string]time.Time // by subject, until when
}

// DemoParams are what NewDemo needs.
type DemoParams struct {
	fx.In

	Reconciling ports.Reconciling
	Windows     ports.RateWindows // count for all instances of the service
	Names       ports.Pseudonyms  // keep addresses out of them
	Clock       ports.Clock
}

// NewDemo makes the demo.
func NewDemo(p DemoParams) *Demo { return &Demo{in: p, blocked: map[string]time.Time{}} }

// Demo does not serve a request that cannot be counted.
func (d *Demo) Demo(ctx context.Context, client string) (*ports.FinishedRun, error) {
	subject := admission.Demos.Of(d.in.Names.Of(client))
	if wait := d.blockLeft(subject); wait > 0 {
		return nil, domain.ErrRate(wait)
	}
	var (
		wait  time.Duration
		until time.Time
	)
	former, err := d.former(ctx, client)
	if err != nil {
		return nil, err
	}
	err = d.in.Windows.Update(ctx, subject, func(w domain.RateWindow) (domain.RateWindow, bool) {
		next, left, changed := domain.DemoRate.Admit(w.With(former), d.in.Clock())
		wait, until = left, next.BlockedUntil
		return next, changed
	})
	if err != nil {
		return nil, fmt.Errorf("count a demo request: %w", err)
	}
	if wait > 0 {
		d.rememberBlock(subject, until)
		return nil, domain.ErrRate(wait)
	}
	return d.Sample(ctx)
}

// former returns the requests that were counted under the client's names by older
// secrets, so that a change of the service's secret does not end a block. Only
// instances that do not have the new secret yet still count there.
func (d *Demo) former(ctx context.Context, client string) (used domain.RateWindow, err error) {
	for _, name := range d.in.Names.Former(client) {
		err := d.in.Windows.Update(ctx, admission.Demos.Of(name), func(w domain.RateWindow) (domain.RateWindow, bool) {
			used = used.With(w)
			return w, false
		})
		if err != nil {
			return domain.RateWindow{}, fmt.Errorf("look for a demo client's former window: %w", err)
		}
	}
	return used, nil
}

// Sample runs the sample on new copies of its files, because reading may alter them.
func (d *Demo) Sample(ctx context.Context) (*ports.FinishedRun, error) {
	run, err := d.in.Reconciling.Preview(ctx, ports.Request{
		Storefront: []byte(sampleOrders),
		Courier:    []byte(sampleRemittance),
	})
	if err != nil {
		return nil, fmt.Errorf("reconcile the sample: %w", err)
	}
	return run, nil
}

// blockLeft returns how long a remembered block still lasts; 0 if none is remembered. A
// block never ends early, so the database need not be asked.
func (d *Demo) blockLeft(subject string) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, found := d.blocked[subject]
	if !found {
		return 0
	}
	left := until.Sub(d.in.Clock())
	if left <= 0 || left > domain.DemoRate.Block { // over, or the clock was ahead
		delete(d.blocked, subject)
		return 0
	}
	return left
}

func (d *Demo) rememberBlock(subject string, until time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.blocked) >= rememberedBlocks {
		now := d.in.Clock()
		for s, t := range d.blocked {
			if !t.After(now) {
				delete(d.blocked, s)
			}
		}
	}
	if len(d.blocked) < rememberedBlocks {
		d.blocked[subject] = until
	}
}
