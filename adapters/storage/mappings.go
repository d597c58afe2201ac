package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Mappings stores saved mappings; those with names are in named_mappings.go.
type Mappings struct{ view }

func (m *Mappings) List(ctx context.Context, accountID string) ([]ports.StoredMapping, error) {
	rows, err := listOf[columnMappingRow](ctx, m.store, "list saved mappings", "courier_name", accountID)
	if err != nil {
		return nil, err
	}
	return eachOr(rows, func(row columnMappingRow) (ports.StoredMapping, error) {
		mapping, err := row.mapping()
		return ports.StoredMapping{SavedMapping: ports.SavedMapping{CourierName: row.CourierName, Mapping: mapping},
			SavedAt: momentOrNone(row.SavedAtUs)}, err
	})
}

func (m *Mappings) Remove(ctx context.Context, accountID, courier string, event domain.SecurityEvent) error {
	return m.changeOf(ctx, "remove a saved mapping", accountID, event, func(tx *gorm.DB) error {
		return changedOne(tx.Where("account_id = ? AND courier_name = ?", accountID, courier).Delete(&columnMappingRow{}), domain.ErrNoMapping)
	})
}
