package storage

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

func openedSQLite(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Settings{DataDir: dir}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// claimed stores a fact in a transaction that then does as told.
func claimed(t *testing.T, s *Store, name string, end func() error) error {
	t.Helper()
	return s.transact(t.Context(), "test", func(tx *gorm.DB) error {
		require.NoError(t, tx.Exec("INSERT INTO service_facts (name, value) VALUES (?, 'x')", name).Error)
		return end()
	})
}

func facts(t *testing.T, s *Store) (names []string) {
	t.Helper()
	require.NoError(t, s.read(t.Context(), "test", func(db *gorm.DB) error {
		return db.Raw("SELECT name FROM service_facts ORDER BY name").Scan(&names).Error
	}))
	return names
}

// However a transaction ends, the connection that all writes share is free and
// clean for the next one.
func TestATransactionLeavesTheWriterClean(t *testing.T) {
	s := openedSQLite(t, t.TempDir())
	failed := errors.New("no")
	require.ErrorIs(t, claimed(t, s, "error", func() error { return failed }), failed)
	require.Panics(t, func() { _ = claimed(t, s, "panic", func() error { panic("no") }) })
	require.NoError(t, claimed(t, s, "kept", func() error { return nil }))
	require.Error(t, s.transact(t.Context(), "test", func(tx *gorm.DB) error {
		require.NoError(t, tx.Exec("INSERT INTO service_facts (name, value) VALUES ('undone', 'x')").Error)
		return tx.Exec("INSERT INTO service_facts (name, value) VALUES ('kept', 'twice')").Error
	}))
	// A foreign key that is only looked at when the transaction ends makes the
	// commit itself fail.
	require.Error(t, s.transact(t.Context(), "test", func(tx *gorm.DB) error {
		require.NoError(t, tx.Exec("PRAGMA defer_foreign_keys = 1").Error)
		return tx.Exec("INSERT INTO column_mappings (account_id, courier_name, columns) VALUES ('nobody', 'c', '{}')").Error
	}))
	require.NoError(t, claimed(t, s, "last", func() error { return nil }))
	require.Equal(t, []string{"kept", "last"}, facts(t, s))
}

// A statement that was compiled stays good when another process changes what
// it was compiled for.
func TestCompiledStatementsOutliveAChangeOfSchema(t *testing.T) {
	dir := t.TempDir()
	one, other := openedSQLite(t, dir), openedSQLite(t, dir)
	require.NoError(t, claimed(t, one, "before", func() error { return nil }))
	require.NoError(t, other.write(t.Context(), "test", func(db *gorm.DB) error {
		return db.Exec("ALTER TABLE service_facts ADD COLUMN note TEXT").Error
	}))
	require.NoError(t, claimed(t, one, "after", func() error { return nil }))
	require.Equal(t, []string{"after", "before"}, facts(t, one))
}

// gorm hands out a row that panics for a query that cannot be compiled.
func TestAQueryThatCannotBeCompiledIsAnError(t *testing.T) {
	s := openedSQLite(t, t.TempDir())
	require.NoError(t, s.write(t.Context(), "test", func(db *gorm.DB) error { return db.Exec("DROP TABLE " + dialect.VersionTable).Error }))
	require.Error(t, s.Ready(t.Context()))
}

// Whether something is tried again depends on what has failed before, so each failure is judged once.
func TestEachFailureIsJudgedOnce(t *testing.T) {
	tries, judged := 0, 0
	again := func(error) bool { judged++; return judged < 3 }
	failed := errors.New("no")
	err := dialect.Persist(t.Context(), dialect.Timeout, dialect.LongestPause, again, func(context.Context) error { tries++; return failed })
	require.ErrorIs(t, err, failed)
	require.Equal(t, 3, tries)
	require.Equal(t, 3, judged)
}
