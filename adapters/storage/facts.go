package storage

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Facts fills ports.Facts.
type Facts struct{ store *Store }

// NewFacts is the store's view of service-wide facts.
func NewFacts(s *Store) *Facts { return &Facts{s} }

// Claim stores value under name if nothing is there, and returns what is.
func (f *Facts) Claim(ctx context.Context, name, value string) (string, error) {
	row := factRow{Name: name, Value: value}
	err := f.store.transact(ctx, "claim a fact", func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
			return err
		}
		return tx.Take(&row, "name = ?", name).Error
	})
	return row.Value, err
}
