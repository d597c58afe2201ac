package browser_test

import (
	"flag"
	"testing"

	"milaan/tests/browser"
	"milaan/tests/postgres"
)

func TestMain(m *testing.M) {
	// The tests wait for the browser, and the browser for its next frame, most of the time.
	_ = flag.Set("test.parallel", "3")
	postgres.Main(suite{m})
}

// suite is the tests of this package, with the browser that they share.
type suite struct{ tests *testing.M }

func (s suite) Run() int { return browser.Run(s.tests) }
