package ports

import (
	"bytes"
	"context"
	"strings"
	"time"

	"milaan/domain"
)

// Clock tells the time. The domain and the application read the time in no other way.
type Clock func() time.Time

// BillingOn says whether subscriptions are sold here.
type BillingOn bool

// SandboxOn says whether the service has a sandbox.
type SandboxOn bool

// Gate admits requests with an API key.
type Gate interface {
	// Admit checks the key, then the account's phone, then its subscription and
	// plan, then the rate of the account's keys, and counts the request towards
	// that rate (guide: limits 3). For a sandbox key, neither subscription nor plan is
	// checked, and the rate is its own. It returns domain.ErrKey, ErrPhone, ErrSetup,
	// ErrSubscription, ErrPlan or an error with CodeRate that says how long to
	// wait. Each call counts. If the key is known, the caller is returned with an error
	// as well, for the log; the request must not be served.
	Admit(ctx context.Context, secret string) (Caller, error)
	// AdmitPoll does the same for GET /status, which has a rate of its own: over it,
	// AdmitPoll returns an error with CodeRate that says how long to wait, and blocks
	// nothing. The caller is returned with an error as in Admit.
	AdmitPoll(ctx context.Context, secret string) (Caller, error)
}

// Caller is the account that a request comes from.
type Caller struct {
	Account    domain.Account
	RequestKey string // of this request (Idempotency-Key); blank: none
	Sandbox    bool   // the key is a sandbox key
}

// MaxRows is how many rows the reports of a run may have together; 0: any number.
type MaxRows int

// Report is one of several reports of a request.
type Report struct {
	Courier     []byte
	CourierName string
	Columns     map[string]string
}

// Request asks for one reconciliation. The files belong to the callee until it calls
// Read, or until it returns if Read is nil: reading may alter them in place. Read and
// Made are called in the goroutine of the caller.
type Request struct {
	Storefront []byte   // orders export
	Courier    []byte   // the only remittance report; nil if there are Reports
	Reports    []Report // several remittance reports, at most domain.MaxReports
	Statement  []byte   // of the bank; nil: none
	Workbooks  bool     // the files may be workbooks; false: they are text
	Sheets     []string // the sheets of workbooks that are to be read, see Content
	Include    domain.Include
	Read       func() // called once all files are read, so that their memory can be freed; may be nil
	// Made is called when the results have been made and before anything is stored,
	// with the bytes of memory that they take until they are released. It may be nil.
	Made func(bytes int64)
	// Claim is as that of Taken; nil: nobody counts.
	Claim       func(bytes int64) error
	CourierName string // as the caller wrote it; blank: none
	Columns     map[string]string
	Brand       string
	// Misread are the faults of fields that are missing or have a wrong type. No other
	// fault of such a field is returned.
	Misread     domain.Faults
	OverdueDays *int // days; nil: the account's or Milaan's
	MinorGap    *int // rupees; nil: Milaan's
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

// Bytes is how large the files are together.
func (r Request) Bytes() int64 {
	n := len(r.Storefront) + len(r.Courier) + len(r.Statement)
	for i := range r.Reports {
		n += len(r.Reports[i].Courier)
	}
	return int64(n)
}

// How many bytes of memory a request takes besides its body. Some are for each byte of the
// body. They hold the decoded fields that are no file; or the text of a file once more, if
// it was not UTF-8, and names, AWBs and references once more, in blocks that are filled to
// at least three quarters. The others are for each row. They hold orders, lines, their
// index and their results, whose number domain.MaxRows and domain.MaxTokens limit.
const (
	workPerByte    = 3
	mostText       = 25 << 20 // of both files, after U+FFFD has replaced bytes that are not UTF-8
	workPerRowByte = 64       // a row may have four bytes
	workOfFewRows  = 512 << 10
	workPerRow     = 256
	workPerToken   = 64 // an AWB of a cell that lists several
	mostWorkOfRows = 32 << 20
)

// WorkBytes returns how many bytes of memory it takes at most to read and reconcile a body
// of n bytes, whatever the bytes are, besides the body itself. A single request needs
// them until its answer is written, a batch until it is stored. For 25 MiB they are
// 107 MiB; an ordinary export of that size takes 20 MiB.
//
// A body of more than 25 MiB is a form, whose files are read where they are. Its texts are
// held once more only if they are UTF-16, as UTF-8 of at most one and a half times the
// length; and names, AWBs and references of that text once more, in blocks that are filled
// to three quarters. So for 64 MiB they are 256 MiB: 96 of UTF-8, 128 of names and 32 of
// rows, of which there are no more than in a small body.
func WorkBytes(n int64) int64 {
	if n > mostText {
		text := n + n/2
		return text + text*4/3 + mostWorkOfRows
	}
	return workOfTexts(n) + min(workPerRowByte*n, mostWorkOfRows)
}

// WorkBytesFor is WorkBytes for one body, by the number of rows that it can have: most
// bodies have far fewer than their length allows. Some of its strings may be decoded
// already. In a body longer than countedBody the rows are not counted, because that
// takes more time than it is worth.
func WorkBytesFor(body []byte) int64 {
	n := int64(len(body))
	if n > countedBody {
		return WorkBytes(n)
	}
	rows := workOfFewRows + workPerRow*count(body, rowSigns) + workPerToken*count(body, tokenSigns)
	return workOfTexts(n) + min(workPerRowByte*n, rows, mostWorkOfRows)
}

// MostUploadText is how many bytes of text the workbooks of an upload in the dashboard may
// have together: an export of domain.MaxRows rows has 31 MB, as a workbook too.
const MostUploadText = 64 << 20

// WorkbookMemory is how many bytes of memory it takes to read and reconcile a body with workbooks, besides
// the body itself.
type WorkbookMemory struct {
	Bytes    int64 // for as many bytes of text as such bodies nearly always have
	Allotted int64 // of these, what the workbooks may expand to
	// Most is for as many bytes of text as all workbooks may have together, which they may
	// repeat from a few: such a body may take it in the place of Bytes.
	Most int64
}

// MemoryOfWorkbooks returns the memory for a body with so many bytes of workbooks, and of other
// files. most is how many bytes of text the workbooks may have. A text that grows is held twice
// for a while, and names, AWBs and references of it once more, as of any text.
func MemoryOfWorkbooks(workbooks, others, most int64) WorkbookMemory {
	const text, expanded, least = 4, 8, 256 << 10
	allotted := expanded*workbooks + least
	w := WorkbookMemory{Bytes: allotted + WorkBytes(text*workbooks+others), Allotted: allotted}
	w.Most = most*9/5 + most*4/3 + mostWorkOfRows + workOfTexts(others)
	w.Bytes = min(w.Bytes, w.Most)
	return w
}

// MostAPIText is how many bytes of text the workbooks of a request of the API may have together.
const MostAPIText = mostText

// BatchBytes returns how many bytes of memory it takes at most to store a batch with a body of n
// bytes: its jobs are decoded, sealed, and copied by the database.
func BatchBytes(n int64) int64 { return workOfFewRows + 8*n }

// JobBytes returns how many bytes of memory it takes at most to make a run of a batch: its files
// are read from the database, opened and decoded; and what WorkBytes says.
func JobBytes() int64 { return 4*mostText + WorkBytes(mostText) }

const (
	countedBody = 4 << 20
	// The bytes that end a row, or begin the escape of its end.
	rowSigns = "\n\r\\"
	// The bytes that separate AWBs in a cell, or are the first of such a character.
	tokenSigns = " ,;|\t\xc2\xe1\xe2\xe3"
)

// count returns how many bytes of a text are one of signs. One loop over the bytes would
// be slower.
func count(text []byte, signs string) (n int64) {
	for i := range len(signs) {
		n += int64(bytes.Count(text, []byte{signs[i]}))
	}
	return n
}

func workOfTexts(n int64) int64 {
	texts := min(3*n, mostText)
	return max(workPerByte*n, texts+texts*4/3)
}

// FinishedRun is a run that has been decided. Its results point into pooled memory:
// write them out, then call Release.
type FinishedRun struct {
	*domain.Reconciliation
	Run       domain.Run // ID is blank where nothing was stored
	Include   domain.Include
	Statement *domain.StatementFindings // nil: the request has no statement
	Mapping   domain.Mapping
	Duplicate bool  // Run is an identical run of the last 30 seconds, or the run of an earlier request
	Repeat    bool  // it is the run of an earlier request: only the ID of Run is from that run
	Memory    int64 // bytes that the results take until Release
	release   func()
}

// NewFinishedRun makes a run whose Release calls release once.
func NewFinishedRun(r *domain.Reconciliation, run domain.Run, m domain.Mapping, release func()) *FinishedRun {
	return &FinishedRun{Reconciliation: r, Run: run, Mapping: m, release: release}
}

// Release frees the run's memory for the next run. The results must not be used after
// that. Release may be called again.
func (r *FinishedRun) Release() {
	if r.release != nil {
		r.release()
		r.release = nil
	}
}

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

// Demo runs the built-in sample.
type Demo interface {
	// Demo counts the request of a client towards the demo's rate and runs the sample.
	// client is what distinguishes clients, such as an address; only a keyed hash of it
	// is stored. Demo returns an error with CodeRate over the rate.
	Demo(ctx context.Context, client string) (*FinishedRun, error)
	// Sample runs the sample without counting it, for the service's own pages.
	Sample(ctx context.Context) (*FinishedRun, error)
}

// IssuedKey is a new API key. Secret exists only here.
type IssuedKey struct {
	Secret    string
	Prefix    string
	AccountID string // the account that the key is of
}

// IssuingKeys creates and rotates API keys.
type IssuingKeys interface {
	// Issue makes a key of a kind for the account that Identifying finds and deactivates the
	// former key of that kind in the same transaction. It returns the errors of Identifying,
	// ErrRole, ErrPhone; of a live key, ErrSubscription and ErrPlan; of a sandbox key,
	// ErrNoSandbox; or an error with CodeRate that says how long to wait. Each call that
	// passes the other checks counts towards that rate. Each call makes another key. With an
	// error there is no key, but AccountID is set if the account is known.
	Issue(ctx context.Context, sessionToken, account string, kind domain.KeyKind) (IssuedKey, error)
}

// ManagingAccounts is what the command line and the dashboard do with accounts.
type ManagingAccounts interface {
	// Create stores a new account; ID and CreatedAt are set for it. It returns
	// ErrAccountTaken, or an error with CodeField.
	Create(ctx context.Context, a domain.Account) (domain.Account, error)
	// Change alters an account by calling change with the present day. by is for the
	// security log. It returns ErrNoAccount, what change returns, or an error with
	// CodeField.
	Change(ctx context.Context, email string, by domain.Way, change func(a *domain.Account, today domain.Day) error) (domain.Account, error)
	// Show finds an account, or returns ErrNoAccount.
	Show(ctx context.Context, email string) (domain.Account, error)
}

// IssuingSessions makes session tokens, with which programs issue keys. It
// needs the service's secret, and ManagingAccounts does not.
type IssuingSessions interface {
	// Session makes a session token of the built-in issuer for an existing
	// account. It returns ErrNoAccount, or an error with CodeField.
	Session(ctx context.Context, email string, ttl time.Duration) (string, error)
}

// ManagingSecrets changes the secret that seals, while the service runs.
type ManagingSecrets interface {
	// Reseal seals again what is sealed with an older secret of this instance, and then
	// stores that the service does not need the older ones. It may be repeated.
	Reseal(ctx context.Context) (Resealed, error)
}
