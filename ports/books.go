package ports

import (
	"context"
	"milaan/domain"
)

// Books stores how the vouchers of accounts are written.
type Books interface {
	// Of returns the zero books if the account has none of its own.
	Of(ctx context.Context, accountID string) (domain.Books, error)
	// Update alters an account's books in one transaction, as Brandings.Update does: change gets the stored ones, or the
	// zero ones. It returns domain.ErrNoAccount if there is no such account.
	Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Books) error) (domain.Books, error)
}
