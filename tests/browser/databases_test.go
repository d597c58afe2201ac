package browser_test

import (
	"os"
	"testing"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// onBoth runs a test on SQLite and on PostgreSQL. The storage has the same tests on both;
// this one shows that the pages work with both, and does so with MILAAN_SOAK.
func onBoth(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	t.Run("on SQLite", func(t *testing.T) { test(t, "") })
	t.Run("on PostgreSQL", func(t *testing.T) {
		if !soaks() {
			t.Skip("it is done with MILAAN_SOAK")
		}
		test(t, service.Migrated(t))
	})
}

func soaks() bool { return os.Getenv("MILAAN_SOAK") != "" }

// alsoAxe runs axe on a further state of a screen, with MILAAN_SOAK: it takes most of the
// time of these tests.
func alsoAxe(tab *browser.Tab) {
	if soaks() {
		tab.Axe()
	}
}
