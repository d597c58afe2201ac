package storage

import (
	"context"
	"encoding/json"

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
		keys, err := nameKeys(tx, accountID)
		stored, taken := keys[row.NameKey]
		switch {
		case err != nil:
			return err
		case taken && !replace:
			return domain.ErrMappingTaken
		case taken:
			row.NameKey = stored
		case len(keys) >= domain.MaxNamedMappings:
			return domain.ErrManyMappings
		}
		return put(tx, &row)
	})
}

func (m *Mappings) Rename(ctx context.Context, accountID, name, to string, event domain.SecurityEvent) error {
	former, key := domain.MappingKey(name), domain.MappingKey(to)
	return m.changeOf(ctx, "rename a named mapping", accountID, event, func(tx *gorm.DB) error {
		keys, err := nameKeys(tx, accountID)
		stored, known := keys[former]
		_, taken := keys[key]
		switch {
		case err != nil:
			return err
		case !known:
			return domain.ErrNoNamedMapping
		case taken && key != former:
			return domain.ErrMappingTaken
		}
		return tx.Model(&namedMappingRow{}).Where("account_id = ? AND name_key = ?", accountID, stored).
			Updates(map[string]any{"name_key": key, "name": to}).Error
	})
}

func (m *Mappings) RemoveNamed(ctx context.Context, accountID, name string, event domain.SecurityEvent) error {
	return m.changeOf(ctx, "remove a named mapping", accountID, event, func(tx *gorm.DB) error {
		keys, err := nameKeys(tx, accountID)
		if err != nil {
			return err
		}
		return changedOne(tx.Where("account_id = ? AND name_key = ?", accountID, keys[domain.MappingKey(name)]).Delete(&namedMappingRow{}),
			domain.ErrNoNamedMapping)
	})
}

// nameKeys returns the stored keys of an account's mappings by the keys of their names. They differ where an earlier program has
// stored a mapping and compared names in another form.
func nameKeys(tx *gorm.DB, accountID string) (map[string]string, error) {
	var rows []namedMappingRow
	err := tx.Select("name_key", "name").Find(&rows, "account_id = ?", accountID).Error
	keys := make(map[string]string, len(rows))
	for i := range rows {
		keys[domain.MappingKey(rows[i].Name)] = rows[i].NameKey
	}
	return keys, err
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
