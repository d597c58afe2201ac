package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
)

// Mappings fills ports.Mappings. They are saved in the run book.
type Mappings struct{ store *Store }

// NewMappings is the store's view of saved mappings.
func NewMappings(s *Store) *Mappings { return &Mappings{s} }

// Saved finds the mapping saved for an account and a courier's id.
func (m *Mappings) Saved(ctx context.Context, accountID, courierName string) (domain.Mapping, bool, error) {
	var rows []mappingRow
	err := m.store.read(ctx, "find a saved mapping", func(db *gorm.DB) error {
		return db.Find(&rows, "account_id = ? AND courier_name = ?", accountID, courierName).Error
	})
	if err != nil || len(rows) == 0 {
		return domain.Mapping{}, false, err
	}
	mapping, err := rows[0].mapping()
	return mapping, err == nil, err
}
