package couriers_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

const workbooks = "../adapters/table/sheet/testdata/"

// TestErrorCellsAreRefused reads a workbook in which an amount is an error: it is no
// amount, and never zero. The message names the row and the sheet.
func TestErrorCellsAreRefused(t *testing.T) {
	for file, line := range map[string]int{"exceljs.xlsx": 9, "exceljs-1904.xlsx": 9, "sheetjs.xlsx": 6, "sheetjs-shared.xlsx": 6} {
		content := only.Value(os.ReadFile(workbooks + file))(t)
		var lines verdict.Remittances
		_, err := couriers.New(table.New()).Remittances(ports.Content{Bytes: content, Workbook: true}, ports.MappingChoice{}).Read(export(t, "#1001=1234567890"), &lines)
		fault, is := err.(*domain.FileError)
		require.True(t, is, "%s: %v", file, err)
		require.Equal(t, domain.RuleAmount, fault.Rule, file)
		require.Equal(t, line, fault.Line, file)
		require.Equal(t, "Remittance", fault.Sheet, file)
		require.Contains(t, []string{"#N/A", "#REF!"}, fault.Value, file)
	}
}

// TestWorkbooksReadAsTheirText reads the rows of a workbook above its error cells, and
// the same rows as CSV: amounts, days and tracking numbers are the same, and so is which
// of those have lost digits.
func TestWorkbooksReadAsTheirText(t *testing.T) {
	content := only.Value(os.ReadFile(workbooks + "sheetjs-ods.ods"))(t)
	orders := export(t, "#1001=1234567890", "#1002=12345678901234", "#1003", "#1004=0098765432101", "#1005=SF123IN")
	var fromWorkbook, fromText verdict.Remittances
	choice := ports.MappingChoice{}
	_, err := couriers.New(table.New()).Remittances(ports.Content{Bytes: content, Workbook: true}, choice).Read(orders, &fromWorkbook)
	require.NoError(t, err)
	text := `AWB No,Order ID,Buyer,COD Amount,Remitted Amount,Remittance Date,Delivered At,Status,UTR
1234567890,#1001,x,"1,499.50",1454.00,05-03-2026,03-03-2026 20:00:05,Delivered,IN1
12345678901234,#1002,x,999,999,05-03-2026,04-03-2026,Delivered,IN1
1.23456789012346E+16,#1003,x,100,100,06-03-2026,,Delivered,IN2
0098765432101,#1004,x,0.30,0.10,07-03-2026,,TRUE,IN3
SF123IN,#1005,y,,,07-03-2026,,FALSE,IN3
`
	require.NoError(t, only.Err(couriers.New(table.New()).Remittances(ports.Content{Bytes: []byte(text)}, choice).Read(orders, &fromText)))
	require.Equal(t, 5, fromText.Len())
	require.Equal(t, fromText.Len(), fromWorkbook.Len())
	for i := range fromText.Len() {
		require.Equal(t, *fromText.At(i), *fromWorkbook.At(i), i)
	}
	require.True(t, fromWorkbook.At(2).AWBRounded)
}

// TestSheetsOfASavedMapping holds that a mapping that lacks the column of the order makes no report
// of a sheet of sums, which has the columns that are saved and nothing that names an order.
func TestSheetsOfASavedMapping(t *testing.T) {
	sheet := func(name string, columns ...string) string {
		cells := ""
		for _, c := range columns {
			cells += `<Cell><Data ss:Type="String">` + c + `</Data></Cell>`
		}
		return `<Worksheet ss:Name="` + name + `"><Table><Row>` + cells + `</Row></Table></Worksheet>`
	}
	book := `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"` +
		` xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">` + sheet("Sums", "COD Amount", "Remittance Date") +
		sheet("Week 1", "Order ID", "COD Amount", "Remittance Date") + sheet("Week 2", "Order ID", "COD Amount", "Remittance Date") + `</Workbook>`
	content := ports.Content{Bytes: []byte(book), Workbook: true, Sheets: []string{ports.AllSheets}}
	saved := mapped(t, "cod_amount", "COD Amount", "remittance_date", "Remittance Date")
	require.Equal(t, []string{"Week 1", "Week 2"}, couriers.New(table.New()).Sheets(content, ports.MappingChoice{Saved: &saved}))

	// One that fits only one of the sheets leaves out none of the others without a word.
	header := []string{"Docket", "COD Amount", "Remittance Date"}
	book = strings.Replace(book, sheet("Week 1", "Order ID", "COD Amount", "Remittance Date"), sheet("Week 1", header...), 1)
	saved = mapped(t, "awb", "Docket", "cod_amount", "COD Amount", "remittance_date", "Remittance Date")
	named := domain.NamedMapping{Name: "ours", Header: domain.HashHeader(header), Mapping: saved}
	for _, choice := range []ports.MappingChoice{{Saved: &saved}, {Asked: &named}, {Named: []domain.NamedMapping{named}}} {
		read := func(sheets ...string) error {
			var lines verdict.Remittances
			content := ports.Content{Bytes: []byte(book), Workbook: true, Sheets: sheets}
			_, err := couriers.New(table.New()).Remittances(content, choice).Read(noOrders, &lines)
			return err
		}
		require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleSeveralSheets, Options: []string{"Week 1", "Week 2"}}, read())
		require.NoError(t, read("Week 1"))
	}
}

// TestMergedCells holds that a date, a status or a UTR that is merged over several rows holds for all of them, and that an amount or
// an id does not: it would count several times.
func TestMergedCells(t *testing.T) {
	const head = "AWB No,Order ID,COD Amount,Delivered Date,Status,Remittance Status,Remittance Date,UTR\n"
	want := mustRead(t, head+"A1,#1,100,2026-03-01,Delivered,Paid,2026-03-05,U1\nA2,#2,100,2026-03-01,Delivered,Paid,2026-03-05,U1\nA3,#3,100,2026-03-01,,,2026-03-05,U2\n"+
		"A4,#4,100,2026-03-01,,,,\nA5,#5,,2026-03-01,,Pending,2026-03-06,U3\nA6,,100,2026-03-01,,Pending,2026-03-06,U3\nA7,,100,2026-03-01,,Pending,2026-03-06,U3\n,#8,100\n", noOrders)

	cells := func(all ...string) string { return "<tr><td>" + strings.Join(all, "</td><td>") + "</td></tr>" }
	over := func(rows, text string) string { return "</td><td rowspan=" + rows + ">" + text }
	page := "<table>" + cells(strings.Split(strings.TrimSpace(head), ",")...) +
		cells("A1", "#1", "100"+over("7", "2026-03-01")+over("2", "Delivered")+over("2", "Paid")+over("3", "2026-03-05")+over("2", "U1")) +
		cells("A2", "#2", "100") + cells("A3", "#3", "100", "", "", "U2") + cells("A4", "#4"+over("2", "100"), "", "", "", "") +
		cells("A5"+over("3", "#5"), ""+over("3", "Pending")+over("3", "2026-03-06")+over("3", "U3")) + cells("A6", "100", "") + cells("A7", "100", "") + cells("", "#8", "100") + "</table>"
	var got verdict.Remittances
	_, err := couriers.New(table.New()).Remittances(ports.Content{Bytes: []byte(page), Workbook: true}, ports.MappingChoice{}).Read(noOrders, &got)
	require.NoError(t, err)
	text := only.Value(couriers.New(table.New()).Remittances(ports.Content{Bytes: []byte(page), Workbook: true}, ports.MappingChoice{}).Text())(t)
	for _, got := range []*verdict.Remittances{&got, mustRead(t, string(text), noOrders)} {
		require.Equal(t, want.Len(), got.Len())
		for i := range want.Len() {
			require.Equal(t, *want.At(i), *got.At(i), "line %d", i+1)
		}
	}
}
