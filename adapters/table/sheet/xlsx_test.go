package sheet_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table/sheet"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/only"
)

// TestCellsOfXLSX reads cells of every kind, as programs write them and as they may.
func TestCellsOfXLSX(t *testing.T) {
	for name, c := range map[string]struct{ cells, want string }{
		"shared text":               {`<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>2</v></c>`, `zero,"two, ""quoted"""`},
		"shared text, empty":        {`<c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>0</v></c>`, `,zero`},
		"text in the cell":          {`<c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="str"><f>A1&amp;"x"</f><v>a &amp; &#8377;&#x20B9;</v></c>`, "a,a & ₹₹"},
		"runs and phonetics":        {`<c r="A1" t="inlineStr"><is><r><t>東</t></r><rPh sb="0" eb="1"><t>トウ</t></rPh><r><rPr><b/></rPr><t xml:space="preserve"> 京</t></r></is></c>`, "東 京"},
		"CDATA and comments":        {`<c r="A1" t="str"><!-- <v>no</v> --><v>a<![CDATA[<b>&amp;]]>c<?pi?></v></c>`, "a<b>&amp;c"},
		"line ends":                 {`<c r="A1" t="str"><v>a` + "\n" + `b_x000D_&#10;c&#13;d_x005F_x000D_</v></c>`, "a b c d_x000D_"},
		"blanks around":             {`<c r="A1" t="str"><v xml:space="preserve"> a </v></c>`, " a "},
		"not UTF-8":                 {`<c r="A1" t="str"><v>caf` + "\xe9" + `</v></c>`, "caf\ufffd"},
		"truth":                     {`<c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c>`, "TRUE,FALSE"},
		"errors":                    {`<c r="A1" t="e"><v>#N/A</v></c><c r="B1" t="e"><f>C1</f><v>#REF!</v></c>`, "#N/A,#REF!"},
		"formula":                   {`<c r="A1"><f t="shared" ref="A1:A9" si="0">B1*2</f><v>84.5</v></c>`, "84.5"},
		"formula without a value":   {`<c r="A1"><f>B1</f></c><c r="B1" s="1"><f t="shared" si="0"/><v></v></c><c r="C1"><f>B1</f><v/></c><c r="D1"><v>1</v></c>`, "#N/A,#N/A,#N/A,1"},
		"formula of no text":        {`<c r="A1" t="str"><f>B1</f><v></v></c><c r="B1"><f>A1</f><v>0</v></c>`, ",0"},
		"no value":                  {`<c r="A1" s="1"/><c r="B1" s="1"></c><c r="C1"><v></v></c><c r="D1"><v/></c><c r="E1"><v>1</v></c>`, ",,,,1"},
		"nothing after":             {`<c r="A1"><v>1</v></c><c r="B1"/><c r="XFD1"/>`, "1"},
		"gaps":                      {`<c r="B1"><v>1</v></c><c r="AA1"><v>2</v></c>`, ",1" + strings.Repeat(",", 25) + "2"},
		"no references":             {`<c><v>1</v></c><c/><c t="s"><v>0</v></c><c r="F1"><v>2</v></c><c><v>3</v></c>`, "1,,zero,,,2,3"},
		"other quotes and blanks":   {"<c r='A1'\n t='s' ><v >0</v ></c ><c r = \"B1\" s=\"1\"><v>46086</v></c>", "zero,2026-03-05"},
		"attributes unknown":        {`<c cm="1" r="A1" vm="2" s="0" t="n" ph="1" x=">"><v>1</v><extLst><ext><v>9</v></ext></extLst></c>`, "1"},
		"days":                      {`<c r="A1" s="1"><v>46086</v></c><c r="B1" s="2"><v>46084.604224537035</v></c><c r="C1" s="2"><v>46084</v></c>`, "2026-03-05,2026-03-03 14:30:05,2026-03-03"},
		"times":                     {`<c r="A1" s="3"><v>0.604224537035</v></c><c r="B1" s="4"><v>1.5</v></c><c r="C1" s="3"><v>46084.5</v></c>`, "14:30:05,36:00:00,2026-03-03 12:00:00"},
		"days written as such":      {`<c r="A1" t="d"><v>2026-03-05</v></c><c r="B1" t="d"><v>2026-03-05T00:00:00</v></c><c r="C1" t="d"><v>2026-03-05T14:30:05.250</v></c><c r="D1" t="d"><v>2026-03-05T14:30:05Z</v></c>`, "2026-03-05,2026-03-05,2026-03-05 14:30:05,2026-03-05T14:30:05Z"},
		"percent":                   {`<c r="A1" s="5"><v>0.18</v></c>`, "0.18"},
		"a style that is not there": {`<c r="A1" s="99"><v>46086</v></c>`, "46086"},
		"text in a number":          {`<c r="A1"><v>Delhi</v></c><c r="B1"><v>0x1p-2</v></c><c r="C1"><v>Inf</v></c>`, "Delhi,0x1p-2,Inf"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, textOf(t, bookOf(`<row r="1">`+c.cells+`</row>`)))
			require.Equal(t, c.want, textOf(t, bookOf(`<row>`+strings.ReplaceAll(c.cells, "<c ", "<c  ")+`</row>`)), "by the longer way")
			prefixed := strings.NewReplacer("<c", "<x:c", "</c", "</x:c", "<v", "<x:v", "</v", "</x:v", "<row", "<x:row", "</row", "</x:row", "</x:vv", "</vv").Replace(`<row r="1">` + c.cells + `</row>`)
			require.Equal(t, c.want, textOf(t, bookOf(prefixed)), "with prefixes")
		})
	}
}

// TestFormulasThatNobodyComputed tells the values of formulas from the zeros that programs
// write which do not compute: they have the workbook computed when it is opened.
func TestFormulasThatNobodyComputed(t *testing.T) {
	p := parts{"xl/worksheets/sheet1.xml": sheetOf(`<row><c><f>B1</f><v>0</v></c><c><f>B1</f><v>2.5</v></c><c t="str"><f>B1</f><v></v></c><c t="str"><f>B1</f><v>a</v></c><c><v>0</v></c></row>`)}
	require.Equal(t, "0,2.5,,a,0", textOf(t, p.zipped()))
	for stated, want := range map[string]string{"1": "#N/A,2.5,,a,0", "true": "#N/A,2.5,,a,0", "0": "0,2.5,,a,0"} {
		p["xl/workbook.xml"] = `<workbook ` + mainSpace + ` ` + relationSpace + `><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets><calcPr calcId="124519" fullCalcOnLoad="` + stated + `"/></workbook>`
		require.Equal(t, want, textOf(t, p.zipped()), stated)
	}
}

// TestRowsOfXLSX keeps line n of the text row n of the sheet.
func TestRowsOfXLSX(t *testing.T) {
	for name, c := range map[string]struct{ rows, want string }{
		"gaps":              {`<row r="2"><c r="A2"><v>1</v></c></row><row r="5" hidden="1"><c r="B5"><v>2</v></c></row><row r="9"/>`, "\n1\n\n\n,2"},
		"no numbers":        {`<row><c><v>1</v></c></row><row/><row><c><v>2</v></c></row><row r="5"><c><v>3</v></c></row>`, "1\n\n2\n\n3"},
		"cells alone say":   {`<row><c r="A3"><v>1</v></c><c r="C3"><v>1</v></c></row><row><c r="B7"><v>2</v></c></row><row><c><v>3</v></c></row>`, "\n\n1,,1\n\n\n\n,2\n3"},
		"none":              {``, ""},
		"blank":             {`<row r="1"><c r="A1"/></row>`, ""},
		"the last":          {`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`, strings.Repeat("\n", 1<<20-1) + "1"},
		"others in between": {"\n<row r=\"1\">\n <c r=\"A1\"><v>1</v></c>\n</row>\n<x/><row r=\"2\"><z><c><v>9</v></c></z><c r=\"A2\"><v>2</v></c></row>", "1\n2"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, textOf(t, bookOf(c.rows))) })
	}
}

// TestFirstRowsAlone reads no more rows than it is told to.
func TestFirstRowsAlone(t *testing.T) {
	ods := odsOf(`<table:table table:name="s"><table:table-row><table:table-cell office:value-type="float" office:value="1"/></table:table-row>` +
		`<table:table-row/><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="2"/></table:table-row></table:table>`)
	for _, content := range [][]byte{bookOf(`<row><c><v>1</v></c></row><row r="3"><c><v>2</v></c></row><row><c><v>2</v></c></row>`), ods} {
		book, _ := only.Both(sheet.Open(content, sheet.Limits{Text: mostText}))(t)
		for most, want := range []string{"1\n\n2\n2", "1", "1", "1\n\n2", "1\n\n2\n2", "1\n\n2\n2"} {
			got := only.Value(book.AppendText([]byte("x"), 0, most))(t)
			require.Equal(t, "x"+want, strings.TrimRight(string(got), "\n"), most)
		}
	}
}

// TestNumbersOfXLSX writes numbers as spreadsheet programs show them, and so that the
// domain knows which tracking numbers have lost digits.
func TestNumbersOfXLSX(t *testing.T) {
	for stored, want := range map[string]string{
		"0": "0", "-0": "0", "1": "1", "007": "7", "1.50": "1.5", "-12.25": "-12.25", ".5": "0.5", "5.": "5", "1e3": "1000", "1E-7": "0.0000001",
		"1499.5": "1499.5", "1234.5600000000001": "1234.56", "0.30000000000000004": "0.3", "-0.30000000000000004": "-0.3", "2.6749999999999998": "2.675",
		"5.6843418860808015E-14": "0.000000000000056843418860808", "1e-300": "0",
		"1234567890": "1234567890", "12345678901234": "12345678901234", "1.904076086893E+12": "1904076086893", "1.23456789012345E+14": "123456789012345", "123456789012345": "123456789012345",
		"999999999999999": "999999999999999", "999999999999999.9": "1.00000000000000E+15",
		"1234567890123456": "1.23456789012346E+15", "1000000000000000": "1.00000000000000E+15", "9007199254740993": "9.00719925474099E+15",
		"12345678901234567": "1.23456789012346E+16", "12345678901234567890": "1.23456789012346E+19", "1E+20": "1.00000000000000E+20",
	} {
		got := textOf(t, bookOf(`<row r="1"><c r="A1"><v>`+stored+`</v></c></row>`))
		require.Equal(t, want, got, stored)
		if digits := strings.TrimLeft(stored, "0"); len(digits) >= 10 && strings.Trim(digits, "0123456789") == "" {
			key, reliable := verdict.AWBKey([]byte(got))
			require.Equal(t, len(digits) <= 15, reliable, stored)
			if reliable {
				require.Equal(t, stored, string(key))
			}
		}
	}
}

// TestEpochs writes the days of both epochs, and the day that there was not.
func TestEpochs(t *testing.T) {
	for serial, want := range map[string][2]string{
		"0":                 {"1899-12-31", "1904-01-01"},
		"1":                 {"1900-01-01", "1904-01-02"},
		"59":                {"1900-02-28", "1904-02-29"},
		"60":                {"1900-02-29", "1904-03-01"},
		"61":                {"1900-03-01", "1904-03-02"},
		"46086":             {"2026-03-05", "2030-03-06"},
		"44624.9999999":     {"2022-03-04 23:59:59", "2026-03-05 23:59:59"},
		"44624.99999999999": {"2022-03-05", "2026-03-06"},
		"2958465":           {"9999-12-31", "10004-01-01"},
		"2958466":           {"2958466", "2958466"},
		"-1":                {"-1", "-1"},
		"1e300":             {"1.00000000000000E+300", "1.00000000000000E+300"},
	} {
		p := parts{"xl/worksheets/sheet1.xml": sheetOf(`<row><c s="1"><v>` + serial + `</v></c></row>`)}
		require.Equal(t, want[0], textOf(t, p.zipped()), serial)
		p["xl/workbook.xml"] = `<workbook ` + mainSpace + ` ` + relationSpace + `><workbookPr date1904="true"/><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`
		require.Equal(t, want[1], textOf(t, p.zipped()), serial)
	}
}

// TestNumberFormats tells the formats of dates and times from those of numbers.
func TestNumberFormats(t *testing.T) {
	const day, clock, span, number = "2026-03-05 12:00:00", "12:00:00", "1106076:00:00", "46086.5"
	for code, want := range map[string]string{
		"General": number, "0": number, "0.00": number, "#,##0.00": number, "@": number, "0%": number, "0.00E+00": number, "# ?/?": number,
		`[$₹-4009]\ #,##,##0.00`: number, `[Red]-0`: number, `"days" 0`: number, `0 "d"`: number, `\d0`: number, `_d0_)`: number, `_(* #,##0.00_);_(* \(#,##0.00\);_(* "-"??_);_(@_)`: number,
		`[>=10000000]##\,##\,##\,##0;##\,##0`: number, `0;dd`: number, `"`: number, `[h`: number, ``: number, "Rs. 0": number,
		"dd/mm/yyyy": day, "d-mmm-yy": day, "DD-MM-YYYY": day, `[$-409]d\-mmm\-yyyy;@`: day, "yyyy-mm-dd hh:mm:ss.000": day, "mmm": day, "mmmm yy": day, `yyyy"年"m"月"d"日"`: day, "[$-F800]dddd, mmmm dd, yyyy": day,
		"[h]:mm:ss": span, "[hh]:mm": span, "[mm]:ss.00": span, "[s]": span,
	} {
		p := parts{"xl/worksheets/sheet1.xml": sheetOf(`<row><c s="0"><v>46086.5</v></c></row>`), "xl/styles.xml": styleOf(code)}
		require.Equal(t, want, textOf(t, p.zipped()), code)
	}
	for _, code := range []string{"hh:mm", "h:mm AM/PM", "mm:ss.0", "[$-F400]h:mm:ss", "ss"} {
		p := parts{"xl/worksheets/sheet1.xml": sheetOf(`<row><c s="0"><v>0.5</v></c></row>`), "xl/styles.xml": styleOf(code)}
		require.Equal(t, clock, textOf(t, p.zipped()), code)
	}
	for id := range 60 {
		p := parts{"xl/worksheets/sheet1.xml": sheetOf(`<row><c s="0"><v>46086.5</v></c></row>`), "xl/styles.xml": `<styleSheet><cellXfs><xf numFmtId="` + fmt.Sprint(id) + `"/></cellXfs></styleSheet>`}
		want := number
		switch {
		case id == 46:
			want = span
		case id >= 14 && id <= 22, id >= 27 && id <= 36, id == 45, id == 47, id >= 50 && id <= 58:
			want = day
		}
		require.Equal(t, want, textOf(t, p.zipped()), id)
	}
	var column domain.DateColumn
	_, reading := column.Read([]byte(clock))
	require.Equal(t, domain.Unreadable, reading, "a time alone is no date")
}

// TestLeadingZeros keeps the zeros that a number format shows before a number: they are
// digits of an AWB.
func TestLeadingZeros(t *testing.T) {
	for code, want := range map[string]string{
		"00000000": "00123456", "00000000;@": "00123456", "0000": "123456", "0": "123456", "0000000000000000": "123456", "0000.00": "123456", "00-00000000": "123456",
	} {
		p := parts{"xl/worksheets/sheet1.xml": sheetOf(`<row><c s="0"><v>123456</v></c></row>`), "xl/styles.xml": styleOf(code)}
		require.Equal(t, want, textOf(t, p.zipped()), code)
	}
	p := parts{"xl/worksheets/sheet1.xml": sheetOf(`<row><c s="0"><v>-123456</v></c><c s="0"><v>12.5</v></c><c s="0"><v>1.904076086893E+12</v></c><c s="0"><v>0</v></c></row>`), "xl/styles.xml": styleOf("00000000")}
	require.Equal(t, "-123456,12.5,1904076086893,00000000", textOf(t, p.zipped()))
	require.Equal(t, "00123456,12,0012", textOf(t, odsOf(`<table:table table:name="s"><table:table-row>`+
		`<table:table-cell office:value-type="float" office:value="123456"><text:p>00123456</text:p></table:table-cell>`+
		`<table:table-cell office:value-type="float" office:value="12"><text:p>0013</text:p></table:table-cell>`+
		`<table:table-cell office:value-type="float" office:value="12"><text:p>0012</text:p></table:table-cell></table:table-row></table:table>`)))
}

func styleOf(code string) string {
	return `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="` + strings.NewReplacer(`"`, "&quot;", ">", "&gt;").Replace(code) + `"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`
}

// TestPartsOfXLSX finds the parts of a workbook wherever they are.
func TestPartsOfXLSX(t *testing.T) {
	one := sheetOf(`<row><c t="s"><v>0</v></c></row>`)
	strict := "http://purl.oclc.org/ooxml/officeDocument/relationships/"
	for name, p := range map[string]parts{
		"usual":                       {"xl/worksheets/sheet1.xml": one},
		"no relations of the archive": {"xl/worksheets/sheet1.xml": one, "_rels/.rels": ""},
		"strict": {"xl/worksheets/sheet1.xml": strings.ReplaceAll(one, mainSpace, `xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"`),
			"_rels/.rels":                relations(`Id="a" Type="` + strict + `officeDocument" Target="xl/workbook.xml"`),
			"xl/_rels/workbook.xml.rels": relations(`Id="rId1" Type="`+strict+`worksheet" Target="worksheets/sheet1.xml"`, `Id="rId2" Type="`+strict+`sharedStrings" Target="sharedStrings.xml"`)},
		"absolute": {"xl/worksheets/sheet1.xml": one, "_rels/.rels": relations(`Id="a" Type="x/officeDocument" Target="/xl/workbook.xml"`),
			"xl/_rels/workbook.xml.rels": relations(`Id="rId1" Type="x/worksheet" Target="/xl/worksheets/sheet1.xml"`, `Id="rId2" Type="x/sharedStrings" Target="/xl/sharedStrings.xml"`)},
		"backslashes and case": {`xl\worksheets\SHEET1.xml`: one, "xl/_rels/workbook.xml.rels": relations(`Id="rId1" Type="x/worksheet" Target=".\worksheets\Sheet1.XML"`, `Id="rId2" Type="x/sharedStrings" Target="../xl/./sharedStrings.xml"`)},
		"elsewhere": {"book.d/the workbook.xml": `<x:workbook xmlns:x="x"><x:sheets><x:sheet name="s" xmlns:q="q" q:id="rId1"/></x:sheets></x:workbook>`, "book.d/s.xml": one, "xl/workbook.xml": "",
			"_rels/.rels":                        relations(`Id="a" Type="x/officeDocument" Target="book.d/the workbook.xml"`),
			"book.d/_rels/the workbook.xml.rels": relations(`Id="rId1" Type="x/worksheet" Target="s.xml"`, `Id="rId2" Type="x/sharedStrings" Target="../xl/sharedStrings.xml"`)},
		"no styles":  {"xl/worksheets/sheet1.xml": one, "xl/styles.xml": ""},
		"with a BOM": {"xl/worksheets/sheet1.xml": "\ufeff" + one},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, "zero", textOf(t, p.zipped())) })
	}
}

// TestSheetsOfXLSX names the sheets as the workbook orders them, and passes over what has
// no cells.
func TestSheetsOfXLSX(t *testing.T) {
	content := parts{
		"xl/workbook.xml": `<workbook ` + mainSpace + ` ` + relationSpace + `><sheets><sheet name="Last &amp; first" r:id="b"/><sheet name="Chart" r:id="c"/><sheet name="मार्च" state="hidden" r:id="a"/><sheet name="x" state="veryHidden" r:id="d"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations(`Id="a" Type="x/worksheet" Target="worksheets/sheet1.xml"`, `Id="b" Type="x/worksheet" Target="worksheets/sheet2.xml"`,
			`Id="c" Type="x/chartsheet" Target="chartsheets/sheet1.xml"`, `Id="d" Type="x/worksheet" Target="worksheets/sheet3.xml"`),
		"xl/worksheets/sheet1.xml": sheetOf(`<row><c><v>1</v></c></row>`), "xl/worksheets/sheet2.xml": sheetOf(`<row><c><v>2</v></c></row>`), "xl/worksheets/sheet3.xml": sheetOf(`<row><c><v>3</v></c></row>`),
	}.zipped()
	require.Equal(t, "== Last & first\n2\n== मार्च (hidden)\n1\n== x (hidden)\n3\n", read(t, content))
}

// TestOtherFiles opens nothing that is no workbook.
func TestOtherFiles(t *testing.T) {
	for name, content := range map[string][]byte{
		"nothing":  nil,
		"text":     []byte("AWB No,COD Amount\n1,2\n"),
		"document": parts{"_rels/.rels": relations(`Id="a" Type="x/officeDocument" Target="word/document.xml"`), "word/document.xml": "<document/>"}.alone(),
		"archive":  parts{"report.csv": "AWB No\n1\n"}.alone(),
		"binary":   parts{"_rels/.rels": relations(`Id="a" Type="x/officeDocument" Target="xl/workbook.bin"`), "xl/workbook.bin": "x"}.alone(),
		"odt":      parts{"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<a/>"}.alone(),
	} {
		_, is, err := sheet.Open(content, sheet.Limits{Text: mostText})
		require.False(t, is, name)
		require.NoError(t, err, name)
	}
}

// TestPasswords knows a zip that is encrypted, whichever way; xls_test.go has containers.
func TestPasswords(t *testing.T) {
	encrypted := bookOf(`<row/>`)
	for _, head := range []string{"PK\x03\x04", "PK\x01\x02"} {
		flags := 6
		if head == "PK\x01\x02" {
			flags = 8
		}
		for at := 0; ; at++ {
			n := bytes.Index(encrypted[at:], []byte(head))
			if n < 0 {
				break
			}
			at += n
			encrypted[at+flags] |= 1
		}
	}
	for name, content := range map[string][]byte{
		"entries of zip": encrypted,
		"ods": parts{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "\x01\x02",
			"META-INF/manifest.xml": `<!DOCTYPE manifest:manifest PUBLIC "-//x" "Manifest.dtd"><manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`}.alone(),
	} {
		_, is, err := sheet.Open(content, sheet.Limits{Text: mostText})
		require.True(t, is, name)
		require.ErrorIs(t, err, sheet.ErrPassword, name)
	}
}

func TestValuesOfAttributesMayEndTags(t *testing.T) {
	for _, attribute := range []string{`a='>'`, `a=">"`, `a='">'`, `a="'>'"`, `a='' b=">"`, `a="<>"`} {
		require.Equal(t, "zero", textOf(t, bookOf(`<row r="1"><c `+attribute+` t="s" r="A1"><v>0</v></c></row>`)), attribute)
	}
}
