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
}

// Subkeys derives keys from the service's own secret.
type Subkeys interface {
	// Subkey gives the key for a purpose: the same in all copies of the
	// service, and of no help in finding the secret or another purpose's key.
	Subkey(purpose string) [32]byte
}

// Sealer keeps texts from whoever reads the database.
type Sealer interface {
	// Seal encrypts a text for one place, such as a column of an account's row.
	// Two seals of a text differ.
	Seal(text []byte, place ...string) []byte
	// Open gives the text back. It returns an error for a seal that is damaged,
	// of another place or by another secret.
	Open(sealed []byte, place ...string) ([]byte, error)
}
