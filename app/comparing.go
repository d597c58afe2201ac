package app

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// largeFiles is from how many bytes on the files of a run are large. Comparing more
// large files at once than there are cores would finish none sooner and take the memory
// of all; small ones do not wait for them.
const largeFiles = 1 << 20

// compare reads the orders and the remittances of a task and decides on every order.
func (r *Reconciling) compare(ctx context.Context, t task, terms domain.Terms) (*ports.FinishedRun, error) {
	w := r.workspaces.get()
	release := func() { r.workspaces.put(w) }
	orders := r.in.Storefronts.Orders(t.content(t.Storefront))
	for _, report := range t.reports {
		w.unread = append(w.unread, unread{reader: r.in.Couriers.Remittances(t.content(report.content), report.choice), courier: report.courier})
	}
	if orders.Size()+w.unreadBytes() >= largeFiles {
		if err := r.large.Acquire(ctx, 1); err != nil {
			release()
			return nil, err
		}
		defer r.large.Release(1)
	}
	if err := r.readInto(w, orders); err != nil {
		err = r.explainMisplaced(&t, w, err)
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
	finished := ports.NewFinishedRun(&w.reconciliation, domain.Run{}, w.remittances.Reports()[0].Mapping, release)
	finished.Include = t.Include
	r.holdAgainst(statement, finished)
	finished.Memory = w.memory()
	if t.Made != nil {
		t.Made(finished.Memory)
	}
	return finished, nil
}
