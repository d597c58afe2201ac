package accounts

import (
	"context"
	"strings"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// Books manages how the vouchers of accounts are written.
type Books struct {
	fx.In

	Books ports.Books
	Clock ports.Clock
}

func (m *Books) SetBooks(ctx context.Context, accountID string, by domain.Actor, change func(*domain.Books)) (domain.Books, error) {
	event := admission.NewEvent(domain.SecurityEvent{At: m.Clock(), Kind: domain.SecurityAccount, By: by, Detail: "books"})
	return m.Books.Update(ctx, accountID, event, func(b *domain.Books) error {
		change(b)
		for _, ledger := range b.Ledgers() {
			*ledger.Name = strings.TrimSpace(*ledger.Name)
		}
		return domain.CheckBooks(*b).Err()
	})
}

func (m *Books) ShowBooks(ctx context.Context, accountID string) (domain.Books, error) {
	return m.Books.Of(ctx, accountID)
}
