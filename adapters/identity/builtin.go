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
// that all instances derive.
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
	// OwnAccount is null in the tokens of an earlier version.
	OwnAccount *string `json:"own_account"`
}

// Issue makes a token for a verified e-mail address, which is valid from now on for ttl. The
// clocks of instances differ, so the token has the id of the account with the address, and not
// its time alone: another account may be made anew with the address at the same moment.
func (b *Builtin) Issue(email, ownAccount string, ttl time.Duration) (string, error) {
	return b.sign(builtinClaims{b.claims(selfAudience, email, ttl), email, true, &ownAccount})
}

// claims are those of a token for an e-mail address and one use, which is valid from now on for ttl.
func (b *Builtin) claims(audience, email string, ttl time.Duration) jwt.Claims {
	now := b.clock()
	return jwt.Claims{Issuer: selfIssuer, Audience: jwt.Audience{audience}, Subject: email, IssuedAt: jwt.NewNumericDate(now),
		NotBefore: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(ttl))}
}

func (b *Builtin) sign(claims any) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: b.keys[0][:]}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", fmt.Errorf("make a signer of tokens: %w", err)
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}

// verify reads the claims of a token that one of the keys has signed. It accepts only this
// issuer's own algorithm, even if the token's header names another one.
func (b *Builtin) verify(token string, claims any) error {
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.HS256})
	if err != nil {
		return err
	}
	for _, key := range b.keys {
		if err = parsed.Claims(key[:], claims); err == nil {
			return nil
		}
	}
	return err
}

// Verify returns the person whom a session token names.
func (b *Builtin) Verify(_ context.Context, token string) (ports.Identity, error) {
	var claims builtinClaims
	if err := b.verify(token, &claims); err != nil {
		return ports.Identity{}, domain.ErrSession.Caused(err)
	}
	if claims.Expiry == nil {
		return ports.Identity{}, domain.ErrSession.Caused(errors.New("the token never expires"))
	}
	want := jwt.Expected{Issuer: selfIssuer, AnyAudience: jwt.Audience{selfAudience}, Time: b.clock()}
	if err := claims.ValidateWithLeeway(want, leeway); err != nil {
		return ports.Identity{}, domain.ErrSession.Caused(err)
	}
	return ports.Identity{Email: claims.Email, EmailVerified: claims.EmailVerified, IssuedAt: issuedAt(claims.IssuedAt),
		OwnAccount: claims.OwnAccount}, nil
}

// issuedAt returns the time of a claim; the zero time: there is none.
func issuedAt(claim *jwt.NumericDate) time.Time {
	if claim == nil {
		return time.Time{}
	}
	return claim.Time()
}
