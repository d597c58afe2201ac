package browser_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
)

// footer returns the texts of the last row of the orders.
func footer(tab *browser.Tab) []string {
	return browser.Eval[[]string](tab, `[...document.querySelectorAll(".orders .grid-foot .grid-cell")].map((c) => c.textContent)`)
}

// column returns the texts of a column of the orders that are drawn, from the top.
func column(tab *browser.Tab, name string) []string {
	return browser.Eval[[]string](tab, `[...document.querySelectorAll(".orders .grid-body .grid-row")].sort((a, b) => a.dataset.at - b.dataset.at).map((r) => r.querySelector(".c-`+name+`").textContent)`)
}

const shownOrders = `document.querySelector(".orders .result-head p").textContent`

func counted(n int) string {
	if n == 1 {
		return "1 order"
	}
	return fmt.Sprintf("%d orders", n)
}

// TestSumsShownAreTheServices holds that what the page counts and sums of the orders that it
// shows is what the service has counted and summed.
func TestSumsShownAreTheServices(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		a := draw(seed, 700)
		tab := newStage(t, a.text(t)).open(t)
		require.Equal(t, []string{counted(700), "", a.Summary.Due.shown(), a.Summary.Remitted.shown(), a.Summary.Shortfall.shown()}, footer(tab)[:5])
		for _, f := range a.Summary.Flags {
			tab.ClickOn(`.chip.flag-` + f.Flag).Wait(shownOrders + fmt.Sprintf(` === %q`, fmt.Sprintf("%d of 700 orders", f.Orders)))
			require.Equal(t, []string{counted(f.Orders), "", f.Due.shown(), f.Remitted.shown(), f.Shortfall.shown()}, footer(tab)[:5], f.Flag)
			require.Len(t, slices.Compact(slices.Sorted(slices.Values(column(tab, "flag")))), 1, f.Flag)
			tab.ClickOn(`.chip[aria-pressed=true]`).Wait(shownOrders + ` === "700 of 700 orders"`)
		}
	}
}

// TestOrdersAreSearchedAndSorted compares with a search and a sort of the answer in Go.
func TestOrdersAreSearchedAndSorted(t *testing.T) {
	t.Parallel()
	a := draw(7, 600)
	tab := newStage(t, a.text(t)).open(t)
	for _, words := range []string{"utr7", "FULFILLED", "#1", "not remitted", "मिलान", "é capitals", `"quoted"`, `\ back`, "<img", "😀", "cancelled utr1", "settled", "nothing has this"} {
		n := 0
		for _, o := range a.Results {
			text := strings.ToLower(strings.Join([]string{o.Name, o.AWB, o.Status, o.UTR, o.Reason, strings.ReplaceAll(o.Flag, "RECONCILED", "Settled")}, "\n"))
			if !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(w string) bool { return !strings.Contains(text, w) }) {
				n++
			}
		}
		tab.Fill("Search orders", words)
		tab.Wait(shownOrders + fmt.Sprintf(`.startsWith("%d of 600 order")`, n))
	}
	tab.See("No order matches the search and the flags.").Axe()
	tab.Click("Show all orders").Wait(shownOrders + ` === "600 of 600 orders"`)

	sorted := func(compare func(a, b order) int) []order {
		all := slices.Clone(a.Results)
		slices.SortStableFunc(all, compare)
		return all
	}
	heading := func(name string) { tab.ClickOn(`.orders .grid-head .c-` + name + ` button`) }
	heading("shortfall")
	tab.Wait(`document.querySelector(".orders .c-shortfall").getAttribute("aria-sort") === "ascending"`)
	up := sorted(func(a, b order) int { return cmp.Compare(a.Shortfall, b.Shortfall) })
	require.Equal(t, up[0].Shortfall.shown(), column(tab, "shortfall")[0])
	heading("shortfall")
	tab.Wait(`document.querySelector(".orders .c-shortfall").getAttribute("aria-sort") === "descending"`)
	require.Equal(t, up[599].Shortfall.shown(), column(tab, "shortfall")[0])
	heading("shortfall")
	tab.Wait(`document.querySelector(".orders .c-shortfall").getAttribute("aria-sort") === "none"`)
	require.Equal(t, a.Results[0].AWB, column(tab, "awb")[0], "as the service lists them")

	heading("awb")
	tab.Wait(`location.search.includes("sort=awb")`)
	byAWB := sorted(func(a, b order) int {
		return cmp.Or(cmp.Compare(min(1, len(b.AWB)), min(1, len(a.AWB))), strings.Compare(a.AWB, b.AWB))
	})
	for i, got := range column(tab, "awb") {
		require.Equal(t, byAWB[i].AWB, got, "blank ones come last")
	}
	heading("order_date")
	tab.Wait(`location.search.includes("sort=order_date")`)
	heading("order_date")
	tab.Wait(`location.search.includes("sort=-order_date")`)
	require.Equal(t, "31 Mar 2026", column(tab, "order_date")[0])
}

// TestManyOrdersAreSorted sorts enough orders for the page to sort them in parts,
// by reasons that begin alike.
func TestManyOrdersAreSorted(t *testing.T) {
	a := draw(9, 14_000)
	s := newStage(t, a.text(t))
	awb := regexp.MustCompile(`190[45]\d{9}`)
	inJSON := func(reason string) string {
		text, err := json.Marshal(reason)
		require.NoError(t, err)
		return strings.ToLower(strings.Trim(string(text), `"`))
	}
	all := slices.Clone(a.Results)
	slices.SortStableFunc(all, func(a, b order) int { return strings.Compare(inJSON(a.Reason), inJSON(b.Reason)) })
	var want []string
	for _, o := range all {
		if o.AWB != "" {
			want = append(want, o.AWB)
		}
	}
	tab := s.open(t)
	browser.Eval[bool](tab, `navigator.clipboard.writeText = async (text) => { globalThis.copied = text }, true`)
	tab.ClickOn(`.orders .grid-head .c-flag_reason button`).Wait(`location.search.includes("sort=flag_reason")`)
	tab.Click("Copy")
	tab.Click("All 14,000 orders shown").See("14,000 orders were copied.")
	require.Equal(t, want, awb.FindAllString(browser.Eval[string](tab, "globalThis.copied"), -1))
}

// TestOrdersByKeyboard walks through the grid without a mouse.
func TestOrdersByKeyboard(t *testing.T) {
	t.Parallel()
	a := draw(3, 2_000)
	tab := newStage(t, a.text(t)).open(t)
	where := func(row, column int) {
		t.Helper()
		tab.Wait(fmt.Sprintf(`document.activeElement.closest("[role=row]")?.getAttribute("aria-rowindex") === "%d" && document.activeElement.closest("[aria-colindex]")?.getAttribute("aria-colindex") === "%d"`, row, column))
	}
	require.Equal(t, "2002", browser.Eval[string](tab, `document.querySelector(".orders .grid").getAttribute("aria-rowcount")`))
	browser.Eval[bool](tab, `document.querySelector(".orders .popup:last-child button").focus(), true`)
	tab.Press(kb.Tab)
	where(2, 1)
	tab.Press(kb.ArrowDown + kb.ArrowDown + kb.ArrowRight)
	where(4, 2)
	tab.Press(kb.End)
	where(4, 9)
	tab.Wait(`document.querySelector(".orders .grid-pinned")?.textContent.startsWith(document.querySelector(".orders .c-order_id[role=gridcell]").textContent) ?? false`)
	tab.Press(kb.Home)
	where(4, 1)
	tab.Wait(`document.querySelector(".orders .grid-pinned") === null`)
	for range 30 {
		tab.Press(kb.PageDown)
	}
	tab.Wait(`Number(document.activeElement.parentElement.getAttribute("aria-rowindex")) > 250`)
	// The row with the focus stays in the page while others are drawn.
	browser.Eval[bool](tab, `document.querySelector(".orders .grid").scrollTop = 60000, true`)
	tab.Wait(`[...document.querySelectorAll(".orders .grid-body .grid-row")].some((r) => Number(r.dataset.at) > 1600)`)
	require.True(t, browser.Eval[bool](tab, `document.activeElement.matches(".orders .grid-cell")`))
	tab.Press(kb.ArrowUp).Wait(`document.querySelector(".orders .grid").scrollTop < 40000`)
	for range 60 {
		tab.Press(kb.PageUp)
	}
	where(2, 1)
	tab.Press(kb.ArrowUp)
	where(1, 1)
	tab.Press("\r").Wait(`document.querySelector(".orders .c-order_id").getAttribute("aria-sort") === "ascending"`)
	tab.Press(kb.ArrowDown)
	where(2, 1)
	tab.Press("\r").Wait(`document.querySelector("dialog[open]") !== null`)
	tab.Press(kb.Escape).Wait(`document.querySelector("dialog") === null`)
	where(2, 1)
}

// TestAnOrderIsOpenedAndLeft shows one order, the next, and goes back.
func TestAnOrderIsOpenedAndLeft(t *testing.T) {
	t.Parallel()
	a := draw(5, 300)
	n := slices.IndexFunc(a.Results, func(o order) bool { return o.Flag == "MISSING" && len(o.Lines) > 0 && strings.HasPrefix(o.Name, "#") })
	tab := newStage(t, a.text(t)).open(t)
	tab.Fill("Search orders", a.Results[n].AWB)
	tab.Wait(shownOrders + ` === "1 of 300 orders"`)
	tab.Wait(`location.hash !== ""`)
	require.NotContains(t, browser.Eval[string](tab, `location.href`), a.Results[n].AWB, "nothing is to keep it")
	tab.ClickOn(".orders .grid-body .grid-cell")
	tab.See("Order "+a.Results[n].Name, "Dispute it at once.", a.Results[n].Dispute, "Delhivery, report 1, line", "Matched by", a.Results[n].Reason)
	tab.Axe()
	browser.Eval[bool](tab, `navigator.clipboard.writeText = async (text) => { globalThis.copied = text }, true`)
	tab.Click("Copy the sentence").Wait(fmt.Sprintf(`globalThis.copied === %q`, a.Results[n].Dispute))
	browser.Eval[bool](tab, `setTimeout(() => history.back()), true`)
	tab.Wait(`document.querySelector("dialog") === null`)
	require.Equal(t, a.Results[n].AWB, tab.Value("Search orders"), "the search stays")

	unlisted := slices.IndexFunc(a.Results, func(o order) bool { return len(o.Lines) == 0 && strings.HasPrefix(o.Name, "#") })
	tab.Fill("Search orders", a.Results[unlisted].AWB)
	tab.Wait(shownOrders + ` === "1 of 300 orders"`)
	tab.ClickOn(".orders .grid-body .grid-cell").See("No line of the reports names this order.")
	require.NotContains(t, browser.Eval[string](tab, `document.querySelector("dialog").textContent`), "Matched by", "it was matched by nothing")
	tab.Click("Close")

	tab.Click("Show all orders").Wait(shownOrders + ` === "300 of 300 orders"`)
	tab.ClickOn(".orders .grid-body .grid-cell").See("1 of 300")
	tab.Click("Next").See("2 of 300")
	tab.Click("Next").See("3 of 300")
	tab.Click("Previous").See("2 of 300")
	tab.Click("Close").Wait(`document.activeElement.closest("[role=row]")?.getAttribute("aria-rowindex") === "3"`)
	tab.Go("/app/results?sample#order=%23nobody").See("No order of these results has this name.")
}

// TestRowsAreCopiedForExcel holds that no cell that is pasted can be run as a formula, and
// that long numbers stay what they are.
func TestRowsAreCopiedForExcel(t *testing.T) {
	t.Parallel()
	a := draw(1, 3)
	a.Results[0].Name, a.Results[0].AWB, a.Results[0].Reason, a.Results[0].Due, a.Results[0].Remitted, a.Results[0].Shortfall = `=HYPERLINK("http://x","a")`, "14902600000001", "@SUM(A1)", 129_950, 130_055, -105
	a.Results[1].Name, a.Results[1].AWB, a.Results[1].Reason = "#1002", "-2+3", "two\tcells\nand a line"
	tab := newStage(t, a.text(t)).open(t)
	browser.Eval[bool](tab, `navigator.clipboard.writeText = async (text) => { globalThis.copied = text }, true`)
	tab.Click("Copy")
	tab.Click("All 3 orders shown").See("3 orders were copied.")
	copied := strings.Split(browser.Eval[string](tab, `globalThis.copied`), "\r\n")
	require.Len(t, copied, 5)
	require.Equal(t, "Order\tFlag\tDue\tRemitted\tShortfall\tDays overdue\tAWB\tOrdered\tReason", copied[0])
	first := strings.Split(copied[1], "\t")
	require.Equal(t, []string{`'=HYPERLINK("http://x","a")`, "1299.50", "1300.55", "-1.05", `="14902600000001"`, "'@SUM(A1)"}, []string{first[0], first[2], first[3], first[4], first[6], first[8]})
	second := strings.Split(copied[2], "\t")
	require.Equal(t, []string{"#1002", "'-2+3", "two cells and a line"}, []string{second[0], second[6], second[8]})
	tab.ClickOn(".orders .grid-body .grid-row:nth-child(2) .grid-cell").See("Details")
	tab.Press(kb.Escape)
	tab.Wait(`document.activeElement.closest(".orders .grid") !== null`) // or its return closes the box of choices
	tab.Click("Copy")
	tab.Click("Order #1002").See("1 order was copied.")
}

// TestResultsThatCannotBeShown are the likeliest failures: no results, a service that refuses,
// and an answer that was cut short.
func TestResultsThatCannotBeShown(t *testing.T) {
	t.Parallel()
	a := draw(2, 20)
	s := newStage(t, a.text(t))
	tab := browser.Open(t, s.URL).Go("/app/results")
	tab.See("There are no results in this tab", "kept nowhere else").Axe()
	s.refuses.Store(1)
	tab.Click("See the sample").See("The service has too much to do.").Axe()
	tab.Forgive("503")
	tab.Click("Try again").See("20 of 20 orders")
	cut := a.text(t)[:2_000]
	s.sample.Store(&cut)
	tab.Go("/app/results?sample").See("Something went wrong in this page.")
	empty := draw(2, 0).text(t)
	s.sample.Store(&empty)
	tab.Click("Try again").See("The export has no orders.", "Nothing is at risk.")
}

// TestTheWholeOfResultsIsShown has everything that an answer may have.
func TestTheWholeOfResultsIsShown(t *testing.T) {
	t.Parallel()
	a := draw(4, 50)
	a.Duplicate = true
	a.Warnings = []any{map[string]any{"code": "few_matched", "message": "Only 60 of 140 orders are in the report: check that both are of the same time."}}
	credit := map[string]any{"line": 5, "date": "2026-03-31", "amount": 40, "narration": "NEFT CR-UTR9 <b>", "courier": "delhivery"}
	a.Bank = map[string]any{"from": "2026-03-01", "to": "2026-04-05", "other_credits": []any{credit}, "payouts": []any{
		map[string]any{"report": 1, "utr": "UTR1", "paid": 1, "state": "credited_other_amount", "received": 30, "together": 2, "credit": credit},
		map[string]any{"report": 1, "utr": "UTR2", "paid": 40, "state": "reversed", "received": 0, "credit": credit, "debits": []any{credit}},
		map[string]any{"report": 1, "paid": 50, "state": "not_in_statement", "absence": "outside_statement"}}}
	a.Payouts = append(a.Payouts, a.Payouts[1])
	tab := newStage(t, a.text(t)).open(t)
	tab.See("The same files were reconciled in the last 30 seconds", "Only 60 of 140 orders are in the report", "Run again after 14 April 2026", "1: Delhivery",
		"₹30.00 on 31 Mar 2026, together with 1 other payout", "Reversed",
		"the bank returned the money on 31 Mar 2026", "Its day is outside the statement", "Unknown", "NEFT CR-UTR9 <b>", "A_LATER_FLAG", "50 orders", "3 payouts", "2 lines", "0 to 7 days", "8 days and more", a.RunID)
	tab.Axe()
	require.Contains(t, browser.Eval[string](tab, `document.querySelector(".payouts .grid-foot").textContent`), "Unknown", "of some payouts it is not stated, so a sum would not be what is missing")
	require.Empty(t, browser.Eval[[]string](tab, `[...document.querySelectorAll(".c-state.grid-cell")].filter((c) => c.scrollWidth > c.clientWidth).map((c) => c.textContent + c.scrollWidth)`), "nothing else says it")
	tab.Click("Its day is outside the statement") // nobody needs to ask the courier for it
	tab.See("1 payout")
	tab.Fill("Search unclaimed lines", "8888").See("1 of 2 line", "No AWB")
	tab.Click("Columns")
	tab.Axe()
	tab.Click("Due by").Wait(`document.querySelector(".orders .grid-head .c-due_by") !== null`)
	tab.Press(kb.Escape).Wait(`document.activeElement.textContent === "Columns"`)

	browser.Eval[bool](tab, `dispatchEvent(new Event("beforeprint")), true`)
	tab.Wait(`document.querySelectorAll(".printed tbody tr").length > 10`)
}

// TestResultsOnAPhone holds that every amount can be read without scrolling sideways, down to
// the width of a page that is enlarged four times.
func TestResultsOnAPhone(t *testing.T) {
	t.Parallel()
	a := draw(6, 400)
	credit := map[string]any{"line": 5, "date": "2026-03-31", "amount": 4000000, "narration": "NEFT", "courier": "delhivery"}
	a.Bank = map[string]any{"from": "2026-03-01", "to": "2026-04-05", "other_credits": slices.Repeat([]any{credit}, 60), "payouts": []any{
		map[string]any{"report": 1, "utr": "UTR1", "paid": 1, "state": "credited_other_amount", "received": 300000000, "together": 12, "credit": credit},
		map[string]any{"report": 1, "utr": "UTR2", "paid": 40, "state": "reversed", "received": 0, "credit": credit, "debits": []any{credit}},
		map[string]any{"report": 1, "paid": 50, "state": "not_in_statement"}}}
	for len(a.Payouts) < 3 {
		a.Payouts = append(a.Payouts, a.Payouts[0])
	}
	tab := newStage(t, a.text(t)).open(t)
	for _, width := range []int64{390, 360, 320} {
		tab.Resize(width, 800).Wait(`document.querySelector(".orders .grid.cards") !== null`)
		require.Empty(t, browser.Eval[[]string](tab, `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *:not(.grid *)")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.tagName + "." + e.className + ": " + e.textContent)`))
		const cutOff = `[...document.querySelectorAll(".grid .num, .money")].filter((c) => c.offsetParent && c.scrollWidth > c.clientWidth + 1 && c.clientWidth > 1)`
		tab.Wait(cutOff + `.length === 0`) // the lists are laid out again some frames after the page
		require.Empty(t, browser.Eval[[]string](tab, `[...document.querySelectorAll(".grid-body .c-state")].filter((c) => c.scrollWidth > c.clientWidth || c.scrollHeight > c.clientHeight || c.offsetTop + c.offsetHeight > c.parentElement.clientHeight).map((c) => c.textContent)`), "at %d pixels", width)
		tab.Axe()
	}
	tab.Click("Show all 60 credits")
	tab.Wait(`document.activeElement.matches(".credits li:nth-child(51)")`) // the button has gone
	tab.Choose("Sort by", "Largest shortfall first").Wait(`location.search.includes("sort=-shortfall")`)
	tab.ClickOn(".orders .grid-body .grid-cell").See("Details").Axe()
}
