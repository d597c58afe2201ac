package ports

import (
	"context"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"slices"
	"strings"
	"time"
)

// Reconciling compares an export with one report or several.
type Reconciling interface {
	// Check returns all faults of a request's fields, in the order of the fields. It
	// does not read the files.
	Check(req Request) domain.Faults
	// Reconcile compares the files for an account, stores the run unless it is a
	// duplicate, and counts it towards the cap. It returns errors with CodeField,
	// CodeRunCap and CodeDatabase, and *domain.FileError. After an error nothing was
	// stored or counted. If it is called again within 30 s, the run is a duplicate.
	//
	// If the caller has a request key and the request has been answered before, the
	// files are compared again, but nothing is stored or counted, and the request
	// succeeds at the cap. Reconcile returns domain.ErrKeyReused if the key stands for
	// another request, and domain.ErrKeyRunning while the first request is under way.
	// After an error the key stands for nothing.
	//
	// For a sandbox caller, nothing is stored but the count of the account's sandbox runs of
	// the day, and a test event, if the account has an endpoint. Saved mappings are not used,
	// request keys have no effect, and files have domain.SandboxRows at most. Reconcile then
	// also returns the error that a brand asks for, and domain.ErrSandboxRuns.
	Reconcile(ctx context.Context, caller Caller, req Request) (*FinishedRun, error)
	// Preview compares the files without an account and stores nothing. It returns
	// the errors of Reconcile, except those of the cap and the database.
	Preview(ctx context.Context, req Request) (*FinishedRun, error)
}

// Request asks for one reconciliation. The files belong to the callee until it calls
// Read, or until it returns if Read is nil: reading may alter them in place. Read and
// Made are called in the goroutine of the caller.
type Request struct {
	Storefront []byte   // orders export
	Courier    []byte   // the only remittance report; nil if there are Reports
	Reports    []Report // several remittance reports, at most domain.MaxReports
	Statement  []byte   // of the bank; nil: none
	Previous   []byte   // the ledger of an earlier run; nil: none
	Workbooks  bool     // the files may be workbooks; false: they are text
	Sheets     []string // the sheets of workbooks that are to be read, see Content
	Include    domain.Include
	Read       func() // called once all files are read, so that their memory can be freed; may be nil
	// Made is called when the results have been made and before anything is stored. It may be nil.
	Made func(*FinishedRun)
	// Claim and Passed are as those of Taken.
	Claim       func(bytes int64) error
	Passed      func(part []byte)
	CourierName string // as the caller wrote it; blank: none
	Columns     map[string]string
	Mapping     string // the name of a saved mapping; blank: none
	Brand       string
	// Misread are the faults of fields that are missing or have a wrong type. No other
	// fault of such a field is returned.
	Misread     domain.Faults
	OverdueDays *int           // days; nil: the account's or Milaan's
	MinorGap    *int           // rupees; nil: Milaan's
	Charges     domain.Charges // blank: the account's or Milaan's
	Source      domain.Source
	Sandbox     bool // set by the use cases: the caller's
}

// CourierNames returns the courierName of the request or, if that is blank, those of its
// reports, joined by domain.CourierSeparator, as the caller wrote them.
func (r Request) CourierNames() string {
	if strings.TrimSpace(r.CourierName) != "" {
		return r.CourierName
	}
	var names []string
	for i := range r.Reports {
		if name := r.Reports[i].CourierName; strings.TrimSpace(name) != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, domain.CourierSeparator)
}

// NamesMapping says whether the request names a saved mapping.
func (r Request) NamesMapping() bool {
	return r.Mapping != "" || slices.ContainsFunc(r.Reports, func(of Report) bool { return of.Mapping != "" })
}

// Bytes is how large the files are together.
func (r Request) Bytes() int64 {
	n := len(r.Storefront) + len(r.Courier) + len(r.Statement) + len(r.Previous)
	for i := range r.Reports {
		n += len(r.Reports[i].Courier)
	}
	return int64(n)
}

// Report is one of several reports of a request.
type Report struct {
	Courier     []byte
	CourierName string
	Columns     map[string]string
	Mapping     string
}

// FinishedRun is a run that has been decided. Its results point into pooled memory:
// write them out, then call Release.
type FinishedRun struct {
	*verdict.Reconciliation
	Run       domain.Run // ID is blank where nothing was stored, and that of the earlier run where it repeats one
	Include   domain.Include
	Statement *bank.Findings // nil: the request has no statement
	Mapping   domain.Mapping
	Books     domain.Books // how vouchers of the run are written
	Duplicate bool         // it repeats an identical run of the last 30 seconds, or the run of an earlier request
	Repeat    bool         // it repeats the run of an earlier request
	Memory    int64        // bytes that the results take until Release
	// Begun is what is made of the results while the run is stored; nil: nothing. Until it is dropped, nobody else may ask for them.
	Begun   interface{ Drop() }
	release func()
}

// Release frees the run's memory for the next run. The results must not be used after
// that. Release may be called again.
func (r *FinishedRun) Release() {
	if r.Begun != nil {
		r.Begun.Drop()
		r.Begun = nil
	}
	if r.release != nil {
		r.release()
		r.release = nil
	}
}

// NewFinishedRun makes a run whose Release calls release once.
func NewFinishedRun(r *verdict.Reconciliation, run domain.Run, m domain.Mapping, release func()) *FinishedRun {
	return &FinishedRun{Reconciliation: r, Run: run, Mapping: m, release: release}
}

// MaxRows is how many rows the reports of a run may have together; 0: any number.
type MaxRows int

// Demo runs the built-in sample.
type Demo interface {
	// Demo counts the request of a client towards the demo's rate and runs the sample.
	// client is what distinguishes clients, such as an address; only a keyed hash of it
	// is stored. Demo returns an error with CodeRate over the rate.
	Demo(ctx context.Context, client string) (*FinishedRun, error)
	// Sample runs the sample without counting it, for the service's own pages.
	Sample(ctx context.Context) (*FinishedRun, error)
}

// Inspecting looks at files before they are reconciled. Nothing is stored or counted.
type Inspecting interface {
	// Inspect reads the files of a request, of which any may be missing, for an account or,
	// if it is nil, for a visitor. The fault of a file is part of its inspection. It returns
	// errors with CodeField and CodeDatabase.
	Inspect(ctx context.Context, account *domain.Account, req Request) (*Inspection, error)
}

// Inspection is what the files of a request were recognised as.
type Inspection struct {
	Orders    *InspectedOrders // nil: not given
	Reports   []InspectedReport
	Statement *Inspected       // nil: not given
	Ledger    *InspectedLedger // nil: not given
}

// Inspected is what a file was recognised as.
type Inspected struct {
	Seen
	// Is says what the file is by its content, which may be another file than the one as
	// which it was given; 0: that is not known.
	Is       domain.File
	From, To domain.Day // the first and the last order date, remittance or delivered date, or day of the statement; NoDay: not known
	Fault    error      // why the file cannot be read; nil: it can
}

// InspectedOrders is what an export was recognised as.
type InspectedOrders struct {
	Inspected
	Orders int
}

// InspectedReport is what one report was recognised as.
type InspectedReport struct {
	Inspected
	Courier string                 // id: the one that the request names, or else the only one that knows the header best; blank: not known
	Stated  map[domain.Role]string // columns by the request
	Missing []domain.Role          // roles of which one at least needs a column, and none has one
	// Candidates are the columns among which a role cannot be decided.
	Candidates map[domain.Role][]string
}

// InspectedLedger is what a ledger was recognised as.
type InspectedLedger struct {
	Inspected
	Orders, Lines int // that it remembers
	Open          int // orders for which the run that has written it claims money
	Brand         string
	AsOf          domain.Day // that run's batch_as_of
}

// ReadingHistory is what an account may read of its runs. Nothing of the files is stored, so
// it has counts and sums and no orders.
type ReadingHistory interface {
	// Runs lists runs, latest first, at most f.Limit (1 to domain.MaxListedRuns; 0 stands
	// for that many). next is the After of the following page; blank: there is none. It
	// returns errors with CodeField, also if the account has no run with the id After.
	Runs(ctx context.Context, accountID string, f RunFilter) (runs []domain.Run, next string, err error)
	// Run returns domain.ErrNoRun if the account has none with this id.
	Run(ctx context.Context, accountID, id string) (domain.Run, error)
	// Labels lists the labels of an account's runs.
	Labels(ctx context.Context, accountID string) (RunLabels, error)
	// Compare returns two runs, or domain.ErrNoRun.
	Compare(ctx context.Context, accountID, a, b string) (Comparison, error)
	// Usage counts the runs of the account's present cycle that count towards its cap.
	Usage(ctx context.Context, a domain.Account) (Usage, error)
}

// RunFilter says which runs of an account are asked for. Blank and zero fields filter
// nothing.
type RunFilter struct {
	Brand   string
	Courier string // a courier's id: runs whose CourierName has it, alone or among others
	Source  domain.Source
	From    time.Time // at or after
	To      time.Time // before
	After   string    // the id of the last run of the page before
	Limit   int       // at most
}

// RunLabels are the labels that an account's runs have, each sorted.
type RunLabels struct {
	Brands   []string
	Couriers []string // ids of couriers, each by itself
	Sources  []domain.Source
}

// Usage is how many runs an account has made in its present cycle.
type Usage struct {
	Used     int
	Cap      int
	Limited  bool
	ResetsOn domain.Day // the first day of the next cycle
}

// Comparison is two runs of an account. Change is how much more the tally of B is than that
// of A.
type Comparison struct {
	A, B   domain.Run
	Change domain.Tally
}

// RunHistory reads the runs that are stored.
type RunHistory interface {
	// List lists runs of an account, latest first. Runs of the same time are listed by
	// their id, so that pages neither repeat nor miss a run.
	List(ctx context.Context, accountID string, f RunFilter) ([]domain.Run, error)
	// Run returns domain.ErrNoRun if the account has none with this id.
	Run(ctx context.Context, accountID, id string) (domain.Run, error)
	// Labels lists the labels of an account's runs.
	Labels(ctx context.Context, accountID string) (RunLabels, error)
}

// Runs stores runs, and the column mappings by which the runs of Enterprise accounts were
// read.
type Runs interface {
	// Update calls do with the run book of one account, in one transaction. The
	// transactions of one account come one after the other, in all processes. If do
	// returns an error, Update returns it unchanged and stores nothing. do may be
	// called again if the database asks for it, so it must have no other effects.
	// The account is read and locked by the first call of a method of the book. If it cannot be
	// read, Update returns why in place of what do returns: domain.ErrNoAccount if there is no
	// such account. It returns domain.ErrUnsettled if it is not known whether the transaction was stored,
	// because the connection broke during the commit.
	Update(ctx context.Context, accountID string, do func(RunBook) error) error
	// RunsSince counts the runs of an account that were stored at or after a time and count
	// towards the cap: those of the autopilot do not.
	RunsSince(ctx context.Context, accountID string, since time.Time) (int, error)
	// SandboxRuns counts the sandbox runs of an account on a day that entries have stored.
	SandboxRuns(ctx context.Context, accountID string, day domain.Day) (int, error)
	// Mapping finds the mapping that an Entry has stored for an account and a courier's
	// id.
	Mapping(ctx context.Context, accountID, courierName string) (m domain.Mapping, found bool, err error)
}

// RunBook is the runs of one account inside a transaction.
type RunBook interface {
	// Account returns the account as it is stored now, or a zero Account if it cannot be read. It
	// may have changed since the request came.
	Account() domain.Account
	// Identical returns the ID of the latest run with this fingerprint that was stored at or
	// after a time; none: blank.
	Identical(fingerprint string, since time.Time) (runID string, err error)
	// Made returns the ID of the latest run with the fingerprint and the tally of this one that has
	// one of these hashes of its inputs and was stored at or after a time; none: blank.
	Made(run domain.Run, hashes []domain.InputHash, since time.Time) (runID string, err error)
	// RunsSince counts the runs that were stored at or after a time and count towards the
	// cap.
	RunsSince(since time.Time) (int, error)
	// Write stores an entry, at the end of the transaction at the latest: an error of the
	// database may be returned by Update alone. After an error the transaction cannot be
	// committed. Write returns domain.ErrKeyRunning if the holder of the entry's claim has
	// lost it, and domain.ErrNothingToDo if the entry's job or pass has ended before, or the
	// account has no such job or pass. For a sandbox run beyond domain.SandboxRuns on its
	// day, it returns domain.ErrSandboxRuns, exactly, however many callers there are.
	Write(e Entry) error
}

// Entry is what is stored together with a run or the end of a job. Empty fields are not
// stored.
type Entry struct {
	Run domain.Run // a new run
	// SandboxRun counts a run of the sandbox, of which nothing else is stored; the zero time:
	// there is none. Event is then a test.
	SandboxRun time.Time
	// Event is a delivery of Run, or a test. It is added, with the job that makes it, if the
	// account has an endpoint.
	Event domain.Delivery
	// Mappings replace the account's older mappings for the same couriers. No two are
	// for the same courier.
	Mappings []SavedMapping
	SavedAt  time.Time           // of Mappings
	Claim    domain.RequestClaim // gets the outcome that its RunID names
	// End stores the result of a batch's job and deletes the job's files. The job that
	// ends last completes the batch; then, if the batch has a webhook_url, the delivery
	// of End is added with its job.
	End JobEnd
	// Pass ends a pass of the autopilot, whose ID is set, and its connection gets the new
	// state and status.
	Pass PassEnd
}

// SavedMapping is the mapping by which a report of a courier was read.
type SavedMapping struct {
	CourierName string // the courier's id
	Mapping     domain.Mapping
}

// RequestClaims stores what request keys stand for. RunBook.Write and Batches.Submit store the
// outcome of a claim, in the transactions that store the run and the batch.
type RequestClaims interface {
	// Take stores a claim, unless another claim of the same account and key stands at
	// claim.At. former are hashes of the same key with the service's older secrets;
	// claims with these count too. Take returns the claim that stands then: claim was
	// stored if the Holder is claim's. If many callers take a claim at the same time,
	// one of them gets it. After an error the claim may be stored all the same. Take
	// returns domain.ErrNoAccount if there is no such account.
	Take(ctx context.Context, claim domain.RequestClaim, former ...domain.RequestHash) (domain.RequestClaim, error)
	// Renew moves the end of the holder's lease to claim.Until. It returns
	// domain.ErrNothingToDo if the holder has lost the claim, or the claim has an
	// outcome.
	Renew(ctx context.Context, claim domain.RequestClaim) error
	// Release deletes the holder's claim if it has no outcome. It may be repeated.
	Release(ctx context.Context, claim domain.RequestClaim) error
}
