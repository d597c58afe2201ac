package sheet_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table/sheet"
	"milaan/tests/only"
)

// TestCellsOfODS reads cells of every kind.
func TestCellsOfODS(t *testing.T) {
	cell := func(attributes, content string) string {
		return `<table:table-cell ` + attributes + `>` + content + `</table:table-cell>`
	}
	for name, c := range map[string]struct{ cells, want string }{
		"text":               {cell(`office:value-type="string" calcext:value-type="string"`, `<text:p>a &amp; <text:span>b</text:span><text:s/><text:s text:c="2"/><text:tab/>c<text:line-break/>d</text:p><text:p>e</text:p>`), "a & b    c d e"},
		"text stated":        {cell(`office:value-type="string" office:string-value="a&lt;b"`, ``), "a<b"},
		"number":             {cell(`office:value-type="float" office:value="1499.5"`, `<text:p>1,500</text:p>`) + cell(`office:value-type="float" office:value="1234567890123456"`, ``), "1499.5,1.23456789012346E+15"},
		"money":              {cell(`office:value-type="currency" office:currency="INR" office:value="1499.50"`, `<text:p>₹1,499.50</text:p>`), "1499.5"},
		"percentage":         {cell(`office:value-type="percentage" office:value="0.18"`, `<text:p>18%</text:p>`), "0.18"},
		"dates":              {cell(`office:value-type="date" office:date-value="2026-03-05"`, `<text:p>05/03/26</text:p>`) + cell(`office:value-type="date" office:date-value="2026-03-05T14:30:05.5"`, ``), "2026-03-05,2026-03-05 14:30:05"},
		"times":              {cell(`office:value-type="time" office:time-value="PT14H30M05S"`, ``) + cell(`office:value-type="time" office:time-value="PT36H00M00,5S"`, ``) + cell(`office:value-type="time" office:time-value="P1D"`, `<text:p>24:00</text:p>`), "14:30:05,36:00:00,24:00"},
		"truth":              {cell(`office:value-type="boolean" office:boolean-value="true"`, `<text:p>WAHR</text:p>`), "TRUE"},
		"errors":             {cell(`office:value-type="string" office:string-value="" calcext:value-type="error"`, `<text:p>#N/A</text:p>`) + cell(`office:value-type="float" office:value="0"`, `<text:p>#REF!</text:p>`) + cell(`office:value-type="float" office:value="0"`, `<text:p>Err:502</text:p>`), "#N/A,#REF!,Err:502"},
		"columns too narrow": {cell(`office:value-type="float" office:value="12"`, `<text:p>###</text:p>`), "12"},
		"comments":           {cell(`office:value-type="string"`, `<office:annotation><text:p>no</text:p></office:annotation><text:p>a<office:annotation><text:p>no</text:p></office:annotation></text:p><table:table><table:table-row/></table:table>`), "a"},
		"covered":            {cell(`office:value-type="string" table:number-columns-spanned="2"`, `<text:p>a</text:p>`) + `<table:covered-table-cell office:value-type="float" office:value="9"><text:p>9</text:p></table:covered-table-cell>` + cell(`office:value-type="float" office:value="1"`, ``), "a,9,1"},
		"repeated":           {cell(`table:number-columns-repeated="2"`, ``) + cell(`office:value-type="float" office:value="1" table:number-columns-repeated="3"`, ``) + cell(`table:number-columns-repeated="16379"`, ``), ",,1,1,1"},
		"repeated lines":     {cell(`office:value-type="string" table:number-columns-repeated="2"`, `<text:p>a&#13;&#10;b</text:p>`), "a b,a b"},
		"the tag before":     {strings.Repeat(cell(`office:value-type="string" table:number-columns-repeated="2"`, `<text:p>a</text:p>`), 2) + cell(`office:value-type="float" office:value="2" x:value="2"`, `<text:p>2</text:p>`) + cell(`office:value-type="float" office:value="1" x:value="2"`, `<text:p>1</text:p>`), "a,a,a,a,2,2"},
		"formulas":           {cell(`table:formula="of:=[.B1]"`, ``) + cell(`table:formula="of:=[.B1]" office:value-type="float" office:value="0"`, ``) + cell(`table:formula="of:=[.B1]" office:value-type="string"`, ``) + cell(`table:formula="of:=[.B1]"`, `<text:p>7</text:p>`), "#N/A,0,,7"},
		"without a value":    {cell(`office:value-type="float"`, `<text:p>7</text:p>`) + cell(`office:value-type="date"`, `<text:p>5 March 2026</text:p>`), "7,5 March 2026"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, textOf(t, odsOf(`<table:table table:name="s"><table:table-column/><table:table-row>`+c.cells+`</table:table-row></table:table>`)))
		})
	}
}

// TestRowsOfODS keeps line n of the text row n of the sheet, however rows are grouped and
// repeated.
func TestRowsOfODS(t *testing.T) {
	row := func(attributes, value string) string {
		return `<table:table-row ` + attributes + `><table:table-cell office:value-type="float" office:value="` + value + `"/></table:table-row>`
	}
	text := textOf(t, odsOf(`<table:tracked-changes><table:table table:name="x">`+row("", "9")+`</table:table></table:tracked-changes><table:table table:name="s"><table:shapes><table:table>`+row("", "9")+`</table:table></table:shapes>`+
		`<table:table-header-rows>`+row("", "1")+`</table:table-header-rows>`+`<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>`+
		`<table:table-row-group><table:table-row-group>`+row(`table:number-rows-repeated="3" table:visibility="collapse"`, "2")+`</table:table-row-group></table:table-row-group>`+row("", "3")+
		`<table:table-row table:number-rows-repeated="1048569"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`))
	require.Equal(t, "1\n\n\n2\n2\n2\n3", text)
}

// TestSheetsOfODS names the sheets, and says which are hidden.
func TestSheetsOfODS(t *testing.T) {
	named := func(attributes string) string {
		return `<table:table ` + attributes + `><table:table-row><table:table-cell office:value-type="float" office:value="1"/></table:table-row></table:table>`
	}
	content := odsOf(named(`table:name="A &amp; B" table:style-name="ta1"`) + named(`table:name="मार्च" table:style-name="ta2"`))
	require.Equal(t, "== A & B\n1\n== मार्च (hidden)\n1\n", read(t, content))
	require.Empty(t, strings.TrimSpace(read(t, odsOf(""))))
}

// TestElementsOfODS counts elements also where cells of many paragraphs take the last of those that are taken at once.
func TestElementsOfODS(t *testing.T) {
	cell := `<table:table-cell><text:p>a` + strings.Repeat("</text:p><text:p>", 60) + `</text:p></table:table-cell>`
	var counted atomic.Int64
	content := odsOf(`<table:table table:name="s"><table:table-row>` + strings.Repeat(cell, 400) + `</table:table-row></table:table>`)
	require.NoError(t, only.Err2(sheet.Open(content, sheet.Limits{Text: mostText, Elements: &counted})))
	require.Greater(t, counted.Load(), int64(400*62))
}

// TestMergedCells tells which rows a cell covers, in each format that says it.
func TestMergedCells(t *testing.T) {
	merged := func(content []byte) (all []sheet.Merged) {
		book, is, err := sheet.Open(content, sheet.Limits{Text: mostText})
		require.True(t, is)
		require.NoError(t, err)
		for i := range book.Sheets() {
			require.NoError(t, only.Err(book.AppendText(nil, i, 0)))
			all = append(all, book.Merged(i)...)
		}
		return all
	}
	ranges := `<mergeCell ref="B2:C4"/><mergeCell ref="A1:D1"/><mergeCell ref="AA10:AA11"/><mergeCell ref="A5"/><mergeCell ref="A9:A7"/><mergeCell ref="5:6"/><mergeCell/>`
	require.Equal(t, []sheet.Merged{{1, 2, 4}, {26, 10, 11}}, merged(parts{"xl/worksheets/sheet1.xml": strings.Replace(sheetOf(`<row><c><v>1</v></c></row>`),
		`<mergeCell ref="A1:B1"/>`, ranges, 1)}.zipped()))
	cell := func(attributes, text string) string {
		return `<table:table-cell office:value-type="string" ` + attributes + `><text:p>` + text + `</text:p></table:table-cell>`
	}
	table := func(cells string) string {
		return `<table:table table:name="s"><table:table-row><table:table-cell/></table:table-row><table:table-row>` + cells + `</table:table-row></table:table>`
	}
	require.Equal(t, []sheet.Merged{{1, 2, 4}, {2, 2, 3}}, merged(odsOf(table(cell(``, "a")+cell(`table:number-columns-spanned="1" table:number-rows-spanned="3"`, "b")+
		cell(`table:number-rows-spanned="2"`, "c &amp; d")+cell(`table:number-rows-spanned="1"`, "e")+cell(``, "f"))+table(""))))
}
