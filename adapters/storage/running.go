package storage

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/sethvargo/go-retry"
	"gorm.io/gorm"
)

// read runs queries that change nothing.
func (s *Store) read(ctx context.Context, doing string, query func(db *gorm.DB) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error { return query(s.reader.WithContext(s.watched(ctx))) })
}

// one scans the first row of a query, if there is one. (gorm's Row panics where
// a statement cannot be compiled, as when the database is out of reach.)
func one(query *gorm.DB, into ...any) (found bool, err error) {
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

// lasting says what becomes of a change if the machine loses its power right
// after. On PostgreSQL nothing hangs on it: there the server's synchronous_commit
// decides.
type lasting bool

const (
	// promised changes are told to somebody: they are on the disk when the call
	// returns.
	promised lasting = true
	// passing changes matter to nobody for long: the last ones may be lost, and
	// nothing else.
	passing lasting = false
)

// write runs one statement that changes something, and that does no harm if it
// is carried out twice. The change is a passing one.
func (s *Store) write(ctx context.Context, doing string, statement func(db *gorm.DB) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error { return s.inTurn(ctx, passing, statement) })
}

// inTurn waits for the store's only writing connection to the embedded database,
// as long as ctx allows: once it is there, nothing is waited for any more.
func (s *Store) inTurn(ctx context.Context, l lasting, do func(db *gorm.DB) error) error {
	if !s.embedded {
		return do(s.writer.WithContext(ctx))
	}
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.turn.Release(1)
	ctx = s.watched(ctx)
	if err := s.single.syncing(ctx, l); err != nil {
		return err
	}
	return do(s.writer.WithContext(ctx))
}

// watched is the context that statements run with. One on the embedded database
// takes microseconds, and waits for the job engine's or another process's lock
// no longer than its busy timeout; watching over it for the end of its context
// takes longer, for the driver starts a goroutine to do so. There the context is
// looked at before the first statement and before the commit.
func (s *Store) watched(ctx context.Context) context.Context {
	if s.embedded {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// transact runs do in a transaction, again if the database asks for it. An
// error of do undoes everything. The change is promised.
func (s *Store) transact(ctx context.Context, doing string, do func(tx *gorm.DB) error) error {
	return s.transactLasting(ctx, promised, doing, do)
}

// transactLasting is transact for changes of either kind.
func (s *Store) transactLasting(ctx context.Context, l lasting, doing string, do func(tx *gorm.DB) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error {
		return s.inTurn(ctx, l, func(db *gorm.DB) error { return within(ctx, db, do) })
	})
}

// within runs do in one transaction.
func within(ctx context.Context, db *gorm.DB, do func(tx *gorm.DB) error) error {
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

// commitError marks an error of the commit itself: nobody knows whether it
// took place, so the transaction must not be run again.
type commitError struct{ error }

func (e *commitError) Unwrap() error { return e.error }

// passedOn marks an error of a caller's function, which goes back to him as it
// is.
type passedOn struct{ error }

func (e *passedOn) Unwrap() error { return e.error }

func passOn(err error) error {
	if err == nil {
		return nil
	}
	return &passedOn{err}
}

// run carries out op within patience, and repeats it where the database has
// undone or refused it. A dead connection is a reason to try once more, on a
// fresh one: after a restart of PostgreSQL the pool is full of dead ones.
func (s *Store) run(ctx context.Context, doing string, op func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	renewed := false
	again := func(err error) bool {
		_, committing := errors.AsType[*commitError](err)
		if !lost(err) {
			return busy(err) || outpaced(err)
		}
		first := !renewed
		renewed = true
		s.renew()
		return first && !committing
	}
	err := persist(bounded, pace{limit: patience, longest: longestPause}, again, op)
	if own, ok := errors.AsType[*passedOn](err); ok {
		return s.naming(own.error)
	}
	return s.naming(fault(bounded, doing, err))
}

// longestPause is the longest wait between two attempts to get at a lock.
const longestPause = 50 * time.Millisecond

// pace says how attempts are repeated: for how long in all, and with which
// pause at most. The first pause is a millisecond; each is up to half longer or
// shorter, by chance, so that rivals do not keep step.
type pace struct{ limit, longest time.Duration }

// persist repeats op while again approves of its error. Its last error is
// part of what persist returns.
func persist(ctx context.Context, p pace, again func(error) bool, op func(context.Context) error) error {
	backoff := retry.NewExponential(time.Millisecond)
	backoff = retry.WithJitterPercent(50, retry.WithCappedDuration(p.longest, backoff))
	var last error
	err := retry.Do(ctx, retry.WithMaxDuration(p.limit, backoff), func(ctx context.Context) error {
		if last = ctx.Err(); last == nil {
			last = op(ctx)
		}
		if last != nil && again(last) {
			return retry.RetryableError(last)
		}
		return last
	})
	if err != nil && last != nil && !errors.Is(err, last) {
		return errors.Join(err, last)
	}
	return err
}
