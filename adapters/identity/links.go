package identity

import (
	"crypto/rand"
	"errors"

	"github.com/go-jose/go-jose/v4/jwt"

	"milaan/domain"
	"milaan/ports"
)

// linkAudience binds the tokens of sign-in links to this use: no session token is a link, and
// no link is a session token.
const linkAudience = "milaan/sign-in"

type linkClaims struct {
	jwt.Claims

	AccountID string `json:"account,omitempty"`
}

func (b *Builtin) IssueLink(email, accountID string) (string, error) {
	claims := b.claims(linkAudience, email, domain.SignInLinkLimit)
	claims.ID = rand.Text()
	return b.sign(linkClaims{claims, accountID})
}

// VerifyLink checks the token of a sign-in link. The clock of the instance that forgets its
// id may differ from the clock of the one that accepts it.
func (b *Builtin) VerifyLink(token string) (ports.SignInLink, error) {
	var claims linkClaims
	if err := b.verify(token, &claims); err != nil {
		return ports.SignInLink{}, domain.ErrLink.Caused(err)
	}
	want := jwt.Expected{Issuer: selfIssuer, AnyAudience: jwt.Audience{linkAudience}, Time: b.clock()}
	if err := claims.ValidateWithLeeway(want, leeway); err != nil {
		return ports.SignInLink{}, domain.ErrLink.Caused(err)
	}
	if claims.Expiry == nil || claims.ID == "" {
		return ports.SignInLink{}, domain.ErrLink.Caused(errors.New("the token can be used for ever"))
	}
	return ports.SignInLink{Email: claims.Subject, AccountID: claims.AccountID, ID: claims.ID,
		Until: claims.Expiry.Time().Add(2 * leeway)}, nil
}

func (e elsewhere) IssueLink(string, string) (string, error) { return e.Issue("", "", 0) }

func (e elsewhere) VerifyLink(string) (ports.SignInLink, error) {
	return ports.SignInLink{}, domain.ErrLink
}
