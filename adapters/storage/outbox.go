package storage

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Outbox adds jobs to the job engine within a transaction of the store's, so
// that they exist exactly if it is committed.
type Outbox interface {
	// Add is given tx on SQLite, and on PostgreSQL conn, whose transaction is
	// open; the other one is nil. It neither ends the transaction nor keeps
	// what it was given. After an error the transaction is undone.
	Add(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, jobs []ports.Job) error
}

// adder adds jobs within the transaction that it was made for.
type adder func(jobs ...ports.Job) error

// transactAdding is transact for what jobs follow from.
func (s *Store) transactAdding(ctx context.Context, doing string, outbox Outbox, do func(tx *gorm.DB, add adder) error) error {
	if s.embedded {
		return s.transact(ctx, doing, func(tx *gorm.DB) error {
			return do(tx, func(jobs ...ports.Job) error {
				ctx := tx.Statement.Context
				return tx.Statement.ConnPool.(*sqliteWriter).lend(ctx, func(lent *sql.Tx) error { return outbox.Add(ctx, lent, nil, jobs) })
			})
		})
	}
	return s.run(ctx, doing, func(ctx context.Context) error {
		return s.writer.WithContext(ctx).Connection(func(db *gorm.DB) error {
			conn := db.Statement.ConnPool.(*sql.Conn)
			return within(ctx, db.WithContext(ctx), func(tx *gorm.DB) error {
				return do(tx, func(jobs ...ports.Job) error {
					return onPostgres(conn, func(conn *pgx.Conn) error { return outbox.Add(ctx, nil, conn, jobs) })
				})
			})
		})
	})
}

// onPostgres lends do the driver's connection, in the midst of a transaction.
// Raw keeps database/sql away from it meanwhile, which rolls back by itself
// when a context ends.
func onPostgres(conn *sql.Conn, do func(*pgx.Conn) error) error {
	return conn.Raw(func(driver any) error { return do(driver.(*stdlib.Conn).Conn()) })
}

// askingLimit is how long a caller asks what became of a commit. He has waited
// for the commit itself already.
const askingLimit = 2 * time.Second

// aftermath says what became of a transaction whose commit broke: nil if it
// took place, broken if it did not, and domain.ErrUnsettled if nobody can tell
// in time. What it would have stored is the row of this id and account. The
// account's lock is waited for: a server that has lost us may still be
// committing.
func (s *Store) aftermath(ctx context.Context, broken error, accountID string, row any, id string) error {
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
