package storage

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// Outbox adds jobs to the job engine.
type Outbox = dialect.Outbox

// transactAdding is transact for what jobs follow from.
func (s *Store) transactAdding(ctx context.Context, doing string, outbox Outbox, do func(tx *gorm.DB, add dialect.Adder) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error {
		return s.database.WriteAdding(ctx, outbox, func(db *gorm.DB, add dialect.Adder) error {
			return within(ctx, db, func(tx *gorm.DB) error { return do(tx, add) })
		})
	})
}

// askingLimit is how long a caller asks what became of a commit. He has waited
// for the commit itself already.
const askingLimit = 2 * time.Second

// aftermath says what became of a transaction that ended with an error. Where that
// is the commit's, it is nil if the commit took place, broken if it did not, and
// domain.ErrUnsettled if nobody can tell in time. What the transaction would have
// stored is the row of this id and account. The account's lock is waited for: a
// server that has lost us may still be committing.
func (s *Store) aftermath(ctx context.Context, broken error, accountID string, row any, id string) error {
	if _, committing := errors.AsType[*commitError](broken); !committing {
		return broken
	}
	ctx, cancel := context.WithTimeout(ctx, askingLimit)
	defer cancel()
	var n int64
	err := s.transact(ctx, "ask what became of a commit", func(tx *gorm.DB) error {
		if _, err := lockedAccount(tx, "id = ?", accountID); err != nil {
			return err
		}
		return tx.Model(row).Where("id = ?", id).Count(&n).Error
	})
	switch {
	case err != nil:
		return domain.ErrUnsettled.Caused(broken)
	case n > 0:
		return nil
	}
	return broken
}
