package accounts

import (
	"context"
	"slices"

	"milaan/domain"
	"milaan/ports"
)

// verifiedAddress returns the e-mail address of an identity, or domain.ErrSetup if it is not
// verified.
func verifiedAddress(identity ports.Identity) (string, error) {
	email, err := domain.ParseEmail(identity.Email)
	if err != nil || !identity.EmailVerified {
		return "", domain.ErrSetup
	}
	return email, nil
}

// resolve lists the accounts of an identity.
func (s *SigningIn) resolve(ctx context.Context, identity ports.Identity) (email string, all []ports.Membership, err error) {
	if email, err = verifiedAddress(identity); err != nil {
		return "", nil, err
	}
	all, err = s.People.WorksFor(ctx, email)
	return email, all, err
}

// markPhone stores that the phone of an identity is verified: if the identity provider says so,
// that is stored with event for the account with the person's own address, because the gate
// does not ask the provider. It says nothing about other accounts that the person works for. A
// provider that says that it has not verified the phone changes nothing: the account's phone
// may have been verified by a code, and many providers always say so.
func (s *SigningIn) markPhone(ctx context.Context, identity ports.Identity, all []ports.Membership, event domain.SecurityEvent) error {
	if !identity.PhoneVerified || len(all) == 0 || all[0].MemberID != "" || all[0].Account.PhoneVerified {
		return nil
	}
	own := all[0].Account
	var err error
	all[0].Account, err = s.Accounts.Update(ctx, own.Email, event, func(a *domain.Account) error {
		if a.ID != own.ID {
			return domain.ErrNoAccount // it was closed, and made anew
		}
		a.PhoneVerified = true
		return nil
	})
	return err
}

// chooseAccount returns the account that a person goes to if they do not say which one: that
// which they used last, or else their own, or else the one that they have worked for longest, first
// those for which they have proved their address. all must not be empty.
func chooseAccount(all []ports.Membership) ports.Membership {
	for _, m := range all {
		if m.Last {
			return m
		}
	}
	if proven := provenOf(all); len(proven) > 0 {
		return proven[0]
	}
	return all[0]
}

// provenOf returns the memberships that count for a person without their naming the account.
// Anybody can invite somebody, and accept the invitation by its link in their place.
func provenOf(all []ports.Membership) []ports.Membership {
	return slices.DeleteFunc(slices.Clone(all), func(m ports.Membership) bool { return !m.Proven })
}

// namedAccount returns the account with an e-mail address, as a person writes it, or
// domain.ErrNotMember. It does not tell an account that there is from one that there is not.
func namedAccount(all []ports.Membership, email string) (ports.Membership, error) {
	if email, err := domain.ParseEmail(email); err == nil {
		for _, m := range all {
			if m.Account.Email == email {
				return m, nil
			}
		}
	}
	return ports.Membership{}, domain.ErrNotMember
}
