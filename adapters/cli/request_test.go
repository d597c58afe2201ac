package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/cli"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
)

// deps reads as the program does.
var deps = cli.Deps{Words: func() cli.Words { return wording.New() },
	Offline: func() (cli.Offline, error) {
		return cli.Offline{Couriers: known{}, Tables: table.New(), Foresee: func(int64) {}}, nil
	}}

// known is ports.Couriers with two couriers, of which only the names and the header matter here.
type known struct{ ports.Couriers }

func (known) Identify(name string) (string, bool) { return name, name == "dtdc" || name == "custom" }

func (known) Sheets(content ports.Content, _ ports.MappingChoice) []string {
	return table.New().Sheets(content, func(cells [][]byte) (bool, error) { return string(cells[0]) == "AWB No", nil })
}

func (known) Remittances(content ports.Content, _ ports.MappingChoice) ports.RemittancesReader {
	return merged{content: content.Bytes}
}

// merged has the text of a page alone.
type merged struct {
	ports.RemittancesReader

	content []byte
}

func (m merged) Text() ([]byte, error) {
	switch {
	case bytes.HasPrefix(m.content, []byte("<table><tr><td>long")):
		return nil, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleLongMerged, Line: 2, Limit: 1000}
	case bytes.HasPrefix(m.content, []byte("<table>")):
		return []byte("AWB No,UTR\nA1,U\nA2,U\n"), nil
	}
	return nil, nil
}

// A cell that a run refuses because it is merged over rows is refused, for as CSV it would be blank on all but the first.
func TestRequestRefusesLongMergedCells(t *testing.T) {
	dir := t.TempDir()
	orders, report := filepath.Join(dir, "orders.csv"), filepath.Join(dir, "report.xls")
	require.NoError(t, os.WriteFile(orders, []byte("Name,Total\n"), 0o600))
	require.NoError(t, os.WriteFile(report, []byte("<table><tr><td>long</table>"), 0o600))
	var out, errs bytes.Buffer
	require.Equal(t, cli.ExitFailed, cli.Execute(t.Context(), deps, []string{"request", orders, report}, &out, &errs))
	require.Contains(t, errs.String(), "milaan: "+report+", line 2: is merged over several rows")
	require.Empty(t, out.String())
}

// What a run refuses as no CSV is refused here already, in the same words.
func TestRequestRefusesWhatIsNoCSV(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.csv"), filepath.Join(dir, "bad.csv")
	require.NoError(t, os.WriteFile(good, []byte("Name,Total\n"), 0o600))
	for content, want := range map[string]string{
		"PK\x03\x04rest":        "is a workbook that is damaged or not whole",
		"%PDF-1.7\n":            "is a PDF document, not a table",
		"A\x00W\x00B\x00\n\x00": "is not UTF-8 text (it looks like UTF-16 or a binary file)",
		"":                      "is empty",
	} {
		require.NoError(t, os.WriteFile(bad, []byte(content), 0o600))
		for _, paths := range [][]string{{bad, good}, {good, bad}} {
			var out, errs bytes.Buffer
			require.Equal(t, cli.ExitFailed, cli.Execute(t.Context(), deps, append([]string{"request"}, paths...), &out, &errs))
			require.Contains(t, errs.String(), "milaan: "+bad+": "+want)
			require.Empty(t, out.String())
		}
	}
}

func TestRequestPrintsTheBodyOfTwoFiles(t *testing.T) {
	dir := t.TempDir()
	orders, remittance := filepath.Join(dir, "orders.csv"), filepath.Join(dir, "remittance.csv")
	require.NoError(t, os.WriteFile(orders, []byte("Name,Total\n\"#1 <b>\",₹5\r\n"), 0o600))
	require.NoError(t, os.WriteFile(remittance, []byte("\xff\xfeA\x00W\x00B\x00\n\x00"), 0o600))

	var out, errs bytes.Buffer
	code := cli.Execute(t.Context(), deps, []string{"request", orders, remittance, "--brand", "Acme", "--column", "awb=AWB", "--overdue-days", "10", "--minor-gap", "0", "--charges", "accept"}, &out, &errs)
	require.Zero(t, code, errs.String())
	var body map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &body))
	require.Equal(t, map[string]any{
		"shopify": "Name,Total\n\"#1 <b>\",₹5\r\n", "courier": "AWB\n", "courierName": "custom", "brand": "Acme",
		"overdue_threshold_days": 10.0, "minor_gap_threshold": 0.0, "charges": "accept", "columns": map[string]any{"awb": "AWB"},
	}, body)

	out.Reset()
	require.Equal(t, cli.ExitFailed, cli.Execute(t.Context(), deps, []string{"request", orders, filepath.Join(dir, "none.csv")}, &out, &errs))
	require.Empty(t, out.String(), "a body with one file would be wrong")
}

// What JSON cannot have is sent as CSV, and several reports and the rest as the fields of
// the API.
func TestRequestOfSeveralReportsAndWorkbooks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	orders, first := write("orders.csv", "Name,Total\n"), write("first.csv", "AWB\n")
	page := filepath.Join("..", "table", "sheet", "testdata", "sheetjs.xlsx") // with a cover sheet
	bank, ledger := write("bank.csv", "Date,Credit\n"), write("ledger.csv", "\ufeffMilaan ledger 1,Order\n")
	request := func(args ...string) (map[string]any, string) {
		var out, errs bytes.Buffer
		if cli.Execute(t.Context(), deps, append([]string{"request", orders}, args...), &out, &errs) != cli.ExitDone {
			require.Empty(t, out.String())
			return nil, errs.String()
		}
		var body map[string]any
		require.NoError(t, json.Unmarshal(out.Bytes(), &body))
		return body, ""
	}
	body, fault := request(page)
	require.Empty(t, fault)
	require.NotContains(t, body, "reports")
	sheet, _ := body["courier"].(string)
	require.Regexp(t, `AWB.*,.*\n`, sheet)
	body, fault = request(first+":dtdc", page, "--column", page+":utr=Ref", "--bank", bank, "--previous", ledger, "--include", "payouts,lines", "--format", "xlsx")
	require.Empty(t, fault)
	require.Equal(t, map[string]any{
		"shopify": "Name,Total\n", "bank": "Date,Credit\n", "previous": "Milaan ledger 1,Order\n", "include": []any{"payouts", "lines"}, "format": "xlsx",
		"reports": []any{
			map[string]any{"courier": "AWB\n", "courierName": "dtdc"},
			map[string]any{"courier": sheet, "courierName": "custom", "columns": map[string]any{"utr": "Ref"}},
		},
	}, body)
	_, fault = request(first, "--previous", page)
	require.Contains(t, fault, page+": is an Excel workbook (.xlsx)", "its marks are on a sheet of their own")
	_, fault = request(first, write("bad\x1b.csv", "A\x00B\x00"))
	require.Contains(t, fault, filepath.Join(dir, "bad·.csv")+": is not UTF-8 text")
	body, fault = request(write("merged.html", "<table><tr><td>AWB No</td><td>UTR</td></tr><tr><td>A1</td><td rowspan=2>U</td></tr><tr><td>A2</td></tr></table>"))
	require.Equal(t, []any{"", "AWB No,UTR\nA1,U\nA2,U\n"}, []any{fault, body["courier"]}, "as a run reads merged cells")
	body, fault = request(page, "--sheet", "About")
	require.Empty(t, fault)
	require.NotEqual(t, sheet, body["courier"])
}

// A workbook of which a run would read several sheets is as many reports.
func TestRequestOfSeveralSheets(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	sheet := func(name string, rows ...string) string {
		return `<Worksheet ss:Name="` + name + `"><Table><Row><Cell><Data>` + strings.ReplaceAll(strings.Join(rows, "</Data></Cell></Row><Row><Cell><Data>"), ",", "</Data></Cell><Cell><Data>") + "</Data></Cell></Row></Table></Worksheet>"
	}
	const header = "AWB No,COD Amount,Remittance Date"
	book := write("weeks.xml", `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">`+
		sheet("Week 1", header, "A1,5,2026-01-01")+sheet("Notes", "of,no,report", "x,y,z")+sheet("Cover", "of,March")+sheet("Week 2", header, "A2,5,2026-01-08")+`</Workbook>`)
	orders := write("orders.csv", "Name,Total\n")
	week := func(line string) any { return map[string]any{"courier": header + "\n" + line} }
	for name, c := range map[string]struct {
		flags []string
		want  any // the reports
	}{
		"all":        {[]string{"--sheet", "*"}, []any{week("A1,5,2026-01-01"), week("A2,5,2026-01-08")}},
		"both named": {[]string{"--sheet", "Week 2", "--sheet", "Week 1"}, []any{week("A1,5,2026-01-01"), week("A2,5,2026-01-08")}},
		"one named":  {[]string{"--sheet", "Week 2", "--sheet", "Cover"}, nil},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, cli.ExitDone, cli.Execute(t.Context(), deps, append([]string{"request", orders, book}, c.flags...), &out, &errs), "%s: %s", name, errs.String())
		var body map[string]any
		require.NoError(t, json.Unmarshal(out.Bytes(), &body))
		require.Equal(t, c.want, body["reports"], name)
		if c.want == nil {
			require.Equal(t, header+"\nA2,5,2026-01-08", body["courier"], name)
		}
	}
}
