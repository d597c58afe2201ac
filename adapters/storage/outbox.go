package storage

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Outbox adds jobs to the job engine.
type Outbox = dialect.Outbox

// transactWithJobs is transact for changes that add jobs.
func (s *Store) transactWithJobs(ctx context.Context, doing string, outbox Outbox, do func(tx *gorm.DB, add dialect.AddJobs) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error {
		return s.database.WriteLending(ctx, func(db *gorm.DB, lend dialect.Lend) error {
			add := func(jobs ...ports.Job) error { return lend.AddJobs(outbox, jobs) }
			return inTransaction(ctx, db, func(tx *gorm.DB) error { return do(tx, add) })
		})
	})
}

// storeWithJobs is transactWithJobs for a change that stores the row of an id for an account, whose lock it holds. If the connection
// breaks during the commit, it asks the database what became of it.
func (v viewWithJobs) storeWithJobs(
	ctx context.Context, doing, accountID string, row any, id string, do func(tx *gorm.DB, account accountRow, add dialect.AddJobs) error,
) error {
	err := v.store.transactWithJobs(ctx, doing, v.outbox, func(tx *gorm.DB, add dialect.AddJobs) error {
		account, err := lockAccount(tx, accountID)
		if err != nil {
			return err
		}
		return do(tx, account, add)
	})
	return v.store.resolveCommit(ctx, err, accountID, row, id)
}

// resolveLimit is how long resolve asks what became of a commit. The caller has
// already waited for the commit itself.
const resolveLimit = 2 * time.Second

// resolveCommit is resolve for a transaction that would have stored the row of this id for an account. It waits for
// the account's lock, because a server that has lost the connection may still be committing.
func (s *Store) resolveCommit(ctx context.Context, broken error, accountID string, row any, id string) error {
	return s.resolve(ctx, broken, func(tx *gorm.DB) (bool, error) {
		if _, err := lockAccount(tx, accountID); err != nil {
			return false, err
		}
		var n int64
		err := tx.Model(row).Where("id = ?", id).Count(&n).Error
		return n > 0, err
	})
}

// resolve finds out what became of a transaction that ended with the error broken. If that is an error of the commit,
// it returns nil if the commit took place, broken if it did not, and domain.ErrUnsettled if the database does not
// answer in time.
func (s *Store) resolve(ctx context.Context, broken error, tookPlace func(tx *gorm.DB) (bool, error)) error {
	if _, committing := errors.AsType[*commitError](broken); !committing {
		return broken
	}
	ctx, cancel := context.WithTimeout(ctx, resolveLimit)
	defer cancel()
	took := false
	err := s.transact(ctx, "ask what became of a commit", func(tx *gorm.DB) (err error) {
		took, err = tookPlace(tx)
		return err
	})
	switch {
	case err != nil:
		return domain.ErrUnsettled.Caused(broken)
	case took:
		return nil
	}
	return broken
}
