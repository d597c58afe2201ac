package accounts

import (
	"context"
	"strings"

	"milaan/domain"
)

func (m *Managing) SetBooks(ctx context.Context, accountID string, by domain.Actor, change func(*domain.Books)) (domain.Books, error) {
	return m.Books.Update(ctx, accountID, m.event(domain.SecurityAccount, "books", by), func(b *domain.Books) error {
		change(b)
		for _, ledger := range b.Ledgers() {
			*ledger.Name = strings.TrimSpace(*ledger.Name)
		}
		return domain.CheckBooks(*b).Err()
	})
}

func (m *Managing) ShowBooks(ctx context.Context, accountID string) (domain.Books, error) {
	return m.Books.Of(ctx, accountID)
}
