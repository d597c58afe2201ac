package browser_test

import (
	"os"
	"testing"

	"milaan/tests/browser"
	"milaan/tests/service"
)

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
