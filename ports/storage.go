package ports

import (
	"context"
	"time"

	"milaan/domain"
)

// Accounts keeps accounts.
type Accounts interface {
	// Create stores a new account. It returns domain.ErrAccountTaken if the
	// e-mail address is known.
	Create(ctx context.Context, a domain.Account) error
	// ByEmail returns domain.ErrNoAccount if there is none.
	ByEmail(ctx context.Context, email string) (domain.Account, error)
	// Update alters an account in one transaction: change sees it as it is and
	// no other change comes between. What change returns as an error is
	// returned as it is, and nothing is stored. ID, e-mail and CreatedAt stay
	// what they were. It returns domain.ErrNoAccount if there is none.
	Update(ctx context.Context, email string, change func(*domain.Account) error) (domain.Account, error)
}

// KeyUse is what is known when a key is presented.
type KeyUse struct {
	Key     domain.APIKey
	Account domain.Account
	Window  domain.Window
}

// Keys keeps the hashes of API keys and what their rate windows remember.
type Keys interface {
	// Present finds the active key with this hash, its account and its window,
	// and lets decide rule on them. If decide says changed, the returned window
	// is remembered, exactly as if presentations of one key came one after the
	// other, in whatever processes; decide may be called again for that. The
	// window is remembered even if decide returns an error, which is passed on
	// as it is. It returns domain.ErrKey if no active key has the hash.
	Present(ctx context.Context, hash domain.KeyHash, decide func(KeyUse) (next domain.Window, changed bool, err error)) error
	// Rotate stores a key and deactivates every other one of its account in
	// one transaction. However many rotate at once, one key is active after. It
	// returns domain.ErrNoAccount if there is no such account.
	Rotate(ctx context.Context, key domain.APIKey) error
}

// Windows keeps the rate windows of clients without a key. A subject must not
// be personal data.
type Windows interface {
	// Update lets decide rule on the subject's window, as Keys.Present does.
	Update(ctx context.Context, subject string, decide func(domain.Window) (next domain.Window, changed bool)) error
	// Sweep drops every window, a key's too, last changed before the given
	// time. A window that blocks counts as changed when its block ends.
	Sweep(ctx context.Context, changedBefore time.Time) error
}

// Runs keeps the audit history.
type Runs interface {
	// Settle opens the run book of one account and lets do write in it: one
	// transaction, before or after every other one of the same account, in
	// whatever processes, never between. An error of do is passed on as it is
	// and undoes everything. do may be called again if the database asks for
	// it, so it must have no other effects. It returns domain.ErrNoAccount if
	// there is no such account, and domain.ErrUnsettled if the database was lost
	// at the moment of storing and does not come back in time to be asked.
	Settle(ctx context.Context, accountID string, do func(RunBook) error) error
	// RunsSince counts an account's stored runs from a moment on.
	RunsSince(ctx context.Context, accountID string, since time.Time) (int, error)
}

// RunBook is one account's history inside a transaction.
type RunBook interface {
	// Account is the account as it is now, not as it was when the request came.
	Account() domain.Account
	// Identical finds the latest run with this fingerprint from a moment on.
	Identical(fingerprint string, since time.Time) (run domain.Run, found bool, err error)
	// RunsSince counts the stored runs from a moment on.
	RunsSince(since time.Time) (int, error)
	// Store adds a run.
	Store(run domain.Run) error
	// SaveMapping remembers the mapping for the account and the courier's id,
	// instead of an older one.
	SaveMapping(courierName string, m domain.Mapping) error
}

// Mappings keeps the column mappings of Enterprise accounts.
type Mappings interface {
	// Saved finds the mapping saved for an account and a courier's id.
	Saved(ctx context.Context, accountID, courierName string) (m domain.Mapping, found bool, err error)
}

// Database is the storage as a whole.
type Database interface {
	// Ready is nil if the database answers and its migrations are this
	// program's; else domain.ErrDatabase with the cause.
	Ready(ctx context.Context) error
}

// Facts keeps small facts that all copies of the service must agree on, such
// as a fingerprint of their secret key.
type Facts interface {
	// Claim stores value under name if nothing is stored there yet, and returns
	// what is stored: value, or what another copy has claimed before. It may be
	// repeated.
	Claim(ctx context.Context, name, value string) (stored string, err error)
}
