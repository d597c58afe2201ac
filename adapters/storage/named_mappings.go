package storage

import (
	"context"
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"milaan/domain"
)

func (m *Mappings) ListNamed(ctx context.Context, accountID string) ([]domain.NamedMapping, error) {
	var rows []namedMappingRow
	err := m.store.read(ctx, "list named mappings", func(db *gorm.DB) error {
		return db.Order("name_key").Find(&rows, "account_id = ?", accountID).Error
	})
	if err != nil {
		return nil, err
	}
	return eachOr(rows, namedMappingRow.named)
}

func (m *Mappings) Save(
	ctx context.Context, accountID string, saved domain.NamedMapping, replace bool, event domain.SecurityEvent,
) error {
	row := rowOfNamedMapping(accountID, saved)
	return m.changeOf(ctx, "save a named mapping", accountID, event, func(tx *gorm.DB) error {
		var former []namedMappingRow
		if err := tx.Find(&former, "account_id = ?", accountID).Error; err != nil {
			return err
		}
		taken := false
		for i := range former {
			taken = taken || former[i].NameKey == row.NameKey
		}
		switch {
		case taken && !replace:
			return domain.ErrMappingTaken
		case !taken && len(former) >= domain.MaxNamedMappings:
			return domain.ErrManyMappings
		}
		return put(tx, &row)
	})
}

func (m *Mappings) Rename(ctx context.Context, accountID, name, to string, event domain.SecurityEvent) error {
	former, key := domain.MappingKey(name), domain.MappingKey(to)
	return m.changeOf(ctx, "rename a named mapping", accountID, event, func(tx *gorm.DB) error {
		var known []string
		err := tx.Model(&namedMappingRow{}).Where("account_id = ? AND name_key IN ?", accountID, []string{former, key}).
			Pluck("name_key", &known).Error
		switch {
		case err != nil:
			return err
		case !slices.Contains(known, former):
			return domain.ErrNoNamedMapping
		case len(known) > 1:
			return domain.ErrMappingTaken
		}
		return tx.Model(&namedMappingRow{}).Where("account_id = ? AND name_key = ?", accountID, former).
			Updates(map[string]any{"name_key": key, "name": to}).Error
	})
}

func (m *Mappings) RemoveNamed(ctx context.Context, accountID, name string, event domain.SecurityEvent) error {
	return m.changeOf(ctx, "remove a named mapping", accountID, event, func(tx *gorm.DB) error {
		return changedOne(tx.Where("account_id = ? AND name_key = ?", accountID, domain.MappingKey(name)).Delete(&namedMappingRow{}),
			domain.ErrNoNamedMapping)
	})
}

type namedMappingRow struct {
	AccountID  string `gorm:"primaryKey"`
	NameKey    string `gorm:"primaryKey"`
	Name       string
	HeaderHash []byte
	Columns    string
	SavedAtUs  int64
}

func (namedMappingRow) TableName() string { return "named_mappings" }

func rowOfNamedMapping(accountID string, m domain.NamedMapping) namedMappingRow {
	text, _ := json.Marshal(m.Mapping.ByRole()) // texts, which cannot fail
	return namedMappingRow{AccountID: accountID, NameKey: domain.MappingKey(m.Name), Name: m.Name, HeaderHash: m.Header[:],
		Columns: string(text), SavedAtUs: m.SavedAt.UnixMicro()}
}

func (r namedMappingRow) named() (domain.NamedMapping, error) {
	mapping, err := mappingOf(r.Columns)
	m := domain.NamedMapping{Name: r.Name, Mapping: mapping, SavedAt: moment(r.SavedAtUs)}
	copy(m.Header[:], r.HeaderHash)
	return m, err
}
