package app

import (
	"bytes"
	"context"
	"errors"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// Reconciling compares two files, and keeps the audit record of having done so.
// It fills ports.Reconciling.
type Reconciling struct {
	storefronts ports.Storefronts
	couriers    ports.Couriers
	runs        ports.Runs
	clock       ports.Clock
	comparing   comparing
}

// ReconcilingParams are what NewReconciling needs.
type ReconcilingParams struct {
	fx.In

	Storefronts ports.Storefronts
	Couriers    ports.Couriers
	Runs        ports.Runs // may be nil for a program that only calls Preview
	Clock       ports.Clock
}

// NewReconciling makes the use case.
func NewReconciling(p ReconcilingParams) *Reconciling {
	return &Reconciling{storefronts: p.Storefronts, couriers: p.Couriers, runs: p.Runs, clock: p.Clock, comparing: newComparing()}
}

// Preview fills ports.Reconciling.
func (r *Reconciling) Preview(ctx context.Context, req ports.Request) (*ports.FinishedRun, error) {
	t, err := r.checked(req)
	if err != nil {
		return nil, err
	}
	return r.compare(ctx, t, domain.TermsFor(req.OverdueDays, 0, req.MinorGap))
}

// Reconcile fills ports.Reconciling.
func (r *Reconciling) Reconcile(ctx context.Context, caller ports.Caller, req ports.Request) (*ports.FinishedRun, error) {
	t, err := r.checked(req)
	if err != nil {
		return nil, err
	}
	return r.reconcile(ctx, caller, t, func(*ports.FinishedRun, *ports.Entry) error { return nil })
}

// addToEntry adds to what is written when a run is stored, or found to be a
// duplicate. Its error undoes the run. It may be called again.
type addToEntry func(o *ports.FinishedRun, e *ports.Entry) error

// reconcile looks at the cap after the files, in the transaction that stores
// the run: a duplicate succeeds even at the cap, and only a finished run can be
// told from a duplicate.
func (r *Reconciling) reconcile(ctx context.Context, caller ports.Caller, t task, add addToEntry) (*ports.FinishedRun, error) {
	o, remembers, err := r.finish(ctx, caller, t)
	if err != nil {
		return nil, r.capBefore(ctx, caller.Account, err)
	}
	if err := r.record(ctx, o, remembers, add); err != nil {
		o.Release()
		return nil, err
	}
	return o, nil
}

// finish compares the files by the account's terms: the outcome is as it would
// be stored, but for its id. remembers says that the mapping is to be saved.
func (r *Reconciling) finish(ctx context.Context, caller ports.Caller, t task) (o *ports.FinishedRun, remembers bool, err error) {
	began := r.clock()
	remembers = caller.Account.Plan == domain.Enterprise && t.courier != ""
	if remembers && len(t.choice.Columns) == 0 {
		saved, found, err := r.runs.Mapping(ctx, caller.Account.ID, t.courier)
		if err != nil {
			return nil, false, err
		}
		if found {
			t.choice.Saved = &saved
		}
	}
	terms := domain.TermsFor(t.OverdueDays, caller.Account.OverdueDays, t.MinorGap)
	o, err = r.compare(ctx, t, terms)
	t.Storefront, t.Courier = nil, nil // they are large, and have been read
	if err != nil {
		return nil, false, err
	}
	now := r.clock()
	o.Run = domain.Run{
		AccountID: caller.Account.ID, Brand: t.Brand, CourierName: t.courier, Source: t.Source,
		At: now, Took: now.Sub(began), Tally: o.Tally, Terms: terms, Guidance: o.Guidance,
	}
	return o, remembers, nil
}

// capBefore lets the cap speak before a faulty file: an account at its cap is
// told so whatever it sends (decisions, section 5, order of checks).
func (r *Reconciling) capBefore(ctx context.Context, a domain.Account, fault error) error {
	limit, limited := a.MonthlyCap()
	if !limited || !errors.Is(fault, domain.ErrFile) {
		return fault
	}
	now := r.clock()
	cycle := a.Cycle(now)
	runs, err := r.runs.RunsSince(ctx, a.ID, cycle.Start.Start())
	switch {
	case err != nil:
		return err
	case runs >= limit:
		return domain.ErrRunCap(limit, cycle, now)
	}
	return fault
}

// record stores the run, counts it and announces it, or finds that it is a
// duplicate.
func (r *Reconciling) record(ctx context.Context, o *ports.FinishedRun, remembers bool, add addToEntry) error {
	run, id := o.Run, newID()
	event := newDelivery(domain.Delivery{AccountID: run.AccountID, Kind: domain.RunDelivery, RunID: id, CreatedAt: run.At})
	return r.runs.Update(ctx, run.AccountID, func(book ports.RunBook) error {
		var e ports.Entry
		o.Run, o.Duplicate = run, false
		first, found, err := book.Identical(run.Fingerprint(), run.At.Add(-domain.DuplicateSpan))
		if err != nil {
			return err
		}
		if found {
			o.Run, o.Duplicate = first, true
		} else {
			o.Run.ID = id
			if err := withinCap(book, o.Run); err != nil {
				return err
			}
			e.Run = o.Run
			if book.Account().HasWebhooks() { // contract, section 6
				e.Event = event
			}
		}
		if remembers { // a duplicate has succeeded as well
			e.CourierName, e.Mapping = run.CourierName, o.Mapping
		}
		if err := add(o, &e); err != nil {
			return err
		}
		return book.Write(e)
	})
}

// withinCap is nil if the account may have one more run in its cycle.
func withinCap(book ports.RunBook, run domain.Run) error {
	limit, limited := book.Account().MonthlyCap()
	if !limited {
		return nil
	}
	cycle := book.Account().Cycle(run.At)
	runs, err := book.RunsSince(cycle.Start.Start())
	if err != nil {
		return err
	}
	if runs >= limit {
		return domain.ErrRunCap(limit, cycle, run.At)
	}
	return nil
}

// compare compares the two files of a task.
func (r *Reconciling) compare(ctx context.Context, t task, terms domain.Terms) (*ports.FinishedRun, error) {
	return r.comparing.compare(ctx, sources{
		orders: r.storefronts.Orders(t.Storefront), remittances: r.couriers.Remittances(t.Courier, t.choice),
		explain: func(fault error, w *workspace) error { return r.misplaced(t, w, fault) },
		read:    t.Read, made: t.Made,
	}, terms)
}

// misplaced gives another rule to a fault of a file in which no header was found,
// if the file is plainly one that belongs elsewhere. It reads the files once more
// to find out.
func (r *Reconciling) misplaced(t task, w *workspace, fault error) error {
	f, ok := errors.AsType[*domain.FileError](fault)
	if !ok || !f.NoHeader {
		return fault
	}
	var isOther bool
	rule := domain.RuleOtherFile
	if f.File == domain.StorefrontFile {
		isOther = r.isReport(t.Storefront, t.choice, w)
	} else {
		isOther = r.isExport(t.Courier, w)
	}
	switch {
	case !isOther:
		return fault
	case f.File == domain.StorefrontFile && r.isExport(t.Courier, w):
		rule = domain.RuleSwapped
	case bytes.Equal(t.Storefront, t.Courier):
		rule = domain.RuleGivenTwice
	}
	return &domain.FileError{File: f.File, Rule: rule, NoHeader: true, Exporters: f.Exporters}
}

// isExport says that a text has an orders export's header.
func (r *Reconciling) isExport(text []byte, w *workspace) bool {
	w.orders.Reset()
	return hasHeader(r.storefronts.Orders(text).Read(&w.orders))
}

// isReport says that a text has a courier's report's header.
func (r *Reconciling) isReport(text []byte, choice ports.MappingChoice, w *workspace) bool {
	w.remittances.Reset()
	_, err := r.couriers.Remittances(text, choice).Read(func() *domain.Orders { return nil }, &w.remittances)
	return hasHeader(err)
}

// hasHeader says that a file was read, or that what is wrong with it is in or
// below its header.
func hasHeader(err error) bool {
	f, ok := errors.AsType[*domain.FileError](err)
	return err == nil || ok && !f.NoHeader && (f.Line > 0 || f.Column != "")
}
