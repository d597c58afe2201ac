package conformance_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/tests/postgres"
)

// A migration needs a table for itself. Somebody reads it for long, as a backup does, and all who
// come later wait behind the migration: so it gives way to them, and tries again.
func TestMigrationsGiveWay(t *testing.T) {
	t.Parallel()
	settings := storage.Settings{DatabaseURL: postgres.Database(t)}
	db := migratedTo(t, settings, 13)
	reader, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = reader.Rollback() }()
	_, err = reader.Exec("LOCK TABLE sessions IN ACCESS SHARE MODE")
	require.NoError(t, err)

	migrated := make(chan error, 1)
	go func() {
		s, err := storage.Open(context.WithoutCancel(t.Context()), settings, slog.New(slog.DiscardHandler))
		if err == nil {
			err = s.Close()
		}
		migrated <- err
	}()
	for range 2 {
		require.Eventually(t, func() bool {
			return len(texts(t, db, "SELECT locktype FROM pg_locks WHERE NOT granted AND relation = 'sessions'::regclass")) > 0
		}, time.Minute, time.Millisecond, "the migration waits for the table")
		late, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		_, err = db.ExecContext(late, "DELETE FROM sessions WHERE id = 'nobody'")
		cancel()
		require.NoError(t, err, "a request of the version before")
	}
	select {
	case err := <-migrated:
		t.Fatalf("the program did not wait: %v", err)
	default:
	}
	require.NoError(t, reader.Rollback())
	require.NoError(t, <-migrated)
	require.Empty(t, texts(t, db, "SELECT id FROM members"), "the table of the last migration is there")
}
