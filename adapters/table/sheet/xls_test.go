package sheet

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain/verdict"
	"milaan/tests/only"
)

const enough = 64 << 20 // bytes of text

func sample(t testing.TB, name string) []byte {
	t.Helper()
	return only.Value(os.ReadFile(filepath.Join("testdata", name)))(t)
}

// openMade opens a file as Open does.
func openMade(content []byte, most int64) (Workbook, error) {
	if isHTML(content) {
		return openHTML(content, within(most))
	}
	if !isXLS(content) {
		return nil, fmt.Errorf("no workbook begins with %q", content[:min(len(content), 8)])
	}
	return openXLS(content, within(most))
}

// readAll returns the text of each sheet under its name.
func readAll(content []byte) (string, error) { return readWithin(content, enough) }

func readWithin(content []byte, most int64) (string, error) {
	book, err := openMade(content, most)
	if err != nil {
		return "", err
	}
	var all []byte
	for i, name := range book.Sheets() {
		all = fmt.Appendf(all, "[%s]\n", name)
		if all, err = book.AppendText(all, i, 0); err != nil {
			return "", err
		}
		all = append(all, '\n')
	}
	return string(all), nil
}

func requireText(t *testing.T, content []byte, want string) {
	t.Helper()
	require.Equal(t, want, only.Value(readAll(content))(t))
}

// remittance is what the samples of one workbook say, in every format.
const remittance = `[Remittance]
Remittance advice — साप्ताहिक भुगतान

AWB No,Order ID,COD Amount,Remittance Date,Paid At,UTR,Customer,Status,Checked
1490812345,#1001,1302.5,2026-03-03,2026-03-03 18:26:28,UTIB2026030003,अनीता शर्मा,Remitted,TRUE
14908123456789,#1002,4099,2026-03-04,2026-03-04 18:26:28,UTIB2026030004,"Rao, ""Raj"" & Sons",Remitted,FALSE
149081234567891,#1003,1304.5,2026-03-05,2026-03-05 18:26:28,UTIB2026030005,अनीता शर्मा,Remitted,TRUE
1.49081234567891E+16,#1004,6099,2026-03-06,2026-03-06 18:26:28,UTIB2026030006,"Rao, ""Raj"" & Sons",Remitted,FALSE
1490899999,#1005,1306.5,2026-03-07,2026-03-07 18:26:28,UTIB2026030007,अनीता शर्मा,Remitted,TRUE
14908123456790,#1006,8099,2026-03-08,2026-03-08 18:26:28,UTIB2026030008,"Rao, ""Raj"" & Sons",Remitted,FALSE
149081234567892,#1007,1308.5,2026-03-09,2026-03-09 18:26:28,UTIB2026030009,अनीता शर्मा,Remitted,TRUE
14908123456789125,#1008,10099,2026-03-10,2026-03-10 18:26:28,UTIB2026030010,"Rao, ""Raj"" & Sons",Remitted,FALSE
"=""149081234567893""",two lines,#N/A,#REF!,#DIV/0!

Total,,12345.67,text of a formula ₹,TRUE,#N/A,0.3,-5,0.25
`

const otherSheets = `[Hidden]
kept for the office
1
[सारांश]
भुगतान का सारांश,₹
Delhivery,1490812399
Ekart,0.1
`

// TestWorkbooksOfOtherPrograms reads one workbook as another program writes it in every
// format that is named .xls. testdata/xls.md says what made the samples.
func TestWorkbooksOfOtherPrograms(t *testing.T) {
	for _, name := range []string{"xls-biff8.xls", "xls-biff8-1904.xls", "xls-xml.xls"} {
		t.Run(name, func(t *testing.T) { requireText(t, sample(t, name), remittance+otherSheets) })
	}
	t.Run("html-sheetjs.xls", func(t *testing.T) {
		requireText(t, sample(t, "html-sheetjs.xls"), strings.Replace(remittance, "[Remittance]", "[table 1]", 1))
	})
	t.Run("xls-biff5.xls", func(t *testing.T) { // its writer has made _ of what is not in the code page
		blind := strings.Map(func(r rune) rune {
			if r > 0xff {
				return '_'
			}
			return r
		}, remittance+otherSheets)
		requireText(t, sample(t, "xls-biff5.xls"), blind)
	})
}

// TestTextsThatContinueInOtherRecords reads tables of texts that do not fit into one
// record, as two other programs write them.
func TestTextsThatContinueInOtherRecords(t *testing.T) {
	want := "[Many]\nAWB No,Customer\n"
	for i := range 95 {
		first, last := "अनीता शर्मा", strings.Repeat("x", 40)
		if i%3 == 0 {
			first = "Anita Sharma"
		}
		if i%2 == 1 {
			last = strings.Repeat("₹", 50)
		}
		want += fmt.Sprintf("%d,\"%s, %d %s\"\n", 14908123450000+i, first, i, last)
	}
	requireText(t, sample(t, "xls-sst.xls"), want)

	got := only.Value(readAll(sample(t, "xls-xlgen.xls")))(t)
	lines := strings.Split(strings.TrimSpace(got), "\n")
	require.Len(t, lines, 42)
	require.Equal(t, "AWB No,Order ID,COD Amount,Customer", lines[1])
	require.Equal(t, "14908123450001,#1001,1000.25,अनीता शर्मा 1", lines[2])
	require.Equal(t, "14908123450040,#1040,1010,अनीता शर्मा 40", lines[41])
}

// TestAWBsOfNumbers: up to 15 digits a number is the AWB. A longer one is known to be
// rounded, whatever its digits are.
func TestAWBsOfNumbers(t *testing.T) {
	for _, awb := range []string{"1490812345", "14908123456789", "149081234567891", "999999999999999", "100000000000000"} {
		var v float64
		require.NoError(t, only.Err(fmt.Sscan(awb, &v)))
		text := only.Value(readAll(xls(oneSheet(made(nil).number(0, 0, 0, v)))))(t)
		key, reliable := verdict.AWBKey([]byte(strings.TrimSpace(strings.TrimPrefix(text, "[Sheet1]\n"))))
		require.Equal(t, awb, string(key))
		require.True(t, reliable)
	}
	for _, v := range []float64{1e15, 1e16, 1e17, 1490812345678912, 12345678901234567, 9999999999999998, 1234567890123450, 1.5e300} {
		text := only.Value(readAll(xls(oneSheet(made(nil).number(0, 0, 0, v)))))(t)
		_, reliable := verdict.AWBKey([]byte(strings.TrimSpace(strings.TrimPrefix(text, "[Sheet1]\n"))))
		require.False(t, reliable, "%s", text)
	}
}

// TestCellsOfEveryRecord reads each record that has cells.
func TestCellsOfEveryRecord(t *testing.T) {
	texts := made(nil).u32(9, 2).text("shared").text("रु ₹")
	small := func(v uint32) []byte { return made(nil).u32(v) }
	for name, c := range map[string]struct {
		cells made
		want  string
	}{
		"number":             {made(nil).number(0, 0, 0, 1299.5), "1299.5"},
		"no number":          {made(nil).number(0, 0, 0, math.NaN()).number(0, 1, 0, math.Inf(-1)), "#NUM!,#NUM!"},
		"integer":            {made(nil).record(recSmallNum, append(made(nil).u16(0, 0, 0), small(1299<<2|2)...)), "1299"},
		"negative hundredth": {made(nil).record(recSmallNum, append(made(nil).u16(0, 0, 0), small(0xfffffff0<<2&0xffffffff|3)...)), "-0.16"},
		"upper float":        {made(nil).record(recSmallNum, append(made(nil).u16(0, 0, 0), small(uint32(math.Float64bits(0.5)>>32))...)), "0.5"},
		"several numbers":    {made(nil).record(recNumbers, made(nil).u16(0, 1, 0).u32(7<<2|2).u16(0).u32(129900<<2|3).u16(2)), ",7,1299"},
		"shared text":        {made(nil).shared(0, 0, 1).shared(0, 1, 0), "रु ₹,shared"},
		"text":               {made(nil).label(0, 0, "a\r\nb\x00c"), "a b c"},
		"text with fonts":    {made(nil).record(recRichLabel, append(made(nil).u16(0, 0, 0).u16(2).bytes(0, 'h', 'i'), 1, 0, 0, 0)), "hi"},
		"truth":              {made(nil).record(recTruth, made(nil).u16(0, 0, 0).bytes(1, 0)), "TRUE"},
		"error":              {made(nil).record(recTruth, made(nil).u16(0, 0, 0).bytes(0x2a, 1)), "#N/A"},
		"unknown error":      {made(nil).record(recTruth, made(nil).u16(0, 0, 0).bytes(99, 1)), "#ERROR 99"},
		"formula of number":  {made(nil).record(recFormula, made(nil).u16(0, 0, 0).float(0.1+0.2).u16(0).u32(0)), "0.3"},
		"formula of truth":   {made(nil).formula(0, 0, 1, 0), "FALSE"},
		"formula of error":   {made(nil).formula(0, 0, 2, 0x17), "#REF!"},
		"formula of nothing": {made(nil).formula(0, 0, 3, 0).number(0, 1, 0, 1), ",1"},
		"formula of text": {made(nil).formula(0, 0, 0, 0).record(recShared, []byte{1, 2}).record(recResult, made(nil).text("₹ due")).
			number(0, 1, 0, 1), "₹ due,1"},
		"formula of a text in two records": {made(nil).formula(0, 0, 0, 0).record(recResult, made(nil).u16(4).bytes(0, 'a', 'b')).
			record(recContinue, []byte{1, 'c', 0, 0x39, 0x20}), "abc‹"},
		"formula that nobody computed": {made(nil).formula(0, 0, 0, 0).number(0, 1, 0, 1), "#N/A,1"},
		"cells of a chart": {made(nil).number(0, 0, 0, 1).record(recBegin, begin(0x20)).number(0, 1, 0, 2).
			record(recEnd, nil).number(0, 2, 0, 3), "1,,3"},
		"blank cells": {made(nil).record(0x0201, made(nil).u16(0, 0, 0)).number(0, 1, 0, 1).record(0x00be, made(nil).u16(0, 2, 0, 0, 3)), ",1"},
		"gaps":        {made(nil).number(1, 2, 0, 1).number(4, 0, 0, 2), "\n,,1\n\n\n2"},
		"row blocks":  {made(nil).number(4, 0, 0, 4).number(5, 1, 0, 5).number(1, 1, 0, 2).number(1, 0, 0, 1).number(0, 0, 0, 0), "0\n1,2\n\n\n4\n,5"},
		"twice":       {made(nil).number(0, 0, 0, 1).number(1, 0, 0, 2).number(0, 0, 0, 3), "3\n2"},
	} {
		t.Run(name, func(t *testing.T) {
			globals := made(nil).record(recStrings, texts)
			requireText(t, xls(workbook(globals, madeSheet{name: "S", cells: c.cells})), "[S]\n"+c.want+"\n")
		})
	}
}

// TestDatesByNumberFormat: a number is a date by its format alone, in both epochs.
func TestDatesByNumberFormat(t *testing.T) {
	code := func(id int, text string) []byte { return made(nil).u16(id).text(text) }
	style := func(id int) []byte { return append(made(nil).u16(0, id), make([]byte, 16)...) }
	globals := made(nil).
		record(recFormat, code(164, `[$-409]dd\-mmm\-yy;@`)).
		record(recFormat, code(165, `"day" 0.00`)).
		record(recFormat, code(166, `"₹" #,##0.00`)).
		record(recFormat, code(15, `0`))
	for _, id := range []int{0, 14, 22, 164, 165, 166, 15, 21} {
		globals = globals.record(recStyle, style(id))
	}
	cells := made(nil)
	for i := range 8 {
		cells = cells.number(0, i, i, 46084.75)
	}
	cells = cells.number(0, 8, 99, 46084.75).number(1, 0, 7, 0.5).number(1, 1, 1, -1)
	want := "46084.75,2026-03-03 18:00:00,2026-03-03 18:00:00,2026-03-03 18:00:00,46084.75,46084.75,46084.75,2026-03-03 18:00:00,46084.75\n12:00:00,-1\n"
	requireText(t, xls(workbook(globals, madeSheet{name: "S", cells: cells})), "[S]\n"+want)

	globals = append(made(nil).record(recEpoch, []byte{1, 0}), globals...)
	requireText(t, xls(workbook(globals, madeSheet{name: "S", cells: made(nil).number(0, 0, 1, 44622)})), "[S]\n2026-03-03\n")
}

// TestTextsBreakAnywhere divides a table of texts at every place where programs divide
// it, with all that a text may have after its characters.
func TestTextsBreakAnywhere(t *testing.T) {
	head := made(nil).u32(3, 3)
	rich := made(nil).u16(5).bytes(textWide | textRich | textPhonetic).u16(2).u32(6)
	letters := made(nil).u16('a', 0x930, 0xd83d, 0xde9a, 'z') // a, र, a lorry of two halves, z
	after := append(append(made(nil), "runs....phones"...), made(nil).text("next")...)
	last := made(nil).u16(3).bytes(0, 'e', 'n', 'd')
	whole := append(append(append(append(bytes.Clone(head), rich...), letters...), after...), last...)
	want := "[S]\naर🚚z,next,end\n"
	cells := made(nil).shared(0, 0, 0).shared(0, 1, 1).shared(0, 2, 2)
	check := func(at int, flags ...byte) {
		t.Helper()
		globals := made(nil).record(recStrings, whole[:at]).record(recContinue, append(flags, whole[at:]...))
		requireText(t, xls(workbook(globals, madeSheet{name: "S", cells: cells})), want)
	}
	begins := len(head) + len(rich)
	for at := len(head); at < begins; at++ {
		check(at)
	}
	for at := begins; at < begins+len(letters); at += 2 {
		check(at, textWide)
	}
	for at := begins + len(letters); at < begins+len(letters)+len("runs....phones")+3; at++ {
		check(at)
	}
	// The last text turns from one byte to two in the middle.
	turned := append(bytes.Clone(whole[:len(whole)-1]), 0)[:len(whole)-1]
	globals := made(nil).record(recStrings, turned).record(recContinue, nil).record(recContinue, []byte{textWide, 'd', 0})
	requireText(t, xls(workbook(globals, madeSheet{name: "S", cells: cells})), want)
}

func TestSheetsOfAWorkbook(t *testing.T) {
	cell := func(v float64) made { return made(nil).number(0, 0, 0, v) }
	content := xls(workbook(nil,
		madeSheet{name: "अप्रैल", cells: cell(1)}, madeSheet{name: "secret", state: 2, cells: cell(2)},
		madeSheet{name: "Chart1", kind: 2, cells: cell(9)}, madeSheet{name: "May", cells: cell(3)}, madeSheet{name: "old", state: 1, cells: cell(4)}))
	requireText(t, content, "[अप्रैल]\n1\n[secret]\n2\n[May]\n3\n[old]\n4\n")
	book := only.Value(openXLS(content, within(enough)))(t)
	var hidden []bool
	for i := range book.Sheets() {
		hidden = append(hidden, book.(interface{ Hidden(int) bool }).Hidden(i))
	}
	require.Equal(t, []bool{false, true, false, true}, hidden)

	content = xls(oneSheet(made(nil).number(0, 0, 0, 1).number(1, 0, 0, 2).number(2, 0, 0, 3)))
	book = only.Value(openXLS(content, within(enough)))(t)
	require.Equal(t, "before:1\n2", string(only.Value(book.AppendText([]byte("before:"), 0, 2))(t)))
}

// TestTheWorkbookIsFound reads workbooks of several streams: never one that is set into
// another file, and the newer format where a file has both.
func TestTheWorkbookIsFound(t *testing.T) {
	stream, other := oneSheet(made(nil).label(0, 0, "this")), oneSheet(made(nil).label(0, 0, "not this"))
	long := append(bytes.Clone(stream), make([]byte, 5000)...)
	want := "[Sheet1]\nthis\n"
	requireText(t, compound(madeStream{"\x05SummaryInformation", []byte("x")}, madeStream{"Book", other}, madeStream{"WORKBOOK", stream}), want)
	requireText(t, compound(madeStream{"Workbook", long}, madeStream{"Book", other}), want)

	content := compound(madeStream{"Workbook", other}, madeStream{"Contents", long})
	entry := bytes.Index(content, []byte("W\x00o\x00r\x00k\x00b\x00o\x00o\x00k\x00"))
	content[entry+66] = 1 // a folder
	require.ErrorIs(t, only.Err(openXLS(content, within(enough))), errOther)
}

// TestRecordsWithoutAContainer reads what old scripts write: the records of a sheet and
// nothing else.
func TestRecordsWithoutAContainer(t *testing.T) {
	text := func(row, col int, s string) []byte { return append(made(nil).u16(row, col, 0, len(s)), s...) }
	stream := made(nil).record(recBegin, made(nil).u16(0, partSheet, 0, 0)).
		record(recLabel, text(0, 0, "AWB No")).record(recLabel, text(0, 1, "रु")).record(recLabel, text(0, 2, "caf\xe9")).
		number(1, 0, 0, 14908123456789).record(recEnd, nil)
	requireText(t, stream, "[Sheet1]\nAWB No,रु,café\n14908123456789\n")
}

func TestProtectedWorkbooks(t *testing.T) {
	for name, content := range map[string][]byte{
		"xls":       xls(workbook(made(nil).record(recProtected, make([]byte, 54)), madeSheet{name: "S"})),
		"xlsx":      compound(madeStream{"EncryptionInfo", []byte("x")}, madeStream{"EncryptedPackage", make([]byte, 5000)}),
		"old sheet": made(nil).record(recBegin, made(nil).u16(0, partSheet, 0, 0)).record(recProtected, nil).record(recEnd, nil),
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, only.Err(readAll(content)), ErrPassword)
		})
	}
}

// TestTooMuchText: a text that is used often takes no more memory than allowed.
func TestTooMuchText(t *testing.T) {
	cells := made(nil)
	for row := range 2000 {
		cells = cells.shared(row, 0, 0)
	}
	content := xls(workbook(made(nil).record(recStrings, made(nil).u32(1, 1).text(strings.Repeat("x", 4000))), madeSheet{name: "S", cells: cells}))
	book := only.Value(openXLS(content, within(1<<20)))(t)
	text, err := book.AppendText(nil, 0, 0)
	require.ErrorIs(t, err, ErrLarge)
	require.LessOrEqual(t, len(text), 1<<20)
	text = only.Value(book.AppendText(nil, 0, 100))(t)
	require.Len(t, text, 100*4001-1)
}

// TestXLSBreaksOff: no part of a file gives fewer rows without an error.
func TestXLSBreaksOff(t *testing.T) {
	for _, name := range []string{"xls-biff8.xls", "xls-biff5.xls", "xls-sst.xls", "xls-xlgen.xls", "xls-xml.xls"} {
		content := sample(t, name)
		want := only.Value(readAll(content))(t)
		for at := len(content) - 1; at > 0; at -= 211 {
			if got, err := openAndRead(content[:at]); err == nil {
				require.Equal(t, want, got, "%s, %d bytes", name, at)
			}
		}
	}
	stream := oneSheet(made(nil).label(0, 0, "a").number(1, 0, 0, 1).formula(2, 0, 0, 0).record(recResult, made(nil).text("b")))
	for at := range stream {
		require.ErrorIs(t, only.Err(openAndRead(xls(stream[:at]))), ErrBroken, "%d of %d bytes", at, len(stream))
	}
}

// openAndRead reads all sheets of an .xls.
func openAndRead(content []byte) (string, error) {
	if len(content) < oleHeader && !isBareXLS(content) {
		_, err := openXLS(content, within(enough))
		return "", err
	}
	return readAll(content)
}

// within are limits of which nobody counts the memory.
func within(most int64) Limits {
	return Limits{Text: most, Claim: func(int) error { return nil }}
}

// TestStreamsInPieces reads workbooks whose streams are divided anywhere, as between the sectors of a file.
func TestStreamsInPieces(t *testing.T) {
	for _, name := range []string{"xls-biff8.xls", "xls-biff5.xls", "xls-xlgen.xls"} {
		stream := only.Value(workbookStream(sample(t, name)))(t)
		whole := joined(stream.pieces)
		text := func(pieces ...[]byte) (all []byte) {
			b := &xlsBook{stream: newRecordStream(pieces), most: 1 << 20, left: 1 << 20, claim: func(int) error { return nil }}
			require.NoError(t, b.readWorkbook())
			for i := range b.sheets {
				all = only.Value(b.AppendText(append(all, b.sheets[i].name...), i, 0))(t)
			}
			return all
		}
		want := text(whole)
		require.NotEmpty(t, want)
		for _, size := range []int{100, 512, 513, 4096, len(whole) - 1} {
			require.Equal(t, want, text(slices.Collect(slices.Chunk(whole, size))...), "%s in pieces of %d bytes", name, size)
		}
	}
}

// TestMergedCellsOfOldFormats tells which rows a cell covers, also where the cells stand out of order.
func TestMergedCellsOfOldFormats(t *testing.T) {
	xlsRanges := made(nil).number(3, 1, 0, 7).number(2, 1, 0, 6).record(recMerged, made(nil).u16(2, 1, 2, 1, 1, 0, 0, 0, 3)).record(recMerged, made(nil).u16(1, 5, 9, 2, 3))
	for what, c := range map[string]struct {
		content []byte
		want    []Merged
	}{
		"xls":  {xls(oneSheet(xlsRanges)), []Merged{{1, 2, 3}, {2, 6, 10}}},
		"html": {[]byte("<table><tr><td rowspan=2>a<td rowspan=2 colspan=2>b<td rowspan=3>c<tr><td>d</table>"), []Merged{{0, 1, 2}, {1, 1, 2}, {3, 1, 3}}},
		"xml": {spreadsheetXML(`<Row><Cell ss:Index="2" ss:MergeDown="2"><Data ss:Type="String">a</Data></Cell><Cell ss:MergeAcross="1"><Data ss:Type="String">b</Data></Cell></Row>`),
			[]Merged{{1, 1, 3}}},
	} {
		book, err := openMade(c.content, enough)
		require.NoError(t, err, what)
		require.NoError(t, only.Err(book.AppendText(nil, 0, 0)), what)
		require.Equal(t, c.want, book.Merged(0), what)
	}
}
