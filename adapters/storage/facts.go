package storage

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Facts stores what all instances must know alike.
type Facts struct{ store *Store }

// NewFacts returns the store's view of service-wide facts.
func NewFacts(s *Store) *Facts { return &Facts{s} }

func (f *Facts) Find(ctx context.Context, name string) (value string, err error) {
	err = f.store.read(ctx, "find a fact", func(db *gorm.DB) error {
		_, err := scanFirst(db.Raw("SELECT value FROM service_facts WHERE name = ?", name), &value)
		return err
	})
	return value, err
}

// Alter changes a fact while no other caller can. A fact that is not there is stored
// blank first, so that there is a row to lock.
func (f *Facts) Alter(ctx context.Context, name string, change func(stored string) (string, error)) error {
	return f.store.transact(ctx, "change a fact", func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&serviceFactRow{Name: name}).Error; err != nil {
			return err
		}
		row, err := lock[serviceFactRow](tx, gorm.ErrRecordNotFound, "name = ?", name)
		if err != nil {
			return err
		}
		next, err := change(row.Value)
		if err != nil {
			return passOn(err)
		}
		if next == row.Value {
			return nil
		}
		row.Value = next
		return tx.Save(&row).Error
	})
}
