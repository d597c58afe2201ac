package browser_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// withCharges are two orders and a report that states charges: they explain what was deducted from
// the first, and not what from the second.
func withCharges(t *testing.T) (orders, report string) {
	t.Helper()
	folder := t.TempDir()
	orders, report = filepath.Join(folder, "orders.csv"), filepath.Join(folder, "remittance.csv")
	require.NoError(t, os.WriteFile(orders, []byte(service.Export(service.Order{Name: "#1001", Total: "1000.00", AWB: "AWB1001"},
		service.Order{Name: "#1002", Total: "500.00", AWB: "AWB1002"})), 0o600))
	require.NoError(t, os.WriteFile(report, []byte("AWB No,COD Amount,Remitted Amount,Remittance Date,Freight,GST\n"+
		"AWB1001,1000.00,929.20,2026-10-10,60.00,10.80\nAWB1002,500.00,450.00,2026-10-10,10.00,1.80\n"), 0o600))
	return orders, report
}

// acceptsCharges is whether the switch is there, and whether it is on.
const acceptsCharges = `((b) => b && b.checked)(document.querySelector(".options input[type=checkbox]"))`

// TestChargesAreAcceptedByASwitch has the switch where a report states charges, and nowhere else; its
// choice stays in the tab.
func TestChargesAreAcceptedByASwitch(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL)
	tab.SignIn(s, c, "/app")
	tab.Drop("h1", export, report)
	tab.See("Shopify orders export", "Delhivery report")
	tab.Wait(settled)
	tab.Wait(acceptsCharges + " === null")
	tab.Click("Start over")

	orders, charged := withCharges(t)
	tab.Drop("h1", orders, charged)
	tab.See("Accept charges", "What a courier has deducted counts as paid where the charges that its report states explain it.")
	tab.Wait(settled)
	tab.Wait(acceptsCharges + " === false")
	tab.Axe()
	tab.ClickOn(".start")
	tab.At("/app/results")
	tab.See("2 orders need attention", "₹120.80")
	tab.Gone("Accepted charges")
	tab.Click("Reconcile")
	tab.ClickOn(".options input[type=checkbox]")
	tab.Gone("See the results of these files")
	tab.Shot("switch")
	tab.ClickOn(".start")
	tab.At("/app/results")
	tab.See("1 order needs attention", "Accepted charges", "₹70.80", "₹50", "₹82.60")
	tab.Axe()
	tab.Shot("results")
	tab.Go("/app/results#1001")
	tab.Resize(390, 844)
	tab.Dark(true)
	tab.Shot("results-narrow-dark")
	tab.Axe()
	tab.Click("Reconcile")
	tab.Wait(acceptsCharges)
	tab.Shot("switch-narrow-dark")
	tab.Axe()
	tab.Dark(false)
	tab.Resize(1280, 900)
	tab.ClickOn(".menu > button")
	tab.Choose("Language", "हिन्दी")
	tab.Press("\x1b")
	tab.See("शुल्क स्वीकार करें")
	tab.Shot("switch-hindi")
	tab.ClickOn(`.top nav a[href="/app/results"]`)
	tab.See("स्वीकृत शुल्क")
	tab.Shot("results-hindi")
	tab.Axe()
}

// TestAnAccountAcceptsCharges sets what the account's runs do where nobody says otherwise.
func TestAnAccountAcceptsCharges(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL)
	tab.SignIn(s, c, "/app/account")
	tab.See("Charges of couriers", "A single run or connection may say otherwise.")
	tab.ClickOn(`.format input[type=checkbox]`)
	tab.See("Saved.")
	tab.Axe()
	tab.Shot("account")
	tab.Click("Security log")
	tab.See("whether charges are accepted")
	tab.Go("/app")
	orders, charged := withCharges(t)
	tab.Drop("h1", orders, charged)
	tab.See("Accept charges")
	tab.Wait(settled)
	tab.Wait(acceptsCharges)
	tab.ClickOn(".start")
	tab.At("/app/results")
	tab.See("Accepted charges", "1 order needs attention")
	tab.Click("Reconcile")
	tab.ClickOn(".options input[type=checkbox]")
	tab.ClickOn(".start")
	tab.At("/app/results")
	tab.See("2 orders need attention")
}
