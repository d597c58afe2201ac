package service

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/adapters"
	"milaan/app"
	"milaan/config"
	"milaan/couriers"
	"milaan/tests/postgres"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", atOnce)
	postgres.Main(m)
}

// database makes a database without accounts and returns its URL.
type database func(testing.TB) string

// onBoth runs a test on both databases.
func onBoth(t *testing.T, test func(*testing.T, database)) {
	t.Helper()
	t.Run("on SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, func(testing.TB) string { return "" })
	})
	t.Run("on PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, Migrated)
	})
}

// onSQLite runs a test on that, and with MILAAN_SOAK on PostgreSQL too: the storage has the
// same tests on both, and nothing of this test meets anything else in the database.
func onSQLite(t *testing.T, test func(*testing.T, database)) {
	t.Helper()
	if os.Getenv("MILAAN_SOAK") != "" {
		onBoth(t, test)
		return
	}
	t.Run("on SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, func(testing.TB) string { return "" })
	})
}

// TestModulesFit builds the graph of main.go without running it.
func TestModulesFit(t *testing.T) {
	require.NoError(t, fx.ValidateApp(config.Module, couriers.Module, app.Module, adapters.Module, fx.NopLogger))
}
