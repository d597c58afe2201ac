// Package browser tests the dashboard's pages in a real browser, against the whole service of
// package service. Its tests run only if MILAAN_TEST_REQUIRE_BROWSER or CI is set, and need
// Chromium on the path then.
//
// A page that writes an error to the console, or breaks the policy of its content, fails the
// test. MILAAN_TEST_SCREENSHOTS names a folder for pictures, to be looked at by people. All
// screens in all states, themes and widths are in screens_test.go:
//
//	MILAAN_TEST_REQUIRE_BROWSER=1 MILAAN_TEST_SCREENSHOTS=pictures go test ./tests/browser -run EveryScreen
//
// testdata/axe-core has the npm package of that name, version 4.14.1, without the files that
// nothing here uses. It is not served.
package browser
