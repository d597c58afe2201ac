package accounts

import (
	"context"
	"time"

	"milaan/app/admission"
	"milaan/domain"
)

// maxSession is how long a session token of the built-in issuer may be valid.
const maxSession = 24 * time.Hour

// Session makes a session token for a person who works for an account. The security logs have
// it before anybody can use it.
func (s *SigningIn) Session(ctx context.Context, email string, ttl time.Duration) (string, error) {
	if ttl < time.Second || ttl > maxSession {
		return "", domain.Faults{{Field: domain.FieldSessionTime, Rule: domain.RuleTime, Min: 1, Max: int(maxSession / time.Hour)}}.Err()
	}
	email, all, err := s.accountsOf(ctx, email)
	if err != nil {
		return "", err
	}
	own := ""
	if all[0].MemberID == "" {
		own = all[0].Account.ID
	}
	token, err := s.Links.Issue(email, own, ttl)
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
