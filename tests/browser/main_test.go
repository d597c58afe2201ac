package browser_test

import (
	"os"
	"testing"

	"milaan/tests/browser"
)

func TestMain(m *testing.M) { os.Exit(browser.Run(m)) }
