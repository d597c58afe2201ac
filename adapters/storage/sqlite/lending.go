package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// lend lets do use the writer's open transaction as database/sql's own, for
// libraries that want one: what do writes is part of the transaction, whose end
// do cannot bring about.
func (w *writer) lend(ctx context.Context, do func(*sql.Tx) error) error {
	var done error
	var panicked any
	// Neither an error nor a panic may reach Raw: it would close the connection.
	err := w.conn.Raw(func(own any) error {
		defer func() { panicked = recover() }()
		done = lendConn(ctx, own, do)
		return nil
	})
	if panicked != nil {
		panic(fmt.Sprintf("use a lent transaction: %v", panicked))
	}
	return errors.Join(err, done)
}

func lendConn(ctx context.Context, own any, do func(*sql.Tx) error) error {
	conn, ok := own.(driverConn)
	if !ok {
		return fmt.Errorf("lend a transaction: %T lacks what database/sql asks of a driver", own)
	}
	db := sql.OpenDB(lender{conn})
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return errors.Join(do(tx), tx.Rollback(), db.Close())
}

// driverConn is what the driver's connections can do.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

// lender makes a pool of one borrowed connection, in whose transaction
// everything happens: beginning, ending and closing do nothing.
type lender struct{ conn driverConn }

// Connect lends the connection.
func (l lender) Connect(context.Context) (driver.Conn, error) { return lentConn{l.conn}, nil }

// Driver has no use: there is no way to another connection.
func (l lender) Driver() driver.Driver { return nil }

type lentConn struct{ driverConn }

// BeginTx begins nothing.
func (c lentConn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) { return lentTx{}, nil }

// Close leaves the connection open.
func (c lentConn) Close() error { return nil }

type lentTx struct{}

// Commit is refused: the transaction is its owner's to end.
func (lentTx) Commit() error { return errors.New("a lent transaction cannot be committed") }

// Rollback leaves the transaction as it is.
func (lentTx) Rollback() error { return nil }
