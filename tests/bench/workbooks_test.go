package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"milaan/ports"
	"milaan/tests/fakes/zips"
)

// workbookKinds make a workbook of a table, as programs write its kind: a cell that looks like a
// number is one, and a blank cell is left out where the kind has a way to do so.
var workbookKinds = []struct {
	name string
	make func(table [][]string) []byte
}{
	{"xlsx", func(table [][]string) []byte { return asXLSX(table, true) }},
	{"xlsx-inline", func(table [][]string) []byte { return asXLSX(table, false) }},
	{"xls", asXLS},
	{"ods", asODS},
	{"html", asHTML},
	{"html-sheetjs", asHTMLOfSheetJS},
}

// numberOf reads a cell as a spreadsheet does that opens a CSV file.
func numberOf(cell string) (float64, bool) {
	if cell == "" || len(cell) > 15 || strings.Trim(cell, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(cell, 64)
	return f, err == nil
}

func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func xmlText(s string) string {
	var b strings.Builder
	must(xml.EscapeText(&b, []byte(s)))
	return b.String()
}

// columnName is the name of a column from 0, such as AB.
func columnName(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return columnName(n/26-1) + string(rune('A'+n%26))
}

// asXLSX writes texts into a table of their own, as Excel does, or into their cells.
func asXLSX(table [][]string, shared bool) []byte {
	var cells, texts strings.Builder
	known := map[string]int{}
	for y, row := range table {
		fmt.Fprintf(&cells, `<row r="%d" spans="1:%d">`, y+1, len(row))
		for x, cell := range row {
			at := columnName(x) + strconv.Itoa(y+1)
			switch f, isNumber := numberOf(cell); {
			case cell == "":
			case isNumber:
				fmt.Fprintf(&cells, `<c r="%s"><v>%s</v></c>`, at, plainNumber(f))
			case shared:
				n, is := known[cell]
				if !is {
					n = len(known)
					known[cell] = n
					fmt.Fprintf(&texts, `<si><t>%s</t></si>`, xmlText(cell))
				}
				fmt.Fprintf(&cells, `<c r="%s" t="s"><v>%d</v></c>`, at, n)
			default:
				fmt.Fprintf(&cells, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, xmlText(cell))
			}
		}
		cells.WriteString("</row>")
	}
	return zips.Of("xl/workbook.xml", `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r" Type="worksheet" Target="s.xml"/>`+
			`<Relationship Id="t" Type="sharedStrings" Target="t.xml"/></Relationships>`,
		"xl/s.xml", "<worksheet><sheetData>"+cells.String()+"</sheetData></worksheet>", "xl/t.xml", "<sst>"+texts.String()+"</sst>")
}

// asODS writes a cell as LibreOffice does.
func asODS(table [][]string) []byte {
	var cells strings.Builder
	for _, row := range table {
		cells.WriteString(`<table:table-row table:style-name="ro1">`)
		blanks := 0
		for _, cell := range append(row, ".")[:len(row)+1] {
			if cell == "" {
				blanks++
				continue
			}
			if blanks > 0 {
				fmt.Fprintf(&cells, `<table:table-cell table:number-columns-repeated="%d"/>`, blanks)
				blanks = 0
			}
			if f, isNumber := numberOf(cell); isNumber {
				n := plainNumber(f)
				fmt.Fprintf(&cells, `<table:table-cell office:value-type="float" office:value="%s" calcext:value-type="float"><text:p>%s</text:p></table:table-cell>`, n, n)
				continue
			}
			fmt.Fprintf(&cells, `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p>%s</text:p></table:table-cell>`, xmlText(cell))
		}
		cells.WriteString("</table:table-row>")
	}
	return zips.Of("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml",
		`<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:calcext="c"><office:body>`+
			`<office:spreadsheet><table:table table:name="S">`+cells.String()+`</table:table></office:spreadsheet></office:body></office:document-content>`)
}

// asHTML writes a page as panels do that call it .xls.
func asHTML(table [][]string) []byte {
	var b bytes.Buffer
	b.WriteString("<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"></head><body><table border=\"1\">\n")
	for _, row := range table {
		b.WriteString("<tr>\n")
		for _, cell := range row {
			b.WriteString("<td>" + html.EscapeString(cell) + "</td>\n")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table></body></html>")
	return b.Bytes()
}

// asHTMLOfSheetJS writes a page whose cells say their values again, as the library SheetJS does.
func asHTMLOfSheetJS(table [][]string) []byte {
	var b bytes.Buffer
	b.WriteString("<html><head><meta charset=\"utf-8\"/><title>SheetJS Table Export</title></head><body><table>")
	for y, row := range table {
		b.WriteString("<tr>")
		for x, cell := range row {
			id, text := columnName(x)+strconv.Itoa(y+1), html.EscapeString(cell)
			switch f, isNumber := numberOf(cell); {
			case cell == "":
				fmt.Fprintf(&b, `<td id="sjs-%s"></td>`, id)
			case isNumber:
				fmt.Fprintf(&b, `<td data-t="n" data-v="%s" id="sjs-%s">%s</td>`, plainNumber(f), id, plainNumber(f))
			default:
				fmt.Fprintf(&b, `<td data-t="s" data-v="%s" id="sjs-%s">%s</td>`, text, id, strings.ReplaceAll(text, "\n", "<br/>"))
			}
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table></body></html>")
	return b.Bytes()
}

// asXLS writes the records of BIFF8 in a container. A table of texts that is longer than a
// record continues in others.
func asXLS(table [][]string) []byte {
	u16, u32 := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32
	record := func(to []byte, kind int, data []byte) []byte {
		return append(u16(u16(to, uint16(kind)), uint16(len(data))), data...)
	}
	var cells, texts []byte
	var breaks []int // between texts, where a record may end
	known := map[string]int{}
	for y, row := range table {
		for x, cell := range row {
			at := u16(u16(u16(nil, uint16(y)), uint16(x)), 0)
			f, isNumber := numberOf(cell)
			switch whole := f * 100; {
			case cell == "":
				continue
			case isNumber && whole == math.Trunc(whole) && whole < 1<<29:
				cells = record(cells, 0x027e, u32(at, uint32(whole)<<2|3))
				continue
			case isNumber:
				cells = record(cells, 0x0203, binary.LittleEndian.AppendUint64(at, math.Float64bits(f)))
				continue
			}
			n, is := known[cell]
			if !is {
				n = len(known)
				known[cell] = n
				breaks = append(breaks, len(texts))
				units := utf16.Encode([]rune(cell))
				if texts = u16(texts, uint16(len(units))); len(units) == len(cell) {
					texts = append(append(texts, 0), cell...)
				} else {
					texts = append(texts, 1)
					for _, u := range units {
						texts = u16(texts, u)
					}
				}
			}
			cells = record(cells, 0x00fd, u32(at, uint32(n)))
		}
	}
	build := func(sheetAt int) (stream []byte, at int) {
		stream = record(nil, 0x0809, []byte{0, 6, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		stream = record(stream, 0x0085, append(u32(nil, uint32(sheetAt)), 0, 0, 1, 0, 'S'))
		kind, data, from := 0x00fc, u32(u32(nil, uint32(len(known))), uint32(len(known))), 0
		for i, begin := range append(breaks, len(texts))[:len(breaks)+1] {
			if last := i == len(breaks); last || len(data)+begin-from > 8000 {
				stream = record(stream, kind, append(data, texts[from:begin]...))
				kind, data, from = 0x003c, nil, begin
			}
		}
		at = len(record(stream, 0x000a, nil))
		stream = record(record(stream, 0x000a, nil), 0x0809, []byte{0, 6, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		return record(append(stream, cells...), 0x000a, nil), at
	}
	_, at := build(0)
	stream, _ := build(at)
	return inContainer(stream)
}

// inContainer writes a compound file of 4 KB sectors, whose table of sectors stands in the middle of the
// stream, as LibreOffice does.
func inContainer(stream []byte) []byte {
	const size, none, end = 4096, 0xffffffff, 0xfffffffe
	u16, u32 := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32
	padded := func(b []byte) []byte { return append(b, make([]byte, (size-len(b)%size)%size)...) }
	length, sectors := len(stream), len(padded(stream))/size
	tables := sectors/1000 + 1
	half := sectors / 2
	head := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 16)...)
	for _, v := range []uint16{0x3e, 4, 0xfffe, 12, 6, 0, 0, 0} {
		head = u16(head, v)
	}
	for _, v := range []uint32{1, uint32(tables), 0, 0, 4096, end, 0, end, 0} {
		head = u32(head, v)
	}
	next := u32(nil, end) // of the directory
	for n := 1; n <= half; n++ {
		next = u32(next, uint32(n+1))
	}
	binary.LittleEndian.PutUint32(next[4*half:], uint32(half+1+tables))
	for i := range 109 {
		sector := uint32(none)
		if i < tables {
			sector = uint32(half + 1 + i)
			next = u32(next, 0xfffffffd)
		}
		head = u32(head, sector)
	}
	for n := half + 1 + tables; n < sectors+tables; n++ {
		next = u32(next, uint32(n+1))
	}
	next = u32(next, end)
	for len(next) < tables*size {
		next = u32(next, none)
	}
	entry := func(name string, kind byte, child, first uint32, length int) []byte {
		var e []byte
		for _, c := range name {
			e = u16(e, uint16(c))
		}
		e = append(u16(append(e, make([]byte, 64-len(e))...), uint16(2*len(name)+2)), kind, 1)
		e = append(u32(u32(u32(e, none), none), child), make([]byte, 36)...)
		return u32(u32(u32(e, first), uint32(length)), 0)
	}
	directory := append(entry("Root Entry", 5, 1, end, 0), entry("Workbook", 2, none, 1, length)...)
	stream = padded(stream)
	return slices.Concat(padded(head), padded(directory), stream[:half*size], next, stream[half*size:])
}

func (f Files) asWorkbooks(as func(table [][]string) []byte) Files {
	made := func(text []byte) []byte {
		table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		must(err)
		return as(table)
	}
	return Files{Orders: made(f.Orders), Remittances: made(f.Remittances)}
}

// reconcileAny runs files that may be workbooks.
func (e *engine) reconcileAny(f Files, out io.Writer) error {
	outcome, err := e.reconciling.Preview(context.Background(), ports.Request{Storefront: f.Orders, Courier: f.Remittances, Workbooks: true})
	if err != nil {
		return err
	}
	defer outcome.Release()
	return e.answers.Write(out, outcome, false)
}

// TestWorkbooksSayWhatTheirTextSays compares the results of each kind, words aside.
func TestWorkbooksSayWhatTheirTextSays(t *testing.T) {
	files := Draw(2000, true)
	results := func(f Files) []plainResult {
		return wordless(t, func(out io.Writer) error { return newEngine().reconcileAny(f, out) })
	}
	want := results(files)
	require.Greater(t, len(want), 500)
	for _, kind := range workbookKinds {
		require.Equal(t, want, results(files.asWorkbooks(kind.make)), kind.name)
	}
}

// TestWorkbooksTakeFewTimesTheirText counts all bytes that are allocated for a run of workbooks of each
// kind, beside the files themselves: of every third kind, and of the others on the days after. The first
// orders are not shipped yet, and their rows are shorter.
func TestWorkbooksTakeFewTimesTheirText(t *testing.T) {
	text := Draw(7_500, true)
	table, err := csv.NewReader(bytes.NewReader(text.Orders)).ReadAll()
	require.NoError(t, err)
	for _, row := range table[1:2500] {
		clear(row[len(row)*3/4:])
	}
	var orders bytes.Buffer
	require.NoError(t, csv.NewWriter(&orders).WriteAll(table))
	text.Orders = orders.Bytes()
	for i, kind := range workbookKinds {
		if (i+time.Now().YearDay())%3 > 0 {
			continue
		}
		book, e := text.asWorkbooks(kind.make), newEngine()
		var allocated uint64
		for range 2 { // the second run has the workspace of the first one
			files := Files{bytes.Clone(book.Orders), bytes.Clone(book.Remittances)} // reading may alter them
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			require.NoError(t, e.reconcileAny(files, io.Discard))
			runtime.ReadMemStats(&after)
			allocated = after.TotalAlloc - before.TotalAlloc
		}
		times := float64(allocated) / float64(len(text.Orders)+len(text.Remittances))
		t.Logf("%s: %.2f bytes for each of the text", kind.name, times)
		assert.Less(t, times, 2.3, kind.name)
	}
}

// BenchmarkWorkbooks reconciles a month whose files are workbooks: of each kind as a ratio to the same
// tables as CSV, in turn in the same run and each at its best, and how many times the bytes of
// their text it allocates.
func BenchmarkWorkbooks(b *testing.B) {
	for _, full := range []bool{false, true} {
		rows := map[bool]int{false: 50_000, true: 25_000}[full]
		text := Draw(rows, full)
		for _, kind := range workbookKinds {
			b.Run(label(rows, full)+"/"+kind.name, func(b *testing.B) {
				book := text.asWorkbooks(kind.make)
				e := newEngine()
				var best [2]time.Duration
				var allocated uint64
				for b.Loop() {
					for i, files := range []Files{text, book} {
						files = Files{bytes.Clone(files.Orders), bytes.Clone(files.Remittances)} // reading may alter them
						var before, after runtime.MemStats
						runtime.GC()
						runtime.ReadMemStats(&before)
						began := time.Now()
						if err := e.reconcileAny(files, io.Discard); err != nil {
							b.Fatal(err)
						}
						if took := time.Since(began); best[i] == 0 || took < best[i] {
							best[i] = took
						}
						runtime.ReadMemStats(&after)
						allocated = after.TotalAlloc - before.TotalAlloc
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(best[1].Microseconds())/1000, "ms")
				b.ReportMetric(float64(best[1])/float64(best[0]), "x-csv")
				b.ReportMetric(float64(allocated)/float64(len(text.Orders)+len(text.Remittances)), "B/textbyte")
				b.ReportMetric(float64(len(book.Orders)+len(book.Remittances))/float64(len(text.Orders)+len(text.Remittances)), "file/text")
			})
		}
	}
}
