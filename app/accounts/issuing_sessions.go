package accounts

import (
	"context"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// maxSession is how long a session token of the built-in issuer may be valid.
const maxSession = 24 * time.Hour

// IssuingSessions makes session tokens, with which programs issue keys.
type IssuingSessions struct {
	people ports.People
	issuer ports.LinkIssuer
}

// NewIssuingSessions makes the use case.
func NewIssuingSessions(people ports.People, issuer ports.LinkIssuer) *IssuingSessions {
	return &IssuingSessions{people: people, issuer: issuer}
}

// Session makes a session token for a person who works for an account.
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
	return s.issuer.Issue(email, own, ttl)
}
