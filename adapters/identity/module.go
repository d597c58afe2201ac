package identity

import (
	"time"

	"go.uber.org/fx"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// Module checks session tokens as the settings say, and issues them and sign-in links if the
// built-in issuer is used; else people sign in at the provider.
func Module() fx.Option { return fx.Module("identity", fx.Provide(New)) }

// Identity is what New chooses.
type Identity struct {
	fx.Out

	Verify   ports.VerifySession
	Links    ports.LinkIssuer
	Provider ports.IdentityProvider
}

// New chooses between the built-in issuer and OpenID Connect. With the latter
// the built-in issuer's tokens and links are not accepted, and none are issued.
func New(settings config.Identity, keys ports.Subkeys, clock ports.Clock) Identity {
	if settings.OIDCIssuer != "" {
		check, nowhere := NewOIDC(settings, nil, clock), elsewhere{settings.OIDCIssuer}
		return Identity{Verify: check.Verify, Links: nowhere, Provider: NewProvider(check)}
	}
	builtin := NewBuiltin(keys, clock)
	return Identity{Verify: builtin.Verify, Links: builtin, Provider: noProvider{}}
}

// elsewhere issues no tokens, because another issuer is set.
type elsewhere struct{ issuer string }

func (e elsewhere) Issue(string, string, time.Duration) (string, error) {
	return "", &domain.Error{Kind: domain.KindConflict, Code: domain.CodeSession, Detail: domain.DetailElsewhere, Value: e.issuer}
}
