package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// IssuedKey is a new API key. Secret exists only here.
type IssuedKey struct {
	Secret    string
	Prefix    string
	AccountID string // the account that the key is of
}

// ActiveKey is what may be shown of an account's key.
type ActiveKey struct {
	Prefix   string
	IssuedAt time.Time
	UsedAt   time.Time // exact to some minutes; zero: never
}

// Keys stores the hashes of API keys and the rate windows of their accounts.
type Keys interface {
	// Present finds the active key with this hash, its account and its rate window, and
	// calls decide with them. If decide returns changed, next is stored, also if decide
	// returns an error. Windows are stored exactly as if all calls for one account, in
	// all processes, came one after the other; decide may be called again for that.
	// If decide returns no error, the key was used at that time, which is stored at most
	// once in domain.KeyUseSpan. Present returns the error of decide unchanged, and
	// domain.ErrKey if no active key has the hash.
	Present(ctx context.Context, hash domain.KeyHash, at time.Time,
		decide func(KeyUse) (next domain.RateWindow, changed bool, err error)) error
	// Rotate stores a key and event and deactivates all other keys of its account and kind,
	// in one transaction. The zero event is not stored. After any number of calls at the same
	// time, one key of the kind is active. If one was deactivated, the event's kind is
	// domain.SecurityKeyReplaced, with both prefixes as its detail. Rotate returns
	// domain.ErrNoAccount if there is no such account.
	Rotate(ctx context.Context, key domain.APIKey, event domain.SecurityEvent) error
	// Replace is Rotate, if the account's active key of this kind has the prefix replaces or, if that
	// is blank, the account has none. Else it stores nothing and returns
	// domain.ErrKeyChanged. Of many calls at the same time for one key, one succeeds.
	Replace(ctx context.Context, key domain.APIKey, replaces string, event domain.SecurityEvent) error
	// Active returns domain.ErrNoKey if the account has no active key of this kind.
	Active(ctx context.Context, accountID string, kind domain.KeyKind) (ActiveKey, error)
	// Revoke deactivates the account's active key of a kind and stores event, in one
	// transaction. The zero event is not stored. It returns domain.ErrKeyChanged if the active
	// key has another prefix, and domain.ErrNoKey if there is none.
	Revoke(ctx context.Context, accountID string, kind domain.KeyKind, prefix string, at time.Time, event domain.SecurityEvent) error
}

// KeyUse is what is stored about a key that is presented.
type KeyUse struct {
	Key     domain.APIKey
	Account domain.Account
	Window  domain.RateWindow // of the account's keys of this kind: requests with the former key count for a new one too
	// Mappings says whether mappings are stored for the account, with names or without.
	Mappings bool
}
