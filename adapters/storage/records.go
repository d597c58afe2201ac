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
	return eachOr(rows, err, sessionRow.session)
}

func (r *Records) SandboxDays(ctx context.Context, accountID string) ([]ports.SandboxDay, error) {
	var days []ports.SandboxDay
	err := r.store.read(ctx, "list the sandbox runs of an account", func(db *gorm.DB) error {
		return db.Raw("SELECT day, runs FROM sandbox_runs WHERE account_id = ? ORDER BY day", accountID).Scan(&days).Error
	})
	return days, err
}

func (r *Records) Runs(ctx context.Context, accountID string) iter.Seq2[domain.Run, error] {
	return paged(ctx, r.store, "list the runs of an account", func(db *gorm.DB, last runRow) *gorm.DB {
		return behind(db, accountID, "at_us", last.AtUs, last.ID)
	}, func(row runRow) (domain.Run, error) { return row.run(), nil })
}

func (r *Records) Events(ctx context.Context, accountID string) iter.Seq2[domain.SecurityEvent, error] {
	return paged(ctx, r.store, "list the security log of an account", func(db *gorm.DB, last securityEventRow) *gorm.DB {
		return behind(db, accountID, "at_us", last.AtUs, last.ID)
	}, func(row securityEventRow) (domain.SecurityEvent, error) { return r.event(ctx, row) })
}

func (r *Records) Mails(ctx context.Context, accountID string) iter.Seq2[domain.Mail, error] {
	return paged(ctx, r.store, "list the mails of an account", func(db *gorm.DB, last mailRow) *gorm.DB {
		return behind(db, accountID, "created_at_us", last.CreatedAtUs, last.ID)
	}, func(row mailRow) (domain.Mail, error) { return row.mail(), nil })
}

func (r *Records) Batches(ctx context.Context, accountID string) iter.Seq2[domain.Batch, error] {
	return paged(ctx, r.store, "list the batches of an account", func(db *gorm.DB, last batchRow) *gorm.DB {
		return behind(db, accountID, "submitted_at_us", last.SubmittedAtUs, last.ID)
	}, func(row batchRow) (domain.Batch, error) { return r.unsealBatch(ctx, row) })
}

func (r *Records) Deliveries(ctx context.Context, accountID string) iter.Seq2[domain.Delivery, error] {
	return paged(ctx, r.store, "list the deliveries of an account", func(db *gorm.DB, last deliveryRow) *gorm.DB {
		return behind(withAttempts(db), accountID, "created_at_us", last.CreatedAtUs, last.ID)
	}, func(row deliveryRow) (domain.Delivery, error) { return r.delivery(ctx, row), nil })
}

func (r *Records) Passes(ctx context.Context, accountID, connectionID string) iter.Seq2[domain.Pass, error] {
	return paged(ctx, r.store, "list the passes of a connection", func(db *gorm.DB, last passRow) *gorm.DB {
		return db.Omit("looks").Where(rowsOfConnection, connectionID, accountID).
			Where("(due_at_us, id) > (?, ?)", last.DueAtUs, last.ID).Order("due_at_us, id")
	}, func(row passRow) (domain.Pass, error) { return r.openPass(ctx, &row, accountID) })
}

// behind finds the rows of an account behind one, by a column that holds a time and by their ids.
func behind(db *gorm.DB, accountID, column string, at int64, id string) *gorm.DB {
	return db.Where("account_id = ? AND ("+column+", id) > (?, ?)", accountID, at, id).Order(column + ", id")
}

// paged yields what rows stand for, a page at a time. next finds the rows behind the last one, which is the zero row at first.
// Between two pages no connection is held. The last pair may have an error and no value.
func paged[R, T any](
	ctx context.Context, s *Store, doing string, next func(db *gorm.DB, last R) *gorm.DB, of func(R) (T, error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last R
		for {
			rows, err := list[R](ctx, s, doing, func(db *gorm.DB) *gorm.DB { return next(db, last).Limit(portion) })
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, last = range rows {
				if value, err := of(last); !yield(value, err) || err != nil {
					return
				}
			}
			if len(rows) < portion {
				return
			}
		}
	}
}
