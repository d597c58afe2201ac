package browser_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// odd returns the report with columns whose names nobody knows.
func odd(t *testing.T) string {
	return changed(t, "odd.csv", report, "AWB No", "Parcel", "Order ID", "Shop Ref", "COD Amount", "At The Door", "Remitted Amount", "Sent To Bank", "Remittance Date", "Sent On", "Delivered Date", "Given On", "UTR\n", "Their Ref\n")
}

// TestColumnsAreChosenInPlace reads a report whose columns have odd names.
func TestColumnsAreChosenInPlace(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t, service.OnPlan(domain.Enterprise))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, odd(t)).See("None of these columns was found.")
	tab.Wait(settled).Axe()
	tab.Choose("AWB (tracking number)", "Parcel: 14912602000001").See("Cash collected")
	tab.Choose("Cash collected", "At The Door").See("Day of the payment")
	tab.Wait(settled)

	tab.Click("All columns of this report").At("/app/mapping?report=1")
	tab.See("Columns of odd.csv", "14912602000001", "Chosen by you", "Some columns must be chosen before the report can be read.",
		"They count as paid only where charges are accepted.")
	tab.Look("mapping")
	tab.Choose("Day of the payment", "Sent On").See("14-02-2026", "Keep these columns")
	tab.Choose("Amount paid to you", "Sent To Bank").Wait(settled)
	tab.Gone("Some columns must be chosen")
	tab.Click("Back to the files")
	tab.Choose("Courier", "Shadowfax").See("Shadowfax report", "Columns chosen by you")
	tab.Wait(settled)
	start(tab)

	// The next report of the courier needs no more choices.
	tab.Go("/app")
	tab.Upload(reportZone, odd(t)).See("Add a report")
	tab.Wait(settled)
	tab.Choose("Courier", "Shadowfax").See("Columns as saved")
}

// TestThePaidAmountIsAskedForFirst chooses the amounts of a report with an unknown header.
func TestThePaidAmountIsAskedForFirst(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, odd(t)).Wait(settled)
	tab.Choose("AWB (tracking number)", "Parcel: 14912602000001").Wait(settled)
	meaning := "a parcel counts as paid in full when it has a payment date, and a payout that was short is not seen"
	tab.See("No amount was found. Choose the one that was paid to you", meaning)
	require.Equal(t, []string{"Amount paid to you", "Cash collected"},
		browser.Eval[[]string](tab, `[...document.querySelectorAll(".needs-columns label")].map(l => l.textContent)`))
	tab.Choose("Cash collected", "At The Door").Wait(settled)
	tab.See("Only what was collected is chosen.", meaning, "Amount paid to you", "Day of the payment")
	tab.Gone("Keep these columns")
	tab.Choose("Day of the payment", "Sent On").Wait(settled)
	tab.See("Only what was collected is chosen.", "These columns hold for this run alone.").Look("mapping-collected-only")
	start(tab)
	tab.ClickOn(".fold.warn summary").See("count as paid in full because they have a payment date")
	tab.Click("Reconcile other files").At("/app")
	tab.Choose("Amount paid to you", "Sent To Bank").Wait(settled)
	tab.Gone("Only what was collected is chosen.")
}

// TestTheDayOfThePaymentIsAskedFor chooses what a report needs, which are not its days: it is read without them, but nobody
// knows then how far it reaches, and its columns would be kept like that.
func TestTheDayOfThePaymentIsAskedFor(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(reportZone, odd(t))
	tab.Choose("AWB (tracking number)", "Parcel: 14912602000001").See("No amount was found.")
	tab.Choose("Amount paid to you", "Sent To Bank").See("no order is called missing")
	tab.Wait(settled).Axe()
	tab.Choose("Day of the payment", "Sent On").See("13 Feb 2026 to 26 Feb 2026")
	tab.Gone("no order is called missing")
}

// TestColumnsAreKeptUnderAName saves the columns of reports whose couriers nobody knows, and finds
// each by its header.
func TestColumnsAreKeptUnderAName(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t, service.OnPlan(domain.Enterprise))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app")
	first, second := odd(t), changed(t, "speedy 2026-02.csv", odd(t), "Given On", "Handed Over")
	choose := func(report, paid string) {
		tab.Go("/app")
		tab.Upload(exportZone, export)
		tab.Upload(reportZone, report).Wait(settled)
		tab.Choose("AWB (tracking number)", "Parcel: 14912602000001").Wait(settled)
		tab.Choose("Amount paid to you", paid).Wait(settled)
		tab.See("Keep these columns")
	}
	run := func() {
		start(tab)
	}
	choose(first, "Sent To Bank")
	require.Equal(t, "odd", tab.Value("Name of these columns"))
	tab.Fill("Name of these columns", "Bharat Express")
	tab.Look("mapping-keep")
	run()

	choose(second, "At The Door")
	require.Equal(t, "speedy", tab.Value("Name of these columns"))
	tab.Fill("Name of these columns", "bharat express")
	tab.ClickOn(".start").See("There is a saved mapping of this name already", "Replace the saved columns “bharat express”")
	tab.Look("mapping-taken")
	tab.Fill("Name of these columns", "Speedy").Gone("Replace the saved columns")
	run()

	for report, name := range map[string]string{first: "Bharat Express", second: "Speedy"} {
		tab.Go("/app")
		tab.Upload(reportZone, report).See("Columns as saved: " + name)
		tab.Gone("No amount was found")
	}

	// Another reading of the same header.
	tab.Go("/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, first).See("Columns as saved: Bharat Express")
	tab.Wait(settled)
	tab.Click("Look at the columns")
	tab.Choose("Amount paid to you", "At The Door").Wait(settled)
	tab.See("Keep these columns", "Chosen by you")
	require.Equal(t, "Bharat Express", tab.Value("Name of these columns"))
	tab.Fill("Name of these columns", "Door")
	tab.Click("Back to the files").Wait(settled)
	run()
	tab.Go("/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, first).See("Several saved mappings have this header. Choose the right one.")
	tab.Wait(settled).Look("mapping-several")
	tab.Choose("Saved mapping", "Bharat Express").See("Columns as saved: Bharat Express")
	tab.Wait(settled)
	run()

	tab.Go("/app/mappings").See("3 with a name", "Bharat Express", "Door", "Speedy").Look("mappings-named")
	tab.Click("Rename…")
	tab.Fill("Name of these columns", "Speedy")
	tab.Click("Rename").See("there is a saved mapping of this name already")
	tab.Fill("Name of these columns", "Bharat")
	tab.Click("Rename").See("Bharat")
	tab.Gone("Bharat Express")
	tab.Click("Delete…").See("Delete the mapping “Bharat”?")
	tab.Click("Delete").See("2 with a name")
}

// TestAMappingWithoutItsFileSaysSo opens the address after a reload, when the files are gone.
func TestAMappingWithoutItsFileSaysSo(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app/mapping?report=2")
	tab.See("This report is no longer in this tab").Axe()
	tab.Click("Choose the files").At("/app")
}

// TestAFileWithoutAHeaderHasNoColumns looks at the columns of a file that cannot be read.
func TestAFileWithoutAHeaderHasNoColumns(t *testing.T) {
	s := serve(t, service.Options{})
	broken := written(t, "broken.xlsx", "PK\x03\x04 and no more")
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(reportZone, broken).Wait(settled + ` && document.querySelector(".file-card .notice.error") !== null`).Axe()
	tab.Upload("Add a report", report).Click("Look at the columns").Click("broken.xlsx").See("No header was found in this file").Axe()
}

// TestSheetsAreNamedWhereTheyAreAskedFor drops a workbook of which several sheets have a header.
func TestSheetsAreNamedWhereTheyAreAskedFor(t *testing.T) {
	s := serve(t, service.Options{})
	const row = `<Row><Cell><Data ss:Type="String">%s</Data></Cell><Cell><Data ss:Type="String">%s</Data></Cell></Row>`
	week := func(name, awb string) string {
		return fmt.Sprintf(`<Worksheet ss:Name="%s"><Table>`+row+row+`</Table></Worksheet>`, name, "AWB No", "Net Remitted", awb, "100")
	}
	const office = "urn:schemas-microsoft-com:office:spreadsheet"
	book := written(t, "weeks.xml", `<?xml version="1.0"?><Workbook xmlns="`+office+`" xmlns:ss="`+office+`">`+
		week("Week 1", "X1")+week("Week 2", "X2")+`</Workbook>`)
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Drop("h1", export, book).See(`"Week 1", "Week 2"; name one or several, or * for all`).Axe()
	tab.Fill("Read the sheet with this name", "Week1")
	tab.Click("Read this sheet").See(`no sheet of the name "Week1"`)
	tab.Fill("Read the sheet with this name", "*")
	tab.Click("Read this sheet").See("Week 1, Week 2")
}
