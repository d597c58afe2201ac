package runs

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// largeFiles is from how many bytes on the files of a run are large. Comparing more
// large files at once than there are cores would finish none sooner and take the memory
// of all; small ones do not wait for them.
const largeFiles = 1 << 20

// place is what a run of large files has from before they are read until its results are
// released, because the next run then finds the workspace free. But it lasts for placeTime at
// most once the results are there: a client that takes its answer slowly keeps no other run
// waiting. On a machine whose cores are all busy a client that hurries may take over 200 ms for 9 MB. The
// methods of a nil place do nothing.
type place struct {
	release func()
	over    func() // ends the wait until the place is lost; nil: the results are not there
}

const placeTime = 300 * time.Millisecond

// takePlace waits for a place, if files of so many bytes need one.
func (r *Reconciling) takePlace(ctx context.Context, files int64) (*place, error) {
	if files < largeFiles {
		return nil, nil
	}
	if err := r.large.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return &place{release: sync.OnceFunc(func() {
		r.large.Release(1)
		r.workspaces.letGoLater()
	})}, nil
}

// decided notes that the results are there.
func (p *place) decided() {
	if p == nil {
		return
	}
	limited, over := context.WithTimeout(context.Background(), placeTime)
	context.AfterFunc(limited, p.release)
	p.over = over
}

// end gives the place back, unless it was lost.
func (p *place) end() {
	if p == nil {
		return
	}
	p.release()
	if p.over != nil {
		p.over()
	}
}

// compare reads the orders and the remittances of a task and decides on every order. Then
// the task has a report for each sheet that was read.
func (r *Reconciling) compare(ctx context.Context, t *task, terms domain.Terms) (finished *ports.FinishedRun, err error) {
	if err := t.spread(r.in.Couriers); err != nil {
		return nil, err
	}
	orders, reports := r.in.Storefronts.Orders(t.content(t.Storefront)), []unread(nil)
	for _, report := range t.reports {
		reports = append(reports, unread{reader: r.in.Couriers.Remittances(t.contentOf(report), report.choice), courier: report.courier})
	}
	ledger, err := r.openLedger(t.content(t.Previous))
	if err != nil {
		return nil, err
	}
	defer ledger.Close()
	w, err := r.enter(ctx, orders, reports, ledger)
	if err != nil {
		return nil, err
	}
	defer func() { r.leave(w, finished, err) }()
	if err := r.readInto(ctx, w, orders, r.maxRowsOf(t)); err != nil {
		return nil, r.explainMisplaced(t, w, err)
	}
	statement, err := r.readStatement(t)
	if err != nil {
		return nil, err
	}
	if names := t.unknownSheets(); len(names) > 0 {
		w.orders.Warnings = append(w.orders.Warnings, domain.Warning{Code: domain.WarnUnknownSheets, Examples: names})
	}
	t.taken.Opened.Store(nil)
	if t.Read != nil {
		t.Read()
	}
	if err := w.decide(ctx, terms); err != nil {
		return nil, err
	}
	w.reconciliation.Brand = t.Brand
	if err := cmp.Or(w.reconciliation.Mark(t.marks).Err(), w.reconciliation.Choose(t.only).Err()); err != nil {
		return nil, err
	}
	finished = r.finish(w, w.remittances.Reports()[0].Mapping)
	finished.Include = t.Include
	r.holdAgainst(statement, finished)
	finished.Memory = w.memory()
	return finished, nil
}

// made hands the results over: from then on, the caller may have another goroutine ask for them.
func (t *task) made(finished *ports.FinishedRun) {
	if t.Made != nil {
		t.Made(finished)
	}
}

// enter waits until files may be compared, and returns the workspace for them. A ledger counts by the memory that its rows take.
func (r *Reconciling) enter(ctx context.Context, orders ports.OrdersReader, reports []unread, ledger ports.Ledger) (*workspace, error) {
	size := orders.Size() + int64(ledger.Rows())*rowMemory
	for _, report := range reports {
		size += report.reader.Size()
	}
	place, err := r.takePlace(ctx, size)
	if err != nil {
		return nil, err
	}
	w := r.workspaces.get()
	w.place, w.unread, w.ledger = place, append(w.unread, reports...), ledger
	return w, nil
}

// finish makes a run of which the workspace has the results, until they are released.
func (r *Reconciling) finish(w *workspace, mapping domain.Mapping) *ports.FinishedRun {
	return ports.NewFinishedRun(&w.reconciliation, domain.Run{}, mapping, func() { r.workspaces.put(w) })
}

// leave takes a workspace back after an error. After a panic its place alone: nobody releases what has no results.
func (r *Reconciling) leave(w *workspace, finished *ports.FinishedRun, err error) {
	switch {
	case err != nil:
		r.workspaces.put(w)
	case finished == nil:
		w.place.end()
	}
}

func (w *workspace) decide(ctx context.Context, terms domain.Terms) (err error) {
	step := ports.SpanOf(ctx).Step(ports.StepCompare)
	defer func() { step.End(err) }()
	if err := verdict.CheckSums(&w.orders, &w.remittances); err != nil {
		return err
	}
	err = w.reconciliation.Decide(&w.orders, &w.remittances, terms)
	w.place.decided()
	return err
}

// nameReport names the only report of a run.
func nameReport(err error) error {
	if f, ok := errors.AsType[*domain.FileError](err); ok && f.File == domain.CourierFile && f.Report == 0 {
		f.Report = 1
	}
	return err
}
