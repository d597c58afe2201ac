package storage

import (
	"context"
	"encoding/json"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Mappings stores saved mappings: those of couriers, and those with names.
type Mappings struct{ view }

func (m *Mappings) List(ctx context.Context, accountID string) ([]ports.StoredMapping, error) {
	rows, err := listOf[columnMappingRow](ctx, m.store, "list saved mappings", "courier_name", accountID)
	return eachOr(rows, err, func(row columnMappingRow) (ports.StoredMapping, error) {
		mapping, err := mappingOf(row.Columns)
		return ports.StoredMapping{SavedMapping: ports.SavedMapping{CourierName: row.CourierName, Mapping: mapping},
			SavedAt: momentOrNone(row.SavedAtUs)}, err
	})
}

func (m *Mappings) Remove(ctx context.Context, accountID, courier string, event domain.SecurityEvent) error {
	return m.changeOf(ctx, "remove a saved mapping", accountID, event, func(tx *gorm.DB) error {
		return changedOne(tx.Where("account_id = ? AND courier_name = ?", accountID, courier).Delete(&columnMappingRow{}), domain.ErrNoMapping)
	})
}

func (m *Mappings) ListNamed(ctx context.Context, accountID string) ([]domain.NamedMapping, error) {
	rows, err := listOf[namedMappingRow](ctx, m.store, "list named mappings", "name_key", accountID)
	return eachOr(rows, err, namedMappingRow.named)
}

func (m *Mappings) Save(
	ctx context.Context, accountID string, saved domain.NamedMapping, replace bool, event domain.SecurityEvent,
) error {
	row := rowOfNamedMapping(accountID, saved)
	return m.changeOf(ctx, "save a named mapping", accountID, event, func(tx *gorm.DB) error {
		names, err := namesOf(tx, accountID)
		stored := names.storedKey(row.NameKey)
		switch {
		case err != nil:
			return err
		case stored != "" && !replace:
			return domain.ErrMappingTaken
		case stored != "":
			row.NameKey = stored
		case len(names) >= domain.MaxNamedMappings:
			return domain.ErrManyMappings
		}
		return put(tx, &row)
	})
}

func (m *Mappings) Rename(ctx context.Context, accountID, name, to string, event domain.SecurityEvent) error {
	former, key := domain.MappingKey(name), domain.MappingKey(to)
	return m.changeOf(ctx, "rename a named mapping", accountID, event, func(tx *gorm.DB) error {
		names, err := namesOf(tx, accountID)
		stored := names.storedKey(former)
		switch {
		case err != nil:
			return err
		case stored == "":
			return domain.ErrNoNamedMapping
		case key != former && names.storedKey(key) != "":
			return domain.ErrMappingTaken
		}
		return tx.Model(&namedMappingRow{}).Where("account_id = ? AND name_key = ?", accountID, stored).
			Updates(map[string]any{"name_key": key, "name": to}).Error
	})
}

func (m *Mappings) RemoveNamed(ctx context.Context, accountID, name string, event domain.SecurityEvent) error {
	return m.changeOf(ctx, "remove a named mapping", accountID, event, func(tx *gorm.DB) error {
		names, err := namesOf(tx, accountID)
		if err != nil {
			return err
		}
		stored := names.storedKey(domain.MappingKey(name))
		return changedOne(tx.Where("account_id = ? AND name_key = ?", accountID, stored).Delete(&namedMappingRow{}), domain.ErrNoNamedMapping)
	})
}

// mappingNames are the mappings of an account, with their names alone.
type mappingNames []namedMappingRow

func namesOf(tx *gorm.DB, accountID string) (names mappingNames, err error) {
	err = tx.Select("name_key", "name").Find(&names, "account_id = ?", accountID).Error
	return names, err
}

// storedKey returns under which key the mapping of a name is stored, whose key is given now; blank: there is none. An earlier
// program has stored some under another one. Of two that have one name, it is the one under the present key.
func (n mappingNames) storedKey(key string) (stored string) {
	for i := range n {
		if stored != key && domain.MappingKey(n[i].Name) == key {
			stored = n[i].NameKey
		}
	}
	return stored
}

type namedMappingRow struct {
	AccountID  string `gorm:"primaryKey"`
	NameKey    string `gorm:"primaryKey"`
	Name       string
	HeaderHash []byte
	Columns    string
	SavedAtUs  int64
}

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
