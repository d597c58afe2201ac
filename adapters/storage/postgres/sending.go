package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

// Send sends all statements at once, so that they take one round trip. The server skips those
// behind one that fails.
func (d *Database) Send(db *gorm.DB, statements ...*dialect.Statement) error {
	ctx := db.Statement.Context
	if conn, lent := db.Statement.ConnPool.(*sql.Conn); lent {
		return conn.Raw(func(driver any) error { return d.send(ctx, driver.(*stdlib.Conn).Conn(), statements) })
	}
	return d.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error { return d.send(ctx, conn.Conn(), statements) })
}

func (d *Database) send(ctx context.Context, conn *pgx.Conn, statements []*dialect.Statement) error {
	var batch pgx.Batch
	for _, s := range statements {
		values, err := s.Values()
		if err != nil {
			return err
		}
		batch.Queue(d.numbered(s.Text), values...)
	}
	results := conn.SendBatch(ctx, &batch)
	var failed error
	for _, s := range statements {
		if failed = receive(results, s); failed != nil {
			break
		}
	}
	return cmp.Or(failed, results.Close())
}

// rolledBack is the answer to a rollback, and without an error to the commit of a transaction in
// which a statement was refused. The sender of a rollback does not look at its error.
var rolledBack = pgconn.NewCommandTag("ROLLBACK")

func receive(results pgx.BatchResults, s *dialect.Statement) error {
	if s.Into == nil {
		done, err := results.Exec()
		s.Rows = done.RowsAffected()
		if err == nil && done == rolledBack {
			return pgx.ErrTxCommitRollback
		}
		return err
	}
	rows, err := results.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		s.Rows = 1
		if err := rows.Scan(s.Into...); err != nil {
			return err
		}
	}
	rows.Close()
	return rows.Err()
}

// numbered returns a statement with $1, $2 and so on for its question marks. There are only so
// many texts as the store has statements.
func (d *Database) numbered(text string) string {
	if known, ok := d.texts.Load(text); ok {
		return known.(string)
	}
	var b strings.Builder
	for i, part := range strings.Split(text, "?") {
		if i > 0 {
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(i))
		}
		b.WriteString(part)
	}
	d.texts.Store(text, b.String())
	return b.String()
}
