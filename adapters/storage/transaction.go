package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

// transaction is one whose statements are queued until an answer is needed, and are then sent
// together: on PostgreSQL they take one round trip. It begins with the first of them.
type transaction struct {
	store *Store
	db    *gorm.DB // the connection, on which others may work between begin and commit
	queue []*dialect.Statement
	begun bool
	ended bool
}

func (t *transaction) later(statements ...*dialect.Statement) {
	t.queue = append(t.queue, statements...)
}

// send sends what is queued, and these.
func (t *transaction) send(statements ...*dialect.Statement) error {
	all := append(t.queue, statements...)
	if !t.begun {
		t.begun = true
		all = append([]*dialect.Statement{dialect.NewStatement(t.store.database.About().Begin)}, all...)
	}
	t.queue = nil
	return t.store.database.Send(t.db, all...)
}

// commit sends what is queued and commits the transaction.
func (t *transaction) commit() error {
	err := t.send(dialect.NewStatement("COMMIT"))
	t.ended = err == nil
	return err
}

// rollBack undoes what was sent, unless it was committed. The caller has the error that made it
// necessary; the connection may be dead, and then the database undoes it by itself.
func (t *transaction) rollBack() {
	if !t.begun || t.ended {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.db.Statement.Context), resolveLimit)
	defer cancel()
	_ = t.store.database.Send(t.db.WithContext(ctx), dialect.NewStatement("ROLLBACK"))
}

// transactQueued is transactWithJobs for changes whose statements are queued. do must have a
// statement sent: then a dead connection is found out before the commit.
func (s *Store) transactQueued(ctx context.Context, doing string, do func(t *transaction, lend dialect.Lend) error) error {
	return s.run(ctx, doing, func(ctx context.Context) error {
		return s.database.WriteLending(ctx, func(db *gorm.DB, lend dialect.Lend) error {
			t := &transaction{store: s, db: db}
			defer t.rollBack()
			if err := do(t, lend); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			err := t.commit()
			if err == nil || s.judge(err) == dialect.Refused { // maybe of a statement that was sent with the commit
				return err
			}
			return &commitError{err}
		})
	})
}
