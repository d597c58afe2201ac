package accounts

import (
	"context"
	"time"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// maxSession is how long a session token of the built-in issuer may be valid.
const maxSession = 24 * time.Hour

// IssuingSessions makes session tokens, with which programs issue keys.
type IssuingSessions struct {
	people ports.People
	issuer ports.LinkIssuer
	events ports.SecurityEvents
	clock  ports.Clock
}

// NewIssuingSessions makes the use case.
func NewIssuingSessions(
	people ports.People, issuer ports.LinkIssuer, events ports.SecurityEvents, clock ports.Clock,
) *IssuingSessions {
	return &IssuingSessions{people: people, issuer: issuer, events: events, clock: clock}
}

// Session makes a session token for a person who works for an account. The security logs have
// it before anybody can use it.
func (s *IssuingSessions) Session(ctx context.Context, email string, ttl time.Duration) (string, error) {
	if ttl < time.Second || ttl > maxSession {
		return "", domain.Faults{{Field: domain.FieldSessionTime, Rule: domain.RuleTime, Min: 1, Max: int(maxSession / time.Hour)}}.Err()
	}
	email, all, err := accountsOf(ctx, s.people, email)
	if err != nil {
		return "", err
	}
	own := ""
	if all[0].MemberID == "" {
		own = all[0].Account.ID
	}
	token, err := s.issuer.Issue(email, own, ttl)
	if err != nil {
		return "", err
	}
	for _, m := range all {
		event := admission.NewEvent(domain.SecurityEvent{AccountID: m.Account.ID, At: s.clock(), Kind: domain.SecuritySessionToken,
			Whom: email, By: domain.ByCommandLine})
		if err := s.events.Add(ctx, event); err != nil {
			return "", err
		}
	}
	return token, nil
}
