package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Mappings fills ports.SavedMappings.
type Mappings struct{ store *Store }

// NewMappings returns the store's view of the mappings that runs have saved.
func NewMappings(s *Store) *Mappings { return &Mappings{s} }

// List lists an account's mappings by courier.
func (m *Mappings) List(ctx context.Context, accountID string) ([]ports.StoredMapping, error) {
	var rows []mappingRow
	err := m.store.read(ctx, "list saved mappings", func(db *gorm.DB) error {
		return db.Order("courier_name").Find(&rows, "account_id = ?", accountID).Error
	})
	if err != nil {
		return nil, err
	}
	stored := make([]ports.StoredMapping, len(rows))
	for i, row := range rows {
		mapping, err := row.mapping()
		if err != nil {
			return nil, err
		}
		stored[i] = ports.StoredMapping{SavedMapping: ports.SavedMapping{CourierName: row.CourierName, Mapping: mapping}, SavedAt: momentOrNone(row.SavedAtUs)}
	}
	return stored, nil
}

// Remove deletes the mapping of a courier, or returns domain.ErrNoMapping.
func (m *Mappings) Remove(ctx context.Context, accountID, courier string, event domain.SecurityEvent) error {
	return m.store.transact(ctx, "remove a saved mapping", func(tx *gorm.DB) error {
		if _, err := lockAccount(tx, "id = ?", accountID); err != nil {
			return err
		}
		if err := changedOne(tx.Where("account_id = ? AND courier_name = ?", accountID, courier).Delete(&mappingRow{}), domain.ErrNoMapping); err != nil {
			return err
		}
		return addEvent(tx, accountID, event)
	})
}
