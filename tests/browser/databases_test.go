package browser_test

import (
	"os"
	"testing"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// onBoth runs a test on SQLite and on PostgreSQL, beside other tests. The storage has the
// same tests on both; this one shows that the pages work with both, and does so with
// MILAAN_SOAK. The test calls serve.
func onBoth(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	t.Parallel()
	onBothAlone(t, test)
}

// onBothAlone is onBoth for a test during which no other one runs: it does not call serve.
func onBothAlone(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	browser.Needed(t)
	t.Run("on SQLite", func(t *testing.T) { test(t, "") })
	t.Run("on PostgreSQL", func(t *testing.T) {
		if !soaks() {
			t.Skip("it is done with MILAAN_SOAK")
		}
		test(t, service.Migrated(t))
	})
}

// serve runs a service for a test that goes on beside others, in a tab of its own.
func serve(t *testing.T, o service.Options) *service.Service {
	t.Helper()
	beside(t)
	return service.Start(t, o)
}

// beside lets a test run beside others. It skips the test if there is no browser.
func beside(t *testing.T) {
	t.Helper()
	browser.Needed(t)
	t.Parallel()
}

func soaks() bool { return os.Getenv("MILAAN_SOAK") != "" }

// alsoAxe runs axe on a further state of a screen, with MILAAN_SOAK: it takes most of the
// time of these tests.
func alsoAxe(tab *browser.Tab) {
	if soaks() {
		tab.Axe()
	}
}
