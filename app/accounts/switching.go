package accounts

import (
	"context"
	"slices"
	"time"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// AccountsOf shows a confined session its own account alone.
func (s *SigningIn) AccountsOf(ctx context.Context, by ports.SignedIn) ([]ports.Membership, error) {
	all, err := s.People.WorksFor(ctx, by.Email)
	if err != nil || !by.Session.Confined {
		return provenOf(all), err
	}
	return slices.DeleteFunc(all, func(m ports.Membership) bool { return m.MemberID != by.Session.MemberID }), nil
}

// Switch is counted for the person, and not for an account: what they do must not use up
// what the other people of an account may do.
func (s *SigningIn) Switch(ctx context.Context, of ports.SignedIn, accountID string, by domain.Actor) (ports.NewSession, error) {
	if err := admission.Count(ctx, s.Windows, admission.Switches.Of(s.Names.Of("person who switches "+of.Email)), domain.ChangeRate,
		s.Clock); err != nil {
		return ports.NewSession{}, err
	}
	all, err := s.AccountsOf(ctx, of)
	if err != nil {
		return ports.NewSession{}, err
	}
	for _, m := range all {
		if m.Account.ID != accountID {
			continue
		}
		made := newSession(m, of.Email, s.Clock())
		made.Session.Confined = of.Session.Confined
		event := signedInEvent(made, "switch", by.Address)
		event.By = by
		if err := s.Sessions.Begin(ctx, made.Session, "", time.Time{}, event); err != nil {
			return ports.NewSession{}, err
		}
		return made, nil
	}
	return ports.NewSession{}, domain.ErrNotMember
}

func (s *SigningIn) Leave(ctx context.Context, by ports.SignedIn, way domain.Actor) error {
	if by.Session.MemberID == "" {
		return domain.ErrOwnAddress
	}
	event := admission.NewEvent(domain.SecurityEvent{At: s.Clock(), Kind: domain.SecurityMemberGone, By: way})
	return s.People.Remove(ctx, by.Account.ID, by.Session.MemberID, event, domain.SecurityEvent{})
}
