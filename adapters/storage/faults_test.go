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

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// judged is a database whose driver's errors say themselves what they mean.
type judged struct{ dialect.Database }

type verdict dialect.Verdict

func (v verdict) Error() string { return fmt.Sprint("verdict ", int(v)) }

func (judged) Judge(err error) dialect.Verdict {
	v, _ := errors.AsType[verdict](err)
	return dialect.Verdict(v)
}

func TestFaultsOfDrivers(t *testing.T) {
	s := &Store{database: judged{}}
	for _, c := range []struct {
		err  error
		want error
	}{
		{verdict(dialect.Unable), domain.ErrDatabase},
		{verdict(dialect.Lost), domain.ErrDatabase},
		{verdict(dialect.Locked), domain.ErrDatabase},
		{verdict(dialect.Undone), domain.ErrBusy},
		{errors.Join(context.DeadlineExceeded, verdict(dialect.Lost)), domain.ErrDatabase},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, domain.ErrDatabase},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, domain.ErrDatabase},
		{io.ErrUnexpectedEOF, domain.ErrDatabase},
		{driver.ErrBadConn, domain.ErrDatabase},
		{context.DeadlineExceeded, domain.ErrDatabase},
		{errors.Join(context.DeadlineExceeded, errRaced), domain.ErrBusy},
		{domain.ErrNoAccount, domain.ErrNoAccount},
	} {
		for _, err := range []error{c.err, fmt.Errorf("wrapped: %w", c.err)} {
			got := s.fault(t.Context(), "test", err)
			require.ErrorIs(t, got, c.want, "%v", err)
			require.ErrorIs(t, got, c.err, "the cause is kept for the log")
		}
	}
	for _, err := range []error{verdict(dialect.Fault), verdict(dialect.Refused), errors.New("any other")} {
		got := s.fault(t.Context(), "test", err)
		_, _, known := domain.KindOf(got)
		require.False(t, known, "%v is a fault of the program", err)
		require.ErrorIs(t, got, err)
	}
	require.NoError(t, s.fault(t.Context(), "test", nil))
}

func TestCallerWhoHasGoneIsNotAnOutage(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	err := (&Store{database: judged{}}).fault(gone, "test", verdict(dialect.Unable))
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, domain.ErrDatabase)
}

// Both databases have the same migrations, and no two have one number.
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
