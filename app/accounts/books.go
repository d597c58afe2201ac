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

	Accounts ports.Accounts
	Books    ports.Books
	Clock    ports.Clock
}

func (m *Books) SetBooks(ctx context.Context, email string, by domain.Actor, change func(*domain.Books)) (domain.Books, error) {
	account, err := Find(ctx, m.Accounts, email)
	if err != nil {
		return domain.Books{}, err
	}
	event := admission.NewEvent(domain.SecurityEvent{At: m.Clock(), Kind: domain.SecurityAccount, By: by, Detail: "books"})
	return m.Books.Update(ctx, account.ID, event, func(b *domain.Books) error {
		change(b)
		for _, ledger := range b.Ledgers() {
			*ledger.Name = strings.TrimSpace(*ledger.Name)
		}
		return domain.CheckBooks(*b).Err()
	})
}

func (m *Books) ShowBooks(ctx context.Context, email string) (domain.Books, error) {
	account, err := Find(ctx, m.Accounts, email)
	if err != nil {
		return domain.Books{}, err
	}
	return m.Books.Of(ctx, account.ID)
}
