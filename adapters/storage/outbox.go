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

// resolveLimit is how long resolveCommit asks what became of a commit. The caller has
// already waited for the commit itself.
const resolveLimit = 2 * time.Second

// resolveCommit finds out what became of a transaction that ended with the error broken.
// If that is an error of the commit, it returns nil if the commit took place, broken if it
// did not, and domain.ErrUnsettled if the database does not answer in time. It looks for
// the row of this id, which the transaction would have stored. It waits for the account's
// lock first, because a server that has lost the connection may still be committing.
func (s *Store) resolveCommit(ctx context.Context, broken error, accountID string, row any, id string) error {
	if _, committing := errors.AsType[*commitError](broken); !committing {
		return broken
	}
	ctx, cancel := context.WithTimeout(ctx, resolveLimit)
	defer cancel()
	var n int64
	err := s.transact(ctx, "ask what became of a commit", func(tx *gorm.DB) error {
		if _, err := lockAccount(tx, accountID); err != nil {
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
