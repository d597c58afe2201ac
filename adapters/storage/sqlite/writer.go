package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"

	"gorm.io/gorm"
)

// writer is the store's only writing connection, as gorm sees it. It is used by one caller
// at a time (see Database.Write), so it needs no lock. It saves two things that cost a small
// run a third of a millisecond with the transactions of database/sql: each statement is
// compiled once and not once per transaction, and no goroutine watches the context of a
// transaction or a query (see Database.Reader).
type writer struct {
	pool     *sql.DB // of conn; it has another connection for migrations
	conn     *sql.Conn
	mu       sync.Mutex           // guards compiled, because Close may be called beside a caller
	compiled map[string]*sql.Stmt // by its text; there are as many as the store has statements
	open     bool                 // whether a transaction is open
	changed  bool                 // whether a statement may have changed something since the caller came
}

func newWriter(ctx context.Context, pool *sql.DB) (*writer, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &writer{pool: pool, conn: conn, compiled: map[string]*sql.Stmt{}}, nil
}

// GetDBConn returns the pool to gorm.
func (w *writer) GetDBConn() (*sql.DB, error) { return w.pool, nil }

// beginImmediate begins a transaction that may write. Without IMMEDIATE it would fail if another
// process has written after its first query.
const beginImmediate = "BEGIN IMMEDIATE"

// BeginTx begins a transaction that keeps all other connections from writing.
func (w *writer) BeginTx(ctx context.Context, _ *sql.TxOptions) (gorm.ConnPool, error) {
	if _, err := w.ExecContext(ctx, beginImmediate); err != nil {
		return nil, err
	}
	w.open = true
	return w, nil
}

// Commit commits the transaction. If it fails, the transaction can still be rolled back.
func (w *writer) Commit() error {
	if !w.open {
		return sql.ErrTxDone
	}
	_, err := w.ExecContext(context.Background(), "COMMIT")
	w.open = err != nil
	return err
}

// Rollback rolls the transaction back, if it has not ended. After some errors, such as a
// full disk, SQLite has done so already, and then returns an error that there is none.
func (w *writer) Rollback() error {
	if !w.open {
		return sql.ErrTxDone
	}
	w.open = false
	_, err := w.ExecContext(context.Background(), "ROLLBACK")
	return err
}

// PrepareContext returns a compiled statement, which must not be closed. It compiles each
// statement once.
func (w *writer) PrepareContext(ctx context.Context, query string) (stmt *sql.Stmt, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stmt = w.compiled[query]; stmt != nil {
		return stmt, nil
	}
	if stmt, err = w.conn.PrepareContext(ctx, query); err != nil { //nolint:sqlclosecheck // Close does
		return nil, err
	}
	w.compiled[query] = stmt
	return stmt, nil
}

// note notes that a statement may change something, if its first word does not tell that it reads.
func (w *writer) note(query string) {
	switch word, _, _ := strings.Cut(strings.TrimLeft(query, "\n\t "), " "); word {
	case "SELECT", "BEGIN", "COMMIT", "ROLLBACK":
	default:
		w.changed = true
	}
}

// ExecContext runs a statement.
func (w *writer) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	w.note(query)
	stmt, err := w.PrepareContext(ctx, query) //nolint:sqlclosecheck // Close does
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// QueryContext runs a query.
func (w *writer) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	w.note(query)
	stmt, err := w.PrepareContext(ctx, query) //nolint:sqlclosecheck // Close does
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext runs a query for one row.
func (w *writer) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	w.note(query)
	stmt, err := w.PrepareContext(ctx, query) //nolint:sqlclosecheck // Close does
	if err != nil {
		return w.conn.QueryRowContext(ctx, query, args...) // it fails with the same error, which a row can return
	}
	return stmt.QueryRowContext(ctx, args...)
}

// Close closes the statements, the connection and the pool. SQLite would keep a connection
// open that still has statements.
func (w *writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var failed []error
	for _, stmt := range w.compiled {
		failed = append(failed, stmt.Close())
	}
	return errors.Join(append(failed, w.conn.Close(), w.pool.Close())...)
}
