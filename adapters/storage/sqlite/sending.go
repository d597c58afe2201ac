package sqlite

import (
	"cmp"
	"context"
	"database/sql"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

// Send runs statements one after the other.
func (d *Database) Send(db *gorm.DB, statements ...*dialect.Statement) error {
	for _, s := range statements {
		if err := sendOne(db.Statement.Context, db.Statement.ConnPool, s); err != nil {
			return err
		}
	}
	return nil
}

func sendOne(ctx context.Context, pool gorm.ConnPool, s *dialect.Statement) (err error) {
	if s.Into == nil {
		var done sql.Result
		if done, err = pool.ExecContext(ctx, s.Text, s.Args...); err == nil {
			s.Rows, err = done.RowsAffected()
		}
		return err
	}
	rows, err := pool.QueryContext(ctx, s.Text, s.Args...)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, rows.Close()) }()
	if !rows.Next() {
		return rows.Err()
	}
	s.Rows = 1
	return rows.Scan(s.Into...)
}
