package runs

import (
	"context"
	"errors"
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// Fetched are the inputs of a run that the service has fetched by itself.
type Fetched struct {
	Account domain.Account
	Orders  ports.OrdersReader
	Reports []FetchedReport // at most domain.MaxPassFiles, of domain.MaxRows rows together
	Absent  []string        // couriers of which reports should have come
	Terms   domain.Terms
	Kept    *domain.KeptLedger // nil: no open items are kept
	Today   domain.Day         // from which a kept ledger forgets orders
}

// FetchedReport is a report of a report source.
type FetchedReport struct {
	Content []byte
	Courier string // id, or blank
	Columns map[domain.Role]string
	Source  int    // position of its source, from 1
	ID      string // of its source
	Rows    int    // how many were read when CompareFetched failed; 0: none
}

// CompareFetched compares fetched orders with fetched reports. saved are the mappings that are
// to be stored with the run, as for a run by the API. It returns a *domain.FileError with the
// position of the report, from 1, also if there is only one, and then Rows is set.
func (r *Reconciling) CompareFetched(ctx context.Context, f Fetched) (finished *ports.FinishedRun, saved []ports.SavedMapping, err error) {
	t := taskOf(f.Reports)
	remembers := f.Account.SavesMappings() && len(f.Reports) > 0
	if remembers {
		if err := r.recall(ctx, f.Account.ID, t); err != nil {
			return nil, nil, err
		}
	}
	read := make([]unread, len(f.Reports))
	for i, of := range t.reports {
		read[i] = unread{reader: r.in.Couriers.Remittances(t.content(of.content), of.choice), courier: of.courier, source: f.Reports[i].Source,
			sourceID: f.Reports[i].ID}
	}
	var kept []byte
	if f.Kept != nil {
		kept = f.Kept.Text
	}
	ledger, err := r.openLedger(ports.Content{Bytes: kept})
	if err != nil {
		return nil, nil, err
	}
	defer ledger.Close()
	finished, err = r.compareReaders(ctx, f.Orders, read, ledger, f.Absent, f.Terms)
	if err != nil {
		for i := range read {
			f.Reports[i].Rows = read[i].rows
		}
		return nil, nil, err
	}
	if f.Kept != nil {
		finished.MarkKept(f.Kept.Marks)
		finished.KeptOn(f.Today, f.Today-domain.ItemsKeptFor)
	}
	if remembers {
		saved = t.mappings(finished.Reports())
	}
	return finished, saved, nil
}

// CompareKept makes a run of a kept ledger alone: it has no results, and what is open is as the last run has found it.
func (r *Reconciling) CompareKept(
	ctx context.Context, kept domain.KeptLedger, terms domain.Terms, today domain.Day,
) (*ports.FinishedRun, error) {
	finished, _, err := r.CompareFetched(ctx, Fetched{Orders: noOrders{}, Terms: terms, Kept: &kept, Today: today})
	return finished, err
}

type noOrders struct{}

func (noOrders) Size() int64                { return 0 }
func (noOrders) Read(*verdict.Orders) error { return nil }

func taskOf(reports []FetchedReport) *task {
	t := &task{Request: ports.Request{Workbooks: true}, taken: &ports.Taken{Most: ports.MostUploadText}}
	for _, given := range reports {
		t.reports = append(t.reports, &report{content: given.Content, courier: given.Courier,
			choice: ports.MappingChoice{Columns: given.Columns}})
	}
	return t
}

// compareReaders compares orders with reports that come from readers. After an error, reports
// say how many rows each has.
func (r *Reconciling) compareReaders(
	ctx context.Context, orders ports.OrdersReader, reports []unread, ledger ports.Ledger, absent []string, terms domain.Terms,
) (finished *ports.FinishedRun, err error) {
	w, err := r.enter(ctx, orders, reports, ledger)
	if err != nil {
		return nil, err
	}
	defer func() { r.leave(w, finished, err) }()
	if err := r.readInto(ctx, w, orders, domain.MaxRows); err != nil {
		copy(reports, w.unread)
		return nil, nameReport(err)
	}
	for _, courier := range absent {
		w.remittances.AddAbsent(courier)
	}
	if err := w.decide(ctx, terms); err != nil {
		return nil, nameReport(err)
	}
	return r.finish(w, domain.Mapping{}), nil
}

// ReadWithoutOrders reads a report of a source as a pass of an account would, but without
// orders. It returns a *domain.FileError for a report that no orders could make readable. It may
// alter the content.
func (r *Reconciling) ReadWithoutOrders(
	ctx context.Context, account domain.Account, source domain.ReportSource, content []byte,
) (verdict.ReadReport, error) {
	t := taskOf([]FetchedReport{{Content: content, Courier: source.Courier, Columns: source.Columns}})
	if account.SavesMappings() {
		if err := r.recall(ctx, account.ID, t); err != nil {
			return verdict.ReadReport{}, err
		}
	}
	place, err := r.takePlace(ctx, int64(len(content)))
	if err != nil {
		return verdict.ReadReport{}, err
	}
	defer place.end()
	w := r.workspaces.get()
	defer r.workspaces.put(w)
	w.remittances.Begin(source.Courier)
	undecided := false
	_, err = r.in.Couriers.Remittances(t.content(content), t.reports[0].choice).Read(func() *verdict.Orders {
		undecided = true
		return nil
	}, &w.remittances)
	read := w.remittances.Reports()[0]
	if undecided {
		return read, nil // only orders show how it must be read
	}
	if f, ok := errors.AsType[*domain.FileError](err); ok {
		f.OfSource = true
	}
	return read, err
}

// ExportIn says what a fetched file is an export of that is plainly no report: it has neither an AWB
// nor an amount, and its header says what it lists. named are the columns that are stated or saved
// for its reports; a file that has one of them may be a report.
func (r *Reconciling) ExportIn(content []byte, named []string) ports.Exported {
	seen := new(ports.Seen)
	_, _, err := r.in.Couriers.Recognise(ports.Content{Bytes: content, Workbook: true, MaxRows: 1, Seen: seen})
	if f, ok := errors.AsType[*domain.FileError](err); !ok || f.Rule != domain.RuleNoColumn || !f.NoHeader {
		return ports.ExportedNothing
	}
	for _, role := range []domain.Role{domain.RoleAWB, domain.RoleCODAmount, domain.RoleRemittedAmount} {
		if seen.Mapping[role] != "" {
			return ports.ExportedNothing
		}
	}
	for _, name := range named {
		key := domain.HeaderKey(name)
		if slices.ContainsFunc(seen.Header, func(column string) bool { return domain.HeaderKey(column) == key }) {
			return ports.ExportedNothing
		}
	}
	if seen.Sheet != "" { // another one may be a report
		return ports.ExportedNothing
	}
	what := r.in.Storefronts.Exported(seen.Header)
	for _, role := range []domain.Role{domain.RoleOrderID, domain.RoleRemittanceDate, domain.RoleRemittanceStatus, domain.RoleUTR} {
		if what != ports.ExportedOrders && seen.Mapping[role] != "" {
			return ports.ExportedNothing
		}
	}
	return what
}
