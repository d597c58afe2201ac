package browser_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestACorrectedReportOnThePage drops a corrected report before the one that it corrects: the older file
// is the first report all the same, and what was corrected is said.
func TestACorrectedReportOnThePage(t *testing.T) {
	s := serve(t, service.Options{})
	var orders []service.Order
	report := func(name, remitted string, age time.Duration) string {
		var lines []service.Line
		for _, o := range orders {
			lines = append(lines, service.Line{AWB: o.AWB, Collected: "1000.00", Remitted: remitted, RemittedOn: "2026-10-25", Status: "Delivered"})
		}
		path := written(t, name, service.Report(lines...))
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(path, at, at))
		return path
	}
	for i := range 5 {
		orders = append(orders, service.Order{Name: fmt.Sprint("#", 1001+i), Total: "1000.00", AWB: fmt.Sprint("AWB", 1001+i)})
	}
	export := written(t, "orders.csv", service.Export(orders...))
	corrected, first := report("a-corrected.csv", "1000.00", time.Hour), report("b-first.csv", "800.00", 48*time.Hour)

	tab := browser.Open(t, s.URL).SignIn(s, s.Account(t), "/app")
	tab.Drop("h1", export, corrected, first).Wait(settled)
	require.Equal(t, []string{"b-first.csv", "a-corrected.csv"},
		browser.Eval[[]string](tab, `[...document.querySelectorAll(".file-card[aria-label$='.csv']")].map((c) => c.getAttribute("aria-label")).filter((n) => n !== "orders.csv")`))
	start(tab)
	tab.See("0 orders need attention", "A payout of report 1 (25 Oct 2026) is in report 2 again with other amounts, dates, UTRs or order ids", "Corrected", "₹4,000")
	tab.Look("results")
	tab.Resize(390, 844)
	tab.Dark(true)
	tab.Shot("results-narrow-dark")
	tab.Axe()
	tab.Dark(false)
	tab.Resize(1280, 900)
	inHindi(tab)
	tab.See("सुधारा गया").Shot("results-hindi")
}
