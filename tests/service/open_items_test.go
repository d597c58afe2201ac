package service

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// september is a month with an order that was not paid and one that was paid in part, and october the month after it, in
// which the second one is paid.
func september() Body {
	return Body{
		"shopify": Export(
			Order{Name: "#901", Total: "900.00", AWB: "AWB901", CreatedAt: "2026-09-01"},
			Order{Name: "#902", Total: "500.00", AWB: "AWB902", CreatedAt: "2026-09-02"},
			Order{Name: "#903", Total: "700.00", AWB: "AWB903", CreatedAt: "2026-09-03"}),
		"courier": "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status,UTR\n" +
			"AWB902,#902,500.00,400.00,2026-09-20,Delivered,UTIBH26092000001\nAWB903,#903,700.00,700.00,2026-09-20,Delivered,UTIBH26092000001\n",
		"brand": "month",
	}
}

func october() Body {
	return Body{
		"shopify": Export(Order{Name: "#1001", Total: "650.00", AWB: "AWB1001", CreatedAt: "2026-10-01"}),
		"courier": "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status,UTR\n" +
			"AWB1001,#1001,650.00,650.00,2026-10-20,Delivered,UTIBH26102000001\nAWB902,#902,500.00,100.00,2026-10-20,Delivered,UTIBH26102000001\n",
		"brand": "month", "include": []string{"open_items", "payouts"},
	}
}

// noted is a ledger in which a person has written something into columns of an order's row.
func noted(t testing.TB, ledger, order string, cells map[string]string) string {
	t.Helper()
	lines := strings.Split(ledger, "\n")
	header := strings.Split(strings.TrimSuffix(lines[0], "\r"), ",")
	for i, line := range lines {
		if !strings.HasPrefix(line, "order,"+order+",") {
			continue
		}
		row := strings.Split(line, ",") // no cell of these orders has a comma
		require.Len(t, row, len(header))
		for at, name := range header {
			if text, is := cells[name]; is {
				row[at] = text
			}
		}
		lines[i] = strings.Join(row, ",")
		return strings.Join(lines, "\n")
	}
	t.Fatalf("the ledger has no order %s", order)
	return ""
}

// openItems are the open items of an answer by order, without their reasons.
func openItems(t testing.TB, answer any) (items map[string]any, movements map[string]any) {
	t.Helper()
	found, is := answer.(map[string]any)["open_items"].(map[string]any)
	require.True(t, is, "%v", answer)
	items = map[string]any{}
	for _, item := range found["items"].([]any) {
		of := maps.Clone(item.(map[string]any))
		require.NotEmpty(t, of["flag_reason"])
		delete(of, "flag_reason")
		items[of["order_id"].(string)] = of
	}
	return items, found["movements"].(map[string]any)["all"].(map[string]any)
}

// TestOpenItems holds what a run says with the ledger of the month before, by every way in.
func TestOpenItems(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		c := s.Customer(t, OnPlan(domain.Enterprise))
		const note = `"=HYPERLINK(""https://evil.example"")<script>alert(1)</script>"`
		ledger := noted(t, c.Ledger(t, september()), "#901",
			map[string]string{"State": "promised", "Raised on": "2026-09-25", "Promised until": "2026-09-30", "Note": note})
		body := october().With("previous", ledger)
		first := fields(t, c.Reconcile(t, body).Body)

		t.Run("nothing that is owed is forgotten, and what was paid since is told", func(t *testing.T) {
			items, all := openItems(t, first)
			requireJSON(t, `{
				"#901":{"order_id":"#901","awb":"AWB901","courier":"delhivery","in_export":false,"flag":"MISSING","order_date":"2026-09-01","due_by":"2026-09-08",
					"cod_amount":900,"remitted":0,"shortfall":900,"since":"2026-09-03","state":"promised","raised_on":"2026-09-25","promised_until":"2026-09-30",
					"promise_passed":true,"note":"=HYPERLINK(\"https://evil.example\")<script>alert(1)</script>"},
				"#902":{"order_id":"#902","awb":"AWB902","courier":"delhivery","in_export":false,"flag":"RECONCILED","order_date":"2026-09-02","due_by":"2026-09-09",
					"cod_amount":500,"remitted":500,"shortfall":0,"change":"cleared","cleared_on":"2026-10-20","utr":"UTIBH26092000001, UTIBH26102000001"}}`, items)
			requireJSON(t, `{"orders":2,"amount":1000}`, all["before"])
			requireJSON(t, `{"orders":1,"amount":100}`, all["cleared"])
			requireJSON(t, `{"orders":1,"amount":900}`, all["now"])
			requireJSON(t, `{"orders":1,"amount":900}`, all["promises"])
		})
		t.Run("orders of the ledger alone stand in no result and no sum of the export", func(t *testing.T) {
			require.Len(t, first["results"], 1)
			reports := first["reports"].([]any)
			require.Len(t, reports, 2)
			require.Equal(t, true, reports[1].(map[string]any)["remembered"])
			require.Len(t, first["payouts"], 1, "the payouts are those of the reports")
		})
		t.Run("it is the same in a form, as a workbook, and in a batch", func(t *testing.T) {
			s.Clock.Advance(time.Minute)
			book := c.Document(t, september().With("format", "xlsx"))
			require.Equal(t, http.StatusOK, book.Status, string(book.Body))
			for name, body := range map[string]Body{"form": body, "workbook": body.With("previous", string(book.Body))} {
				got := fields(t, c.SendForm(t, body.With("brand", name).Form(t)).Body)
				items, _ := openItems(t, got)
				require.Len(t, items, 2, name)
				require.Equal(t, "cleared", items["#902"].(map[string]any)["change"], name)
			}
			id := c.Submit(t, Jobs(body.With("brand", "batch"))).BatchID
			c.Await(t, id, domain.BatchComplete)
			job := fields(t, c.Status(t, id).Body)["results"].([]any)[0].(map[string]any)
			items, all := openItems(t, job)
			whole, sums := openItems(t, first)
			require.Equal(t, whole, items)
			require.Equal(t, sums, all)
		})
		t.Run("a page gets them where it gives a ledger", func(t *testing.T) {
			answer := s.Browser().SendForm(t, "/app/api/reconcile", body.Without("include").Form(t))
			require.Equal(t, http.StatusOK, answer.Status, string(answer.Body))
			items, _ := openItems(t, fields(t, answer.Body))
			require.Len(t, items, 2)
			answer = s.Browser().SendForm(t, "/app/api/reconcile", october().Without("include").Form(t))
			require.NotContains(t, fields(t, answer.Body), "open_items")
		})
		t.Run("the courier is reminded of what was raised before, and the PDF says what is open", func(t *testing.T) {
			letter := c.Document(t, body.Without("include").With("format", "dispute")).FileIn(t, "dispute-delhivery.txt")
			require.Contains(t, strings.Join(strings.Fields(letter), " "), "1. AWB AWB901, order #901:")
			require.Contains(t, strings.Join(strings.Fields(letter), " "), "Reminder: first raised on 25 Sept 2026. Your reports")
			require.NotContains(t, letter, "#902")
			writtenOff := body.Without("include").With("format", "dispute").With("previous", noted(t, ledger, "#901", map[string]string{"State": "written off"}))
			require.Contains(t, c.Document(t, writtenOff).FileIn(t, "nothing-to-dispute.txt"), "There is nothing to ask a courier for")
		})
		t.Run("without a ledger everything flagged is new", func(t *testing.T) {
			items, all := openItems(t, fields(t, c.Reconcile(t, september().With("include", []string{"open_items"})).Body))
			require.Equal(t, "new", items["#901"].(map[string]any)["change"])
			requireJSON(t, `{"orders":0,"amount":0}`, all["before"])
			requireJSON(t, `{"orders":2,"amount":1000}`, all["now"])
		})
		t.Run("the ledger decides whether a run is a duplicate", func(t *testing.T) {
			s.Clock.Advance(time.Minute)
			require.Equal(t, first["results"], fields(t, c.Reconcile(t, body.With("brand", "again")).Body)["results"])
			keyed := c.Keyed(t, "/reconcile", "ledger", body.With("brand", "keyed"))
			require.Equal(t, http.StatusOK, keyed.Status, string(keyed.Body))
			c.Keyed(t, "/reconcile", "ledger", october().With("brand", "keyed")).Refused(t, 409, keyReused)
			c.Keyed(t, "/reconcile", "ledger", body.With("brand", "keyed")).Repeats(t, keyed)
		})
		t.Run("the sandbox takes it, and another account's ledger is a file like any other", func(t *testing.T) {
			items, _ := openItems(t, fields(t, c.Sandbox(t).Reconcile(t, body.Without("brand")).Body))
			require.Len(t, items, 2)
			other := s.Customer(t, OnPlan(domain.Enterprise))
			items, _ = openItems(t, fields(t, other.Reconcile(t, body).Body))
			require.Len(t, items, 2)
		})
	})
}

// TestHostileLedgers sends ledgers that no run has written.
func TestHostileLedgers(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	ledger := c.Ledger(t, september())
	altered := strings.Replace(ledger, "UTIBH26092000001", "UTIBH26092000002", 1)
	require.NotEqual(t, ledger, altered)
	for name, of := range map[string]struct{ ledger, said string }{
		"a line that does not fit":     {altered, `ledger (previous), line 6, column "Fingerprint": the line was changed`},
		"nothing":                      {"", "ledger (previous): is empty"},
		"what is neither text nor one": {"\x00\x01\x02", "ledger (previous)"},
	} {
		t.Run(name, func(t *testing.T) {
			s.Clock.Advance(7 * time.Second)
			c.Reconcile(t, october().With("previous", of.ledger)).Refused(t, http.StatusBadRequest, of.said)
			s.Clock.Advance(7 * time.Second)
			c.SendForm(t, october().With("previous", of.ledger).Form(t)).Refused(t, http.StatusBadRequest, of.said)
		})
	}
	s.Clock.Advance(7 * time.Second)
	c.Reconcile(t, october().With("previous", 5)).Refused(t, http.StatusBadRequest, "previous must be a string, not a number")
}

// TestResultsAreNoReports holds that what Milaan has written of a run is never read as a courier's report.
func TestResultsAreNoReports(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	b := c.SignIn(t)
	tables := c.Document(t, september().With("format", "csv"))
	whole := october().With("courier", string(c.Document(t, september().With("format", "xlsx")).Body))
	c.SendForm(t, whole.Form(t)).Refused(t, 400, `courier file (report), sheet "Ledger": is a ledger that Milaan has written; send it as previous`)
	for _, sheet := range []string{"Orders", "*"} {
		c.SendForm(t, whole.With("sheet", sheet).Form(t)).Refused(t, 400, `courier file (report), sheet "Orders": is a table of results that Milaan has written`)
	}
	for _, name := range []string{"orders.csv", "disputes.csv", "payouts.csv", "unclaimed.csv", "movements.csv"} {
		s.Clock.Advance(time.Minute)
		text := tables.FileIn(t, name)
		c.Reconcile(t, october().With("courier", text)).Refused(t, 400, "courier file (courier): is a table of results that Milaan has written; "+
			"send the file of the courier, the shop or the bank here, and the workbook or ledger.csv of that run as previous")
		found := b.inspect(t, Body{"courier": text}).Reports[0]
		require.Empty(t, found.Is, name)
		require.NotNil(t, found.Fault, name)
	}
}

// TestLedgersAreRecognised holds that a ledger is told by its content, by the page before the run and by the run.
func TestLedgersAreRecognised(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	b := c.SignIn(t)
	text := c.Ledger(t, september())
	for name, ledger := range map[string]string{"ledger.csv": text, "the workbook": string(c.Document(t, september().With("format", "xlsx")).Body)} {
		t.Run(name, func(t *testing.T) {
			found := b.inspect(t, Body{"previous": ledger}).Ledger
			require.Nil(t, found.Fault)
			require.Equal(t, []any{"previous", 3, 2, 2, "month", "2026-09-03"}, []any{found.Is, found.Orders, found.Lines, found.Open, found.Brand, found.AsOf})
			wrong := b.inspect(t, Body{"shopify": ledger, "courier": ledger, "bank": ledger})
			for _, file := range []inspectedFile{wrong.Orders.inspectedFile, wrong.Reports[0].inspectedFile, *wrong.Bank} {
				require.NotNil(t, file.Fault)
				require.Equal(t, "previous", file.Is)
			}
		})
	}
	c.Reconcile(t, october().With("courier", text)).Refused(t, 400, "courier file (courier): is a ledger that Milaan has written; send it as previous")
	other := b.inspect(t, Body{"previous": october()["courier"]}).Ledger
	require.Equal(t, "report", other.Is)
	require.NotNil(t, other.Fault)
	items := c.Document(t, september().With("format", "csv")).FileIn(t, "open-items.csv")
	alone := b.inspect(t, Body{"shopify": items, "courier": items, "bank": items, "previous": items})
	for _, file := range []inspectedFile{alone.Orders.inspectedFile, alone.Reports[0].inspectedFile, *alone.Bank, alone.Ledger.inspectedFile} {
		require.NotNil(t, file.Fault)
		require.Equal(t, "previous", file.Is)
		require.Contains(t, file.Fault.Error, "is the list of open items alone")
	}
	newer := b.inspect(t, Body{"previous": strings.Replace(text, "Milaan ledger 1", "Milaan ledger 2", 1)}).Ledger
	require.Contains(t, newer.Fault.Error, `line 1, column "Milaan ledger 2"`)
	altered := b.inspect(t, Body{"previous": noted(t, text, "#901", map[string]string{"State": "paid"})}).Ledger
	require.Equal(t, "previous", altered.Is)
	require.Contains(t, altered.Fault.Error, "is not one of the words")
}
