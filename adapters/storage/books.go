package storage

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"milaan/domain"
)

// Books stores how vouchers are written.
type Books struct{ view }

// errNoBooks is how find says that an account has no row.
var errNoBooks = errors.New("no books")

func (b *Books) Of(ctx context.Context, accountID string) (domain.Books, error) {
	row, err := find[bookRow](ctx, b.store, "find books", errNoBooks, "account_id = ?", accountID)
	if errors.Is(err, errNoBooks) {
		return domain.Books{}, nil
	}
	return row.Books, err
}

func (b *Books) Update(
	ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Books) error,
) (domain.Books, error) {
	var changed domain.Books
	err := b.changeOf(ctx, "change books", accountID, noEvent, func(tx *gorm.DB) error {
		var row bookRow
		if err := tx.Limit(1).Find(&row, "account_id = ?", accountID).Error; err != nil {
			return err
		}
		changed = row.Books
		if err := change(&changed); err != nil {
			return passOn(err)
		}
		if changed == row.Books {
			return nil
		}
		row = bookRow{accountID, changed}
		if err := put(tx, &row); err != nil {
			return err
		}
		return b.add(tx, accountID, event)
	})
	return changed, err
}

// bookRow has a column for each field of domain.Books.
type bookRow struct {
	AccountID string       `gorm:"primaryKey"`
	Books     domain.Books `gorm:"embedded"`
}
