package accounts

import (
	"context"
	"errors"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// IssuingKeys creates and rotates API keys.
type IssuingKeys struct {
	fx.In

	Identifying Identifying
	Keys        ports.Keys
	Managing    ManagingKeys
	Refusals    admission.Refusals
}

// IssueKey makes a key for the account that the session names, as ManagingKeys does.
func (i *IssuingKeys) IssueKey(
	ctx context.Context, sessionToken, account, address string, kind domain.KeyKind,
) (ports.IssuedKey, error) {
	by, err := i.Identifying.Identify(ctx, sessionToken, account, address)
	actor := domain.Actor{Way: domain.WayAPI, Name: by.Email, Address: address}
	if err == nil && !by.Role.May(domain.Owner) {
		i.Refusals.Add(ctx, domain.SecurityEvent{AccountID: by.Account.ID, Kind: domain.SecurityRoleRefused, Detail: string(kind) + " key",
			By: actor})
		err = domain.ErrRole
	}
	if err != nil {
		return ports.IssuedKey{AccountID: by.Account.ID}, err
	}
	issued, err := i.Managing.issue(ctx, by.Account, kind, actor, i.Keys.Rotate)
	if errors.Is(err, domain.ErrNoAccount) { // it was closed meanwhile
		err = domain.ErrSetup.Caused(err)
	}
	return issued, err
}
