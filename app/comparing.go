package app

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"milaan/domain"
	"milaan/ports"
)

// largeFiles is from how many bytes on the files of a run are large. Comparing more
// large files at once than there are cores would finish none sooner and take the memory
// of all; small ones do not wait for them.
const largeFiles = 1 << 20

// compare reads the orders and the remittances of a task and decides on every order.
func (r *Reconciling) compare(ctx context.Context, t task, terms domain.Terms) (*ports.FinishedRun, error) {
	orders, remittances := r.in.Storefronts.Orders(t.content(t.Storefront)), r.in.Couriers.Remittances(t.content(t.Courier), t.choice)
	if orders.Size()+remittances.Size() >= largeFiles {
		if err := r.large.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		defer r.large.Release(1)
	}
	w := r.workspaces.get()
	release := func() { r.workspaces.put(w) }
	mapping, err := r.readInto(w, orders, remittances)
	if err != nil {
		err = r.explainMisplaced(t, w, err)
		release()
		return nil, err
	}
	statement, err := r.readStatement(&t)
	if err != nil {
		release()
		return nil, err
	}
	if t.Read != nil {
		t.Read()
	}
	if err = domain.CheckSums(&w.orders, &w.remittances); err == nil {
		err = w.reconciliation.Decide(&w.orders, &w.remittances, terms)
	}
	if err != nil {
		release()
		return nil, err
	}
	finished := ports.NewFinishedRun(&w.reconciliation, domain.Run{}, mapping, release)
	r.holdAgainst(statement, finished)
	finished.Memory = w.memory()
	if t.Made != nil {
		t.Made(finished.Memory)
	}
	return finished, nil
}

// worthAnotherCore is from how many bytes on a report is read at the same time as the
// orders: for less, waking another core takes longer than it saves.
const worthAnotherCore = 256 << 10

// readInto reads orders and remittances into a workspace, at the same time if a core is
// free for the second. If both are faulty, the fault of the orders is reported.
func (r *Reconciling) readInto(w *workspace, orders ports.OrdersReader, remittances ports.RemittancesReader) (mapping domain.Mapping, err error) {
	var reportErr error
	read := make(chan *domain.Orders, 1) // the run's orders, or nil
	wait := sync.OnceValue(func() *domain.Orders { return <-read })
	readOrders := func() {
		defer close(read) // after a panic as well: nil
		if err = orders.Read(&w.orders); err == nil {
			read <- &w.orders
		}
	}
	readReport := func() { mapping, reportErr = remittances.Read(wait, &w.remittances) }

	free := r.reading.Add(2) <= int32(runtime.GOMAXPROCS(0))
	defer r.reading.Add(-2)
	if free && remittances.Size() >= worthAnotherCore {
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
