package browser_test

import (
	"testing"

	"milaan/tests/browser"
	"milaan/tests/postgres"
)

func TestMain(m *testing.M) { postgres.Main(suite{m}) }

// suite is the tests of this package, with the browser that they share.
type suite struct{ tests *testing.M }

func (s suite) Run() int { return browser.Run(s.tests) }
