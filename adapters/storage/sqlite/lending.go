package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// lend calls do with the writer's open transaction as a *sql.Tx, for libraries that want
// one. What do writes is part of the transaction, which do cannot end.
func (w *writer) lend(ctx context.Context, do func(*sql.Tx) error) error {
	w.changed = true
	var done error
	var panicked any
	// Neither an error nor a panic may reach Raw, which would close the connection.
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

// driverConn is what the driver's connections must be able to do.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

// lender is the connector of a pool of one lent connection, on which a transaction is open:
// beginning, rolling back and closing do nothing.
type lender struct{ conn driverConn }

// Connect lends the connection.
func (l lender) Connect(context.Context) (driver.Conn, error) { return lentConn{l.conn}, nil }

// Driver is not used: there is no other connection.
func (l lender) Driver() driver.Driver { return nil }

type lentConn struct{ driverConn }

// BeginTx begins nothing.
func (c lentConn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) { return lentTx{}, nil }

// Close leaves the connection open.
func (c lentConn) Close() error { return nil }

type lentTx struct{}

// Commit is refused: the writer ends the transaction.
func (lentTx) Commit() error { return errors.New("a lent transaction cannot be committed") }

// Rollback leaves the transaction as it is.
func (lentTx) Rollback() error { return nil }
