package storage

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
)

// read runs queries that change nothing.
func (s *Store) read(ctx context.Context, doing string, query func(db *gorm.DB) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error { return query(s.database.Reader(ctx)) })
}

// orMissing returns missing if gorm has found no row, or else err.
func orMissing(err, missing error) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return missing
	}
	return err
}

// scanFirst scans the first row of a query, if there is one. (gorm's Row panics if a
// statement cannot be compiled, for example when the database is out of reach.)
func scanFirst(query *gorm.DB, into ...any) (found bool, err error) {
	rows, err := query.Rows()
	if err != nil {
		return false, err
	}
	defer func() { err = cmp.Or(err, rows.Close()) }()
	if !rows.Next() {
		return false, rows.Err()
	}
	return true, rows.Scan(into...)
}

// find reads the first row that fits a condition, or returns missing.
func find[R any](ctx context.Context, s *Store, doing string, missing error, condition string, args ...any) (row R, err error) {
	err = s.read(ctx, doing, func(db *gorm.DB) error {
		return orMissing(db.Where(condition, args...).Take(&row).Error, missing)
	})
	return row, err
}

// lock reads a row and locks it until the transaction ends, or returns missing. On SQLite the transaction itself is the lock.
func lock[R any](tx *gorm.DB, missing error, condition string, args ...any) (row R, err error) {
	err = tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Where(condition, args...).Take(&row).Error
	return row, orMissing(err, missing)
}

func list[R any](ctx context.Context, s *Store, doing string, which func(db *gorm.DB) *gorm.DB) (rows []R, err error) {
	err = s.read(ctx, doing, func(db *gorm.DB) error { return which(db).Find(&rows).Error })
	return rows, err
}

// listOf is list for the rows of an account, in an order.
func listOf[R any](ctx context.Context, s *Store, doing, order, accountID string) ([]R, error) {
	return list[R](ctx, s, doing, func(db *gorm.DB) *gorm.DB { return db.Order(order).Where("account_id = ?", accountID) })
}

// put writes a row, in place of one with the same key.
func put(tx *gorm.DB, row any) error {
	return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(row).Error
}

func each[R, D any](rows []R, of func(R) D) []D {
	all := make([]D, len(rows))
	for i, row := range rows {
		all[i] = of(row)
	}
	return all
}

// eachOr is each for rows that may be faulty. It returns err, if reading them has failed.
func eachOr[R, D any](rows []R, err error, of func(R) (D, error)) ([]D, error) {
	all := make([]D, len(rows))
	for i := 0; i < len(rows) && err == nil; i++ {
		all[i], err = of(rows[i])
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

// write runs one statement that changes something, and that does no harm if it is run
// twice. The change is dialect.Relaxed.
func (s *Store) write(ctx context.Context, doing string, change func(db *gorm.DB) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error { return s.database.Write(ctx, dialect.Relaxed, change) })
}

// send sends the statements of a relaxed change, which are stored together or not at all. PostgreSQL does
// not wait for its disk either, and its pool closes a connection that is returned within a
// transaction, so that nothing is left to be undone.
func (s *Store) send(db *gorm.DB, statements ...*dialect.Statement) error {
	relax := s.database.About().Relax
	if relax != "" {
		statements = append([]*dialect.Statement{dialect.NewStatement(relax)}, statements...)
	}
	if len(statements) == 1 {
		return s.database.Send(db, statements...)
	}
	t := transaction{store: s, db: db, queue: statements}
	err := t.commit()
	if relax == "" {
		t.rollBack()
	}
	return err
}

// transact runs do in a transaction, again if the database asks for it. An error of do
// undoes everything. The change is dialect.Durable.
func (s *Store) transact(ctx context.Context, doing string, do func(tx *gorm.DB) error) error {
	return s.transactAs(ctx, dialect.Durable, doing, do)
}

// transactOf is transact for a change of what belongs to an account, whose lock it holds.
func (s *Store) transactOf(ctx context.Context, doing, accountID string, do func(tx *gorm.DB) error) error {
	return s.transact(ctx, doing, func(tx *gorm.DB) error {
		if _, err := lockAccount(tx, accountID); err != nil {
			return err
		}
		return do(tx)
	})
}

// transactAs is transact for changes of any durability.
func (s *Store) transactAs(ctx context.Context, d dialect.Durability, doing string, do func(tx *gorm.DB) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error {
		return s.database.Write(ctx, d, func(db *gorm.DB) error { return inTransaction(ctx, db, do) })
	})
}

func inTransaction(ctx context.Context, db *gorm.DB, do func(tx *gorm.DB) error) error {
	tx := db.Begin()
	if tx.Error != nil {
		return tx.Error
	}
	defer tx.Rollback() // after the commit, this does nothing
	if err := do(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := tx.Commit().Error; err != nil {
		return &commitError{err}
	}
	return nil
}

// commitError marks an error of the commit itself: it is not known whether the commit took
// place, so the transaction must not be run again.
type commitError struct{ error }

func (e *commitError) Unwrap() error { return e.error }

// passedOn marks an error of a caller's function, which is returned to the caller as it is.
type passedOn struct{ error }

func (e *passedOn) Unwrap() error { return e.error }

func passOn(err error) error {
	if err == nil {
		return nil
	}
	return &passedOn{err}
}

// run runs op within dialect.Timeout, and repeats it if the database has undone or refused
// it. After a dead connection it tries once more, on a fresh one: after a restart of
// PostgreSQL the pool is full of dead connections.
func (s *Store) run(ctx context.Context, doing string, op func(context.Context) error) error {
	return s.runWithin(ctx, dialect.Timeout, doing, op)
}

// runWithin is run with another limit.
func (s *Store) runWithin(ctx context.Context, limit time.Duration, doing string, op func(context.Context) error) error {
	renewed := false
	again := func(err error) bool {
		switch s.judge(err) {
		case dialect.Locked, dialect.Undone:
			renewed = false // it has answered; the connection of the next attempt may be dead
			return true
		case dialect.Lost:
			_, committing := errors.AsType[*commitError](err)
			first := !renewed
			renewed = true
			s.database.Renew()
			return first && !committing
		}
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := dialect.Persist(ctx, limit, dialect.LongestPause, again, op)
	if own, ok := errors.AsType[*passedOn](err); ok {
		err = own.error
	} else {
		err = s.fault(ctx, doing, err)
	}
	return s.nameFullDisk(err)
}
