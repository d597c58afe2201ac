package browser_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/bench"
	"milaan/tests/browser"
	"milaan/tests/only"
	"milaan/tests/service"
)

const (
	samples    = "../../couriers/testdata/"
	export     = samples + "delhivery/remittance.orders.csv"
	report     = samples + "delhivery/remittance.csv"
	month      = "../month/"
	exportZone = "Drop the orders export here"
	reportZone = "Drop the courier's report here"
)

// settled is true when no file is being read any more.
const settled = `!document.querySelector("[aria-busy=true]")`

// changed returns a copy of a file in which texts are replaced.
func changed(t *testing.T, name, file string, replace ...string) string {
	t.Helper()
	return written(t, name, strings.NewReplacer(replace...).Replace(string(only.Value(os.ReadFile(file))(t))))
}

// written returns a new file.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestAVisitorReconcilesAtOnce is the first use on one's own machine: two files are dropped,
// one button is pressed, and nothing is stored.
func TestAVisitorReconcilesAtOnce(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	tab.See("You work on this computer without an account", "Choose the orders export and a courier's report first.")
	require.Equal(t, 64<<20, browser.Eval[int](tab, `fetch("/app/api/me").then((r) => r.json()).then((me) => me.limits.body_bytes)`), "or the page refuses files that the service takes")
	tab.Axe()
	tab.Drop(`[aria-label="Orders export"] .drop-zone`, export)
	tab.Drop(`[aria-label="Courier reports"] .drop-zone`, report)
	tab.See("Shopify orders export", "Delhivery report", "2 Feb 2026 to 7 Mar 2026")
	tab.Wait(settled).Look("reconcile")
	start(tab)
	tab.See("At risk")
	tab.Click("Reconcile").See("See the results of these files")
	tab.Click("Start over").See("The files and the results are removed from this tab.").Axe()
	tab.ClickOn("dialog .danger").See("Choose the orders export and a courier's report first.")
	tab.Go("/app")
	require.Zero(t, tab.Asked(), "nothing could be lost")
}

// TestTheFirstVerdictTakesOneDrop has the export and a report dropped at once: nothing counts,
// so nothing is asked. A run of an account counts, and waits for its button.
func TestTheFirstVerdictTakesOneDrop(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Drop("h1", export, report).At("/app/results").See("At risk")
	tab.Click("Reconcile other files")
	tab.See("Drop all files anywhere on this page") // the results take no files
	tab.Drop("h1", report, export).See("This is another orders export.")
	tab.At("/app")

	tab = browser.Open(t, s.URL).SignIn(s, s.Account(t), "/app")
	tab.Drop("h1", export, report).See("Shopify orders export", "Delhivery report")
	tab.Wait(settled)
	tab.At("/app")
}

// TestADropAtOnceIsTaken has files dropped as soon as they come over a place, and over the page.
func TestADropAtOnceIsTaken(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	tab.DropPast(".drop-zone", "h1", export).See("Shopify orders export")
	tab.DropPast("h1", `[aria-label="Courier reports"] .drop-zone`, report).See("Delhivery report")
}

// large returns an export and a report of which the first rows alone say what they are.
func large(t *testing.T) (orders, report string) {
	t.Helper()
	files, folder := bench.Draw(8_000, false), t.TempDir()
	orders, report = filepath.Join(folder, "large-orders.csv"), filepath.Join(folder, "large-report.csv")
	require.NoError(t, os.WriteFile(orders, files.Orders, 0o600))
	require.NoError(t, os.WriteFile(report, files.Remittances, 0o600))
	for _, name := range []string{orders, report} {
		require.Greater(t, only.Value(os.Stat(name))(t).Size(), int64(512<<10), name)
	}
	return orders, report
}

// requireTotals compares what the page shows, of an answer that it has read in parts, with the
// totals of the service.
func requireTotals(t *testing.T, tab *browser.Tab, url, orders, report string) {
	t.Helper()
	var files bench.Files
	files.Orders = only.Value(os.ReadFile(orders))(t)
	files.Remittances = only.Value(os.ReadFile(report))(t)
	var want totals
	require.NoError(t, json.Unmarshal(upload(t, url, files), &want))
	var due, remitted, shortfall, paid float64
	for _, f := range want.Summary.Flags {
		due, remitted, shortfall = due+f.Due, remitted+f.Remitted, shortfall+f.Shortfall
	}
	require.Equal(t, []string{paise(due).shown(), paise(remitted).shown(), paise(shortfall).shown()}, footer(tab)[2:5])
	for _, p := range want.Payouts {
		paid += p.Paid
	}
	tab.Wait(`document.querySelector(".payouts .grid-foot .c-paid")?.textContent === ` + fmt.Sprintf("%q", paise(paid).shown()))
	browser.Eval[bool](tab, `document.querySelector(".orders .grid").scrollTop = 1e7, true`)
	tab.Wait(`+[...document.querySelectorAll(".orders .grid-body .grid-row")].at(-1).dataset.at === ` + fmt.Sprint(want.Summary.Orders-1))
}

// notingSizes notes the sizes of the files that are sent.
const notingSizes = `(() => {
	globalThis.sizes = [];
	const append = FormData.prototype.append;
	FormData.prototype.append = function (name, value) { if (value.size) sizes.push(value.size); return append.apply(this, arguments); };
	return true;
})()`

// TestLargeFilesAreSentOnce has a visitor drop two large files: they are run at once, the answer
// is read while it arrives, and what is on the cards is asked when they are seen.
func TestLargeFilesAreSentOnce(t *testing.T) {
	s := service.Start(t, service.Options{})
	orders, report := large(t)
	tab := browser.Open(t, s.URL).Go("/app")
	browser.Eval[bool](tab, notingSizes)
	browser.Eval[bool](tab, `(() => {
		const fetched = fetch;
		globalThis.fetch = async (...asked) => { // the answer is cut after each byte at first, and then after each line
			const answer = await fetched(...asked);
			if (asked[0] !== "/app/api/reconcile") return answer;
			const bytes = new Uint8Array(await answer.arrayBuffer());
			globalThis.cuts = 0;
			return new Response(new ReadableStream({ pull(to) {
				const from = globalThis.cut ?? 0, line = bytes.indexOf(10, from);
				globalThis.cut = from < 5000 ? from + 1 : line < 0 ? bytes.length : line + 1;
				to.enqueue(bytes.subarray(from, cut));
				cuts++;
				if (cut === bytes.length) to.close();
			} }));
		};
		return true;
	})()`)
	tab.Drop("h1", report, orders).At("/app/results").See("of 7,091 orders")
	require.Greater(t, browser.Eval[int](tab, "cuts"), 5_000+7_000)
	requireTotals(t, tab, s.URL, orders, report)
	require.Len(t, browser.Eval[[]int](tab, "sizes"), 2)
	tab.Click("Reconcile other files").See("Shopify orders export", "7,091 orders", "Courier report", "Columns detected")
	tab.Wait(settled)

	// With an account nothing runs, and the cards are filled at once.
	tab = browser.Open(t, s.URL).SignIn(s, s.Account(t), "/app")
	tab.Drop("h1", orders, report).See("Shopify orders export", "7,091 orders", "Columns detected")
	tab.Wait(settled)
	tab.At("/app")
	tab.Drop("h1", orders, orders).See("This is another orders export.", "A file has a problem")
	tab.Wait(settled)
	for range 2 {
		tab.ClickOn(".file-card.wrong .file-head button")
	}
	start(tab)
}

// held holds the answers of runs after their first part, until let is called with what becomes
// of the rest.
const held = `(() => {
	const fetched = fetch;
	globalThis.runs = 0;
	globalThis.fetch = async (...asked) => {
		const answer = await fetched(...asked);
		if (asked[0] !== "/app/api/reconcile" || !answer.ok) return answer;
		runs++;
		const bytes = new Uint8Array(await answer.arrayBuffer());
		return new Response(new ReadableStream({ start(to) {
			to.enqueue(bytes.subarray(0, 300_000));
			globalThis.let = (whole) => {
				if (!whole) return to.error(new Error("cut"));
				to.enqueue(bytes.subarray(300_000));
				to.close();
			};
		} }));
	};
	return true;
})()`

// TestResultsAreShownWhileTheyArrive looks at results of which the first orders alone have come,
// and loses the rest of others.
func TestResultsAreShownWhileTheyArrive(t *testing.T) {
	s := service.Start(t, service.Options{})
	orders, report := large(t)
	tab := browser.Open(t, s.URL).Go("/app")
	browser.Eval[bool](tab, held)
	tab.Drop("h1", report, orders).At("/app/results").See("7,091 of 7,091 orders", "At risk", "An order is overdue 7 days")
	sums := footer(tab)
	require.Contains(t, column(tab, "flag_reason")[0], "Not remitted")
	browser.Eval[bool](tab, `document.querySelector(".orders .grid").scrollTop = 1e7, true`)
	tab.Wait(`document.querySelector(".orders .grid-body [data-at='7090']")?.textContent === ""`) // it has not come
	tab.Click("Copy")
	require.Equal(t, "true", browser.Eval[string](tab, `milaanTest.target("All 7,091 orders shown").getAttribute("aria-disabled")`))
	tab.Press(kb.Escape)
	tab.Axe()
	tab.ClickOn(".orders .grid-head .c-order_id button")
	browser.Eval[bool](tab, `globalThis.let(true), true`)
	tab.See("Payouts")
	require.Equal(t, sums, footer(tab))
	requireTotals(t, tab, s.URL, orders, report)

	tab = browser.Open(t, s.URL).Go("/app")
	browser.Eval[bool](tab, held)
	tab.Drop("h1", report, orders).At("/app/results").See("7,091 of 7,091 orders")
	browser.Eval[bool](tab, `globalThis.let(false), true`)
	tab.At("/app").See("Milaan could not be reached.", "Your files are still here", "7,091 orders")
	tab.Wait(settled)

	// A run can be stopped before anything of it is shown.
	tab = browser.Open(t, s.URL).Go("/app")
	tab.Uploads(500)
	tab.Drop("h1", report, orders).See("Reading and comparing…")
	tab.Click("Stop").See("The run was stopped.")
	tab.Uploads(-1)
	tab.See("Shopify orders export", "7,091 orders", "Columns detected")
	tab.Wait(settled)
	tab.At("/app")
}

// TestALargeReportIsNoExport drops a report that is larger than the export, so that the run that
// begins at once takes each for the other. The service refuses that, and the first rows of the
// files give them their places.
func TestALargeReportIsNoExport(t *testing.T) {
	s := service.Start(t, service.Options{})
	orders, report := large(t)
	text := only.Value(os.ReadFile(report))(t)
	noted := filepath.Join(t.TempDir(), "noted.csv")
	head, rest, _ := strings.Cut(string(text), "\n")
	require.NoError(t, os.WriteFile(noted, []byte(head+",Note\n"+strings.ReplaceAll(rest, "\n", ","+strings.Repeat("a long note ", 40)+"\n")), 0o600))
	tab := browser.Open(t, s.URL).Go("/app")
	browser.Eval[bool](tab, notingSizes)
	tab.Drop("h1", orders, noted).At("/app/results").See("7,091 of 7,091 orders")
	requireTotals(t, tab, s.URL, orders, report)
	sizes := browser.Eval[[]int](tab, "sizes")
	require.Len(t, sizes, 2+2*3+2, "the guess, the first rows of each as three kinds, and the run")
	for _, size := range sizes[2:8] {
		require.LessOrEqual(t, size, 16<<10)
	}

	// Files that are no pair are inspected, and nothing is run.
	tab = browser.Open(t, s.URL).Go("/app")
	tab.Drop("h1", orders, orders).See("This is another orders export.", "7,091 orders")
	tab.Wait(settled)
	tab.At("/app")
}

// TestTheEndOfALargeFileIsReadToo drops large files that begin well, or that their beginning
// does not tell.
func TestTheEndOfALargeFileIsReadToo(t *testing.T) {
	s := service.Start(t, service.Options{})
	orders, report := large(t)
	text := only.Value(os.ReadFile(report))(t)
	head, rest, _ := strings.Cut(string(text), "\n")
	bad := written(t, "bad.csv", string(text)+"AWB1,1,twelve,12,2026-03-01,2026-02-27,Delivered,U1\n")
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Drop("h1", orders, bad).See(`"twelve" is not an amount`, "A file has a problem")
	tab.Wait(settled)
	tab.Gone("The files could not be reconciled")
	tab.Click("Remove bad.csv")
	tab.Drop("h1", written(t, "odd.csv", strings.NewReplacer("AWB No", "Parcel", "COD Amount", "Door", "Remitted Amount", "Bank").Replace(head)+"\n"+rest))
	tab.See("Milaan does not recognise this file.")
	tab.Click("Courier report").See("No amount was found.", "All columns of this report")
	tab.Wait(settled)
	tab.Click("Remove odd.csv")
	tab.Click("Remove large-orders.csv")
	tab.Drop("h1", orders, written(t, "quoted.csv", head+",Note\n"+strings.Replace(rest, "\n", ",\""+strings.Repeat("a line\n", 4_000)+"\"\n", 1)))
	tab.At("/app/results")
}

// TestFilesAreSorted drops files together, and in wrong places.
func TestFilesAreSorted(t *testing.T) {
	s := serve(t, service.Options{})
	unknown := changed(t, "rents.csv", export, "Name,Email", "Tenant,Mail", "Financial Status", "Paid", "Total", "Rent")
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Drop("h1", month+"orders.csv", month+"delhivery-1.csv", month+"xpressbees-3.xls", month+"bank.csv", unknown)
	tab.See("Shopify orders export", "Delhivery report", "XpressBees report", "Bank statement", "Milaan does not recognise this file.", "Tenant, Mail")
	tab.Wait(settled)
	require.Equal(t, []string{"delhivery-1.csv", "xpressbees-3.xls"}, browser.Eval[[]string](tab, `[...document.querySelectorAll('[aria-label="Courier reports"] strong')].map((e) => e.textContent)`))
	tab.Axe()
	tab.ClickOn(".start") // a run that left the file out would miss its money
	tab.HasFocus("rents.csv")
	tab.At("/app")
	browser.Eval[bool](tab, `document.querySelector('.file-card[aria-label="rents.csv"] .notice button:nth-child(2)').focus(), true`)
	tab.Press("\r").See("All columns of this report")
	tab.HasFocus("rents.csv")
	tab.Wait(settled)
	tab.Click("Remove rents.csv").Gone("rents.csv")

	tab.Upload("Add a report", export).See("This is another orders export. A run can have only one.")
	tab.Click("Use this one").See("2 Feb 2026 to 7 Mar 2026")
	tab.Gone("another orders export")
	require.Equal(t, "remittance.orders.csv", browser.Eval[string](tab, `document.querySelector('[aria-label="Orders export"] strong').textContent`))
}

// TestAFaultIsShownBesideItsFile is the likeliest failure: a cell that cannot be read, or one
// that a spreadsheet has spoiled. The button leads to it.
func TestAFaultIsShownBesideItsFile(t *testing.T) {
	s := serve(t, service.Options{})
	bad := changed(t, "bad.csv", report, "₹849.50", "eight")
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, bad).See(`line 5, column "COD Amount": "eight" is not an amount`, "A file has a problem")
	tab.Wait(settled).Axe()
	tab.ClickOn(".start").HasFocus("bad.csv")
	tab.Click("Menu")
	tab.Choose("Language", "हिन्दी").See("राशि नहीं है")
	tab.Choose("भाषा", "English").See("is not an amount")
	tab.Upload("Choose another file instead of bad.csv", report).See("Delhivery report")
	start(tab)
}

// TestARunWaitsForTheKindOfItsFiles presses the button while a bank statement that was chosen as a
// report is still inspected.
func TestARunWaitsForTheKindOfItsFiles(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	browser.Eval[bool](tab, `(() => {
		const { open, send } = XMLHttpRequest.prototype, clicked = new Promise((done) => addEventListener("click", () => setTimeout(done, 300), { once: true }));
		XMLHttpRequest.prototype.open = function (method, url) { this.inspects = url.endsWith("/inspect"); open.call(this, method, url); };
		XMLHttpRequest.prototype.send = function (body) {
			if (!this.inspects) return send.call(this, body);
			void clicked.then(() => send.call(this, body));
		};
		return true;
	})()`)
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, report, written(t, "bank.csv", "Date,Narration,Credit\n2026-02-20,OPENED,1.00\n"))
	start(tab)
	tab.Click("Reconcile").See("bank.csv", "Bank statement 1 row")
}

// TestWhatIsTooLargeSaysSo chooses a file of more bytes, and one of more rows, than are read.
func TestWhatIsTooLargeSaysSo(t *testing.T) {
	s := serve(t, service.Options{})
	folder := t.TempDir()
	long, large := filepath.Join(folder, "long.csv"), filepath.Join(folder, "large.csv")
	require.NoError(t, os.WriteFile(long, []byte("AWB No,COD Amount,Remittance Date\n"+strings.Repeat("A1,100,2026-03-01\n", 50_001)), 0o600))
	require.NoError(t, os.WriteFile(large, nil, 0o600))
	require.NoError(t, os.Truncate(large, 65<<20))
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(exportZone, large).See("This file has 65 MB, and all files together may have 64 MB.")
	tab.Upload(reportZone, long).See("has more than 50000 rows below its header", "Together the files have 65.9 MB")
	tab.Wait(settled).Axe()
	require.Equal(t, "true", browser.Eval[string](tab, `document.querySelector(".start").getAttribute("aria-disabled")`))
}

// TestAFileThatChangesOnDiskIsChosenAgain spoils a file between choosing and reading it.
func TestAFileThatChangesOnDiskIsChosenAgain(t *testing.T) {
	s := serve(t, service.Options{})
	mine := changed(t, "mine.csv", report)
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, mine).See("Delhivery report")
	tab.Wait(settled)
	require.NoError(t, os.WriteFile(mine, []byte("AWB No,COD Amount\n"), 0o600))
	require.NoError(t, os.Chtimes(mine, time.Time{}, time.Now().Add(time.Hour)))
	tab.ClickOn(".start").See("This file was changed, moved or deleted after you chose it.")
	tab.HasFocus("mine.csv")
}

// TestTheCapIsSaidBesideTheButton reconciles once more than the plan allows.
func TestTheCapIsSaidBesideTheButton(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t, service.OnPlan(domain.Solo), service.Capped(1))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app?brand=Asha+Textiles")
	require.Equal(t, "Asha Textiles", tab.Value("Brand"))
	tab.See("0 of 1 run used this month")
	tab.Fill("Overdue (days)", "99")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, report)
	tab.ClickOn(".start").See("The files could not be reconciled. The message beside the file or field says why.")
	require.Equal(t, "true", browser.Eval[string](tab, `milaanTest.field("Overdue (days)").getAttribute("aria-invalid")`))
	tab.Axe()
	tab.Fill("Overdue (days)", "5")
	start(tab)

	tab.Click("Reconcile other files").See("1 of 1 run used this month", "You have used all runs of this month.")
	tab.Fill("Brand", "Another")
	tab.ClickOn(".start").Wait(`document.activeElement.className === "run-error"`).Axe()
}

// TestWithoutTheServiceTheFilesStay loses the connection while files are inspected and before
// the run.
func TestWithoutTheServiceTheFilesStay(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(exportZone, export).See("Shopify orders export")
	tab.Offline(true)
	tab.Upload(reportZone, report).See("Milaan could not be reached.").Axe()
	tab.Offline(false)
	tab.Click("Try again").See("Delhivery report")
	tab.Wait(settled)
	tab.Offline(true)
	tab.ClickOn(".start").See("Your files are still here")
	tab.Offline(false)
	start(tab)
	tab.Forgive("ERR_INTERNET_DISCONNECTED")
}

// TestARunShowsHowFarItIsAndCanBeStopped sends the files over a slow network.
func TestARunShowsHowFarItIsAndCanBeStopped(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	chosenFiles(t, tab)
	startsSlowly(tab)
	tab.Axe()
	tab.Click("Stop").See("The run was stopped.")
	tab.Uploads(-1)
	start(tab)
}

// startsSlowly begins a run over a slow network. The page says for less than a second that it
// sends the files: then Chromium has them, and sends them for a minute.
func startsSlowly(tab *browser.Tab) {
	tab.Uploads(500)
	browser.Eval[bool](tab, `new MutationObserver(() => { globalThis.sending ||= milaanTest.sees("Sending the files…"); }).observe(document.body, { childList: true, subtree: true, characterData: true }), true`)
	tab.ClickOn(".start").Wait(`globalThis.sending === true`)
}

// TestElsewhereOneSignsInFirst opens the pages under a name that is not this machine's, as from
// another machine, or from a page that has its name lead here.
func TestElsewhereOneSignsInFirst(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, strings.Replace(s.URL, "127.0.0.1", browser.ForeignHost, 1)).Go("/app")
	tab.See("Sign in to reconcile your own files").Axe()
	tab.Click("See a sample result").At("/app/results?sample").See("Sample results", "156 of 156 orders", "Delhivery", "Paid").Look("results")
	tab.Click("Reconcile your own files").At("/app")
	tab.Forgive("Cross-Origin-Opener-Policy") // which needs HTTPS, or this machine
}

// TestFilesAreChosenByKeyboard walks over the first screen with the tab key.
func TestFilesAreChosenByKeyboard(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	var names []string
	for range 20 {
		tab.Press(kb.Tab)
		names = append(names, tab.Focused())
	}
	walk := strings.Join(names, "|")
	for _, name := range []string{"Skip to the content", "Drop the orders export here, or choose it", "Where do I get this file?", "Drop the courier's report here, or choose it", "Add a bank statement", "Overdue (days)", "Reconcile"} {
		require.Contains(t, walk, name)
	}
	tab.Go("/app/nothing").See("This page does not exist").Axe()
}

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
