package sheet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// benchRows is how many rows the tables of benchmarks have, of 8 columns.
const benchRows = 20_000

// benchXLS makes an .xls as Excel does: texts in a table, numbers, dates by style.
func benchXLS() []byte {
	texts, cells, n := made(nil), made(nil), uint32(0)
	text := func(row, col int, s string) {
		texts, cells, n = texts.u16(len(s)).bytes(0), cells.shared(row, col, n), n+1
		texts = append(texts, s...)
	}
	for row := range benchRows {
		cells = cells.number(row, 0, 0, float64(14908123450000+row))
		text(row, 1, fmt.Sprintf("#%d", 1000+row))
		cells = cells.record(recNumbers, made(nil).u16(row, 2, 0).u32(uint32(129900+row)<<2|3).u16(0).u32(uint32(1200+row%90)<<2|2).u16(3))
		cells = cells.number(row, 4, 1, 46084+float64(row%30))
		text(row, 5, fmt.Sprintf("UTIB%010d", row))
		text(row, 6, "Remitted to the account of the merchant")
		text(row, 7, "Pune")
	}
	globals := made(nil).record(recStyle, made(nil).u16(0, 0)).record(recStyle, made(nil).u16(0, 14))
	kind, rest := recStrings, append(made(nil).u32(n, n), texts...)
	for len(rest) > 0 { // a text that is divided among its characters says anew how wide they are
		size := min(len(rest), longestRecord)
		if size < len(rest) {
			at := 8 * boolAsInt(kind == recStrings)
			for at < size {
				length := 3 + int(rest[at])
				if at+length > size {
					break
				}
				at += length
			}
			size = at
		}
		globals = globals.record(kind, rest[:size])
		kind, rest = recContinue, rest[size:]
	}
	return xls(workbook(globals, madeSheet{name: "Remittance", cells: cells}))
}

func boolAsInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// benchPage makes a page of the rows of a text.
func benchPage(records [][]string) []byte {
	var b bytes.Buffer
	b.WriteString("<html><head><meta charset=utf-8><style>td{border:1px}</style></head><body><table border=\"1\">\n")
	for _, record := range records {
		b.WriteString("<tr>")
		for _, cell := range record {
			b.WriteString(`<td class="cell">` + html.EscapeString(cell) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table></body></html>")
	return b.Bytes()
}

func readCSV(text []byte) (records [][]string, err error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.ReuseRecord = true
	for {
		record, err := r.Read()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		records = append(records, append([]string(nil), record...))
	}
}

// BenchmarkWorkbooks reads one table as .xls and as a page. x-csv is how many times as
// long that takes as reading the same table as CSV with encoding/csv.
func BenchmarkWorkbooks(b *testing.B) {
	content := benchXLS()
	all := only.Value(readAll(content))(b)
	text := []byte(strings.SplitAfterN(all, "\n", 2)[1])
	records := only.Value(readCSV(text))(b)
	require.Len(b, records, benchRows)
	require.Equal(b, []string{"14908123450007", "#1007", "1299.07", "1207", "2026-03-10", "UTIB0000000007", "Remitted to the account of the merchant", "Pune"}, records[7])
	for name, content := range map[string][]byte{"xls": content, "html": benchPage(records)} {
		b.Run(name, func(b *testing.B) {
			read := func() {
				book, err := openMade(content, enough)
				if err == nil {
					_, err = book.AppendText(nil, 0, 0)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(content)))
			plain, took := time.Hour, time.Hour // the least, because other programs may run
			for b.Loop() {
				from := time.Now()
				read()
				took = min(took, time.Since(from))
			}
			for range b.N {
				from := time.Now()
				if _, err := readCSV(text); err != nil {
					b.Fatal(err)
				}
				plain = min(plain, time.Since(from))
			}
			b.ReportMetric(float64(took)/float64(plain), "x-csv")
		})
	}
}
