package service

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// FormMedia is the Content-Type of the forms of tests.
const FormMedia = "multipart/form-data; boundary=" + FormBoundary

// FormBoundary separates their parts.
const FormBoundary = "0123456789abcdef"

// An export and a report of one order, which was paid.
const (
	OneOrder = "Name,Total,Created at,AWB\n#1,5,2026-01-01,A1\n"
	OneLine  = "AWB No,COD Amount,Remittance Date\nA1,5,2026-01-01\n"
)

// PartOfForm is a part of a form.
func PartOfForm(name, text string) string {
	return "--" + FormBoundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + text + "\r\n"
}

// EndOfForm ends a form.
const EndOfForm = "--" + FormBoundary + "--\r\n"

// Form is the form of POST /reconcile/files that says the same as a body of POST
// /reconcile.
func (b Body) Form(t testing.TB) []byte {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	require.NoError(t, w.SetBoundary(FormBoundary))
	file := func(name string, text any) {
		fmt.Fprint(only.Value(w.CreateFormFile(name, name+".csv"))(t), text)
	}
	field := func(name string, value any) {
		if columns, is := value.(Body); is {
			text := only.Value(json.Marshal(columns))(t)
			value = string(text)
		}
		require.NoError(t, w.WriteField(name, fmt.Sprint(value)))
	}
	optional := func(name string, value any) {
		if value == nil {
			value = ""
		}
		field(name, value)
	}
	for name, value := range b {
		switch name {
		case "shopify":
			file("orders", value)
		case "courier":
			file("report", value)
		case "bank", "previous":
			file(name, value)
		case "reports":
			for _, report := range value.([]Body) {
				file("report", report["courier"])
				optional("courierName", report["courierName"])
				optional("columns", report["columns"])
				optional("mapping", report["mapping"])
			}
		case "include":
			for _, included := range value.([]string) {
				field("include", included)
			}
		default:
			field(name, value)
		}
	}
	require.NoError(t, w.Close())
	return form.Bytes()
}

// SendForm sends POST /reconcile/files with what a body says; header is as that of Request.
func (c *Customer) SendForm(t testing.TB, form []byte, header ...string) Answer {
	t.Helper()
	header = append([]string{"Content-Type", FormMedia}, header...)
	return c.service.Post(t, "/reconcile/files", c.Key, form, header...)
}

// Months is a body of two couriers' reports and a statement: the first courier paid twice,
// the second listed an order of another shop.
func Months() Body {
	return Body{
		"shopify": Export(
			Order{Name: "#1001", Total: "900.00", AWB: "AWB1001"},
			Order{Name: "#1002", Total: "500.00", AWB: "AWB1002"},
			Order{Name: "#1003", Total: "650.00", AWB: "AWB1003"},
			Order{Name: "#1004", Total: "1200.00", AWB: "AWB1004"},
		),
		"reports": []Body{
			{"courierName": "delhivery", "courier": "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status,UTR\nAWB1001,#1001,900.00,880.00,2026-10-10,Delivered,UTIBH26101000001\nAWB1002,#1002,500.00,500.00,2026-10-17,Delivered,UTIBH26101700002\n"},
			{"courier": "Docket,Amt,Paid On\nAWB1003,650.00,2026-10-11\nSTRAY1,450.00,2026-10-11\n", "courierName": "custom", "columns": Body{"awb": "Docket", "cod_amount": "Amt", "remittance_date": "Paid On"}},
		},
		"bank":    "Date,Narration,Credit\n2026-10-10,NEFT UTIBH26101000001 DELHIVERY,880.00\n2026-10-18,NEFT UTIBH26101700002 DELHIVERY,499.00\n",
		"include": []string{"payouts", "unclaimed", "orders", "lines"},
	}
}

// Ledger is the ledger.csv of a run.
func (c *Customer) Ledger(t testing.TB, b Body) string {
	t.Helper()
	a := c.service.Post(t, "/report", c.Key, b.With("format", "csv").Text(t))
	return a.FileIn(t, "ledger.csv")
}

// FileIn is the text of a file of an answer that is an archive.
func (a Answer) FileIn(t testing.TB, name string) string {
	t.Helper()
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	files := only.Value(zip.NewReader(bytes.NewReader(a.Body), int64(len(a.Body))))(t)
	file := only.Value(files.Open(name))(t)
	return string(only.Value(io.ReadAll(file))(t))
}

// workbook is CSV text without quotes as a workbook, with a sheet for each text.
func workbook(t testing.TB, sheets ...string) string {
	t.Helper()
	var files []string
	add := func(name, text string) { files = append(files, name, `<?xml version="1.0" encoding="UTF-8"?>`+text) }
	var names, relations strings.Builder
	for i, text := range sheets {
		var rows strings.Builder
		for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			fmt.Fprintf(&rows, `<row r="%d">`, n+1)
			for at, cell := range strings.Split(line, ",") {
				fmt.Fprintf(&rows, `<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+at, n+1, html.EscapeString(cell))
			}
			rows.WriteString("</row>")
		}
		add(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+rows.String()+`</sheetData></worksheet>`)
		fmt.Fprintf(&names, `<sheet name="Sheet%d" sheetId="%d" r:id="rId%d"/>`, i+1, i+1, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
	}
	add("xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>`+names.String()+`</sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+relations.String()+`</Relationships>`)
	add("_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	add("[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`)
	return string(zips.Of(files...))
}

// page is CSV text without quotes as a table of HTML.
func page(text string) string {
	var b strings.Builder
	b.WriteString("<html><body><table>")
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString("<tr><td>" + strings.ReplaceAll(html.EscapeString(line), ",", "</td><td>") + "</td></tr>")
	}
	b.WriteString("</table></body></html>")
	return b.String()
}
