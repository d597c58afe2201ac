package ports

import (
	"context"
	"time"

	"milaan/domain"
)

// SignedIn is a session whose secret was presented, and its account and its person's role as
// they are stored now.
type SignedIn struct {
	Session domain.Session // the zero Session, if a session token was presented
	Account domain.Account
	Email   string // the person's
	Role    domain.MemberRole
}

// NewSession is a session that was just made. Secret exists only here.
type NewSession struct {
	SignedIn
	Secret string
}

// SigningIn signs people in to the dashboard.
type SigningIn interface {
	// Redeem makes a session for the account that a sign-in link names. A link can be
	// redeemed once. Redeem returns domain.ErrLink for a link that was redeemed before,
	// has expired or is not ours, and domain.ErrSetup if there is no such account.
	Redeem(ctx context.Context, link string) (NewSession, error)
	// Admit makes a session for a person whom the identity provider has identified: for the
	// account that the invitation is of or, without one, the account that the person used
	// last, else their own. If they work for none, Admit makes an account where people sign
	// up. It returns domain.ErrSetup if there is no account or the e-mail address is not
	// verified, domain.ErrInvitation, domain.ErrInvited, domain.ErrSignUps, and an error with
	// CodeRate over domain.SignUpRate.
	Admit(ctx context.Context, a Arrival) (NewSession, error)
	// Check returns the session with a secret, and its account. It returns
	// domain.ErrSession if there is none, or it has ended.
	Check(ctx context.Context, secret string) (SignedIn, error)
	// SignOut ends a session. It may be repeated.
	SignOut(ctx context.Context, session domain.Session) error
	// SignOutEverywhere ends the person's own sessions or, if everybody is set, all sessions
	// of the account, for which domain.ErrRole is returned to who is no owner. It returns
	// domain.ErrNoAccount.
	SignOutEverywhere(ctx context.Context, s SignedIn, everybody bool, by domain.Way) error
}

// Arrival is what is known of a person whom the identity provider has sent back.
type Arrival struct {
	Identity   Identity
	Client     string // what tells clients apart, such as an address
	Invitation string // the token of the invitation that they accept; blank: none
}

// Identifying finds the account of a person who presents a session token.
type Identifying interface {
	// Identify returns the account that a person who has a session token means, and their
	// role there: of their accounts the one with the e-mail address account or, if that is
	// blank, their own, else the only one of which they are a proven owner. It returns
	// domain.ErrSession, also for an account that was made after the token was issued,
	// ErrKeyAsSession, ErrNotMember, ErrWhichAccount, or ErrSetup if they
	// work for no account or their e-mail address is not verified.
	Identify(ctx context.Context, token, account string) (SignedIn, error)
}

// CountingSignIns bounds how often a client may try to sign in.
type CountingSignIns interface {
	// CountSignIn counts an attempt of a client. client is what distinguishes clients,
	// such as an address; only a keyed hash of it is stored. It returns an error with
	// CodeRate over domain.SignInRate, and the storage's error if the attempt cannot be
	// counted.
	CountSignIn(ctx context.Context, client string) error
}

// CountingChanges bounds how often an account's people may change something.
type CountingChanges interface {
	// CountChange counts a change of an account. It returns an error with CodeRate over
	// domain.ChangeRate, and the storage's error if the change cannot be counted.
	CountChange(ctx context.Context, accountID string) error
}

// MakingLinks makes sign-in links, for the command line.
type MakingLinks interface {
	// Link makes the token of a sign-in link for a person, and for the account with the e-mail
	// address account or, if that is blank, the one that they used last, else their own. It
	// returns domain.ErrNoAccount, ErrNotMember, an error with CodeField, or an error with
	// CodeSession if an identity provider signs people in.
	Link(ctx context.Context, email, account string) (token string, err error)
}

// LinkIssuer makes and checks the tokens of sign-in links.
type LinkIssuer interface {
	// IssueLink makes a token for a person and an account, which is valid for
	// domain.SignInLinkLimit and bears an id of its own.
	IssueLink(email, accountID string) (string, error)
	// VerifyLink returns what a token says. It returns domain.ErrLink for a token that is not
	// valid now.
	VerifyLink(token string) (SignInLink, error)
}

// SignInLink is what the token of a sign-in link says.
type SignInLink struct {
	Email     string // the person's
	AccountID string // blank: of a link that an earlier version has made
	ID        string
	Until     time.Time // until when a token with this id can be valid
}

// PendingSignIn is what must be kept of a sign-in at the identity provider until the
// person comes back. It is sealed in the person's browser.
type PendingSignIn struct {
	State, Nonce, Verifier string
	To                     string // path of the page that was asked for
	Invitation             string // token of the invitation that is accepted; blank: none
	Until                  time.Time
}

// IdentityProvider signs people in by OpenID Connect, if a provider is set.
type IdentityProvider interface {
	// Enabled says whether a provider is set with which people can sign in.
	Enabled() bool
	// Begin returns the address at the provider to which the browser is sent, and what
	// Finish needs. redirect is the absolute address to which the provider sends back. It
	// returns an error of KindUnavailable if the provider does not answer.
	Begin(ctx context.Context, redirect, to string) (address string, pending PendingSignIn, err error)
	// Finish exchanges the code for an identity. It returns domain.ErrPerson if the
	// provider refuses, or what came back does not belong to pending, and an error of
	// KindUnavailable if the provider does not answer.
	Finish(ctx context.Context, redirect, code, state string, pending PendingSignIn) (Identity, error)
	// SignOut returns the address at the provider to which the browser is sent to end the
	// person's session there; blank if the provider has none. idToken is that of their Identity;
	// blank: not known, and the provider asks them. It sends the browser to redirect, without a
	// code. SignOut returns an error of KindUnavailable if the provider does not answer.
	SignOut(ctx context.Context, redirect, idToken string) (address string, err error)
}

// SessionStore stores the sessions of browsers.
type SessionStore interface {
	// Begin stores a session and event, and remembers linkID, of a sign-in link that is
	// valid until a time, in one transaction. It returns domain.ErrSession if linkID is
	// remembered already: of any number of calls with one id, one succeeds. A blank linkID
	// is not remembered. Unless the session is confined, Begin also stores that its person
	// has used the account last, and is proven. It returns domain.ErrNoAccount, and
	// domain.ErrNotMember if the account has no member with the session's MemberID.
	Begin(ctx context.Context, s domain.Session, linkID string, until time.Time, event domain.SecurityEvent) error
	// Find returns the session with a hash, its account and the person's role as they are
	// stored now, or domain.ErrSession. The caller checks whether the session has ended by
	// time.
	Find(ctx context.Context, hash domain.SessionHash) (SignedIn, error)
	// Touch stores when a session was used, unless a later time is stored.
	Touch(ctx context.Context, id string, at time.Time) error
	// End deletes one session. It may be repeated.
	End(ctx context.Context, accountID, id string) error
	// EndAll deletes the sessions of a scope and returns how many. If it deleted any, it
	// stores event for the account in the same transaction, with their number as its detail.
	// It returns domain.ErrNoAccount.
	EndAll(ctx context.Context, accountID string, of SessionScope, event domain.SecurityEvent) (ended int, err error)
}

// SessionScope says which sessions are meant. The zero SessionScope stands for all sessions
// of the account.
type SessionScope struct {
	Email    string // only those of the person with this e-mail address
	Anywhere bool   // theirs for other accounts too
}

// SecurityEvents stores the security logs of accounts. Most events are stored by the
// transactions that they are about.
type SecurityEvents interface {
	// Add stores an event. It returns domain.ErrNoAccount.
	Add(ctx context.Context, e domain.SecurityEvent) error
	// Latest lists an account's events, latest first, at most limit.
	Latest(ctx context.Context, accountID string, limit int) ([]domain.SecurityEvent, error)
}

// ReadingSecurity is what an account may read of its security log.
type ReadingSecurity interface {
	// Latest lists the latest domain.SecurityLogLength events, latest first.
	Latest(ctx context.Context, accountID string) ([]domain.SecurityEvent, error)
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

// ReadingHistory is what an account may read of its runs. Nothing of the files is stored, so
// it has counts and sums and no orders.
type ReadingHistory interface {
	// Runs lists runs, latest first, at most f.Limit (1 to domain.MaxListedRuns; 0 stands
	// for that many). next is the After of the following page; blank: there is none. It
	// returns errors with CodeField, also if the account has no run with the id After.
	Runs(ctx context.Context, accountID string, f RunFilter) (runs []domain.Run, next string, err error)
	// Run returns domain.ErrNoRun if the account has none with this id.
	Run(ctx context.Context, accountID, id string) (domain.Run, error)
	// Labels lists the labels of the account's runs.
	Labels(ctx context.Context, accountID string) (RunLabels, error)
	// Compare returns two runs, or domain.ErrNoRun.
	Compare(ctx context.Context, accountID, a, b string) (Comparison, error)
	// Usage counts the runs of the account's present cycle that count towards its cap.
	Usage(ctx context.Context, a domain.Account) (Usage, error)
}

// StoredMapping is a saved mapping and when it was saved.
type StoredMapping struct {
	SavedMapping
	SavedAt time.Time // by the latest run; zero: not known, an earlier version saved it
}

// SavedMappings stores the mappings that runs have saved.
type SavedMappings interface {
	// List lists an account's mappings by courier.
	List(ctx context.Context, accountID string) ([]StoredMapping, error)
	// Remove deletes the mapping of a courier and stores event, in one transaction. It
	// returns domain.ErrNoMapping and domain.ErrNoAccount.
	Remove(ctx context.Context, accountID, courier string, event domain.SecurityEvent) error
}

// ManagingMappings is what an account may do with its saved mappings.
type ManagingMappings interface {
	// List lists them by courier.
	List(ctx context.Context, accountID string) ([]StoredMapping, error)
	// Remove deletes one; the next run detects the columns afresh. It returns
	// domain.ErrNoMapping and domain.ErrNoAccount.
	Remove(ctx context.Context, accountID, courier string, by domain.Way) error
}

// ActiveKey is what may be shown of an account's key.
type ActiveKey struct {
	Prefix   string
	IssuedAt time.Time
	UsedAt   time.Time // exact to some minutes; zero: never
}

// ManagingKeys is what an account may do with its keys in a session, and the operator with
// its sandbox key. All return domain.ErrNoSandbox for a sandbox key if the service has no
// sandbox. by is for the security log.
type ManagingKeys interface {
	// Active returns domain.ErrNoKey if the account has no active key of this kind.
	Active(ctx context.Context, accountID string, kind domain.KeyKind) (ActiveKey, error)
	// Replace makes a key, as IssuingKeys.Issue does, in place of the active key of its kind
	// with the prefix replaces (blank: of none). It returns domain.ErrKeyChanged if the active
	// key is another one, and the errors of Issue that are about the account and its rate.
	Replace(ctx context.Context, a domain.Account, kind domain.KeyKind, replaces string, by domain.Way) (IssuedKey, error)
	// Revoke deactivates the active key of a kind if it has this prefix. It returns
	// domain.ErrKeyChanged if the active key is another one, and domain.ErrNoKey.
	Revoke(ctx context.Context, a domain.Account, kind domain.KeyKind, prefix string, by domain.Way) error
	// Rotate makes a sandbox key for the account with an e-mail address in place of the
	// active one, if there is one. It returns domain.ErrNoAccount, ErrPhone, or an error with
	// CodeField or CodeRate.
	Rotate(ctx context.Context, email string, by domain.Way) (IssuedKey, error)
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
	Courier string                 // id: the one that the request names, else the only one that knows the header best; blank: not known
	Stated  map[domain.Role]string // columns by the request
	Missing []domain.Role          // roles of which one at least needs a column, and none has one
	// Candidates are the columns among which a role cannot be decided.
	Candidates map[domain.Role][]string
}

// Inspection is what the files of a request were recognised as.
type Inspection struct {
	Orders    *InspectedOrders // nil: not given
	Reports   []InspectedReport
	Statement *Inspected // nil: not given
}

// Uploading says whether an account may upload files in the dashboard now. A visitor is not
// asked.
type Uploading interface {
	// AdmitRun admits a run or a document and counts it towards their rate. It returns
	// domain.ErrPhone, ErrSetup, ErrSubscription, or an error with CodeRate that says how
	// long to wait.
	AdmitRun(ctx context.Context, a domain.Account) error
	// AdmitInspection does the same for an inspection, which has a rate of its own.
	AdmitInspection(ctx context.Context, a domain.Account) error
}

// Inspecting looks at files before they are reconciled. Nothing is stored or counted.
type Inspecting interface {
	// Inspect reads the files of a request, of which any may be missing, for an account or,
	// if it is nil, for a visitor. The fault of a file is part of its inspection. It returns
	// errors with CodeField and CodeDatabase.
	Inspect(ctx context.Context, account *domain.Account, req Request) (*Inspection, error)
}
