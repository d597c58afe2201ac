package browser_test

import (
	"testing"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// withCharges are the files of service.Charged.
func withCharges(t *testing.T) (orders, report string) {
	t.Helper()
	of := service.Charged()
	return written(t, "orders.csv", of["shopify"].(string)), written(t, "remittance.csv", of["courier"].(string))
}

// acceptsCharges is whether the switch is there, and whether it is on.
const acceptsCharges = `((b) => b && b.checked)(document.querySelector(".options input[type=checkbox]"))`

// TestChargesAreAcceptedByASwitch has the switch where a report states charges, and nowhere else; its
// choice stays in the tab.
func TestChargesAreAcceptedByASwitch(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app")
	tab.Drop("h1", export, report).See("Shopify orders export", "Delhivery report")
	tab.Wait(settled)
	tab.Wait(acceptsCharges + " === null")
	tab.Click("Start over")

	orders, charged := withCharges(t)
	tab.Drop("h1", orders, charged)
	tab.See("Accept charges", "What a courier has deducted counts as paid where the charges that its report states explain it.")
	tab.Wait(settled)
	tab.Wait(acceptsCharges + " === false").Axe()
	start(tab)
	tab.See("2 orders need attention", "₹120.80")
	tab.Gone("Accepted charges")
	tab.Click("Reconcile")
	tab.ClickOn(".options input[type=checkbox]").Gone("See the results of these files").Shot("switch")
	start(tab)
	tab.See("1 order needs attention", "Accepted charges", "₹70.80", "₹50", "₹82.60").Look("results")
	tab.Go("/app/results#1001")
	tab.Resize(390, 844)
	tab.Dark(true)
	tab.Shot("results-narrow-dark")
	tab.Axe()
	tab.Click("Reconcile").Wait(acceptsCharges).Shot("switch-narrow-dark")
	tab.Axe()
	tab.Dark(false)
	tab.Resize(1280, 900)
	inHindi(tab)
	tab.See("शुल्क स्वीकार करें").Shot("switch-hindi")
	tab.ClickOn(`.top nav a[href="/app/results"]`).See("स्वीकृत शुल्क").Shot("results-hindi")
	tab.Axe()
}

// TestAnAccountAcceptsCharges sets what the account's runs do where nobody says otherwise.
func TestAnAccountAcceptsCharges(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/account")
	tab.See("Charges of couriers", "A single run or connection may say otherwise.")
	tab.ClickOn(`.format input[type=checkbox]`).See("Saved.").Look("account")
	tab.Click("Security log").See("whether charges are accepted")
	tab.Go("/app")
	orders, charged := withCharges(t)
	tab.Drop("h1", orders, charged).See("Accept charges")
	tab.Wait(settled)
	tab.Wait(acceptsCharges)
	start(tab)
	tab.See("Accepted charges", "1 order needs attention")
	tab.Click("Reconcile")
	tab.ClickOn(".options input[type=checkbox]")
	start(tab)
	tab.See("2 orders need attention")
}
