package jobs

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// borrowed is a transaction that somebody else has begun on a connection, and
// will end.
type borrowed struct{ *connection }

// connection has a name of its own because a transaction has a method Conn.
type connection = pgx.Conn

var errBorrowed = errors.New("the transaction is not the job engine's: it neither begins nor ends one")

// Begin refuses: river adds jobs without it.
func (borrowed) Begin(context.Context) (pgx.Tx, error) { return nil, errBorrowed }

// Commit refuses.
func (borrowed) Commit(context.Context) error { return errBorrowed }

// Rollback refuses.
func (borrowed) Rollback(context.Context) error { return errBorrowed }

// LargeObjects is of no use to anybody: they need a transaction of their own.
func (borrowed) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// Conn is the connection.
func (b borrowed) Conn() *pgx.Conn { return b.connection }
