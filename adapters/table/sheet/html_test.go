package sheet

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"milaan/tests/only"
)

// TestTablesOfPages reads pages as panels send them and browsers show them.
func TestTablesOfPages(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"plain": {`<table><thead><tr><th>AWB No</th><th>COD</th></tr></thead><tbody><tr><td>1</td><td>2.50</td></tr></tbody></table>`,
			"[table 1]\nAWB No,COD\n1,2.50\n"},
		"a whole page": {"<!DOCTYPE html>\r\n<html><head><title>COD <table></title><style>td{color:red}</style><script>if (a<b) document.write('<table><tr><td>x</td></tr></table>')</script></head>" +
			"<body><h1>COD</h1><!-- <table><tr><td>old</td></tr></table> --><TABLE BORDER=1><TR><TD>1<TD>2</TABLE></body></html>", "[table 1]\n1,2\n"},
		"no end tags":      {"<table><tr><th>a<th>b<tr><td>1<td>2</table>", "[table 1]\na,b\n1,2\n"},
		"no rows' tags":    {"<table><td>a<td>b<tr><td>1<td>2</table>", "[table 1]\na,b\n1,2\n"},
		"breaks":           {"<table><tr><td>Anita<br>Sharma<br/><p>Pune</p>\r\n\t  India</td></tr></table>", "[table 1]\nAnita Sharma Pune India\n"},
		"references":       {"<table><tr><td>&#8377;&nbsp;1,200</td><td>&nbsp;</td><td>&nbsp;Rao &amp; Sons&nbsp;</td><td>a\u00a0b</td></tr></table>", "[table 1]\n\"₹\u00a01,200\",,Rao & Sons,a\u00a0b\n"},
		"inline tags":      {`<table><tr><td><b>149</b>08<font color=red>12</font></td><td><a href="x?a=1&b=2">12</a><script>x</script></td></tr></table>`, "[table 1]\n1490812,12\n"},
		"a kind twice":     {`<table><tr><td data-v="5" data-t="s" data-t="n" id="sjs-A1">5.00</td></tr></table>`, "[table 1]\n5.00\n"},
		"values alone":     {`<table><tr><td x:num="7"></td><td x:num="7"></td><td x:num="8"></td><td></td><td></td><td> </td><td x:num="1.5">01.5</td></tr></table>`, "[table 1]\n7,7,8,,,,1.5\n"},
		"quotes":           {`<table><tr><td>Rao, "Raj"</td><td>="123"</td></tr></table>`, "[table 1]\n\"Rao, \"\"Raj\"\"\",\"=\"\"123\"\"\"\n"},
		"spans":            {`<table><tr><td colspan=2>a</td><td>b</td></tr><tr><td rowspan="2">c</td><td>d</td><td>e</td></tr><tr><td>f</td><td>g</td></tr><tr><td>h</td></tr></table>`, "[table 1]\na,,b\nc,d,e\n,f,g\nh\n"},
		"spans both ways":  {`<table><tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d</table>`, "[table 1]\na,,b\n,,c\nd\n"},
		"odd spans":        {`<table><tr><td colspan=0>a<td colspan=-3 rowspan=x>b<td colspan="">c<tr><td>d</table>`, "[table 1]\na,b,c\nd\n"},
		"a lying span":     {`<table><tr><td rowspan=99999999999999999999>a<td>b<tr><td>c</table>`, "[table 1]\na,b\n,c\n"},
		"empty rows":       {"<table><tr></tr><tr><td></td></tr><tr><td>a</td></tr><tr></tr></table>", "[table 1]\n\n\na\n"},
		"several":          {"<table><tr><td>a</td></tr></table><p>x</p><table><caption>COD <b>June</b></caption><tr><td>b</td></tr></table><table id=rows><tr><td>c</table><table id=Rows><tr><td>d</table>", "[table 1]\na\n[COD June]\nb\n[rows]\nc\n[table 4]\nd\n"},
		"a long caption":   {"<table><caption>" + strings.Repeat("x ", 40) + "</caption><tr><td>a</td></tr></table>", "[table 1]\na\n"},
		"no rows at first": {"<table></table><table><tr><td>a</td></tr></table>", "[table 1]\na\n"},
		"one in another":   {"<table><tr><td>outer<table><tr><td>inner</td></tr></table>rest</td><td>2</td></tr></table>", "[table 1]\nouterrest,2\n[table 2]\ninner\n"},
		"one unclosed":     {"<table><tr><td>a</td></tr><table><tr><td>b</td></tr></table>", "[table 1]\na\n[table 2]\nb\n"},
		"stray tags":       {"<table><tr><td>a</td></td></b></tr></tr></div><tr><td>b</tr></table></table></td>", "[table 1]\na\nb\n"},
		"no end at all":    {"<html><table><tr><td>a</td><td>b</td></tr>\n<tr><td>1</td><td>2</td></tr>\n", "[table 1]\na,b\n1,2\n"},
		"no ends of rows":  {"<table><tr><td>a</td><td>b</td><tr><td>1</td><td>2</td>", "[table 1]\na,b\n1,2\n"},
		"no ends, no text": {"<table><tr><td></td><td></td><td>a</td><tr><td></td><td></td><td>b</td>", "[table 1]\n,,a\n,,b\n"},
		"a remark at last": {"<table><tr><td>a</td></tr><!-- end -->", "[table 1]\na\n"},
		"a warning before": {"<br />\n<b>Notice</b>: Undefined index in panel.php<br /><table><tr><td>a</td></tr></table>", "[table 1]\na\n"},
	} {
		t.Run(name, func(t *testing.T) { requireText(t, []byte(c.page), c.want) })
	}
}

// TestPagesInOtherCharacters reads one page in the character sets of panels.
func TestPagesInOtherCharacters(t *testing.T) {
	const head, body = "<html><head><meta http-equiv=Content-Type content=\"text/html; charset=%\"></head>", "<table><tr><td>अनीता ₹</td></tr></table>"
	want := "[table 1]\nअनीता ₹\n"
	requireText(t, []byte(head+body), want)
	requireText(t, []byte("\ufeff"+strings.Replace(head, "%", "utf-8", 1)+body), want)
	requireText(t, []byte(strings.Replace(head, "%", "iso-8859-1", 1)+body), want) // it says so and is not
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		wide := only.Value(unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(head + body))(t)
		requireText(t, []byte(wide), want)
	}
	requireText(t, []byte("<table><tr><td>caf\xe9 \x80</td></tr></table>"), "[table 1]\ncafé €\n")
	requireText(t, []byte(strings.Replace(head, "%", "windows-1251", 1)+"<table><tr><td>\xc0</td></tr></table>"), "[table 1]\nА\n")
	requireText(t, []byte(strings.Replace(head, "%", "utf-8", 1)+"<table><tr><td>a\xe9</td></tr></table>"), "[table 1]\na\ufffd\n")
}

// excelPage is a page as Excel saves it.
const excelPage = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta name=ProgId content=Excel.Sheet><style><!--table
{mso-displayed-decimal-separator:"\.";}
.xl24 {mso-style-parent:style0;
	mso-number-format:"\[$-409\]dd\\-mmm\\-yy\;\@";}
.xl25 {mso-number-format:"Short Date";}
.xl26 {mso-number-format:"\0022₹\0022\\ \#\,\#\#0\.00";}
.xl27{mso-number-format:0;}
--></style><!--[if gte mso 9]><xml><x:ExcelWorkbook></x:ExcelWorkbook></xml><![endif]--></head>
<body><table border=0 x:str>
<tr><td>AWB</td><td>Date</td></tr>
<tr><td class=xl27 align=right x:num="14908123456789">1.49081E+13</td><td class="xl1 xl24" x:num="46084">03-Mar-26</td></tr>
<tr><td x:num>14908123456790</td><td class=xl25 x:num="46084.75">03/03/26</td></tr>
<tr><td x:num="14908123456789124">1.49081E+16</td><td x:num="46084">Tuesday</td></tr>
<tr><td class=xl26 x:num="1299.5">₹ 1,300</td><td style='mso-number-format:"Medium Time"' x:num="0.5">12:00 PM</td></tr>
<tr><td x:str="  two  blanks">two blanks</td><td x:err="#N/A">#N/A</td><td x:bool="TRUE">TRUE</td><td x:num="0.05" x:fmla="=A1">5%</td><td x:num="-5.25">(5.25)</td></tr>
</table></body></html>`

// TestPagesOfSpreadsheetPrograms: where a cell says its value beside the text that its
// format makes of it, the value counts.
func TestPagesOfSpreadsheetPrograms(t *testing.T) {
	want := "[table 1]\nAWB,Date\n14908123456789,2026-03-03\n14908123456790,2026-03-03 18:00:00\n1.49081234567891E+16,Tuesday\n1299.5,12:00:00\n  two  blanks,#N/A,TRUE,0.05,-5.25\n"
	requireText(t, []byte(excelPage), want)
	from1904 := strings.Replace(excelPage, "<x:ExcelWorkbook>", "<x:ExcelWorkbook><x:Date1904/>", 1)
	requireText(t, []byte(from1904), strings.ReplaceAll(want, "2026-03-03", "2030-03-04"))
	padded := strings.Replace(excelPage, ">Tuesday<", ">0046084<", 1)
	requireText(t, []byte(padded), strings.ReplaceAll(want, "Tuesday", "0046084"))
	// The same attributes of another program mean something else.
	requireText(t, []byte(`<table><tr><td data-t="n" data-v="7">12</td></tr></table>`), "[table 1]\n12\n")
}

// TestPagesBreakOff: a page that ends inside a row is refused; one that ends after a
// whole row is taken, because panels do not close their tables.
func TestPagesBreakOff(t *testing.T) {
	for _, page := range []string{
		"<table><tr><td>a</td><td>b</td></tr><tr><td>1</td>",
		"<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2",
		"<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td>",
		"<table><tr><td>a</td><td>b</td></tr><tr>",
		"<table><tr><td>a</td><td>b</td></tr><t",
		"<table><tr><td>a</td></tr><tr><td title=\"x>1</td></tr></table>",
		"<table><tr><td>a</td></tr><!-- <tr><td>b</td></tr>",
		"<table><tr><td>a</td></tr><script> <tr><td>b</td></tr>",
		"<table><tr><td>a<td>b<tr><td>1<td>2",
		"<table><tr><td>a</td><td>b</td><tr><td>1</td>",
		"<table><tr><td><table><tr><td>a</td></tr></table>",
		"<table><tr><td>a</td><td>b</td>",
		"<table><caption>x",
		"<table>",
	} {
		require.ErrorIs(t, only.Err(readAll([]byte(page))), ErrBroken, "%s", page)
	}
	whole := only.Value(readAll(sample(t, "html-sheetjs.xls")))(t)
	content := sample(t, "html-sheetjs.xls")
	for at := len(content) - 1; at > 200; at -= 23 {
		got, err := readAll(content[:at])
		if err == nil && !strings.HasSuffix(string(content[:at]), "</tr>") && at < strings.Index(string(content), "</table>") {
			t.Fatalf("%d bytes give %q", at, got)
		}
		require.True(t, err != nil || strings.HasPrefix(whole, strings.TrimSuffix(got, "\n")))
	}
}

func TestWhatIsAPage(t *testing.T) {
	for text, want := range map[string]bool{
		"<table>": true, "\r\n <TABLE border=1>": true, "<?xml version='1.0'?><html><body><table >": true, "<div><p>x</p><table\n>": true,
		"<html><body>Your session has expired</body></html>": false, "AWB,COD\n1,<table>\n": false, "": false, "<": false, "<3,<table>\n": false,
		"<html><tablespoon>": false, "<?xml version='1.0'?><office:document><table:table table:name=\"s\">": false, "<x><table-x>": false, "%PDF-1.4 <table>": false,
		"<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>": true,
	} {
		require.Equal(t, want, isHTML([]byte(text)), "%q", text)
	}
}

// spreadsheetXML makes an XML Spreadsheet of a sheet.
func spreadsheetXML(rows string) []byte {
	return []byte(`<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel">
<Styles><Style ss:ID="s1"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="s2" ss:Parent="s1"><Font ss:Bold="1"/></Style><Style ss:ID="s3"><NumberFormat ss:Format="00000000"/></Style></Styles>
<Worksheet ss:Name="COD &amp; more"><Table ss:ExpandedColumnCount="3">` + rows + `</Table><WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet></Workbook>`)
}

func TestXMLSpreadsheets(t *testing.T) {
	const cell = `<Cell><Data ss:Type="String">a</Data></Cell>`
	for name, c := range map[string]struct{ rows, want string }{
		"kinds": {`<Row><Cell><Data ss:Type="Number">1.4908123456789124E+16</Data></Cell><Cell><Data ss:Type="Number">14908123456789</Data></Cell><Cell><Data ss:Type="Boolean">1</Data></Cell><Cell ss:Formula="=NA()"><Data ss:Type="Error">#N/A</Data></Cell></Row>`,
			"1.49081234567891E+16,14908123456789,TRUE,#N/A"},
		"zeros":       {`<Row><Cell ss:StyleID="s3"><Data ss:Type="Number">123456</Data></Cell></Row>`, "00123456"},
		"formulas":    {`<Row><Cell ss:Formula="=RC[1]"/><Cell ss:Formula="=RC[1]"><Comment><ss:Data>x</ss:Data></Comment></Cell><Cell ss:Formula="=RC[1]"><Data ss:Type="String"></Data></Cell>` + cell + `</Row>`, "#N/A,#N/A,,a"},
		"dates":       {`<Row><Cell ss:StyleID="s2"><Data ss:Type="Number">46084</Data></Cell><Cell><Data ss:Type="DateTime">2026-03-03T18:26:28.000</Data></Cell><Cell><Data ss:Type="DateTime">2026-03-03T00:00:00.000</Data></Cell></Row>`, "2026-03-03,2026-03-03 18:26:28,2026-03-03"},
		"places":      {`<Row ss:Index="2"><Cell ss:Index="2" ss:MergeAcross="1"><Data ss:Type="String">a</Data></Cell>` + cell + `</Row><Row ss:Span="1"/><Row>` + cell + `</Row>`, "\n,a,,a\n\n\na"},
		"marked text": {`<Row><Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">₹ <B>12</B>&#10;due</ss:Data></Cell></Row>`, "₹ 12 due"},
		"remarks":     {`<Row><Cell><Comment ss:Author="x"><ss:Data>late</ss:Data></Comment><Data ss:Type="String">a</Data></Cell>` + cell + `</Row>`, "a,a"},
	} {
		t.Run(name, func(t *testing.T) {
			requireText(t, spreadsheetXML(c.rows), "[COD & more]\n"+c.want+"\n")
		})
	}
	_, bare, _ := bytes.Cut(spreadsheetXML("<Row>"+cell+"</Row>"), []byte("?>\n"))
	requireText(t, bare, "[COD & more]\na\n")
	book := only.Value(openHTML(spreadsheetXML("<Row>"+cell+"</Row><Row>"+cell+"</Row>"), within(enough)))(t)
	require.Equal(t, "before:a", string(only.Value(book.AppendText([]byte("before:"), 0, 1))(t)))
	require.True(t, book.(interface{ Hidden(int) bool }).Hidden(0))

	for name, rows := range map[string]string{
		"a row back":       `<Row ss:Index="3">` + cell + `</Row><Row ss:Index="2">` + cell + `</Row>`,
		"a cell back":      `<Row><Cell ss:Index="2"/><Cell ss:Index="1"/></Row>`,
		"no column":        `<Row><Cell ss:Index="99999"><Data ss:Type="String">a</Data></Cell></Row>`,
		"a row in a row":   `<Row><Row>` + cell + `</Row></Row>`,
		"no end of a cell": `<Row><Cell><Data ss:Type="String">a</Data></Row>`,
		"no end of data":   `<Row><Cell><Data ss:Type="String">a</Cell></Row>`,
		"data of no cell":  `<Row><Data ss:Type="String">a</Data></Row>`,
		"ends of nothing":  `</Worksheet></Worksheet>`,
	} {
		require.ErrorIs(t, only.Err(readAll(spreadsheetXML(rows))), ErrBroken, name)
	}
	whole := spreadsheetXML(`<Row>` + cell + `</Row>`)
	for at := range len(whole) - len("</Workbook>") {
		require.ErrorIs(t, only.Err(openHTML(whole[:at], within(enough))), ErrBroken)
	}
}

// TestPagesWithinLimits counts the text of all cells of all tables.
func TestPagesWithinLimits(t *testing.T) {
	page := []byte(strings.Repeat("<table>"+strings.Repeat("<tr>"+strings.Repeat("<td>1</td>", 10)+"</tr>", 5)+"</table>", 10))
	_, err := openMade(page, 1000) // a byte for each digit, and one for what is before it
	require.NoError(t, err)
	require.ErrorIs(t, only.Err(openMade(page, 900)), ErrLarge)
}

// TestFilesArePassed: whoever has a file mapped into memory gives its parts back while it is read.
func TestFilesArePassed(t *testing.T) {
	row := "<tr><td>अनीता</td><td align=\"left\"><br></td></tr>\n"
	cells := made(nil)
	for row := range 3 * passedAtOnce / len(cells.number(0, 0, 0, 0)) {
		cells = cells.number(row, 0, 0, 1499)
	}
	old := xls(workbook(nil, madeSheet{name: "Remittance", cells: cells}))
	for _, file := range [][]byte{[]byte("<table>" + strings.Repeat(row, 3*passedAtOnce/len(row)) + "</table>"), old} {
		want, at, passed := bytes.Clone(file), 0, 0
		limits := within(enough)
		limits.Passed = func(part []byte) {
			require.GreaterOrEqual(t, cap(file)-cap(part), at) // in order, and none twice
			at, passed = cap(file)-cap(part)+len(part), passed+len(part)
		}
		book, _ := only.Both(Open(file, limits))(t)
		require.NoError(t, only.Err(book.AppendText(nil, 0, 0)))
		require.Greater(t, passed, len(file)-2*passedAtOnce)
		require.Equal(t, want, file)
	}
}

// TestPagesAreGuessed: that a page is not UTF-8 shows late, and in the middle of a character of three bytes.
func TestPagesAreGuessed(t *testing.T) {
	for _, before := range []int{0, 1, 2, passedAtOnce} {
		row := "<tr><td>" + strings.Repeat("₹", 2000) + "</td></tr>"
		page := "<table>" + strings.Repeat(" ", before) + strings.Repeat(row, 3*passedAtOnce/len(row))
		text := strings.Repeat(strings.Repeat("₹", 2000)+"\n", 3*passedAtOnce/len(row))
		requireText(t, []byte(page+"</table>"), "[table 1]\n"+text)
		text = strings.ReplaceAll(text, "₹", "â‚¹")
		requireText(t, []byte(page+"<tr><td>caf\xe9</td></tr></table>"), "[table 1]\n"+text+"café\n")
		requireText(t, []byte(page+"<tr><td>caf</td></tr></table>\xe9"), "[table 1]\n"+text+"caf\n")
	}
}
