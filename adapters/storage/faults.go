package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	sqlite3 "modernc.org/sqlite/lib"

	"milaan/domain"
)

// fault turns an error of a driver into one of the ports: domain.ErrDatabase
// for a database out of reach, domain.ErrBusy for one that asks to come back,
// context.Canceled for a caller who has gone. Errors that the business knows
// pass through, and the rest stay faults of the program.
func fault(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, _, known := domain.KindOf(err); known {
		return err
	}
	told := fmt.Errorf("%s: %w", doing, err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("%s: %w (%v)", doing, context.Canceled, err)
	case outpaced(err):
		return domain.ErrBusy.Caused(told)
	case unreachable(err):
		return domain.ErrDatabase.Caused(told)
	}
	return told
}

// unreachable says that the database is not there, or not able to work.
func unreachable(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && sqlClass(e, "53", "57", "58", "25006") {
		return true
	}
	return lost(err) || errors.Is(err, context.DeadlineExceeded) || sqliteCode(err,
		sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
}

// lost says that the connection is dead, or could not be made.
func lost(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return sqlClass(e, "08", "57P01", "57P02", "57P03", "57P05", "25P03")
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return slices.ContainsFunc([]error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed},
		func(dead error) bool { return errors.Is(err, dead) })
}

// busy says that SQLite's lock is another process's: nothing has happened.
func busy(err error) bool { return sqliteCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) }

// outpaced says that others were quicker: a window's version has changed, or
// PostgreSQL has undone a transaction in favour of another one (a failed
// serialisation, a deadlock). Nothing has happened; repeating may help.
func outpaced(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return errors.Is(err, errRaced) || ok && sqlClass(e, "40001", "40P01", "55P03")
}

// sqlClass says that the error's SQLSTATE begins with one of these.
func sqlClass(err *pgconn.PgError, states ...string) bool {
	return slices.ContainsFunc(states, func(s string) bool { return strings.HasPrefix(err.Code, s) })
}

// sqliteCode says that err is SQLite's and one of these, in whatever variety.
func sqliteCode(err error, codes ...int) bool {
	const primary = 0xff // the rest of a code is the variety
	var coded interface{ Code() int }
	return errors.As(err, &coded) && slices.Contains(codes, coded.Code()&primary)
}
