package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"milaan/domain"
	"milaan/ports"
)

const (
	// selfIssuer and selfAudience bind the built-in issuer's tokens to this
	// service and to this use of them.
	selfIssuer   = "milaan"
	selfAudience = "milaan/generate-api-key"
	// leeway is how far the clocks of two machines may differ.
	leeway = 30 * time.Second
)

// Builtin issues session tokens and checks them: JWTs signed with HMAC-SHA256, by a key
// that all instances derive. It fills ports.Sessions and
// ports.SessionIssuer.
type Builtin struct {
	keys  [][32]byte // the first signs
	clock ports.Clock
}

// NewBuiltin makes the built-in issuer.
func NewBuiltin(keys ports.Subkeys, clock ports.Clock) *Builtin {
	return &Builtin{keys: keys.Subkeys("session tokens"), clock: clock}
}

type builtinClaims struct {
	jwt.Claims

	Email         string `json:"email"`
	EmailVerified bool   `json:"email_verified"`
}

// Issue makes a token for a verified e-mail address, which is valid from now on for ttl.
func (b *Builtin) Issue(email string, ttl time.Duration) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: b.keys[0][:]}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", fmt.Errorf("make a signer of session tokens: %w", err)
	}
	now := b.clock()
	return jwt.Signed(signer).Claims(builtinClaims{
		Claims: jwt.Claims{
			Issuer:    selfIssuer,
			Audience:  jwt.Audience{selfAudience},
			Subject:   email,
			IssuedAt:  jwt.NewNumericDate(now),
			NotBefore: jwt.NewNumericDate(now),
			Expiry:    jwt.NewNumericDate(now.Add(ttl)),
		},
		Email:         email,
		EmailVerified: true,
	}).Serialize()
}

// verify returns the claims of a token that one of the keys has signed.
func (b *Builtin) verify(token *jwt.JSONWebToken) (builtinClaims, error) {
	var failed error
	for _, key := range b.keys {
		var claims builtinClaims
		if failed = token.Claims(key[:], &claims); failed == nil {
			return claims, nil
		}
	}
	return builtinClaims{}, failed
}

// Verify accepts only this issuer's own algorithm, even if the token's header names another
// one.
func (b *Builtin) Verify(_ context.Context, token string) (ports.Identity, error) {
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.HS256})
	if err != nil {
		return ports.Identity{}, domain.ErrSession.Caused(err)
	}
	claims, err := b.verify(parsed)
	if err != nil {
		return ports.Identity{}, domain.ErrSession.Caused(err)
	}
	if claims.Expiry == nil {
		return ports.Identity{}, domain.ErrSession.Caused(errors.New("the token never expires"))
	}
	want := jwt.Expected{Issuer: selfIssuer, AnyAudience: jwt.Audience{selfAudience}, Time: b.clock()}
	if err := claims.ValidateWithLeeway(want, leeway); err != nil {
		return ports.Identity{}, domain.ErrSession.Caused(err)
	}
	return ports.Identity{Email: claims.Email, EmailVerified: claims.EmailVerified}, nil
}
