package conformance_test

import (
	"crypto/rand"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

// The server of the suites is tested here, and not beside its package, because every further
// test binary makes one of its own.
//
// A clone has what its template has, which is prepared once, and is apart from other clones.
func TestClonesAreApart(t *testing.T) {
	prepared, name := 0, rand.Text() // the test may run again
	for range 2 {
		db := only.Value(sql.Open("pgx", postgres.Clone(t, name, func(databaseURL string) error {
			prepared++
			db := only.Value(sql.Open("pgx", databaseURL))(t)
			defer func() { require.NoError(t, db.Close()) }()
			_, err := db.Exec("CREATE TABLE kept AS SELECT 7 AS n")
			return err
		})))(t)
		var n int
		require.NoError(t, db.QueryRow("DELETE FROM kept RETURNING n").Scan(&n))
		require.Equal(t, 7, n)
		require.NoError(t, db.Close())
	}
	require.Equal(t, 1, prepared)
}

func TestDatabasesAreApart(t *testing.T) {
	require.NotEqual(t, postgres.Database(t), postgres.Database(t))
}

// TestAServerThatOnlyReadsIsNotReady sets a server to read only under a program that runs, and back.
func TestAServerThatOnlyReadsIsNotReady(t *testing.T) {
	settings := storage.Settings{DatabaseURL: postgres.Start(t).Database(t)}
	store, behind := opened(t, settings), raw(t, settings)
	for _, to := range []string{"on", "off"} {
		require.NoError(t, only.Err(behind.Exec("ALTER SYSTEM SET default_transaction_read_only = "+to)))
		_, err := behind.Exec("SELECT pg_reload_conf()") // which the sessions learn of after a moment
		require.NoError(t, err)
		require.Eventually(t, func() bool { err = store.Ready(t.Context()); return (err == nil) == (to == "off") }, time.Minute, 10*time.Millisecond, to)
		if to == "on" {
			require.ErrorContains(t, err, "only reads")
		}
	}
}
