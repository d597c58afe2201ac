package runs

import (
	"context"
	"errors"

	"milaan/domain"
	"milaan/domain/verdict"
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
	if err := verdict.CheckSums(&w.orders, &w.remittances); err != nil {
		return err
	}
	return w.reconciliation.Decide(&w.orders, &w.remittances, terms)
}

// nameReport names the only report of a run.
func nameReport(err error) error {
	if f, ok := errors.AsType[*domain.FileError](err); ok && f.File == domain.CourierFile && f.Report == 0 {
		f.Report = 1
	}
	return err
}
