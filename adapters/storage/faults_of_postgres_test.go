package storage_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage/dialect"
	"milaan/adapters/storage/postgres"
)

// TestErrorsOfPostgreSQL is here and not in its package, which would be linked for it alone.
func TestErrorsOfPostgreSQL(t *testing.T) {
	for state, want := range map[string]dialect.Verdict{
		"57P01": dialect.Lost,   // ended by an administrator
		"57P02": dialect.Lost,   // crashed
		"57P03": dialect.Lost,   // starting up
		"08006": dialect.Lost,   // connection failure
		"25P03": dialect.Lost,   // idle in a transaction for too long
		"57014": dialect.Unable, // statement timeout
		"53300": dialect.Unable, // too many connections
		"53100": dialect.Unable, // disk full
		"25006": dialect.Unable, // a standby: read only
		"40001": dialect.Undone,
		"40P01": dialect.Undone,
		"23505": dialect.Refused,
		"42P01": dialect.Refused,
	} {
		err := error(&pgconn.PgError{Code: state})
		require.Equal(t, want, new(postgres.Database).Judge(err), state)
		require.Equal(t, want, new(postgres.Database).Judge(fmt.Errorf("wrapped: %w", err)), state)
		require.Equal(t, state == "53100", new(postgres.Database).Full(err), state)
	}
	require.Equal(t, dialect.Undone, new(postgres.Database).Judge(&pgconn.PgError{Code: "0A000", Routine: "RevalidateCachedQuery"}), "a statement was prepared before a migration")
	require.Equal(t, dialect.Refused, new(postgres.Database).Judge(&pgconn.PgError{Code: "0A000", Routine: "transformStmt"}), "the server has no such feature")
	require.Equal(t, dialect.Lost, new(postgres.Database).Judge(pgconn.ErrConnClosed))
	require.Equal(t, dialect.Fault, new(postgres.Database).Judge(errors.New("any other")))
}
