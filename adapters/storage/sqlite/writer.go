package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

// writer is the store's only writing connection, as gorm sees it.
// Whoever uses it has the turn (see Database.Write), so it needs no lock, and two
// things that cost a small run a third of a millisecond with database/sql's own
// transactions are left out: each statement is compiled once and not once in
// each transaction, and no goroutine watches over a transaction or a query for
// the end of its context (see Database.Reader).
type writer struct {
	pool     *sql.DB // the connection's; it has another one for migrations
	conn     *sql.Conn
	mu       sync.Mutex           // guards compiled: whoever closes does not have the turn
	compiled map[string]*sql.Stmt // as many as the package has statements
	open     bool                 // a transaction is
	synced   dialect.Lasting      // what the connection does for a change now
}

func newWriter(ctx context.Context, pool *sql.DB) (*writer, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &writer{pool: pool, conn: conn, compiled: map[string]*sql.Stmt{}}, nil
}

// syncing sets what the next changes are to be. A promised one waits until the
// write-ahead log is on the disk, with all that was written to it before. No
// transaction may be open.
func (w *writer) syncing(ctx context.Context, l dialect.Lasting) error {
	if w.synced == l {
		return nil
	}
	level := "NORMAL"
	if l == dialect.Promised {
		level = "FULL"
	}
	// Not compiled: SQLite obeys while it compiles, and only then.
	if _, err := w.conn.ExecContext(ctx, "PRAGMA synchronous="+level); err != nil {
		return err
	}
	w.synced = l
	return nil
}

// GetDBConn gives the pool: it is how gorm's DB finds it.
func (w *writer) GetDBConn() (*sql.DB, error) { return w.pool, nil }

// BeginTx begins a transaction, which nobody else can write beside.
func (w *writer) BeginTx(ctx context.Context, _ *sql.TxOptions) (gorm.ConnPool, error) {
	if _, err := w.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil, err
	}
	w.open = true
	return w, nil
}

// Commit ends the transaction. If it fails, the transaction is still there to
// be rolled back.
func (w *writer) Commit() error {
	if !w.open {
		return sql.ErrTxDone
	}
	_, err := w.ExecContext(context.Background(), "COMMIT")
	w.open = err != nil
	return err
}

// Rollback undoes the transaction, if it has not ended. SQLite has undone it
// already after some errors, such as a full disk, and then says that there is
// none.
func (w *writer) Rollback() error {
	if !w.open {
		return sql.ErrTxDone
	}
	w.open = false
	_, err := w.ExecContext(context.Background(), "ROLLBACK")
	return err
}

// PrepareContext gives a compiled statement, which must not be closed. It compiles
// it if it is new.
func (w *writer) PrepareContext(ctx context.Context, query string) (statement *sql.Stmt, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if statement = w.compiled[query]; statement != nil {
		return statement, nil
	}
	if statement, err = w.conn.PrepareContext(ctx, query); err != nil { //nolint:sqlclosecheck // Close does
		return nil, err
	}
	w.compiled[query] = statement
	return statement, nil
}

// ExecContext runs a statement.
func (w *writer) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	statement, err := w.PrepareContext(ctx, query) //nolint:sqlclosecheck // Close does
	if err != nil {
		return nil, err
	}
	return statement.ExecContext(ctx, args...)
}

// QueryContext runs a query.
func (w *writer) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	statement, err := w.PrepareContext(ctx, query) //nolint:sqlclosecheck // Close does
	if err != nil {
		return nil, err
	}
	return statement.QueryContext(ctx, args...)
}

// QueryRowContext runs a query for one row.
func (w *writer) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	statement, err := w.PrepareContext(ctx, query) //nolint:sqlclosecheck // Close does
	if err != nil {
		return w.conn.QueryRowContext(ctx, query, args...) // it meets the same error, and a row can tell it
	}
	return statement.QueryRowContext(ctx, args...)
}

// Close closes the connection, and the pool with it. SQLite would keep a
// connection open that still has statements.
func (w *writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var failed []error
	for _, statement := range w.compiled {
		failed = append(failed, statement.Close())
	}
	return errors.Join(append(failed, w.conn.Close(), w.pool.Close())...)
}
