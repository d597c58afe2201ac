package ports

import (
	"context"
	"iter"
	"milaan/domain"
)

// Gate admits requests with an API key and what people do in the dashboard, and shows an account
// what was done.
type Gate interface {
	// Admit checks the key, then the account's phone, then its subscription and
	// plan, then the rate of the account's keys, and counts the request towards
	// that rate (guide: limits 3). For a sandbox key, neither subscription nor plan is
	// checked, and the rate is its own. It returns domain.ErrKey, ErrPhone, ErrSetup,
	// ErrSubscription, ErrPlan or an error with CodeRate that says how long to
	// wait. Each call counts. If the key is known, the caller is returned with an error
	// as well, for the log; the request must not be served.
	Admit(ctx context.Context, secret string) (Caller, error)
	// AdmitAgain makes the checks of Admit once more, except that of the rate, because the body of the request took long to arrive.
	AdmitAgain(ctx context.Context, secret string) (Caller, error)
	// AdmitPoll does the same as Admit for GET /status and other reads, which have a rate of their own: over it,
	// AdmitPoll returns an error with CodeRate that says how long to wait, and blocks
	// nothing. The caller is returned with an error as in Admit.
	AdmitPoll(ctx context.Context, secret string) (Caller, error)
	// AdmitRun admits a run or a document that an account's person uploads in the dashboard, and
	// counts it towards their rate. It returns
	// domain.ErrPhone, ErrSetup, ErrSubscription, or an error with CodeRate that says how
	// long to wait.
	AdmitRun(ctx context.Context, a domain.Account) error
	// AdmitInspection does the same for an inspection, which has a rate of its own.
	AdmitInspection(ctx context.Context, a domain.Account) error
	// CountChange counts a change of an account. It returns an error with CodeRate over
	// domain.ChangeRate, and the storage's error if the change cannot be counted.
	CountChange(ctx context.Context, accountID string) error
	// LatestEvents lists the latest domain.SecurityLogLength events of the account's security log,
	// latest first.
	LatestEvents(ctx context.Context, accountID string) ([]domain.SecurityEvent, error)
	// AllEvents yields the whole log, the oldest first. It reads portions, so however long the log
	// is, little is in memory. After an error there is no more.
	AllEvents(ctx context.Context, accountID string) iter.Seq2[domain.SecurityEvent, error]
	// LogRefusal adds to an account's security log that a person was refused because of their role,
	// unless the log has as many refusals as domain.RefusalRate allows. asked is what they asked for.
	LogRefusal(ctx context.Context, accountID, asked string, by domain.Actor)
	// LogRevokedKey does the same for a key that Admit has refused, if it is one that an account has
	// revoked or replaced. address is the client's.
	LogRevokedKey(ctx context.Context, secret, address string)
}

// Caller is the account that a request comes from.
type Caller struct {
	Account    domain.Account
	RequestKey string // of this request (Idempotency-Key); blank: none
	Sandbox    bool   // the key is a sandbox key
	NoMappings bool   // no mapping was stored for the account when the request came; false: that is not known
}

// SecurityEvents stores the security logs of accounts. Most events are stored by the
// transactions that they are about. Of one account, events are in the order of these: one that
// would be earlier than the latest gets a time just after it, unless that is too far ahead for
// two clocks and a wait. Names and addresses are sealed; those that cannot be opened any more
// count as absent.
type SecurityEvents interface {
	// Add stores an event. It returns domain.ErrNoAccount.
	Add(ctx context.Context, e domain.SecurityEvent) error
	// Latest lists an account's events, latest first, at most limit.
	Latest(ctx context.Context, accountID string, limit int) ([]domain.SecurityEvent, error)
	// RevokedKey returns the account and the prefix of the revoked key with a hash, or
	// domain.ErrKey.
	RevokedKey(ctx context.Context, hash domain.KeyHash) (accountID, prefix string, err error)
}

// DaySubject begins the subjects of rates whose span is longer than an hour. Their windows
// are kept longer than others.
const DaySubject = "day:"

// RateWindows stores the rate windows of everything that has a rate, except requests with
// a key. A subject must not be personal data, and must not be an account's id, alone or
// behind the name of a kind of keys and a colon: those are the windows of keys. A subject of
// an account ends in a colon and the account's id, and its window is deleted with the
// account.
type RateWindows interface {
	// Update calls decide with the subject's window and stores next, as Keys.Present
	// does. It returns domain.ErrNoAccount if the first window of an account's subject
	// cannot be stored, because there is no such account.
	Update(ctx context.Context, subject string, decide func(domain.RateWindow) (next domain.RateWindow, changed bool)) error
}

// SandboxOn says whether the service has a sandbox.
type SandboxOn bool
