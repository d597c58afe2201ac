package browser_test

import (
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
