package storage

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Alarms reads what alarms are about.
type Alarms struct{ view }

func (a *Alarms) Connections(ctx context.Context, q ports.AlarmQuery) ([]ports.WatchedConnection, error) {
	return a.list(ctx, func(db *gorm.DB) *gorm.DB {
		// Each of the two has an index. With OR, or without the duplicates, SQLite would read
		// the whole table.
		ended, failing := "connections.id IN (SELECT id FROM connections WHERE ended_at_us >= ?",
			"SELECT id FROM connections WHERE failing_since_us < ?)"
		switch {
		case !q.EndedSince.IsZero() && !q.FailingBefore.IsZero():
			db = db.Where(ended+" UNION ALL "+failing, q.EndedSince.UnixMicro(), q.FailingBefore.UnixMicro())
		case !q.EndedSince.IsZero():
			db = db.Where("connections.ended_at_us >= ?", q.EndedSince.UnixMicro())
		case !q.FailingBefore.IsZero():
			db = db.Where("connections.failing_since_us < ?", q.FailingBefore.UnixMicro())
		}
		return db.Where("connections.id > ?", q.After).Limit(q.Limit)
	})
}

func (a *Alarms) Watched(ctx context.Context, accountID, id string) (ports.WatchedConnection, error) {
	all, err := a.list(ctx, func(db *gorm.DB) *gorm.DB {
		return db.Where("connections.id = ? AND connections.account_id = ?", id, accountID)
	})
	switch {
	case err != nil:
		return ports.WatchedConnection{}, err
	case len(all) == 0:
		return ports.WatchedConnection{}, domain.ErrNoConnection
	}
	return all[0], nil
}

func (a *Alarms) OfAccount(ctx context.Context, accountID string) ([]ports.WatchedConnection, error) {
	return a.list(ctx, func(db *gorm.DB) *gorm.DB { return db.Where("connections.account_id = ?", accountID) })
}

// list lists connections that are watched, by id, with the results of the last passes that
// did not fail.
func (a *Alarms) list(ctx context.Context, which func(*gorm.DB) *gorm.DB) ([]ports.WatchedConnection, error) {
	var rows []connectionRow
	last, keeping := map[string]*passRow{}, []string{}
	err := a.store.read(ctx, "list the connections to watch", func(db *gorm.DB) error {
		rows, keeping = nil, nil
		err := which(db.Joins("JOIN accounts ON accounts.id = connections.account_id")).
			Where("connections.state <> ? AND accounts.subscription = ? AND accounts.plan IN ?", string(domain.ConnectionPaused),
				string(domain.SubscriptionActive), domain.AutopilotPlans).
			Order("connections.id").Find(&rows).Error
		if err != nil {
			return err
		}
		var ids []string
		for _, row := range rows {
			if row.ResultPassID != nil {
				ids = append(ids, *row.ResultPassID)
			}
		}
		if len(ids) == 0 {
			return nil
		}
		var passes []passRow
		if err := db.Omit("looks").Find(&passes, "id IN ?", ids).Error; err != nil {
			return err
		}
		ids = nil
		for i := range passes {
			last[passes[i].ID] = &passes[i]
			ids = append(ids, passes[i].ConnectionID)
		}
		return db.Raw("SELECT connection_id FROM connection_ledgers WHERE connection_id IN ?", ids).Scan(&keeping).Error
	})
	if err != nil {
		return nil, err
	}
	all := make([]ports.WatchedConnection, len(rows))
	for i := range rows {
		if all[i], err = a.watch(ctx, &rows[i], last[orZero(rows[i].ResultPassID)]); err != nil {
			return nil, err
		}
		if !slices.Contains(keeping, rows[i].ID) { // somebody may have switched it off since the pass
			all[i].Last.OpenItems = nil
		}
	}
	return all, nil
}

// watch returns a connection without its settings, and the result of its last pass that
// did not fail; nil: it has none, or it was deleted.
func (a *Alarms) watch(ctx context.Context, row *connectionRow, last *passRow) (w ports.WatchedConnection, err error) {
	if w.Connection, err = a.unsealConnection(ctx, row); err != nil {
		return w, err
	}
	w.Connection.Shop.Settings = nil
	for i := range w.Connection.Sources {
		w.Connection.Sources[i].Settings = nil
	}
	if last != nil {
		w.Last, err = a.resultOf(ctx, last, row.AccountID)
	}
	return w, err
}

func (a *Alarms) RunsBetween(ctx context.Context, accountID string, from, to time.Time, limit int) ([]domain.Run, error) {
	rows, err := list[runRow](ctx, a.store, "list the runs of a time", func(db *gorm.DB) *gorm.DB {
		return db.Order("at_us DESC, id DESC").Limit(limit).Where("account_id = ? AND at_us >= ? AND at_us < ?", accountID,
			from.UnixMicro(), to.UnixMicro())
	})
	return each(rows, runRow.run), err
}
