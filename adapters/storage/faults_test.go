package storage

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	sqlite3 "modernc.org/sqlite/lib"

	"milaan/domain"
)

// sqliteError is how the driver tells a result code.
type sqliteError int

func (e sqliteError) Error() string { return fmt.Sprint("sqlite ", int(e)) }
func (e sqliteError) Code() int     { return int(e) }

func TestFaultsOfDrivers(t *testing.T) {
	state := func(code string) error { return &pgconn.PgError{Code: code} }
	const variety = 2 << 8
	for _, c := range []struct {
		err  error
		want error
	}{
		{state("57P01"), domain.ErrDatabase}, // ended by an administrator
		{state("57P02"), domain.ErrDatabase}, // crashed
		{state("57P03"), domain.ErrDatabase}, // starting up
		{state("57014"), domain.ErrDatabase}, // statement timeout
		{state("08006"), domain.ErrDatabase}, // connection failure
		{state("53300"), domain.ErrDatabase}, // too many connections
		{state("53100"), domain.ErrDatabase}, // disk full
		{state("25006"), domain.ErrDatabase}, // a standby: read only
		{state("25P03"), domain.ErrDatabase}, // idle in a transaction for too long
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, domain.ErrDatabase},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, domain.ErrDatabase},
		{io.ErrUnexpectedEOF, domain.ErrDatabase},
		{driver.ErrBadConn, domain.ErrDatabase},
		{context.DeadlineExceeded, domain.ErrDatabase},
		{sqliteError(sqlite3.SQLITE_BUSY), domain.ErrDatabase},
		{sqliteError(sqlite3.SQLITE_BUSY | variety), domain.ErrDatabase},
		{sqliteError(sqlite3.SQLITE_IOERR | variety), domain.ErrDatabase},
		{sqliteError(sqlite3.SQLITE_FULL), domain.ErrDatabase},
		{state("40001"), domain.ErrBusy},
		{state("40P01"), domain.ErrBusy},
		{errors.Join(context.DeadlineExceeded, errRaced), domain.ErrBusy},
		{domain.ErrNoAccount, domain.ErrNoAccount},
	} {
		for _, err := range []error{c.err, fmt.Errorf("wrapped: %w", c.err)} {
			got := fault(t.Context(), "test", err)
			require.ErrorIs(t, got, c.want, "%v", err)
			require.ErrorIs(t, got, c.err, "the cause is kept for the log")
		}
	}
	for _, err := range []error{state("23505"), state("42P01"), sqliteError(sqlite3.SQLITE_CONSTRAINT), errors.New("any other")} {
		got := fault(t.Context(), "test", err)
		_, _, known := domain.KindOf(got)
		require.False(t, known, "%v is a fault of the program", err)
		require.ErrorIs(t, got, err)
	}
	require.NoError(t, fault(t.Context(), "test", nil))
}

func TestCallerWhoHasGoneIsNotAnOutage(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	err := fault(gone, "test", sqliteError(sqlite3.SQLITE_INTERRUPT))
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, domain.ErrDatabase)
}

// Both databases have the same migrations, numbered from 1 without gaps.
func TestMigrationsAreNumberedAlike(t *testing.T) {
	names := func(folder string) (names []string) {
		files, err := migrations.ReadDir("migrations/" + folder)
		require.NoError(t, err)
		for i, file := range files {
			require.Regexp(t, fmt.Sprintf(`^%05d_[a-z_]+\.sql$`, i+1), file.Name())
			names = append(names, file.Name())
		}
		return names
	}
	require.NotEmpty(t, names("sqlite"))
	require.Equal(t, names("sqlite"), names("postgres"))
}
