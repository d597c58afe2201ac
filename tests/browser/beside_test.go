package browser_test

import (
	"testing"

	"milaan/tests/service"
)

// serve runs a service for a test that goes on beside others, in a tab of its own.
func serve(t *testing.T, o service.Options) *service.Service {
	t.Helper()
	t.Parallel()
	return service.Start(t, o)
}
