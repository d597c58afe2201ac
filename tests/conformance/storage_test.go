package conformance_test

import (
	"log/slog"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/postgres"
)

func TestMain(m *testing.M) { postgres.Main(m) }

func TestStorageOnSQLite(t *testing.T) {
	conformance.RunStorage(t, func(t *testing.T) (one, other conformance.Storage) {
		return twice(t, storage.Settings{DataDir: t.TempDir()})
	})
}

func TestStorageOnPostgreSQL(t *testing.T) {
	conformance.RunStorage(t, func(t *testing.T) (one, other conformance.Storage) {
		return twice(t, storage.Settings{DatabaseURL: postgres.Database(t)})
	})
}

// In session mode a pooler changes nothing.
func TestStorageOnPgBouncer(t *testing.T) {
	pooler, err := url.Parse(postgres.Pooler(t, postgres.Database(t), "session", "default_pool_size = 60", "server_idle_timeout = 1"))
	require.NoError(t, err)
	conformance.RunStorage(t, func(t *testing.T) (one, other conformance.Storage) {
		pooled, err := url.Parse(postgres.Database(t))
		require.NoError(t, err)
		pooled.Host = pooler.Host
		return twice(t, storage.Settings{DatabaseURL: pooled.String()})
	})
}

// twice opens one database as two processes do.
func twice(t *testing.T, settings storage.Settings) (one, other conformance.Storage) {
	one, other = ports(opened(t, settings)), ports(opened(t, settings))
	behind := raw(t, settings)
	one.Jobs = func(t *testing.T) []port.Job { return jobsAdded(t, behind) }
	other.Jobs = one.Jobs
	one.LostSecret = func(t *testing.T) conformance.Storage { return sealedBy(newSealer(anotherSecret), opened(t, settings)) }
	other.LostSecret = one.LostSecret
	one.ChangedSecret = func(t *testing.T) conformance.Storage {
		return sealedBy(newSealer(anotherSecret, aSecret), opened(t, settings))
	}
	one.MissingSecret = func(t *testing.T) conformance.Storage {
		incomplete := newSealer(anotherSecret)
		incomplete.fault = domain.ErrMissingSecret
		return sealedBy(incomplete, opened(t, settings))
	}
	return one, other
}

func opened(t testing.TB, settings storage.Settings) *storage.Store {
	t.Helper()
	settings.Also = migrateOutbox
	s, err := storage.Open(t.Context(), settings, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func ports(s *storage.Store) conformance.Storage { return sealedBy(newSealer(aSecret), s) }

func sealedBy(seal sealer, s *storage.Store) conformance.Storage {
	return conformance.Storage{Accounts: storage.NewAccounts(s), Keys: storage.NewKeys(s), Windows: storage.NewWindows(s),
		Runs: storage.NewRuns(s, outbox{}, seal), Webhooks: storage.NewWebhooks(s, seal),
		Deliveries: storage.NewDeliveries(s, outbox{}, seal), Batches: storage.NewBatches(s, outbox{}, seal),
		Claims: storage.NewClaims(s), Upkeep: storage.NewUpkeep(s), Facts: storage.NewFacts(s), Seals: storage.NewSeals(s, seal), Database: s}
}
