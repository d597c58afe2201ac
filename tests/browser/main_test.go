package browser_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"milaan/tests/browser"
	"milaan/tests/postgres"
	"milaan/tests/service"
)

func TestMain(m *testing.M) {
	// The tests wait for the browser, and the browser for its next frame, most of the time.
	_ = flag.Set("test.parallel", "3")
	flag.Parse()
	// They take longer than all others together, so that an ordinary run leaves them out, and the
	// services that they start; benchmarks are always asked for.
	if os.Getenv("CI") == "" && os.Getenv("MILAAN_TEST_REQUIRE_BROWSER") == "" {
		fmt.Println("NOT TESTED in a browser: MILAAN_TEST_REQUIRE_BROWSER=1 does")
		_ = flag.Set("test.run", "^$")
	}
	postgres.Main(suite{m})
}

// suite is the tests of this package, with the browser that they share.
type suite struct{ tests *testing.M }

func (s suite) Run() int { return browser.Run(s.tests) }

// serve runs a service for a test that goes on beside others, in a tab of its own.
func serve(t *testing.T, o service.Options) *service.Service {
	t.Helper()
	t.Parallel()
	return service.Start(t, o)
}
