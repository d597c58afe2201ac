package accounts

import (
	"context"
	"errors"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// IssuingKeys creates and rotates API keys.
type IssuingKeys struct {
	in IssuingKeysParams
}

// IssuingKeysParams are what NewIssuingKeys needs.
type IssuingKeysParams struct {
	fx.In

	Identifying *Identifying
	Keys        ports.Keys
	Managing    *ManagingKeys
}

// NewIssuingKeys makes the use case.
func NewIssuingKeys(p IssuingKeysParams) *IssuingKeys { return &IssuingKeys{p} }

// IssueKey makes a key for the account that the session names, as ManagingKeys does.
func (i *IssuingKeys) IssueKey(ctx context.Context, sessionToken, account string, kind domain.KeyKind) (ports.IssuedKey, error) {
	by, err := i.in.Identifying.Identify(ctx, sessionToken, account)
	if err == nil && !by.Role.May(domain.Owner) {
		err = domain.ErrRole
	}
	if err != nil {
		return ports.IssuedKey{AccountID: by.Account.ID}, err
	}
	issued, err := i.in.Managing.issue(ctx, by.Account, kind, domain.ByAPI, func(key domain.APIKey, event domain.SecurityEvent) error {
		return i.in.Keys.Rotate(ctx, key, event)
	})
	if errors.Is(err, domain.ErrNoAccount) { // it was closed meanwhile
		err = domain.ErrSetup.Caused(err)
	}
	return issued, err
}
