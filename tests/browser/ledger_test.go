package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestALedgerIsDropped drops the files of a month with the ledger of the one before, all at once, and finds what is
// still owed of both.
func TestALedgerIsDropped(t *testing.T) {
	s := serve(t, service.Options{})
	const report = "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status,UTR\n"
	ledger := s.Customer(t, service.OnPlan(domain.Enterprise)).Ledger(t, service.Body{
		"shopify": service.Export(service.Order{Name: "#901", Total: "900.00", AWB: "AWB901", CreatedAt: "2026-09-01"},
			service.Order{Name: "#902", Total: "500.00", AWB: "AWB902", CreatedAt: "2026-09-02"}),
		"courier": report + "AWB902,#902,500.00,400.00,2026-09-20,Delivered,UTIBH26092000001\n",
	})
	orders := written(t, "october.csv", service.Export(service.Order{Name: "#1001", Total: "650.00", AWB: "AWB1001", CreatedAt: "2026-10-01"}))
	paid := written(t, "payouts.csv", report+"AWB1001,#1001,650.00,650.00,2026-10-20,Delivered,UTIBH26102000001\n"+
		"AWB902,#902,500.00,100.00,2026-09-26,Delivered,UTIBH26092600001\n")

	statement := written(t, "bank.csv", "Date,Narration,Credit\n2026-10-01,NEFT UTIBH26092000001 DELHIVERY,400.00\n"+
		"2026-10-20,NEFT UTIBH26102000001 DELHIVERY,650.00\n")

	tab := browser.Open(t, s.URL)
	folder := tab.Downloads()
	tab.Go("/app")
	tab.Drop("h1", orders, paid, statement, written(t, "ledger.csv", ledger)).At("/app/results")
	tab.See("Open items", "2 open before, 1 cleared, 0 new, 1 open now: ₹900.00", "#901", "Cleared on 26 Sept 2026", "Ledger: Delhivery")
	tab.See("Payouts of earlier runs", "UTIBH26092000001 ₹400.00 Credited 1 Oct 2026")
	require.Equal(t, 1, browser.Eval[int](tab, `document.querySelectorAll(".orders .grid-body .grid-row").length`), "the export has one order")
	require.NotContains(t, browser.Eval[string](tab, `document.querySelector(".open-items details").textContent`), "-₹0.00")
	tab.Choose("Since the run before", "Cleared").See("1 of 2 orders")
	for _, width := range []int64{390, 1280} {
		tab.Resize(width, 850).Wait(fits)
		require.Equal(t, []bool{false}, browser.Eval[[]bool](tab, `[...document.querySelectorAll(".open-items .grid-body *")].filter((e) =>
			!e.children.length && e.textContent.startsWith("Cleared on")).map((e) => e.scrollWidth > e.clientWidth)`), "it is cut off")
		for _, theme := range []string{"dark", "light"} {
			tab.Dark(theme == "dark")
			tab.Look(fmt.Sprintf("open-items-%d-%s", width, theme))
		}
	}
	tab.Choose("Since the run before", "All of them")

	// A dispute is worked on: the sentence is copied, the pack is saved and noted, and the ledger has the mark.
	browser.Eval[bool](tab, `navigator.clipboard.writeText = async (text) => { globalThis.copied = text }, true`)
	tab.Click("Copy the sentence").Wait(`globalThis.copied?.startsWith("AWB AWB901, order #901")`)
	tab.Click("Dispute pack of 1 order")
	tab.ClickOn("dialog [type=submit]")
	downloaded(t, folder, "*.zip")
	tab.See("The dispute pack of 1 order is saved.")
	tab.Click("Mark as raised today").See("Disputed", "Marks are in this tab alone")
	tab.ClickOn(`.open-items .grid-body [data-at="0"] .grid-cell`).See("Mark order #901")
	tab.Choose("State", "Promised")
	tab.Look("open-items-marking")
	browser.Eval[bool](tab, `(() => { const until = document.querySelectorAll("dialog [type=date]")[1]; until.value = "2026-09-30"; return until.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	tab.Fill("Note", "Asha, by telephone")
	tab.ClickOn("dialog [type=submit]").See("Promised until 30 Sept 2026", "Asha, by telephone")
	tab.Click("Download")
	tab.ClickOn("dialog [type=submit]")
	kept := downloaded(t, folder, "*.xlsx")
	tab.Wait(`!document.body.textContent.includes("Marks are in this tab alone")`)
	tab.Click("Reconcile other files").See("Ledger of the run before", "ledger.csv", "up to 2 Sept 2026", "2 orders", "2 open")
	tab.Axe()
	tab.Click("Menu")
	tab.Choose("Language", "हिन्दी")
	tab.Press(kb.Escape)
	tab.Shot("ledger-dropped-hi")
	tab.Drop("h1", kept).See("यह दूसरा लेजर है।")
	tab.ClickOn(".file-card.wrong .notice button").Wait(settled)
	tab.ClickOn(".start").See("बाकी ऑर्डर", "पहले 1 बाकी, 0 चुकता, 0 नए, अब 1 बाकी: ₹900.00")
	tab.See("तक का वादा, जो बीत चुकी है").Shot("open-items-hi")
	require.Empty(t, browser.Eval[[]string](tab, `[...document.querySelectorAll(":is(.c-flag, .c-since, .c-raised_on, .c-order_date, .c-due_by, .c-remitted_on).grid-cell")].filter((c) => c.scrollWidth > c.clientWidth).map((c) => c.textContent)`))
	tab.Print()
	require.Empty(t, tab.Wide(), "printed: is wider than the paper")
	tab.Shot("open-items-printed")
}

// TestALedgerThatCannotBeReadIsNamed drops ledgers that somebody has altered, that a newer Milaan has written, and of which only
// the list for people was saved.
func TestALedgerThatCannotBeReadIsNamed(t *testing.T) {
	s := serve(t, service.Options{})
	month := service.Body{"shopify": service.Export(service.Order{Name: "#901", Total: "900.00", AWB: "AWB901", CreatedAt: "2026-09-01"}),
		"courier": "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date\nAWB9,#9,5.00,5.00,2026-09-20\n"}
	c := s.Customer(t, service.OnPlan(domain.Enterprise))
	ledger := c.Ledger(t, month)
	for name, file := range map[string]struct{ text, says string }{
		"altered.csv":    {strings.Replace(ledger, ",MISSING,", ",PAID,", 1), "is not one of the words"},
		"newer.csv":      {strings.Replace(ledger, "Milaan ledger 1", "Milaan ledger 2", 1), "is a version of the ledger that this Milaan is too old to read"},
		"open-items.csv": {s.Post(t, "/report", c.Key, month.With("format", "csv").Text(t)).FileIn(t, "open-items.csv"), "is the list of open items alone"},
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, ledger, file.text)
			tab := browser.Open(t, s.URL).Go("/app")
			tab.Drop("h1", written(t, name, file.text)).See(name, file.says).Look("ledger-" + strings.TrimSuffix(name, ".csv"))
		})
	}
}
