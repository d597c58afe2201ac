package storage

import (
	"context"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// History reads the runs that are stored.
type History struct{ view }

// hasCourier is true of a run that has a courier's id, alone or among others. LIKE would
// not do: it disregards case on SQLite, and an underscore is any character.
const hasCourier = "REPLACE('+' || courier_name || '+', ?, '') <> '+' || courier_name || '+'"

// List lists runs, latest first. The runs are found in the index, and only those that are
// listed are read.
func (h *History) List(ctx context.Context, accountID string, f ports.RunFilter) ([]domain.Run, error) {
	if strings.Contains(f.Courier, domain.CourierSeparator) {
		return nil, nil // no id has it
	}
	var rows []runRow
	err := h.store.read(ctx, "list runs", func(db *gorm.DB) error {
		found := db.Model(&runRow{}).Select("id").Where("account_id = ?", accountID)
		if f.After != "" {
			var last runRow
			if err := db.Select("at_us", "id").Limit(1).Find(&last, "id = ? AND account_id = ?", f.After, accountID).Error; err != nil {
				return err
			}
			found = found.Where("(at_us, id) < (?, ?)", last.AtUs, last.ID)
		}
		if f.Brand != "" {
			found = found.Where("brand = ?", f.Brand)
		}
		if f.Courier != "" {
			found = found.Where(hasCourier, domain.CourierSeparator+f.Courier+domain.CourierSeparator)
		}
		if f.Source != "" {
			found = found.Where("source = ?", string(f.Source))
		}
		if !f.From.IsZero() {
			found = found.Where("at_us >= ?", f.From.UnixMicro())
		}
		if !f.To.IsZero() {
			found = found.Where("at_us < ?", f.To.UnixMicro())
		}
		found = found.Order("at_us DESC, id DESC").Limit(f.Limit)
		return db.Order("at_us DESC, id DESC").Find(&rows, "id IN (?)", found).Error
	})
	return each(rows, runRow.run), err
}

func (h *History) Run(ctx context.Context, accountID, id string) (domain.Run, error) {
	row, err := find[runRow](ctx, h.store, "find a run", domain.ErrNoRun, "id = ? AND account_id = ?", id, accountID)
	if err != nil {
		return domain.Run{}, err
	}
	return row.run(), nil
}

// Labels lists the labels of an account's runs, from the index alone.
func (h *History) Labels(ctx context.Context, accountID string) (ports.RunLabels, error) {
	rows, err := list[runRow](ctx, h.store, "list the labels of runs", func(db *gorm.DB) *gorm.DB {
		return db.Distinct("brand", "courier_name", "source").Where("account_id = ?", accountID)
	})
	if err != nil {
		return ports.RunLabels{}, err
	}
	brands, couriers, sources := map[string]bool{}, map[string]bool{}, map[domain.Source]bool{}
	for _, row := range rows {
		brands[row.Brand] = true
		sources[domain.Source(row.Source)] = true
		for _, id := range domain.SplitCouriers(row.CourierName) {
			couriers[id] = true
		}
	}
	return ports.RunLabels{Brands: slices.Sorted(maps.Keys(brands)), Couriers: slices.Sorted(maps.Keys(couriers)),
		Sources: slices.Sorted(maps.Keys(sources))}, nil
}
