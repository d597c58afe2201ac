package sqlite

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	sqlite3 "modernc.org/sqlite/lib"

	"milaan/adapters/storage/dialect"
)

// code is how the driver tells a result code.
type code int

func (c code) Error() string { return fmt.Sprint("sqlite ", int(c)) }
func (c code) Code() int     { return int(c) }

func TestErrorsOfTheDriver(t *testing.T) {
	const variety = 2 << 8
	for err, want := range map[error]dialect.Verdict{
		code(sqlite3.SQLITE_BUSY):            dialect.Locked,
		code(sqlite3.SQLITE_BUSY | variety):  dialect.Locked,
		code(sqlite3.SQLITE_IOERR | variety): dialect.Unable,
		code(sqlite3.SQLITE_FULL):            dialect.Unable,
		code(sqlite3.SQLITE_CONSTRAINT):      dialect.Refused,
		code(sqlite3.SQLITE_INTERRUPT):       dialect.Refused,
		errors.New("any other"):              dialect.Fault,
	} {
		require.Equal(t, want, new(Database).Judge(err), "%v", err)
		require.Equal(t, want, new(Database).Judge(fmt.Errorf("wrapped: %w", err)), "%v", err)
	}
}
