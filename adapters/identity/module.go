package identity

import (
	"time"

	"go.uber.org/fx"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// Module checks session tokens as the settings say, and issues them if the built-in issuer
// is used.
var Module = fx.Module("identity", fx.Provide(New))

// New chooses between the built-in issuer and OpenID Connect. With the latter
// the built-in issuer's tokens are not accepted, and none are issued.
func New(settings config.Identity, keys ports.Subkeys, clock ports.Clock) (ports.Sessions, ports.SessionIssuer) {
	if settings.OIDCIssuer != "" {
		return NewOIDC(settings, nil, clock), elsewhere{settings.OIDCIssuer}
	}
	builtin := NewBuiltin(keys, clock)
	return builtin, builtin
}

// elsewhere issues no tokens, because another issuer is set.
type elsewhere struct{ issuer string }

func (e elsewhere) Issue(string, time.Duration) (string, error) {
	return "", &domain.Error{Kind: domain.KindConflict, Code: domain.CodeSession, Detail: domain.DetailElsewhere, Value: e.issuer}
}
