package app

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// provenAddress returns the e-mail address of an identity, or domain.ErrSetup if it is not
// verified.
func provenAddress(identity ports.Identity) (string, error) {
	email, err := domain.ParseEmail(identity.Email)
	if err != nil || !identity.EmailVerified {
		return "", domain.ErrSetup
	}
	return email, nil
}

// identifiedPerson lists the accounts of an identity. If the identity provider says that the
// phone is verified, this is stored with event for the account with the person's own address,
// because the gate does not ask the provider. If the provider says that it is not verified,
// this holds for this call only: the account's phone may have been verified in another way. It
// says nothing about other accounts that the person works for.
func identifiedPerson(ctx context.Context, people ports.People, accounts ports.Accounts, identity ports.Identity, event domain.SecurityEvent) (email string, all []ports.Membership, err error) {
	if email, err = provenAddress(identity); err != nil {
		return "", nil, err
	}
	all, err = people.WorksFor(ctx, email)
	if err != nil || identity.PhoneVerified == nil || len(all) == 0 || all[0].MemberID != "" {
		return email, all, err
	}
	own := &all[0].Account
	if *identity.PhoneVerified && !own.PhoneVerified {
		*own, err = accounts.Update(ctx, email, event, func(a *domain.Account) error {
			a.PhoneVerified = true
			return nil
		})
		return email, all, err
	}
	own.PhoneVerified = *identity.PhoneVerified
	return email, all, nil
}

// chooseAccount returns the account that a person goes to if they do not say which one: that
// which they used last, else their own, else the one that they have worked for longest. all
// must not be empty.
func chooseAccount(all []ports.Membership) ports.Membership {
	for _, m := range all {
		if m.Last {
			return m
		}
	}
	return all[0]
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
