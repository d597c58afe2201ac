package conformance_test

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/migrated"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

func TestMain(m *testing.M) { postgres.Main(m) }

func TestStorageOnSQLite(t *testing.T) {
	t.Parallel()
	emptiedBetween(t, storage.Settings{DataDir: migratedFolder(t)})
}

// migratedFolder makes a data directory with a database of SQLite that has been migrated once
// for all cases.
func migratedFolder(t *testing.T) string {
	t.Helper()
	folder := awkwardFolder(t)
	require.NoError(t, beginMigrated(folder))
	return folder
}

// awkwardFolder names a data directory that is not there yet, with characters that mean
// something in a URL.
func awkwardFolder(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "data # 1?%41")
}

var beginMigrated = migrated.Copies(func(dataDir string) error {
	s, err := storage.Open(context.Background(), storage.Settings{DataDir: dataDir, Also: migrateOutbox}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return s.Close()
})

func TestStorageOnPostgreSQL(t *testing.T) {
	t.Parallel()
	emptiedBetween(t, storage.Settings{DatabaseURL: clone(t)})
}

// In session mode a pooler changes nothing.
func TestStorageOnPgBouncer(t *testing.T) {
	postgres.OnlyWithBoth(t)
	t.Parallel()
	only := betweenCallers
	if os.Getenv("MILAAN_SOAK") != "" {
		only = nil
	}
	pooler := postgres.Pooler(t, clone(t), "session", "default_pool_size = 120", "server_idle_timeout = 1")
	emptiedBetween(t, storage.Settings{DatabaseURL: pooler}, only...)
}

// betweenCallers are some of the cases in which callers meet, or a connection is left in the middle
// of its work: a kind each of those that a pooler between the store and the database could spoil.
// All are run through it with MILAAN_SOAK alone.
var betweenCallers = []string{
	"an account's updates are whole and exact", "a failed settlement leaves nothing", "a settlement that panics leaves no event either",
	"one of many identical runs is stored", "each job ends once, each batch too", "an ended lease is taken over once",
	"marks and the end of a pass at once", "a migrated database is ready", "a call whose context has ended fails",
}

// emptiedBetween runs the cases on one database, and empties it before each: to make one, and to
// connect to it, takes ten times as long as most cases.
func emptiedBetween(t *testing.T, settings storage.Settings, only ...string) {
	t.Helper()
	one, other := twice(t, settings)
	empty := emptying(t, raw(t, settings))
	conformance.RunStorage(t, func(t *testing.T) (conformance.Storage, conformance.Storage) {
		empty(t)
		return one, other
	}, only...)
}

// emptying prepares a database to be emptied: all rows go, but for those that say which
// migrations have run. They are deleted, because TRUNCATE makes new files for all tables and
// indices of PostgreSQL, and all connections then plan their statements anew. Foreign keys are
// not looked after, so the order of the tables does not matter.
func emptying(t *testing.T, db *sql.DB) (empty func(*testing.T)) {
	t.Helper()
	var statements strings.Builder
	for _, table := range allTables(t, db) {
		if table != "goose_db_version" {
			statements.WriteString("DELETE FROM " + table + ";")
		}
	}
	deleting := statements.String()
	if isPostgres(t, db) {
		execute(t, db, "CREATE FUNCTION delete_all() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$ BEGIN "+deleting+" END $$")
		deleting = "SELECT delete_all()"
	}
	return func(t *testing.T) {
		t.Helper()
		execute(t, db, deleting)
	}
}

// twice opens one database as two processes do.
func twice(t *testing.T, settings storage.Settings) (one, other conformance.Storage) {
	behind := raw(t, settings)
	settings.DatabaseURL = postgres.Narrow(settings.DatabaseURL)
	one, other = ports(opened(t, settings)), ports(opened(t, settings))
	one.Jobs = func(t *testing.T) []port.Job { return jobsAdded(t, behind) }
	other.Jobs = one.Jobs
	one.Rows = func(t *testing.T, text string) []string { return rowsWith(t, behind, text) }
	other.Rows = one.Rows
	one.SetKeptBytes = func(t *testing.T, id string, size int64) {
		changed := only.Value(behind.ExecContext(t.Context(), "UPDATE kept_files SET bytes = $1 WHERE id = $2", size, id))(t)
		require.EqualValues(t, 1, only.Value(changed.RowsAffected())(t))
	}
	other.SetKeptBytes = one.SetKeptBytes
	third := opened(t, settings) // by whoever has other secrets
	one.LostSecret = func(*testing.T) conformance.Storage { return sealedBy(newSealer(anotherSecret), third) }
	other.LostSecret = one.LostSecret
	one.ChangedSecret = func(*testing.T) conformance.Storage { return sealedBy(newSealer(anotherSecret, aSecret), third) }
	one.MissingSecret = func(*testing.T) conformance.Storage {
		incomplete := newSealer(anotherSecret)
		incomplete.fault = domain.ErrMissingSecret
		return sealedBy(incomplete, third)
	}
	return one, other
}

func opened(t testing.TB, settings storage.Settings) *storage.Store {
	t.Helper()
	settings.Also = migrateOutbox
	s := only.Value(storage.Open(t.Context(), settings, slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// withAccount opens a database and stores the account in it.
func withAccount(t *testing.T, settings storage.Settings) conformance.Storage {
	t.Helper()
	s := ports(opened(t, settings))
	require.NoError(t, s.Accounts.Create(t.Context(), account))
	return s
}

func another(t *testing.T, s conformance.Storage, id string) domain.Account {
	t.Helper()
	a := account
	a.ID, a.Email = id, id+"@shop.example"
	require.NoError(t, s.Accounts.Create(t.Context(), a))
	return a
}

func ports(s *storage.Store) conformance.Storage { return sealedBy(newSealer(aSecret), s) }

func sealedBy(seal sealer, s *storage.Store) conformance.Storage {
	return conformance.Storage{Accounts: storage.New[storage.Accounts](s, seal),
		All: storage.NewWithJobs[storage.AllAccounts](s, outbox{}, seal), Keys: storage.New[storage.Keys](s, seal),
		Windows: storage.New[storage.RateWindows](s, seal), Sessions: storage.New[storage.Sessions](s, seal),
		Events: storage.New[storage.SecurityEvents](s, seal), History: storage.New[storage.History](s, seal),
		Mappings: storage.New[storage.Mappings](s, seal), People: storage.NewWithJobs[storage.People](s, outbox{}, seal),
		Runs: storage.NewWithJobs[storage.Runs](s, outbox{}, seal), Webhooks: storage.New[storage.Webhooks](s, seal),
		Brandings: storage.New[storage.Brandings](s, seal), Books: storage.New[storage.Books](s, seal),
		Deliveries: storage.NewWithJobs[storage.Deliveries](s, outbox{}, seal), Batches: storage.NewWithJobs[storage.Batches](s, outbox{}, seal),
		Connections: storage.New[storage.Connections](s, seal), Passes: storage.NewWithJobs[storage.Passes](s, outbox{}, seal),
		PassLog: storage.NewWithJobs[storage.Passes](s, outbox{}, seal), KeptFiles: storage.New[storage.KeptFiles](s, seal),
		Ignored: storage.New[storage.IgnoredFiles](s, seal),
		Ledgers: storage.New[storage.ConnectionLedgers](s, seal), Mails: storage.NewWithJobs[storage.Mails](s, outbox{}, seal),
		Billing: storage.NewWithJobs[storage.Billing](s, outbox{}, seal), Phones: storage.New[storage.Phones](s, seal),
		Alarms: storage.New[storage.Alarms](s, seal), Claims: storage.New[storage.RequestClaims](s, seal), Sweep: s.Sweep,
		Facts: storage.NewFacts(s), Holds: storage.NewHolds(s), Seals: storage.NewSeals(s, seal), Database: s}
}
