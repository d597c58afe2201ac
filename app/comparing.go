package app

import (
	"context"
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// largeFiles is from how many bytes on the files of a run are large. Comparing more
// large files at once than there are cores would finish none sooner and take the memory
// of all; small ones do not wait for them.
const largeFiles = 1 << 20

// compare reads the orders and the remittances of a task and decides on every order. Then
// the task has a report for each sheet that was read.
func (r *Reconciling) compare(ctx context.Context, t *task, terms domain.Terms) (*ports.FinishedRun, error) {
	if err := t.spread(r.in.Couriers); err != nil {
		return nil, err
	}
	w := r.workspaces.get()
	release := func() { r.workspaces.put(w) }
	orders := r.in.Storefronts.Orders(t.content(t.Storefront))
	for _, report := range t.reports {
		w.unread = append(w.unread, unread{reader: r.in.Couriers.Remittances(t.contentOf(report), report.choice), courier: report.courier})
	}
	large, err := r.enter(ctx, w, orders)
	if err != nil {
		release()
		return nil, err
	}
	if large {
		defer r.large.Release(1)
	}
	if err := r.readInto(w, orders, r.maxRowsOf(t)); err != nil {
		err = r.explainMisplaced(t, w, err)
		release()
		return nil, err
	}
	statement, err := r.readStatement(t)
	if err != nil {
		release()
		return nil, err
	}
	if t.Read != nil {
		t.Read()
	}
	if err := w.decide(terms); err != nil {
		release()
		return nil, err
	}
	finished := ports.NewFinishedRun(&w.reconciliation, domain.Run{}, w.remittances.Reports()[0].Mapping, release)
	finished.Include = t.Include
	r.holdAgainst(statement, finished)
	finished.Memory = w.memory()
	if t.Made != nil {
		t.Made(finished.Memory)
	}
	return finished, nil
}

// enter waits until the files of a workspace may be compared. large says that the caller must
// then release r.large.
func (r *Reconciling) enter(ctx context.Context, w *workspace, orders ports.OrdersReader) (large bool, err error) {
	if orders.Size()+w.unreadBytes() < largeFiles {
		return false, nil
	}
	err = r.large.Acquire(ctx, 1)
	return err == nil, err
}

// decide decides on every order that was read.
func (w *workspace) decide(terms domain.Terms) error {
	if err := domain.CheckSums(&w.orders, &w.remittances); err != nil {
		return err
	}
	return w.reconciliation.Decide(&w.orders, &w.remittances, terms)
}

// compareReaders is compare for orders and reports that come from readers. There may be
// domain.MaxPassFiles reports, of domain.MaxRows rows together. absent are the couriers of
// which reports should have come. It returns a *domain.FileError with the position of the
// report, from 1, also if there is only one.
func (r *Reconciling) compareReaders(ctx context.Context, orders ports.OrdersReader, reports []unread, absent []string, terms domain.Terms) (finished *ports.FinishedRun, err error) {
	w := r.workspaces.get()
	release := func() { r.workspaces.put(w) }
	defer func() {
		if err != nil {
			release()
		}
	}()
	w.unread = append(w.unread, reports...)
	large, err := r.enter(ctx, w, orders)
	if err != nil {
		return nil, err
	}
	if large {
		defer r.large.Release(1)
	}
	if err := r.readInto(w, orders, domain.MaxRows); err != nil {
		copy(reports, w.unread) // with how many rows each has
		return nil, nameReport(err)
	}
	for _, courier := range absent {
		w.remittances.AddAbsent(courier)
	}
	if err := w.decide(terms); err != nil {
		return nil, nameReport(err)
	}
	return ports.NewFinishedRun(&w.reconciliation, domain.Run{}, domain.Mapping{}, release), nil
}

// nameReport names the only report of a run.
func nameReport(err error) error {
	if f, ok := errors.AsType[*domain.FileError](err); ok && f.File == domain.CourierFile && f.Report == 0 {
		f.Report = 1
	}
	return err
}
