package storage

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports/peers"
)

// Books stores how vouchers are written.
type Books struct{ securityLog }

// NewBooks returns the store's view of books.
func NewBooks(s *Store, sealer peers.Sealer) *Books { return &Books{securityLog{s, sealer}} }

// errNoBooks is how find says that an account has no row.
var errNoBooks = errors.New("no books")

func (b *Books) Of(ctx context.Context, accountID string) (domain.Books, error) {
	row, err := find[bookRow](ctx, b.store, "find books", errNoBooks, "account_id = ?", accountID)
	if errors.Is(err, errNoBooks) {
		return domain.Books{}, nil
	}
	return row.books(), err
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
		was := row.books()
		changed = was
		if err := change(&changed); err != nil {
			return passOn(err)
		}
		if changed == was {
			return nil
		}
		row = rowOfBooks(accountID, changed)
		if err := put(tx, &row); err != nil {
			return err
		}
		return b.add(tx, accountID, event)
	})
	return changed, err
}

type bookRow struct {
	AccountID    string `gorm:"primaryKey"`
	Bank         string
	NotCredited  string
	Receivable   string
	CODCharges   string `gorm:"column:cod_charges"`
	Freight      string
	ChargesTax   string
	TaxDeducted  string
	OtherCharges string
	Difference   string
	ByOrder      bool
}

func (bookRow) TableName() string { return "books" }

func rowOfBooks(accountID string, b domain.Books) bookRow {
	return bookRow{AccountID: accountID, Bank: b.Bank, NotCredited: b.NotCredited, Receivable: b.Receivable, CODCharges: b.CODCharges,
		Freight: b.Freight, ChargesTax: b.ChargesTax, TaxDeducted: b.TaxDeducted, OtherCharges: b.OtherCharges, Difference: b.Difference,
		ByOrder: b.ByOrder}
}

func (r bookRow) books() domain.Books {
	return domain.Books{Bank: r.Bank, NotCredited: r.NotCredited, Receivable: r.Receivable, CODCharges: r.CODCharges, Freight: r.Freight,
		ChargesTax: r.ChargesTax, TaxDeducted: r.TaxDeducted, OtherCharges: r.OtherCharges, Difference: r.Difference, ByOrder: r.ByOrder}
}
