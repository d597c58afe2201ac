package accounts

import (
	"context"
	"slices"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// Switching moves people who work for several accounts from one to another.
type Switching struct{ in SwitchingParams }

// SwitchingParams are what NewSwitching needs.
type SwitchingParams struct {
	fx.In

	People   ports.People
	Sessions ports.SessionStore
	Windows  ports.RateWindows // count for all instances of the service
	Names    ports.Pseudonyms  // keep addresses out of them
	Clock    ports.Clock
}

// NewSwitching makes the use case.
func NewSwitching(p SwitchingParams) *Switching { return &Switching{p} }

// AccountsOf shows a confined session its own account alone.
func (s *Switching) AccountsOf(ctx context.Context, by ports.SignedIn) ([]ports.Membership, error) {
	all, err := s.in.People.WorksFor(ctx, by.Email)
	if err != nil || !by.Session.Confined {
		return provenOf(all), err
	}
	return slices.DeleteFunc(all, func(m ports.Membership) bool { return m.MemberID != by.Session.MemberID }), nil
}

// Switch is counted for the person, and not for an account: what they do must not use up
// what the other people of an account may do.
func (s *Switching) Switch(ctx context.Context, of ports.SignedIn, accountID string, by domain.Actor) (ports.NewSession, error) {
	if err := admission.Count(ctx, s.in.Windows, admission.Switches.Of(s.in.Names.Of("person who switches "+of.Email)), domain.ChangeRate,
		s.in.Clock); err != nil {
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
		made := newSession(m, of.Email, s.in.Clock())
		made.Session.Confined = of.Session.Confined
		event := signedInEvent(made, "switch", by.Address)
		event.By = by
		if err := s.in.Sessions.Begin(ctx, made.Session, "", time.Time{}, event); err != nil {
			return ports.NewSession{}, err
		}
		return made, nil
	}
	return ports.NewSession{}, domain.ErrNotMember
}

func (s *Switching) Leave(ctx context.Context, by ports.SignedIn, way domain.Actor) error {
	if by.Session.MemberID == "" {
		return domain.ErrOwnAddress
	}
	event := admission.NewEvent(domain.SecurityEvent{At: s.in.Clock(), Kind: domain.SecurityMemberGone, By: way})
	return s.in.People.Remove(ctx, by.Account.ID, by.Session.MemberID, event, domain.SecurityEvent{})
}
