package accounts

import (
	"context"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// maxSession is how long a session token of the built-in issuer may be valid.
const maxSession = 24 * time.Hour

// IssuingSessions makes session tokens, with which programs issue keys.
type IssuingSessions struct {
	fx.In

	People ports.People
	Issuer ports.LinkIssuer
	Events ports.SecurityEvents
	Clock  ports.Clock
}

// Session makes a session token for a person who works for an account. The security logs have
// it before anybody can use it.
func (s *IssuingSessions) Session(ctx context.Context, email string, ttl time.Duration) (string, error) {
	if ttl < time.Second || ttl > maxSession {
		return "", domain.Faults{{Field: domain.FieldSessionTime, Rule: domain.RuleTime, Min: 1, Max: int(maxSession / time.Hour)}}.Err()
	}
	email, all, err := accountsOf(ctx, s.People, email)
	if err != nil {
		return "", err
	}
	own := ""
	if all[0].MemberID == "" {
		own = all[0].Account.ID
	}
	token, err := s.Issuer.Issue(email, own, ttl)
	if err != nil {
		return "", err
	}
	for _, m := range all {
		event := admission.NewEvent(domain.SecurityEvent{AccountID: m.Account.ID, At: s.Clock(), Kind: domain.SecuritySessionToken,
			Whom: email, By: domain.ByCommandLine})
		if err := s.Events.Add(ctx, event); err != nil {
			return "", err
		}
	}
	return token, nil
}
