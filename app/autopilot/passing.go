package autopilot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"go.uber.org/fx"

	"milaan/app/panics"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

// Passing makes the passes of the autopilot: it fetches the orders and the reports of a
// connection, compares them, and stores the run. It does a PassJob.
type Passing struct {
	in      PassingParams
	keys    [][32]byte // of the present secret, and then of older ones
	limiter *limiter
	memory  passMemory
}

// PassingParams are what NewPassing needs.
type PassingParams struct {
	fx.In

	Passes      ports.Passes
	PassLog     ports.PassLog
	Runs        ports.Runs
	Shops       ports.Shops
	Sources     ports.ReportSources
	Ignored     ports.IgnoredFiles
	Ledgers     ports.ConnectionLedgers
	Reconciling *runs.Reconciling
	WriteLedger ports.WriteLedger
	Subkeys     ports.Subkeys
	Clock       ports.Clock
	Background  ports.Background
	Memory      ports.Memory `optional:"true"` // nil: nobody shares it
	Log         *slog.Logger
}

// NewPassing makes the use case.
func NewPassing(p PassingParams) *Passing {
	return &Passing{in: p, keys: p.Subkeys.Subkeys("pass digests"), limiter: newPassLimiter(p.Background.Passes, p.Clock),
		memory: passMemory{most: mostPassMemory, instance: p.Memory}}
}

type attempt struct {
	*Passing
	ports.BegunPass
	began   time.Time
	place   *place
	share   *passShare
	ordered int64 // bytes that the orders take
	listed  int64 // bytes of the files that came with the lists
	sources []*passSource
	kept    *domain.KeptLedger // as it was read; nil: not yet, it cannot be read, or the open items of the connection are not kept
	unread  bool               // what is kept cannot be read
}

var (
	// errNoMemory ends an attempt that would take more memory than there is now.
	errNoMemory = errors.New("this instance has no memory left for the pass")
	// errNotEntitled ends an attempt whose account may not have the autopilot any more.
	errNotEntitled = errors.New("the account may not have the autopilot")
)

// Make makes a pass, or does the next step of one. If again is above zero, the engine must
// call it again after that time: for the second snapshots of its files, or because the account,
// the host of its shop or of a source, or the memory of this instance has no room now. What
// is wrong with the shop or a source ends the pass. A fault of the service is returned, and
// ends the pass at the last attempt. A pass that is made twice at the same time, or again
// after a death, ends once.
func (p *Passing) Make(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	began := p.in.Clock()
	begun, err := p.in.Passes.Begin(ctx, job.Pass, began)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("begin a pass: %w", err)
	}
	t := &attempt{Passing: p, BegunPass: begun, began: began}
	left := t.Pass.StartedAt.Add(domain.PassLimit).Sub(began)
	switch {
	case a.Deaths >= domain.MaxDeaths || left <= 0:
		return 0, t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnInterrupted}))
	case !t.mayBeMade(begun.Account):
		return 0, t.end(ctx, t.newSkippedEnd())
	case begun.Connection.Shop.Connector == "": // its settings cannot be opened any more
		return 0, t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnFault}))
	}
	place, wait := p.limiter.acquire(begun.Account.ID, t.hosts())
	if place == nil {
		return wait, nil
	}
	failing, well := -1, false
	defer func() { place.release(failing, well) }()
	t.place, t.share = place, p.memory.join()
	defer t.share.leave()
	limited, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	again, err = t.make(limited)
	failing, well = unhealthyHost(err), err == nil && again == 0
	return again, t.endAfter(ctx, limited, a, err)
}

// unhealthyHost returns the position, among the hosts of a pass, of one that was slow or out of
// reach; -1: none was.
func unhealthyHost(err error) int {
	if e, ok := errors.AsType[*domain.ConnectorError](err); ok {
		switch e.Rule {
		case domain.ConnSlow, domain.ConnUnreachable, domain.ConnThrottled:
			return e.Source
		}
	}
	return -1
}

// mayBeMade says whether the pass may be made: a person may ask for one of a connection that
// is paused or needs attention.
func (t *attempt) mayBeMade(a domain.Account) bool {
	return a.MayReconcile(t.in.Clock()) == nil && a.HasAutopilot() && (t.Pass.Asked || t.Connection.State == domain.ConnectionActive)
}

// hosts are those that the pass connects to: of the shop, and then of each source.
func (t *attempt) hosts() []string {
	hosts := []string{t.in.Shops.Host(t.Connection.Shop)}
	for _, source := range t.Connection.Sources {
		hosts = append(hosts, t.in.Sources.Host(source))
	}
	return hosts
}

// make makes the pass up to its run, or up to the time at which it must be called again.
func (t *attempt) make(ctx context.Context) (again time.Duration, err error) {
	defer func() {
		if errors.Is(err, errNoMemory) || t.share.waited && unhealthyHost(err) >= 0 {
			again, err = passPause+rand.N(longestPassPause/6), nil
		}
	}()
	defer panics.RecoverInto(&err)
	from := t.Connection.WindowStart(t.Pass.StartedAt)
	t.noteFormer()
	if err := t.listSources(ctx, from.Start()); err != nil {
		return 0, err
	}
	if err := t.dropIgnored(ctx); err != nil {
		return 0, err
	}
	t.dropOlder()
	if err := t.checkFiles(); err != nil {
		return 0, err
	}
	snapshots, again, err := t.takeSnapshots(ctx)
	if again > 0 || err != nil {
		return again, err
	}
	t.place.hold(t.hosts()[:1])
	orders, err := t.fetchOrders(ctx, from)
	if err != nil {
		return 0, err
	}
	mappings, err := t.savedMappings(ctx)
	if err != nil {
		return 0, err
	}
	state, left := t.State.MoveWindow(from)
	hashes := t.inputHashes(orders.Hash, mappings, nil)
	state.Snapshots, state.InputHash = snapshots, hashes[0]
	if slices.Contains(hashes, t.State.InputHash) && !t.begins() {
		state.Files, state.MoreFiles = remembered(t.seenAgain(nil))
		return 0, t.endUnchanged(ctx, from, state, left, orders.Count)
	}
	return 0, t.compare(ctx, from, state, left, orders, mappings)
}
