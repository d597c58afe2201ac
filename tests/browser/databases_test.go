package browser_test

import (
	"os"
	"testing"

	"milaan/tests/service"
)

// onBoth runs a test on SQLite and on PostgreSQL. The storage has the same tests on both;
// this one shows that the pages work with both, and does so with MILAAN_SOAK.
func onBoth(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	t.Run("on SQLite", func(t *testing.T) { test(t, "") })
	t.Run("on PostgreSQL", func(t *testing.T) {
		if os.Getenv("MILAAN_SOAK") == "" {
			t.Skip("it is done with MILAAN_SOAK")
		}
		test(t, service.Migrated(t))
	})
}
