package app

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"milaan/domain"
	"milaan/ports"
)

// comparing compares orders with remittances, wherever the two are read from.
type comparing struct {
	workspaces workspaces
	large      *semaphore.Weighted // runs of large sources that may be compared at once
	reading    atomic.Int32        // goroutines that read sources now
}

func newComparing() comparing {
	return comparing{workspaces: newWorkspaces(), large: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))}
}

// sources are what a run reads. read and made may be nil.
type sources struct {
	orders      ports.OrdersReader
	remittances ports.RemittancesReader
	// explain may put a fault of one of them in other words. The workspace has
	// nothing that anyone still needs.
	explain func(fault error, w *workspace) error
	read    func()            // as in ports.Request
	made    func(bytes int64) // as in ports.Request
}

// largeSources is from how many bytes on the sources of a run are large. Comparing
// more of them at once than there are cores would finish none sooner and take the
// memory of all; small ones do not wait for them.
const largeSources = 1 << 20

// compare reads the sources of a run and settles every order.
func (c *comparing) compare(ctx context.Context, s sources, terms domain.Terms) (*ports.FinishedRun, error) {
	if s.orders.Size()+s.remittances.Size() >= largeSources {
		if err := c.large.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		defer c.large.Release(1)
	}
	w := c.workspaces.get()
	release := func() { c.workspaces.put(w) }
	mapping, err := c.readInto(w, s)
	if err != nil {
		err = s.explain(err, w)
		release()
		return nil, err
	}
	if s.read != nil {
		s.read()
	}
	if err = domain.CheckSums(&w.orders, &w.remittances); err == nil {
		err = w.reconciliation.Decide(&w.orders, &w.remittances, terms)
	}
	if err != nil {
		release()
		return nil, err
	}
	outcome := ports.NewFinishedRun(&w.reconciliation, domain.Run{}, mapping, release)
	outcome.Memory = w.memory()
	if s.made != nil {
		s.made(outcome.Memory)
	}
	return outcome, nil
}

// worthAHand is from how many bytes on a report is read beside the orders: for
// less, waking another core takes longer than it saves.
const worthAHand = 256 << 10

// readInto reads the sources of a run into a workspace, at once if a core is free for
// the second. Where both are faulty, the fault of the orders is reported.
func (c *comparing) readInto(w *workspace, s sources) (mapping domain.Mapping, err error) {
	var reportErr error
	read := make(chan *domain.Orders, 1) // the run's orders, or nil
	orders := sync.OnceValue(func() *domain.Orders { return <-read })
	readOrders := func() {
		defer close(read) // after a panic as well: nil
		if err = s.orders.Read(&w.orders); err == nil {
			read <- &w.orders
		}
	}
	readReport := func() { mapping, reportErr = s.remittances.Read(orders, &w.remittances) }

	free := c.reading.Add(2) <= int32(runtime.GOMAXPROCS(0))
	defer c.reading.Add(-2)
	if free && s.remittances.Size() >= worthAHand {
		readAtOnce(readOrders, readReport)
	} else if readOrders(); err == nil {
		readReport()
	}
	return mapping, cmp.Or(err, reportErr)
}

// readAtOnce runs two functions and returns when both have ended. A panic of the
// second becomes one of the caller, which answers for it.
func readAtOnce(first, second func()) {
	panicked := make(chan any, 1)
	go func() {
		defer func() { panicked <- recover() }()
		second()
	}()
	defer func() {
		if p := <-panicked; p != nil {
			panic(p)
		}
	}()
	first()
}
