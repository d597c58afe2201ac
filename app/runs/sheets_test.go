package runs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// workbookOf is a workbook (XML Spreadsheet 2003) of sheets, each given as its name and its
// lines.
func workbookOf(sheets ...[]string) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">`)
	for _, lines := range sheets {
		fmt.Fprintf(&b, `<Worksheet ss:Name="%s"><Table>`, lines[0])
		for _, line := range lines[1:] {
			b.WriteString("<Row>")
			for cell := range strings.SplitSeq(line, ",") {
				fmt.Fprintf(&b, `<Cell><Data ss:Type="String">%s</Data></Cell>`, cell)
			}
			b.WriteString("</Row>")
		}
		b.WriteString("</Table></Worksheet>")
	}
	b.WriteString("</Workbook>")
	return []byte(b.String())
}

// A workbook with a sheet per week is as good as a report per week: the sheets that are
// named are read in one run.
func TestSheetsOfAWorkbook(t *testing.T) {
	t.Parallel()
	const header = "AWB No,COD Amount,Remittance Date"
	week := func(name, awb string) []string { return []string{name, header, awb + ",100,2026-03-05"} }
	book := workbookOf(week("Week 1", "A1"), []string{"Notes", "hello,world"}, week("Week 2", "A2"), week("Week 3", "A3"))
	run := func(sheets ...string) (*ports.FinishedRun, error) {
		return newReconcilingWithStatements().Preview(t.Context(), ports.Request{
			Storefront: []byte("Name,Total,Created at,Tracking Number\n#1,100,2026-03-01,A1\n#2,100,2026-03-01,A2\n#3,100,2026-03-01,A3\n"),
			Courier:    book, Workbooks: true, Sheets: sheets})
	}
	for _, c := range []struct {
		sheets  []string
		reports int
		paid    domain.Paise
	}{
		{[]string{"Week 1"}, 1, 100_00},
		{[]string{"week 1 ", "Week 3"}, 2, 200_00},
		{[]string{"Week 1", "Notes", "Week 2"}, 2, 200_00},
		{[]string{"Week 1", "Notes"}, 1, 100_00},
		{[]string{ports.AllSheets}, 3, 300_00},
	} {
		finished, err := run(c.sheets...)
		require.NoError(t, err, c.sheets)
		require.Equal(t, c.paid, finished.Tally.Remitted, c.sheets)
		require.Len(t, finished.Reports(), c.reports, c.sheets)
		require.Empty(t, finished.Warnings(), c.sheets)
		finished.Release()
	}
	for _, sheets := range [][]string{{"Week 1", "Wek 2"}, {"Wek 2", ports.AllSheets}} {
		finished, err := run(sheets...)
		require.NoError(t, err, sheets)
		require.Contains(t, finished.Warnings(), domain.Warning{Code: domain.WarnUnknownSheets, Examples: []string{"Wek 2"}}, "a sheet that no file has")
		finished.Release()
	}
	_, err := run()
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleSeveralSheets, Options: []string{"Week 1", "Week 2", "Week 3"}}, err)

	// A fault names the sheet, and the report that it is.
	book = workbookOf(week("Week 1", "A1"), []string{"Week 2", header, "A2,many,2026-03-05"})
	_, err = run(ports.AllSheets)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Report: 2, Sheet: "Week 2", Rule: domain.RuleAmount, Line: 2, Column: "COD Amount", Value: "many",
		Roles: []domain.Role{domain.RoleCODAmount}}, err)

	// They count towards the reports that a run may have.
	var weeks [][]string
	for i := range domain.MaxReports + 1 {
		weeks = append(weeks, week(fmt.Sprint("Week ", i), fmt.Sprint("B", i)))
	}
	book = workbookOf(weeks...)
	_, err = run(ports.AllSheets)
	require.Equal(t, domain.Faults{{Field: domain.FieldReports, Rule: domain.RuleTooMany, Max: domain.MaxReports}}.Err(), err)
}

// An inspection shows the sheets that a run would read as one file.
func TestInspectionOfSheets(t *testing.T) {
	t.Parallel()
	const header = "AWB No,COD Amount,Remittance Date"
	inspect := func(book []byte, sheets ...string) ports.InspectedReport {
		found, err := newReconcilingWithStatements().Inspect(t.Context(), nil, ports.Request{Courier: book, Workbooks: true, Sheets: sheets, Source: domain.SourceDashboard})
		require.NoError(t, err)
		return found.Reports[0]
	}
	book := workbookOf([]string{"Week 1", header, "A1,1,2026-03-05", "A2,1,2026-03-06"}, []string{"Week 2", header, "A3,1,2026-03-13"})
	found := inspect(book, ports.AllSheets)
	require.NoError(t, found.Fault)
	require.Equal(t, "Week 1, Week 2", found.Sheet)
	require.Equal(t, 3, found.Rows)
	require.Equal(t, "2026-03-05 2026-03-13", found.From.String()+" "+found.To.String())
	require.Equal(t, "Week 2", inspect(book, "Week 2").Sheet)
	found = inspect(workbookOf([]string{"Week 1", header, "A1,1,2026-03-05"}, []string{"Week 2", header, "A3,x,2026-03-13"}), ports.AllSheets)
	require.ErrorIs(t, found.Fault, domain.ErrFile)
	require.Equal(t, "Week 2", found.Sheet)

	// Of more sheets than a run may have reports it reads none.
	var weeks [][]string
	for i := range domain.MaxReports + 1 {
		weeks = append(weeks, []string{fmt.Sprint("Week ", i), header, fmt.Sprintf("B%d,1,2026-03-05", i)})
	}
	require.NoError(t, inspect(workbookOf(weeks[1:]...), ports.AllSheets).Fault)
	found = inspect(workbookOf(weeks...), ports.AllSheets)
	require.Equal(t, domain.Faults{{Field: domain.FieldReports, Rule: domain.RuleTooMany, Max: domain.MaxReports}}.Err(), found.Fault)
	require.Equal(t, domain.CourierFile, found.Is)
	require.Zero(t, found.Rows)
}

// A workbook in the wrong place is looked at as one kind of file after the other, and is taken apart once.
func TestInspectionOfAWorkbookInTheWrongPlace(t *testing.T) {
	t.Parallel()
	book := workbookOf([]string{"Week 1", "AWB No,COD Amount,Remittance Date", "A1,1,2026-03-05"}, []string{"Notes", "hello,world"})
	claimed := func(req ports.Request) (bytes int64, is domain.File) {
		req.Workbooks, req.Source = true, domain.SourceDashboard
		req.Claim = func(more int64) error { bytes += more; return nil }
		inspecting := newInspecting(0)
		found, err := inspecting.Inspect(t.Context(), nil, req)
		require.NoError(t, err)
		if found.Orders != nil {
			return bytes, found.Orders.Is
		}
		return bytes, found.Reports[0].Is
	}
	right, is := claimed(ports.Request{Courier: book})
	require.Equal(t, domain.CourierFile, is)
	require.Positive(t, right)
	wrong, is := claimed(ports.Request{Storefront: book})
	require.Equal(t, domain.CourierFile, is)
	require.Equal(t, right, wrong)

	// Sheets of which none is named are what all of them are.
	const report, export = "AWB No,COD Amount,Remittance Date", "Name,Total,Created at"
	weeks := workbookOf([]string{"Week 1", report, "A1,1,2026-03-05"}, []string{"Week 2", report, "A2,1,2026-03-12"})
	stores := workbookOf([]string{"Pune", export, "#1,1,2026-03-05"}, []string{"Goa", export, "#2,1,2026-03-12"})
	for _, req := range []ports.Request{{Courier: weeks}, {Storefront: weeks}} {
		_, is = claimed(req)
		require.Equal(t, domain.CourierFile, is)
	}
	for _, req := range []ports.Request{{Courier: stores}, {Storefront: stores}} {
		_, is = claimed(req)
		require.Equal(t, domain.StorefrontFile, is)
	}
}
