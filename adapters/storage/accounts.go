package storage

import (
	"context"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/domain"
)

// Accounts stores accounts.
type Accounts struct{ view }

func (a *Accounts) Create(ctx context.Context, account domain.Account) error {
	row := rowOfAccount(account)
	return a.store.transact(ctx, "create an account", func(tx *gorm.DB) error {
		return changedOne(tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "email"}}, DoNothing: true}).Create(&row),
			domain.ErrAccountTaken)
	})
}

func (a *Accounts) ByEmail(ctx context.Context, email string) (domain.Account, error) {
	row, err := find[accountRow](ctx, a.store, "find an account", domain.ErrNoAccount, "email = ?", email)
	return row.account(), err
}

func (a *Accounts) ByID(ctx context.Context, id string) (domain.Account, error) {
	row, err := find[accountRow](ctx, a.store, "find an account", domain.ErrNoAccount, "id = ?", id)
	return row.account(), err
}

func (a *Accounts) Update(
	ctx context.Context, email string, event domain.SecurityEvent, change func(*domain.Account) error,
) (domain.Account, error) {
	var changed domain.Account
	err := a.store.transact(ctx, "change an account", func(tx *gorm.DB) error {
		row, err := lock[accountRow](tx, domain.ErrNoAccount, "email = ?", email)
		if err != nil {
			return err
		}
		was := row.account()
		changed = was
		if err := change(&changed); err != nil {
			return passOn(err)
		}
		changed.ID, changed.Email, changed.CreatedAt = was.ID, was.Email, was.CreatedAt
		row = rowOfAccount(changed)
		if err := tx.Save(&row).Error; err != nil {
			return err
		}
		names := changed.ChangesSince(was)
		if len(names) == 0 {
			return nil
		}
		event.Detail = strings.Join(names, ", ")
		return a.add(tx, row.ID, event)
	})
	return changed, err
}

func lockAccount(tx *gorm.DB, id string) (accountRow, error) {
	return lock[accountRow](tx, domain.ErrNoAccount, "id = ?", id)
}
