package accounts

import (
	"context"
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// IssueKey makes a key for the account that the session names, as Managing does.
func (s *SigningIn) IssueKey(
	ctx context.Context, sessionToken, account, address string, kind domain.KeyKind,
) (ports.IssuedKey, error) {
	by, err := s.Identify(ctx, sessionToken, account, address)
	actor := domain.Actor{Way: domain.WayAPI, Name: by.Email, Address: address}
	if err == nil && !by.Role.May(domain.Owner) {
		s.Refusals.Add(ctx, domain.SecurityEvent{AccountID: by.Account.ID, Kind: domain.SecurityRoleRefused, Detail: string(kind) + " key",
			By: actor})
		err = domain.ErrRole
	}
	if err != nil {
		return ports.IssuedKey{AccountID: by.Account.ID}, err
	}
	issued, err := s.Managing.issue(ctx, by.Account, kind, actor, s.Managing.Keys.Rotate)
	if errors.Is(err, domain.ErrNoAccount) { // it was closed meanwhile
		err = domain.ErrSetup.Caused(err)
	}
	return issued, err
}
