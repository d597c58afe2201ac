package storage

import (
	"context"
	"iter"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Records reads everything that is stored of an account.
type Records struct{ view }

func (r *Records) Keys(ctx context.Context, accountID string) ([]ports.IssuedKeyRecord, error) {
	rows, err := listOf[apiKeyRow](ctx, r.store, "list the keys of an account", "issued_at_us, id", accountID)
	return each(rows, func(row apiKeyRow) ports.IssuedKeyRecord {
		return ports.IssuedKeyRecord{Kind: domain.KeyKind(row.Kind), RevokedAt: momentOrNone(row.RevokedAtUs),
			ActiveKey: ports.ActiveKey{Prefix: row.Prefix, IssuedAt: moment(row.IssuedAtUs), UsedAt: momentOrNone(row.UsedAtUs)}}
	}), err
}

func (r *Records) Sessions(ctx context.Context, accountID string) ([]domain.Session, error) {
	rows, err := listOf[sessionRow](ctx, r.store, "list the sessions of an account", "created_at_us, id", accountID)
	if err != nil {
		return nil, err
	}
	return eachOr(rows, sessionRow.session)
}

func (r *Records) SandboxDays(ctx context.Context, accountID string) ([]ports.SandboxDay, error) {
	var days []ports.SandboxDay
	err := r.store.read(ctx, "list the sandbox runs of an account", func(db *gorm.DB) error {
		return db.Raw("SELECT day, runs FROM sandbox_runs WHERE account_id = ? ORDER BY day", accountID).Scan(&days).Error
	})
	return days, err
}

func (r *Records) Runs(ctx context.Context, accountID string) iter.Seq2[domain.Run, error] {
	rows := ofAccount[runRow](ctx, r.store, "list the runs of an account", "at_us", accountID,
		func(row runRow) (int64, string) { return row.AtUs, row.ID })
	return converted(rows, func(row runRow) (domain.Run, error) { return row.run(), nil })
}

func (r *Records) Events(ctx context.Context, accountID string) iter.Seq2[domain.SecurityEvent, error] {
	rows := ofAccount[securityEventRow](ctx, r.store, "list the security log of an account", "at_us", accountID,
		func(row securityEventRow) (int64, string) { return row.AtUs, row.ID })
	return converted(rows, func(row securityEventRow) (domain.SecurityEvent, error) {
		return r.event(ctx, row)
	})
}

func (r *Records) Mails(ctx context.Context, accountID string) iter.Seq2[domain.Mail, error] {
	rows := ofAccount[mailRow](ctx, r.store, "list the mails of an account", "created_at_us", accountID,
		func(row mailRow) (int64, string) { return row.CreatedAtUs, row.ID })
	return converted(rows, func(row mailRow) (domain.Mail, error) { return row.mail(), nil })
}

func (r *Records) Batches(ctx context.Context, accountID string) iter.Seq2[domain.Batch, error] {
	rows := ofAccount[batchRow](ctx, r.store, "list the batches of an account", "submitted_at_us", accountID,
		func(row batchRow) (int64, string) { return row.SubmittedAtUs, row.ID })
	return converted(rows, func(row batchRow) (domain.Batch, error) { return r.store.unsealBatch(ctx, r.sealer, row) })
}

func (r *Records) Deliveries(ctx context.Context, accountID string) iter.Seq2[domain.Delivery, error] {
	var last deliveryRow
	rows := restarted(&last, func() (page []deliveryRow, err error) {
		err = r.store.read(ctx, "list the deliveries of an account", func(db *gorm.DB) error {
			return db.Where("account_id = ? AND (created_at_us, id) > (?, ?)", accountID, last.CreatedAtUs, last.ID).Order("created_at_us, id").
				Limit(portion).
				Preload("Attempts", func(db *gorm.DB) *gorm.DB { return db.Order("number") }).Find(&page).Error
		})
		return page, err
	})
	return converted(rows, func(row deliveryRow) (domain.Delivery, error) { return r.delivery(ctx, row), nil })
}

func (r *Records) Passes(ctx context.Context, accountID, connectionID string) iter.Seq2[domain.Pass, error] {
	var last passRow
	rows := restarted(&last, func() (page []passRow, err error) {
		err = r.store.read(ctx, "list the passes of a connection", func(db *gorm.DB) error {
			return db.Omit("looks").Where(rowsOfConnection, connectionID, accountID).
				Where("(due_at_us, id) > (?, ?)", last.DueAtUs, last.ID).Order("due_at_us, id").Limit(portion).Find(&page).Error
		})
		return page, err
	})
	return converted(rows, func(row passRow) (domain.Pass, error) { return r.store.openPass(ctx, r.sealer, &row, accountID) })
}

// ofAccount yields the rows of a table that are of an account, by a column that holds a time
// and by their ids. place returns both of a row.
func ofAccount[T any](ctx context.Context, s *Store, doing, column, accountID string, place func(T) (int64, string)) iter.Seq2[T, error] {
	var last T
	return restarted(&last, func() (page []T, err error) {
		at, id := place(last)
		err = s.read(ctx, doing, func(db *gorm.DB) error {
			return db.Where("account_id = ? AND ("+column+", id) > (?, ?)", accountID, at, id).Order(column + ", id").Limit(portion).
				Find(&page).Error
		})
		return page, err
	})
}

// restarted yields the rows of pages as inPages does. next reads the page behind last, which
// is the zero row at the beginning of each loop.
func restarted[T any](last *T, next func() ([]T, error)) iter.Seq2[T, error] {
	rows := inPages(func() ([]T, error) {
		page, err := next()
		if len(page) > 0 {
			*last = page[len(page)-1]
		}
		return page, err
	})
	return func(yield func(T, error) bool) {
		var first T
		*last = first
		rows(yield)
	}
}

// converted yields what rows stand for.
func converted[R, T any](rows iter.Seq2[R, error], convert func(R) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range rows {
			var value T
			if err == nil {
				value, err = convert(row)
			}
			if !yield(value, err) || err != nil {
				return
			}
		}
	}
}
