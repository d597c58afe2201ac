package ports

import (
	"context"
	"time"
)

// Identity is whom a session token names.
type Identity struct {
	Email         string
	EmailVerified bool
	// PhoneVerified is what the identity provider says of the phone number; nil
	// if it says nothing.
	PhoneVerified *bool
}

// Sessions checks session tokens.
type Sessions interface {
	// Verify returns domain.ErrSession for a token that is not valid now.
	Verify(ctx context.Context, token string) (Identity, error)
}

// SessionIssuer makes session tokens of the built-in issuer.
type SessionIssuer interface {
	Issue(email string, ttl time.Duration) (string, error)
}

// Pseudonyms turns personal data into a name that can be compared and not read
// back.
type Pseudonyms interface {
	// Of is a keyed hash: equal for equal input in all copies of the service,
	// meaningless to anyone without the service's secret.
	Of(s string) string
	// Former are the names that the service's older secrets give, while it has
	// any: what was stored before the secret was changed bears one of them.
	Former(s string) []string
}

// Subkeys derives keys from the service's own secrets.
type Subkeys interface {
	// Subkeys gives the keys for a purpose by each of the service's secrets: the
	// one with which to sign, and then those of older secrets, by which to verify
	// too. They are the same in all copies of the service, and of no help in finding
	// a secret or another purpose's key.
	Subkeys(purpose string) [][32]byte
}

// Agreement is what all copies of the service have agreed on which secrets seal.
// A copy that lacks one of these does not start.
type Agreement interface {
	// Retire says that nothing is sealed any more with the older secrets of this
	// copy. It may be repeated.
	Retire(ctx context.Context) error
}
