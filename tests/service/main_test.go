package service

import (
	"flag"
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

// onSQLite is the database that a service has if its settings name none.
func onSQLite(testing.TB) string { return "" }

// onBoth runs a test on SQLite, and on PostgreSQL too where that is asked for: the storage has
// the same tests on both, and here requests of several clients meet in the database.
func onBoth(t *testing.T, test func(*testing.T, database)) {
	t.Helper()
	t.Parallel()
	onBothAlone(t, test)
}

// onBothAlone is onBoth for a test that no other one runs beside.
func onBothAlone(t *testing.T, test func(*testing.T, database)) {
	t.Helper()
	t.Run("on SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, onSQLite)
	})
	t.Run("on PostgreSQL", func(t *testing.T) {
		postgres.OnlyWithBoth(t)
		t.Parallel()
		test(t, Migrated)
	})
}

// TestModulesFit builds the graph of main.go without running it.
func TestModulesFit(t *testing.T) {
	require.NoError(t, fx.ValidateApp(config.Module(), couriers.Module(), app.Module(), adapters.Module(), fx.NopLogger))
}
