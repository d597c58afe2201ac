package accounts

import (
	"context"
	"errors"
	"slices"
	"time"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

func (s *SigningIn) Identify(ctx context.Context, token, account, address string) (ports.SignedIn, error) {
	if domain.LooksLikeKey(token) {
		return ports.SignedIn{}, domain.ErrKeyAsSession
	}
	identity, err := s.Verify(ctx, token)
	if err != nil {
		return ports.SignedIn{}, err
	}
	email, all, err := s.resolve(ctx, identity)
	if err != nil {
		return ports.SignedIn{}, err
	}
	if len(all) > 0 && !isOlder(identity, all[0]) {
		event := admission.NewEvent(domain.SecurityEvent{At: s.Clock(), Kind: domain.SecurityAccount,
			By: domain.Actor{Way: domain.WayAPI, Name: email, Address: address}})
		if err := s.markPhone(ctx, identity, all, event); err != nil {
			return ports.SignedIn{}, err
		}
	}
	m, err := meantAccount(all, account)
	if err == nil && isOlder(identity, m) {
		err = domain.ErrSession.Caused(errOlder)
	}
	if err != nil {
		return ports.SignedIn{}, err
	}
	return ports.SignedIn{Account: m.Account, Email: email, Role: m.Role}, nil
}

// errOlder is for the log.
var errOlder = errors.New("the session token is older than the account")

// isOlder says whether a session token was issued before an account was made. It may be from a
// time when the account's address had another account, which was closed.
func isOlder(token ports.Identity, m ports.Membership) bool {
	if m.MemberID == "" && token.OwnAccount != nil {
		return *token.OwnAccount != m.Account.ID
	}
	return token.IssuedAt.Before(m.Account.CreatedAt.Truncate(time.Second))
}

// meantAccount returns the account that a program means. One of which it is not known that the
// person has joined it themselves must be named.
func meantAccount(all []ports.Membership, named string) (ports.Membership, error) {
	switch {
	case len(all) == 0:
		return ports.Membership{}, domain.ErrSetup
	case named != "":
		return namedAccount(all, named)
	case all[0].MemberID == "":
		return all[0], nil
	}
	owned := slices.DeleteFunc(provenOf(all), func(m ports.Membership) bool { return m.Role != domain.Owner })
	if len(owned) != 1 {
		return ports.Membership{}, domain.ErrWhichAccount
	}
	return owned[0], nil
}
