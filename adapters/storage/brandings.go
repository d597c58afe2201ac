package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
)

// Brandings stores brandings.
type Brandings struct{ view }

func (b *Brandings) Of(ctx context.Context, accountID string) (domain.Branding, error) {
	row, err := find[brandingRow](ctx, b.store, "find a branding", domain.ErrNoBranding, "account_id = ?", accountID)
	return row.branding(), err
}

func (b *Brandings) Update(
	ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Branding) error,
) (domain.Branding, error) {
	var changed domain.Branding
	err := b.changeOf(ctx, "change a branding", accountID, noEvent, func(tx *gorm.DB) error {
		var row brandingRow
		if err := tx.Limit(1).Find(&row, "account_id = ?", accountID).Error; err != nil {
			return err
		}
		changed = row.branding()
		if err := change(&changed); err != nil {
			return passOn(err)
		}
		if changed.IsEmpty() {
			return b.addIf(tx.Delete(&brandingRow{AccountID: accountID}), tx, accountID, event)
		}
		row = rowOfBranding(accountID, changed)
		if err := put(tx, &row); err != nil {
			return err
		}
		return b.add(tx, accountID, event)
	})
	return changed, err
}

type brandingRow struct {
	AccountID string `gorm:"primaryKey"`
	Name      string
	Logo      []byte
	Colour    int
	Footer    string
}

func rowOfBranding(accountID string, b domain.Branding) brandingRow {
	c := b.Colour
	return brandingRow{AccountID: accountID, Name: b.Name, Logo: b.Logo, Colour: int(c[0])<<16 | int(c[1])<<8 | int(c[2]), Footer: b.Footer}
}

func (r brandingRow) branding() domain.Branding {
	return domain.Branding{Name: r.Name, Logo: r.Logo, Colour: domain.Colour{uint8(r.Colour >> 16), uint8(r.Colour >> 8), uint8(r.Colour)},
		Footer: r.Footer}
}
