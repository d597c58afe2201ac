package ports

import (
	"context"
	"time"
)

// Identity is the person that a session token names.
type Identity struct {
	Email         string
	EmailVerified bool
	// PhoneVerified is whether the identity provider has verified the phone number. If it has
	// not, or does not say, the number may still have been verified in another way.
	PhoneVerified bool
	// IDToken is the provider's own token about the person, by which it knows them again when they
	// sign out; blank for a session token. It is personal data.
	IDToken string
	// IssuedAt is when the token was issued, exact to the second; the zero time: it does not say.
	IssuedAt time.Time
	// OwnAccount is the id of the account that the person's own address had when the token was
	// issued; blank: none, nil: the token does not say.
	OwnAccount *string
	// Provider is the host of the identity provider at which the person signed in; blank
	// for a session token.
	Provider string
}

// SessionTokens checks session tokens.
type SessionTokens interface {
	// Verify returns domain.ErrSession for a token that is not valid now.
	Verify(ctx context.Context, token string) (Identity, error)
}

// SessionTokenIssuer makes session tokens of the built-in issuer.
type SessionTokenIssuer interface {
	// Issue makes a token for an e-mail address that counts as verified. It is valid for ttl,
	// and says that ownAccount is the id of the account with this address (blank: there is none).
	// Issue returns an error with CodeSession if another issuer signs session tokens.
	Issue(email, ownAccount string, ttl time.Duration) (string, error)
}

// Pseudonyms turns personal data into names that can be compared, but do not show the
// data.
type Pseudonyms interface {
	// Of returns a keyed hash. It is equal for equal input in all instances of the
	// service, and tells nothing without the service's secret.
	Of(s string) string
	// Former returns the names by the service's older secrets, as long as it has any:
	// what was stored before the secret was changed has one of these names.
	Former(s string) []string
}

// Subkeys derives keys from the service's own secrets.
type Subkeys interface {
	// Subkeys returns the keys for a purpose, one for each of the service's secrets:
	// first the one to sign with, then those of older secrets, which only verify. They
	// are the same in all instances of the service. A secret, or the key of another
	// purpose, cannot be found from them.
	Subkeys(purpose string) [][32]byte
}

// Agreement is what all instances of the service have agreed on: which secrets seal. An
// instance that lacks one of these secrets does not start.
type Agreement interface {
	// Retire stores that nothing is sealed any more with the older secrets of this
	// instance. It may be repeated.
	Retire(ctx context.Context) error
}
