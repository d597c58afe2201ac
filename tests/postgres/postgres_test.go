package postgres_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

func TestMain(m *testing.M) { postgres.Main(m) }

// A server that was stopped refuses; started again, it has kept its data.
func TestServerStopsAndStarts(t *testing.T) {
	server := postgres.Start(t)
	db, err := sql.Open("pgx", server.Database(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Exec("CREATE TABLE kept AS SELECT 7 AS n")
	require.NoError(t, err)

	server.Stop(t)
	require.Error(t, db.Ping())

	server.Start(t)
	var n int
	require.NoError(t, db.QueryRow("SELECT n FROM kept").Scan(&n))
	require.Equal(t, 7, n)
}

func TestDatabasesAreApart(t *testing.T) {
	require.NotEqual(t, postgres.Database(t), postgres.Database(t))
}
