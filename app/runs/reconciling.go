package runs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"go.uber.org/fx"
	"golang.org/x/sync/semaphore"

	"milaan/app/ids"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
)

// Reconciling compares an export with its reports and stores the run.
type Reconciling struct {
	in ReconcilingParams

	workspaces workspaces
	large      *semaphore.Weighted // runs of large files that may be compared at once
	reading    atomic.Int32        // goroutines that read files now
}

// ReconcilingParams are what NewReconciling needs. A program that only calls Preview
// may leave Runs and Claiming nil.
type ReconcilingParams struct {
	fx.In

	Storefronts   ports.Storefronts
	Couriers      ports.Couriers
	ReadStatement ports.ReadStatement // may be nil if no request has a statement
	OpenLedger    ports.OpenLedger    `optional:"true"` // nil: no request has a ledger
	Runs          ports.Runs
	Named         ports.NamedMappings `optional:"true"` // nil: no account has any
	Claiming      *Claiming           // may be nil if no caller has a request key
	InputHashing  *InputHashing       // may be nil if no documents are made
	Clock         ports.Clock
	MaxRows       ports.MaxRows `optional:"true"`
}

// NewReconciling makes the use case.
func NewReconciling(p ReconcilingParams) *Reconciling {
	return &Reconciling{in: p, workspaces: newWorkspaces(), large: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))}
}

func (r *Reconciling) Preview(ctx context.Context, req ports.Request) (*ports.FinishedRun, error) {
	t, faults := r.check(req)
	if err := r.findAsked(ctx, domain.Account{}, &t, faults); err != nil {
		return nil, err
	}
	return r.preview(ctx, t)
}

func (r *Reconciling) preview(ctx context.Context, t task) (*ports.FinishedRun, error) {
	finished, err := r.compare(ctx, &t, termsOf(&t, domain.Account{}))
	if err == nil {
		t.made(finished)
	}
	return finished, err
}

func termsOf(t *task, a domain.Account) domain.Terms {
	return domain.TermsFor(t.OverdueDays, a.OverdueDays, t.MinorGap, t.Charges, a.Charges())
}

// Reconcile checks the fields before the request key.
func (r *Reconciling) Reconcile(ctx context.Context, caller ports.Caller, req ports.Request) (*ports.FinishedRun, error) {
	if err := r.enterSandbox(caller, &req); err != nil {
		return nil, err
	}
	t, faults := r.check(req)
	if err := r.findAsked(ctx, caller.Account, &t, faults); err != nil {
		return nil, err
	}
	if caller.RequestKey != "" && !caller.Sandbox {
		return r.reconcileOnce(ctx, caller, t, runFingerprint(req))
	}
	return r.reconcile(ctx, caller, t, addNothing)
}

func addNothing(*ports.FinishedRun, *ports.Entry) error { return nil }

// reconcileOnce makes a run once for all requests with the caller's request key. request is
// the fingerprint of the request as it was received: reading the files may alter them.
func (r *Reconciling) reconcileOnce(
	ctx context.Context, caller ports.Caller, t task, request fingerprint,
) (finished *ports.FinishedRun, err error) {
	err = r.in.Claiming.once(ctx, caller, request,
		func(claim domain.RequestClaim) (err error) {
			finished, err = r.reconcile(ctx, caller, t, func(finished *ports.FinishedRun, e *ports.Entry) error {
				e.Claim, e.Claim.RunID = claim, finished.Run.ID // of a duplicate, the run that it repeats
				return nil
			})
			return err
		},
		func(claim domain.RequestClaim) (err error) {
			finished, err = r.repeat(ctx, caller, t, claim.RunID)
			return err
		})
	return finished, err
}

// repeat makes the answer of a run again, from the files of this request and by the
// account's present terms. It changes nothing, not even the saved mapping: a later run
// may have replaced it.
func (r *Reconciling) repeat(ctx context.Context, caller ports.Caller, t task, runID string) (*ports.FinishedRun, error) {
	finished, _, err := r.compareForAccount(ctx, caller, t)
	if err != nil {
		return nil, err
	}
	finished.Run.ID, finished.Duplicate, finished.Repeat = runID, true, true
	return finished, nil
}

// addToEntry adds to the entry that is written when a run is stored or found to be a
// duplicate. If it returns an error, nothing is stored. It may be called again.
type addToEntry func(finished *ports.FinishedRun, e *ports.Entry) error

// reconcile compares the files and stores the run. The cap is checked after the files, in
// the transaction that stores the run: a duplicate succeeds even at the cap, and only a
// finished run can be recognised as a duplicate.
func (r *Reconciling) reconcile(ctx context.Context, caller ports.Caller, t task, add addToEntry) (*ports.FinishedRun, error) {
	if t.Sandbox {
		return r.reconcileInSandbox(ctx, caller, t, add)
	}
	hash := r.hashInputs(caller.Account, &t)
	defer hash() // the caller takes the files back
	if read := t.Read; read != nil {
		t.Read = func() {
			hash()
			read()
		}
	}
	finished, saved, err := r.compareForAccount(ctx, caller, t)
	if err != nil {
		return nil, r.capBeforeFault(ctx, caller.Account, err)
	}
	hashes := hash()
	if len(hashes) > 0 {
		finished.Run.InputHash = hashes[0]
	}
	if !t.ofDocument {
		hashes = nil
	}
	if err := r.record(ctx, finished, saved, hashes, add); err != nil {
		finished.Release()
		return nil, err
	}
	return finished, nil
}

// compareForAccount compares the files by the account's terms. The run is returned as it
// would be stored, but without an id. saved are the mappings that are to be stored with
// it.
func (r *Reconciling) compareForAccount(
	ctx context.Context, caller ports.Caller, t task,
) (finished *ports.FinishedRun, saved []ports.SavedMapping, err error) {
	began := r.in.Clock()
	remembers := caller.Account.SavesMappings() && !t.Sandbox
	if remembers && !caller.NoMappings {
		if err := r.recall(ctx, caller.Account.ID, &t); err != nil {
			return nil, nil, err
		}
	}
	terms := termsOf(&t, caller.Account)
	finished, err = r.compare(ctx, &t, terms)
	if err != nil {
		return nil, nil, err
	}
	if remembers {
		saved = t.mappings(finished.Reports())
	}
	// They are large, and have been read.
	t.Storefront, t.Courier, t.Reports, t.Statement, t.Previous, t.reports = nil, nil, nil, nil, nil, nil
	now := r.in.Clock()
	finished.Run = domain.Run{
		AccountID: caller.Account.ID, Brand: t.Brand, CourierName: t.courier, Source: t.Source,
		At: now, Took: now.Sub(began), Tally: finished.Tally, Terms: terms, Guidance: finished.Guidance,
	}
	t.made(finished)
	return finished, saved, nil
}

// capBeforeFault replaces the error of a faulty file by the one of the cap: an account at
// its cap is told so whatever it sends (guide: limits 2).
func (r *Reconciling) capBeforeFault(ctx context.Context, a domain.Account, fault error) error {
	if !errors.Is(fault, domain.ErrFile) {
		return fault
	}
	return cmp.Or(checkCap(a, r.in.Clock(), func(since time.Time) (int, error) {
		return r.in.Runs.RunsSince(ctx, a.ID, since)
	}), fault)
}

// record stores the run, which counts it, and adds its event; or it finds that the run is
// a duplicate. A run with one of the hashes of its cycle is a duplicate too.
func (r *Reconciling) record(
	ctx context.Context, finished *ports.FinishedRun, saved []ports.SavedMapping, hashes []domain.InputHash, add addToEntry,
) error {
	run, id := finished.Run, ids.New()
	event := domain.NewDelivery(ids.New(), domain.Delivery{AccountID: run.AccountID, Kind: domain.RunDelivery, RunID: id, CreatedAt: run.At})
	span := ports.SpanOf(ctx)
	storing := span.Step(ports.StepStore)
	err := r.in.Runs.Update(ctx, run.AccountID, func(book ports.RunBook) error {
		var e ports.Entry
		finished.Run, finished.Duplicate = run, false
		first, err := findFirst(book, run, hashes)
		if err != nil {
			return err
		}
		if first != "" {
			finished.Run.ID, finished.Duplicate = first, true
		} else {
			finished.Run.ID = id
			if err := checkCap(book.Account(), finished.Run.At, book.RunsSince); err != nil {
				return err
			}
			e.Run = finished.Run
			if book.Account().HasWebhooks() { // guide: webhooks
				e.Event = event
			}
		}
		e.Mappings, e.SavedAt = saved, run.At // a duplicate has succeeded as well
		if err := add(finished, &e); err != nil {
			return err
		}
		return book.Write(e)
	})
	if err == nil {
		span.Set(ports.SpanRun, finished.Run.ID)
	}
	storing.End(err)
	return err
}

// findFirst returns the ID of the run that a run is a duplicate of, blank if it is of none. One of the same files may have other
// sums, if a saved mapping was changed since then: it is another run.
func findFirst(book ports.RunBook, run domain.Run, hashes []domain.InputHash) (string, error) {
	if len(hashes) > 0 {
		since := book.Account().Cycle(run.At).Start.Start()
		if first, err := book.Made(run, hashes, since); err != nil || first != "" {
			return first, err
		}
	}
	return book.Identical(run.Fingerprint(), run.At.Add(-domain.DuplicateSpan))
}

// checkCap returns the error of the cap unless the account may have one more run in the
// present cycle. It counts the account's runs.
func checkCap(a domain.Account, now time.Time, runsSince func(time.Time) (int, error)) error {
	if _, limited := a.MonthlyCap(); !limited {
		return nil
	}
	usage, err := usageOf(a, now, runsSince)
	if err == nil && usage.Used >= usage.Cap {
		err = domain.ErrRunCap(usage.Cap, a.Cycle(now), now)
	}
	return err
}

// explainMisplaced replaces the fault of a file without a header if the file belongs
// elsewhere, for example because the export and a report were swapped. It reads files once
// more to find out.
func (r *Reconciling) explainMisplaced(t *task, w *workspace, fault error) error {
	f, ok := errors.AsType[*domain.FileError](fault)
	if !ok || !f.NoHeader {
		return fault
	}
	explained := &domain.FileError{File: f.File, Report: f.Report, Rule: domain.RuleOtherFile, NoHeader: true, Exporters: f.Exporters}
	if f.File == domain.CourierFile {
		report := t.reports[max(f.Report, 1)-1] // 0 stands for the only one
		if !r.isExport(t.contentOf(report), w) {
			f.OfBank = r.isStatement(t.contentOf(report))
			return fault
		}
		if bytes.Equal(t.Storefront, report.content) {
			explained.Rule = domain.RuleGivenTwice
		}
		return explained
	}
	if !r.isReport(t.content(t.Storefront), t.reports[0].choice, w) {
		return fault
	}
	for i, report := range t.reports {
		switch {
		case r.isExport(t.contentOf(report), w):
			explained.Rule = domain.RuleSwapped
			if t.several() {
				explained.Report = i + 1
			}
			return explained
		case bytes.Equal(t.Storefront, report.content):
			explained.Rule = domain.RuleGivenTwice
		}
	}
	return explained
}

// isExport says whether a file has the header of an orders export.
func (r *Reconciling) isExport(content ports.Content, w *workspace) bool {
	w.orders.Reset()
	return hasHeader(r.in.Storefronts.Orders(content).Read(&w.orders))
}

// isReport says whether a file has the header of a courier's report.
func (r *Reconciling) isReport(content ports.Content, choice ports.MappingChoice, w *workspace) bool {
	w.remittances.Reset()
	_, err := r.in.Couriers.Remittances(content, choice).Read(func() *verdict.Orders { return nil }, &w.remittances)
	return hasHeader(err)
}

// isStatement says whether a file has the header of a bank's statement.
func (r *Reconciling) isStatement(content ports.Content) bool {
	return r.in.ReadStatement != nil && hasHeader(r.in.ReadStatement(content, new(bank.Statement)))
}

// belowHeader are the rules of a header that is known, and of what stands below it as a whole.
var belowHeader = []domain.FileRule{
	domain.RuleNoOrders, domain.RuleNoDates, domain.RuleNoLines, domain.RuleMappings, domain.RuleSeveralSheets,
}

// hasHeader says whether a file was read, or its fault is in or below its header.
func hasHeader(err error) bool {
	f, ok := errors.AsType[*domain.FileError](err)
	return err == nil || ok && !f.NoHeader && (f.Line > 0 || f.Column != "" || slices.Contains(belowHeader, f.Rule))
}
