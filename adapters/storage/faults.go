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

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// fault turns an error of a driver into one that the ports promise: domain.ErrDatabase if
// the database is out of reach, domain.ErrBusy if it asks for a retry, context.Canceled if
// the caller has gone. An error of the domain is returned as it is, and any other error
// stays a fault of the program.
func (s *Store) fault(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, _, known := domain.KindOf(err); known {
		return err
	}
	told := fmt.Errorf("%s: %w", doing, err)
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("%s: %w (%v)", doing, context.Canceled, err)
	}
	switch s.judge(err) {
	case dialect.Fault, dialect.Refused:
		return told
	case dialect.Undone:
		return domain.ErrBusy.Caused(told)
	}
	return domain.ErrDatabase.Caused(told)
}

// judge says what an error means. Besides the driver's errors it knows those of
// database/sql, of the network, and the store's own.
func (s *Store) judge(err error) dialect.Verdict {
	verdict := s.database.Judge(err)
	late := errors.Is(err, context.DeadlineExceeded)
	ended := late || errors.Is(err, context.Canceled)
	switch {
	case errors.Is(err, errRaced):
		return dialect.Undone
	case verdict == dialect.Lost && ended, (verdict == dialect.Fault || verdict == dialect.Refused) && late:
		return dialect.Unable
	case verdict == dialect.Fault && !ended && dead(err):
		return dialect.Lost
	}
	return verdict
}

func dead(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || slices.ContainsFunc([]error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, driver.ErrBadConn, sql.ErrConnDone},
		func(dead error) bool { return errors.Is(err, dead) })
}
