package sheet_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table/sheet"
)

// requireSound opens a file, and holds that it is refused with one of three errors, or
// that its texts are as promised. It returns them.
func requireSound(t *testing.T, content []byte) ([]string, error) {
	t.Helper()
	const most = 64 << 10
	texts, err := open(content, most)
	if err != nil {
		require.True(t, errors.Is(err, sheet.ErrBroken) || errors.Is(err, sheet.ErrLarge) || errors.Is(err, sheet.ErrPassword), "%v", err)
	}
	for _, text := range texts {
		require.LessOrEqual(t, len(text), most)
		text = spread(text)
		require.True(t, utf8.ValidString(text))
		for i := range len(text) {
			require.True(t, text[i] >= ' ' || text[i] == '\n' || text[i] == '\t', "%q", text)
		}
		if strings.TrimLeft(text, "\n") != "" {
			r := csv.NewReader(strings.NewReader(text))
			r.FieldsPerRecord = -1
			_, err := r.ReadAll()
			require.NoError(t, err, "%q", text)
		}
	}
	return texts, err
}

// FuzzWorkbook opens damaged files.
func FuzzWorkbook(f *testing.F) {
	f.Add(bookOf(`<row><c t="s"><v>2</v></c></row>`))
	f.Add(odsOf(`<table:table table:name="s"/>`))
	f.Fuzz(func(t *testing.T, content []byte) { _, _ = requireSound(t, content) })
}

// FuzzSheet reads the XML of a sheet, and reads it once more so that no cell is taken the
// short way: both ways must find the same.
func FuzzSheet(f *testing.F) {
	for _, rows := range []string{
		`<row r="1"><c r="A1" s="2" t="s"><v>2</v></c><c r="C1"><v>1.5</v></c></row><row r="3"/>`,
		`<row><c t="str"><v>a&amp;&#65;,"</v></c><c/></row>`,
		`<row><c t="inlineStr"><is><r><t>a</t></r><rPh><t>b</t></rPh></is></c></row>`,
		`<row r="2"><c r="XFD2" s="4"><f>x</f><v>1e300</v></c></row>`,
		`<row><c r="A5"><v>1</v></c><c r="B1"><v>2</v></c></row>`,
		`<row><c r="A5"><v>1</v></c><c r="B5"><v>2</v></c></row><row><c r="A06"><v>1</v></c><c r="B06"><v>1</v></c><c r="C6"><v>1</v></c></row>`,
		`<row><c r="A000000007"><v>1</v></c><c r="B000000007"><v>2</v></c></row><row r="1000000"><c r="A1000000"><v>1</v></c></row>`,
		`<!--x--><row><c t="d"><v>2026-03-05T10:00:00</v></c><c t="b"><v>1</v></c><![CDATA[x]]></row>`,
		`<row r="1"><c r="A1" t="e"><v>#N/A</v></c><c r="AA1" s="3"><v>0.5</v></c><c r="AB1" t="n"><v>12345678901234567</v></c></row>` + strings.Repeat(" ", 300),
	} {
		f.Add([]byte(rows))
	}
	f.Fuzz(func(t *testing.T, rows []byte) {
		short, err := requireSound(t, bookOf(string(rows)))
		long, longErr := requireSound(t, bookOf(string(bytes.ReplaceAll(rows, []byte("<c "), []byte("<c  ")))))
		if bytes.Contains(rows, []byte("<![CDATA[")) || bytes.Contains(rows, []byte("<c ")) && bytes.ContainsAny(rows, `'`) {
			return // <c may be text or in a value there
		}
		require.Equal(t, err == nil, longErr == nil, "%v, %v", err, longErr)
		require.Equal(t, short, long)
	})
}

// inValue finds what may be a tag in the value of an attribute.
var inValue = regexp.MustCompile(`="[^"]*<`)

// FuzzSharedTexts reads shared strings, and reads them once more so that none is taken the short way.
func FuzzSharedTexts(f *testing.F) {
	for _, texts := range []string{
		`<si><t>Pune</t></si><si><t xml:space="preserve"> a, b</t></si><si><t>₹&amp;&#10;</t></si><si><t>a_x000D_b</t></si><si><t></t></si>`,
		`<x><si><t>a</t></si></x><si><t>b</t></si><x><x/><si><t>c</t></si></x>`,
		"<si><t>a\tb\r\n\x01</t></si><!--x--><si><t>a</t><phoneticPr/></si><si><r><t>a</t></r><r><t>b</t></r></si><si/><si><t>a</t></si></sst>",
		`<si><t><![CDATA[x]]></t></si><x><si><t>a</t></si></x><si><t>` + strings.Repeat("long ", 200) + `</t></si><si><t>` + "\xff" + `</t></si>`,
	} {
		f.Add([]byte(texts))
	}
	rows := `<row>`
	for i := range 8 {
		rows += fmt.Sprintf(`<c t="s"><v>%d</v></c>`, i)
	}
	book := func(texts string) []byte {
		texts += strings.Repeat("<si><t/></si>", 8) + strings.Repeat(" ", 1000)
		return parts{"xl/worksheets/sheet1.xml": sheetOf(rows + `</row>`), "xl/sharedStrings.xml": `<sst ` + mainSpace + `>` + texts + `</sst>`}.zipped()
	}
	f.Fuzz(func(t *testing.T, texts []byte) {
		short, err := requireSound(t, book(string(texts)))
		long, longErr := requireSound(t, book(strings.ReplaceAll(string(texts), "<si>", "<si >")))
		if bytes.Contains(texts, []byte("<![CDATA[")) || bytes.ContainsAny(texts, `'`) || inValue.Match(texts) {
			return // <si> may be text or in a value there
		}
		require.Equal(t, err == nil, longErr == nil, "%v, %v", err, longErr)
		require.Equal(t, short, long)
	})
}

// FuzzODS reads the content of an OpenDocument, and reads it once more so that no cell is taken the short
// way.
func FuzzODS(f *testing.F) {
	for _, tables := range []string{
		`<table:table table:name="s" table:style-name="ta2"><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="1.5" table:number-columns-repeated="3"/></table:table-row></table:table>`,
		`<table:table table:name="s"><table:table-row><table:covered-table-cell/><table:table-cell><text:p>a<text:s text:c="2"/></text:p><text:p>b</text:p></table:table-cell></table:table-row></table:table>`,
		`<table:table table:name="s"><table:table-header-rows><table:table-row><table:table-cell office:value-type="time" office:time-value="PT1H"/></table:table-row></table:table-header-rows></table:table>`,
		`<table:table table:name="s"><table:table-row><table:table-cell table:number-columns-repeated="2" office:value-type="string" calcext:value-type="float"><text:p>a &amp; "b"</text:p></table:table-cell>` +
			`<table:table-cell table:style-name="ce1" office:value-type="date" office:date-value="2026-03-31T10:00:00" calcext:value-type="date"><text:p>31/3</text:p></table:table-cell><table:table-cell/>` +
			`<table:table-cell office:value-type="float" office:value="1.5" calcext:value-type="string"><text:p>2</text:p></table:table-cell>` +
			`<table:table-cell table:formula="of:=1" office:value-type="string" office:string-value="x"></table:table-cell><table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>#N/A</text:p></table:table-cell></table:table-row></table:table>`,
		"<table:table table:name=\"s\"><table:table-row>\n  <table:table-cell />\n  <table:table-cell office:value-type=\"string\" ><text:p>a,</text:p><text:p>b</text:p></table:table-cell>\n" +
			`<table:table-cell table:style-name="ce1" office:value-type="float" office:value="7"><text:p>007</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1.50"><text:p>1.5</text:p></table:table-cell>` +
			`<table:table-cell office:value-type="float" office:value="0"><text:p>Err:508</text:p></table:table-cell></table:table-row></table:table>`,
	} {
		f.Add([]byte(tables))
	}
	longer := strings.NewReplacer("<table:table-cell ", "<table:table-cell  ", "<table:table-cell>", "<table:table-cell  >", "<table:table-cell/>", "<table:table-cell  />")
	f.Fuzz(func(t *testing.T, tables []byte) {
		short, err := requireSound(t, odsOf(string(tables)))
		long, longErr := requireSound(t, odsOf(longer.Replace(string(tables))))
		if bytes.Contains(tables, []byte("<![CDATA[")) || bytes.ContainsAny(tables, `'`) || inValue.Match(tables) {
			return // a tag may be text or in a value there
		}
		require.Equal(t, err == nil, longErr == nil, "%v, %v", err, longErr)
		require.Equal(t, short, long)
	})
}
