package browser_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// ofMonth are the files of a month of a shop with two couriers.
var ofMonth = []string{month + "orders.csv", month + "delhivery-1.csv", month + "delhivery-2.csv", month + "delhivery-3.csv", month + "xpressbees-1.csv", month + "xpressbees-2.csv", month + "xpressbees-3.xls"}

// seen is what of an element can be seen in the window: its top and its bottom.
const seen = `((e) => { const box = e.getBoundingClientRect(); return [box.top, box.bottom]; })`

// TestTheOrdersToActOnAreSeenAtOnce opens the results of a month, which have warnings, and of
// the sample: the sums and the first five orders to act on are in the window, without scrolling.
func TestTheOrdersToActOnAreSeenAtOnce(t *testing.T) {
	s := serve(t, service.Options{})
	for _, sample := range []bool{false, true} {
		tab := browser.Open(t, s.URL)
		tab.Resize(1280, 850)
		if sample {
			tab.Go("/app/results?sample")
		} else {
			tab.Go("/app")
			tab.Drop("h1", ofMonth...).At("/app/results")
		}
		tab.See("At risk", "warning", map[bool]string{false: "When to run again: 3 orders wait", true: "How far the reports reach"}[sample])
		tab.Wait(`document.querySelector(".payouts .grid-row") !== null`).Shot(fmt.Sprintf("at-a-glance-%v", sample))
		require.Zero(t, browser.Eval[float64](tab, `scrollY`))
		require.Equal(t, 850.0, browser.Eval[float64](tab, `innerHeight`))
		for _, what := range []string{".sums", ".fold.warn", ".fold.info", ".flags .chip"} {
			box := browser.Eval[[]float64](tab, seen+`(document.querySelector("`+what+`"))`)
			require.Positive(t, box[0], what)
			require.LessOrEqual(t, box[1], 850.0, what)
		}
		head := browser.Eval[[]float64](tab, seen+`(document.querySelector(".orders .grid-head"))`)
		for row := range 5 {
			box := browser.Eval[[]float64](tab, seen+fmt.Sprintf(`(document.querySelector(".orders .grid-body [data-at='%d']"))`, row))
			require.GreaterOrEqual(t, box[0], head[1]-1, row)
			require.LessOrEqual(t, box[1], 850.0, row)
		}
		requireToActOn(t, tab, map[bool]int{false: 2, true: 5}[sample])
	}
}

// requireToActOn holds that the first orders are those with money at risk, the largest shortfall
// first.
func requireToActOn(t *testing.T, tab *browser.Tab, n int) {
	t.Helper()
	for _, flag := range column(tab, "flag")[:n] {
		require.NotContains(t, []string{"Settled", "Waiting for payout"}, flag)
	}
	shortfalls := browser.Eval[[]float64](tab, `[...document.querySelectorAll(".orders .grid-body .grid-row")].sort((a, b) => a.dataset.at - b.dataset.at).slice(0, 9).map((r) => Number(r.querySelector(".c-shortfall").lastChild.textContent.replace(/[₹,]/g, "")))`)
	require.Positive(t, shortfalls[n-1])
	slices.Reverse(shortfalls)
	require.True(t, slices.IsSorted(shortfalls), "%v", shortfalls)
}

// TestTheOrdersToActOnAreSeenOnAPhone holds that a phone shows the sums and the first order to
// act on at once, and five of them after one swipe.
func TestTheOrdersToActOnAreSeenOnAPhone(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL)
	tab.Resize(390, 844)
	tab.Go("/app")
	tab.Drop("h1", ofMonth...).At("/app/results").See("At risk")
	tab.Wait(`document.querySelector(".payouts .grid-row, .payouts .total-cards") !== null`).Shot("at-a-glance-phone")
	sums := browser.Eval[[]float64](tab, seen+`(document.querySelector(".sums"))`)
	require.LessOrEqual(t, sums[1], 844.0)
	first := browser.Eval[[]float64](tab, seen+`(document.querySelector(".orders .grid-body [data-at='0']"))`)
	require.LessOrEqual(t, first[1], 844.0)
	requireToActOn(t, tab, 2)
}

// TestNoticesAreOneLineUntilTheyAreRead opens the warnings by mouse and keyboard, and on paper.
func TestNoticesAreOneLineUntilTheyAreRead(t *testing.T) {
	t.Parallel()
	a := draw(4, 50)
	warning := func(text string) map[string]any { return map[string]any{"code": text, "message": text} }
	a.Warnings = []any{warning("Only 60 of 140 orders are in the report."), warning("Two lines are listed twice.")}
	tab := newStage(t, a.text(t)).open(t)
	tab.See("2 warnings", "Only 60 of 140 orders are in the report.", "How far the reports reach", "Run again after 14 April 2026")
	require.False(t, browser.Eval[bool](tab, `milaanTest.sees("Two lines are listed twice.")`))
	tab.Axe()
	tab.Click("2 warnings").See("Two lines are listed twice.").Axe()
	tab.Press(kb.Enter).Gone("Two lines are listed twice.")
	browser.Eval[bool](tab, `dispatchEvent(new Event("beforeprint")), true`)
	require.Equal(t, 2, browser.Eval[int](tab, `document.querySelectorAll("details.fold[open]").length`))
	browser.Eval[bool](tab, `dispatchEvent(new Event("afterprint")), true`)
	require.Zero(t, browser.Eval[int](tab, `document.querySelectorAll("details.fold[open]").length`))
}

// TestAChosenFlagBringsTheOrdersIntoSight chooses a flag far from the orders, on a screen on
// which the flags stand below them.
func TestAChosenFlagBringsTheOrdersIntoSight(t *testing.T) {
	t.Parallel()
	tab := newStage(t, draw(6, 400).text(t)).open(t)
	tab.Dark(false) // nothing moves smoothly then, and a move that is broken off by another one would end elsewhere
	for _, width := range []int64{1280, 900, 390} {
		tab.Resize(width, 850)
		tab.Wait(fmt.Sprintf(`document.querySelector(".orders .grid").classList.contains("cards") === %t`, width < 600))
		tab.Click("Missing").Wait(shownOrders + `.includes(" of 400 ")`)
		tab.Wait(`(() => { const first = document.querySelector(".orders .grid-body [data-at='0']").getBoundingClientRect(); return first.top >= 0 && first.bottom <= innerHeight && document.querySelector(".orders .c-flag .flag-name").textContent === "Missing"; })()`)
		require.Equal(t, "true", browser.Eval[string](tab, `document.activeElement.getAttribute("aria-pressed")`), "another flag can be chosen at once")
		tab.Press(" ").Wait(shownOrders + ` === "400 of 400 orders"`)
	}
}

// TestTotalsOfCroresAreWhole shows totals of eight digits with all that may stand beside them.
func TestTotalsOfCroresAreWhole(t *testing.T) {
	t.Parallel()
	const crore = rupees(1_23_45_678_00)
	a := draw(4, 50)
	a.AcceptedCharges = crore
	a.Summary.Due, a.Summary.Remitted, a.Summary.Shortfall, a.Summary.AtRisk = crore, crore, crore, crore
	for i := range a.Summary.Flags {
		a.Summary.Flags[i].Due, a.Summary.Flags[i].AtRisk = crore, crore
	}
	for i := range a.Summary.Ageing {
		a.Summary.Ageing[i].Amount = crore
	}
	for i := range a.Payouts {
		a.Payouts[i].Collected, a.Payouts[i].Paid, *a.Payouts[0].Deducted = crore/2, crore/2, crore
	}
	for i := range a.Unclaimed {
		a.Unclaimed[i].Listed, a.Unclaimed[i].Remitted = crore/2, crore/2
	}
	a.Results[0].Due, a.Results[0].Shortfall = crore, crore
	tab := newStage(t, a.text(t)).open(t)
	for _, width := range []int64{1280, 1000, 961} {
		tab.Resize(width, 900).Wait(`document.querySelector(".unclaimed .grid-foot") !== null`)
		const cut = `[...document.querySelectorAll(".sums > div, .grid-foot .grid-cell, .grid-body .num, .chip")].filter((e) => e.scrollWidth > e.clientWidth)` +
			`.concat([...document.querySelectorAll(".ageing table")].filter((e) => e.offsetWidth > e.previousElementSibling.offsetWidth))` +
			`.map((e) => e.className + ": " + e.textContent)`
		require.Equal(t, []string{}, browser.Eval[[]string](tab, cut), width)
		tab.Shot(fmt.Sprint("crores-", width))
	}
}
