package ports

import (
	"bytes"
	"context"
	"time"

	"milaan/domain"
)

// Clock tells the time. Nothing in the business reads it in another way.
type Clock func() time.Time

// Gate lets requests with a live API key in.
type Gate interface {
	// Admit checks the key, then the account's phone, then its subscription and
	// plan, then the rate of the account's keys, and counts the request towards
	// that rate (decisions, section 5). It returns domain.ErrKey, ErrPhone, ErrSetup,
	// ErrSubscription, ErrPlan or an error with CodeRate that says how long to
	// wait. Each call counts. The caller comes with an error as well once the key
	// has told whose request it is: for the log, and not to be let in.
	Admit(ctx context.Context, secret string) (Caller, error)
	// AdmitPoll does so for GET /status, which has a rate of its own: beyond it,
	// an error with CodeRate says how long to wait, and nothing is blocked. The
	// caller comes with an error as in Admit.
	AdmitPoll(ctx context.Context, secret string) (Caller, error)
}

// Caller is the account whose key the gate was shown.
type Caller struct {
	Account    domain.Account
	RequestKey string // of this request (Idempotency-Key); blank: none
}

// Request asks for one reconciliation. The two texts belong to the callee until
// Read is called, if it is set, else until the callee returns: reading may alter
// them in place. Read and Made are called by the goroutine of the caller.
type Request struct {
	Storefront []byte // orders export
	Courier    []byte // remittance report
	Read       func() // called once both texts are read, for they are large
	// Made is called once the results are there and before anything is stored,
	// with the bytes of memory that they take until they are released; nil: nobody
	// asks.
	Made        func(bytes int64)
	CourierName string // as the caller wrote it; blank: none
	Columns     map[string]string
	Brand       string
	// Misread are the faults of fields that could not be read, of a wrong type or
	// missing, by whoever has read the request: nothing else is said of those.
	Misread     domain.Faults
	OverdueDays *int // days; nil: the account's or Milaan's
	MinorGap    *int // rupees; nil: Milaan's
	Source      domain.Source
}

// Bytes is how large the two texts are together.
func (r Request) Bytes() int64 { return int64(len(r.Storefront) + len(r.Courier)) }

// What is made of a request besides its body, in bytes. Of each byte: the fields
// that are no file, decoded; or its place in a copy of a file that was not UTF-8,
// and in the copies of names, AWBs and references, whose blocks are filled to
// three quarters at least. Of rows: orders, lines, the index of both and what is
// concluded of them, which domain.MaxRows and domain.MaxTokens bound.
const (
	workPerByte    = 3
	mostText       = 25 << 20 // of both files, once U+FFFD stands for bytes that are not UTF-8
	workPerRowByte = 64       // a row may have four bytes
	workOfFewRows  = 512 << 10
	workPerRow     = 256
	workPerToken   = 64 // an AWB of a cell that lists several
	mostWorkOfRows = 32 << 20
)

// WorkBytes is how many bytes of memory it takes at most to read and reconcile a
// body of n bytes, whatever its bytes are, beside the body itself. A single
// request needs it until its answer is written, a batch until it is stored. For
// 25 MiB it is 107 MiB; an ordinary export of that size takes 20.
func WorkBytes(n int64) int64 {
	return workOfTexts(n) + min(workPerRowByte*n, mostWorkOfRows)
}

// WorkBytesFor is WorkBytes for one body, by the rows that it can have: most have
// far fewer than their length allows. Its strings may be decoded in part. One that
// is longer than countedBody is not gone through, for which there is less to gain
// than it takes.
func WorkBytesFor(body []byte) int64 {
	n := int64(len(body))
	if n > countedBody {
		return WorkBytes(n)
	}
	rows := workOfFewRows + workPerRow*count(body, rowSigns) + workPerToken*count(body, tokenSigns)
	return workOfTexts(n) + min(workPerRowByte*n, rows, mostWorkOfRows)
}

const (
	countedBody = 4 << 20
	// What a row ends with, or the escape of its end begins with.
	rowSigns = "\n\r\\"
	// What separates AWBs in a cell, or a sign begins with that does.
	tokenSigns = " ,;|\t\xc2\xe1\xe2\xe3"
)

// count is how many bytes of a text are one of signs. Byte by byte in one loop
// would take longer.
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
	Mapping   domain.Mapping
	Duplicate bool  // Run is the identical run of a moment ago, or that of an earlier request
	Repeat    bool  // the latter: of Run, the ID alone is the earlier one's
	Memory    int64 // bytes that the results take until Release
	release   func()
}

// NewFinishedRun makes a run whose Release calls release once.
func NewFinishedRun(r *domain.Reconciliation, run domain.Run, m domain.Mapping, release func()) *FinishedRun {
	return &FinishedRun{Reconciliation: r, Run: run, Mapping: m, release: release}
}

// Release gives the run's memory back. Nothing of it may be used after.
// It may be called again.
func (o *FinishedRun) Release() {
	if o.release != nil {
		o.release()
		o.release = nil
	}
}

// Reconciling compares two files.
type Reconciling interface {
	// Check finds all that is wrong with the fields of a request before its files
	// are read, in the order of the fields.
	Check(req Request) domain.Faults
	// Reconcile runs the two files for an account, stores the run unless it is
	// a duplicate, and counts it against the cap. It returns errors with
	// CodeField, CodeRunCap and CodeDatabase, and *domain.FileError. An error
	// means that nothing was stored and nothing counted. Repeating it within
	// 30 s gives a duplicate.
	//
	// With a request key of the caller's, a request that has been answered is not
	// made again: its repeat is compared afresh, stores nothing, is not counted and
	// succeeds at the cap. It returns domain.ErrKeyReused if the key stands for
	// another request, and domain.ErrKeyRunning while the first one is under way.
	// After an error the key stands for nothing.
	Reconcile(ctx context.Context, caller Caller, req Request) (*FinishedRun, error)
	// Preview runs the two files on the spot: without account, stored nowhere.
	// Errors as for Reconcile, but for the cap's and the database's.
	Preview(ctx context.Context, req Request) (*FinishedRun, error)
}

// Demo runs the built-in sample.
type Demo interface {
	// Demo counts the request of a client towards the demo's rate and runs the
	// sample. client is whatever tells clients apart, such as an address; only
	// a keyed hash of it is remembered. It returns an error with CodeRate.
	Demo(ctx context.Context, client string) (*FinishedRun, error)
	// Sample runs the sample uncounted, for our own pages.
	Sample(ctx context.Context) (*FinishedRun, error)
}

// IssuedKey is a new API key. Secret exists only here.
type IssuedKey struct {
	Secret    string
	Prefix    string
	AccountID string // whose it is
}

// IssuingKeys creates and rotates API keys.
type IssuingKeys interface {
	// Issue makes a key for the account that the session names and deactivates
	// the former one in the same instant. It returns domain.ErrSession,
	// ErrKeyAsSession, ErrSetup (no such account, or e-mail not verified),
	// ErrPhone, ErrSubscription, ErrPlan, or an error with CodeRate that says
	// how long to wait. Each call that passes the other checks counts towards
	// that rate. Repeating it rotates again. With an error there is no key, and
	// AccountID is there once the session has told whose request it is.
	Issue(ctx context.Context, sessionToken string) (IssuedKey, error)
}

// ManagingAccounts is what the command line does with accounts.
type ManagingAccounts interface {
	// Create stores a new account; ID and CreatedAt are set for it. It returns
	// ErrAccountTaken, or an error with CodeField.
	Create(ctx context.Context, a domain.Account) (domain.Account, error)
	// Change alters an account as change says, given the day that today is. It
	// returns ErrNoAccount, what change returns, or an error with CodeField.
	Change(ctx context.Context, email string, change func(a *domain.Account, today domain.Day) error) (domain.Account, error)
	// Show finds an account, or returns ErrNoAccount.
	Show(ctx context.Context, email string) (domain.Account, error)
}

// IssuingSessions signs people in without a dashboard. It needs the service's
// secret, which managing accounts does not.
type IssuingSessions interface {
	// Session makes a session token of the built-in issuer for an existing
	// account. It returns ErrNoAccount, or an error with CodeField.
	Session(ctx context.Context, email string, ttl time.Duration) (string, error)
}

// ManagingSecrets changes the secret that seals, while the service runs.
type ManagingSecrets interface {
	// Reseal seals afresh whatever is sealed with an older secret of this copy, and
	// settles that the service can do without the older ones. It may be repeated.
	Reseal(ctx context.Context) (Resealed, error)
}
