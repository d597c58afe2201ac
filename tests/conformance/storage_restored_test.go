package conformance_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/adapters/storage/sqlite"
)

// A database file without tables is refused where another file shows that it had
// some: a restore that has failed must not look like an empty service. What is
// being made for the first time is told from it, at whatever moment its maker
// was killed.
func TestADatabaseThatHasLostItsDataIsRefused(t *testing.T) {
	const database, making, secret = "milaan.db", "milaan.db.making", "secret.key"
	for name, c := range map[string]struct {
		files   []string // empty ones
		tables  []string
		refused bool
	}{
		"an empty folder":                              {nil, nil, false},
		"an empty database":                            {[]string{database}, nil, false},
		"a secret alone":                               {[]string{secret}, nil, false},
		"an empty database beside a secret":            {[]string{database, secret}, nil, true},
		"another program's database beside a secret":   {[]string{database, secret}, []string{"CREATE TABLE notes (text TEXT)"}, true},
		"killed before the database":                   {[]string{making, secret}, nil, false},
		"killed after the database file":               {[]string{making, database, secret}, nil, false},
		"killed before the migrations":                 {[]string{making, database, secret}, []string{"PRAGMA user_version = 1"}, false},
		"killed amid the migrations":                   {[]string{making, database, secret}, []string{gooseTable, gooseStart}, false},
		"killed after the migrations, before the mark": {[]string{making, database, secret}, []string{gooseTable, gooseStart}, false},
		"migrated by the last version":                 {[]string{database, secret}, []string{gooseTable, gooseStart}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range c.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), nil, 0o600))
			}
			settings := storage.Settings{DataDir: dir, Evidence: filepath.Join(dir, secret)}
			if len(c.tables) > 0 {
				db := raw(t, settings)
				execute(t, db, c.tables...)
				require.NoError(t, db.Close())
			}
			before, _ := os.ReadFile(filepath.Join(dir, database))
			for range 2 {
				s, err := storage.Open(t.Context(), settings, slog.New(slog.DiscardHandler))
				if c.refused {
					require.ErrorIs(t, err, sqlite.ErrEmptied)
					require.ErrorContains(t, err, filepath.Join(dir, database)+" holds no tables, but secret.key beside it")
					require.ErrorContains(t, err, "restore milaan.db from the backup again; to begin with an empty database instead, delete milaan.db")
					after, err := os.ReadFile(filepath.Join(dir, database))
					require.NoError(t, err)
					require.Equal(t, before, after, "it is left as it is")
					continue
				}
				require.NoError(t, err)
				require.NoError(t, s.Ready(t.Context()))
				require.NoError(t, s.Close())
				require.NoFileExists(t, filepath.Join(dir, making))
				require.NoError(t, os.WriteFile(filepath.Join(dir, secret), nil, 0o600))
			}
			if c.refused { // the remedy helps
				require.NoError(t, os.Remove(filepath.Join(dir, database)))
				require.NoError(t, opened(t, settings).Ready(t.Context()))
			}
		})
	}
}

// What goose has made first, when it is killed before the first migration.
const (
	gooseTable = `CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now')))`
	gooseStart = "INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)"
)
