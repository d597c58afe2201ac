package sheet_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/adapters/table/sheet"
	"milaan/tests/only"
)

// large makes a workbook as spreadsheet programs write exports: half of the cells blank,
// and the others amounts, tracking numbers, dates and texts, most of which repeat.
func large(rows, columns int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var cells, texts strings.Builder
	for i := range rows + 2000 {
		fmt.Fprintf(&texts, "<si><t>#%d, House %d, Lake View &amp; Park</t></si>", 100_000+i, i)
	}
	for y := range rows {
		fmt.Fprintf(&cells, `<row r="%d" spans="1:%d">`, y+1, columns)
		for x := range columns {
			name, err := excelize.CoordinatesToCellName(x+1, y+1)
			if err != nil {
				panic(err)
			}
			switch kind := (x + y%3) % 8; {
			case x == 0:
				fmt.Fprintf(&cells, `<c r="%s" t="s"><v>%d</v></c>`, name, y+2000)
			case x == 1:
				fmt.Fprintf(&cells, `<c r="%s"><v>%d</v></c>`, name, 19_040_760_000_000+r.Int64N(1e9))
			case kind < 2:
				fmt.Fprintf(&cells, `<c r="%s" t="s"><v>%d</v></c>`, name, r.IntN(2000))
			case kind == 2:
				fmt.Fprintf(&cells, `<c r="%s"><v>%s</v></c>`, name, strconv.FormatFloat(float64(r.IntN(200_000))/100, 'f', -1, 64))
			case kind == 3:
				fmt.Fprintf(&cells, `<c r="%s" s="1"><v>%d</v></c>`, name, 46_000+r.IntN(300))
			}
		}
		cells.WriteString("</row>")
	}
	return parts{"xl/worksheets/sheet1.xml": sheetOf(cells.String()), "xl/sharedStrings.xml": "<sst " + mainSpace + ">" + texts.String() + "</sst>"}.zipped()
}

// TestAsExcelizeReads holds the reader against one that is not ours, which reads dates as
// numbers of days.
func TestAsExcelizeReads(t *testing.T) {
	content := large(200, 60)
	book := only.Value(excelize.OpenReader(bytes.NewReader(content), excelize.Options{RawCellValue: true}))(t)
	want := only.Value(book.GetRows("Sheet1"))(t)
	r := csv.NewReader(strings.NewReader(textOf(t, content)))
	r.FieldsPerRecord = -1
	got := only.Value(r.ReadAll())(t)
	require.Len(t, got, 200)
	dates := 0
	for y := range want {
		for x, cell := range want[y] {
			if day, err := time.Parse(time.DateOnly, got[y][x]); err == nil {
				got[y][x] = strconv.FormatInt(day.Unix()/86400+25_569, 10)
				dates++
			}
			require.Equal(t, cell, got[y][x], "row %d, column %d", y, x)
		}
		require.Len(t, got[y], len(want[y]))
	}
	require.Greater(t, dates, 1000)
}

// BenchmarkXLSX reads 50,000 x 80 cells, as a ratio to merely inflating the same parts and
// to excelize, which was not taken because of it. Excelize reads without formats, as it
// must: otherwise it rounds tracking numbers.
func BenchmarkXLSX(b *testing.B) {
	content := large(50_000, 80)
	inflated, text := 0, 0
	inflate := func() {
		z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			b.Fatal(err)
		}
		inflated = 0
		piece := make([]byte, 128<<10)
		for _, f := range z.File {
			in, err := f.Open()
			if err != nil {
				b.Fatal(err)
			}
			for err == nil {
				var n int
				n, err = in.Read(piece)
				inflated += n
			}
			if err != io.EOF {
				b.Fatal(err)
			}
		}
	}
	ours := func() {
		book, _, err := sheet.Open(content, sheet.Limits{Text: math.MaxInt32})
		if err != nil {
			b.Fatal(err)
		}
		got, err := book.AppendText(nil, 0, 0)
		if err != nil {
			b.Fatal(err)
		}
		text = len(got)
	}
	theirs := func() {
		book, err := excelize.OpenReader(bytes.NewReader(content), excelize.Options{RawCellValue: true, UnzipSizeLimit: 1 << 30, UnzipXMLSizeLimit: 1 << 30})
		if err != nil {
			b.Fatal(err)
		}
		rows, err := book.Rows("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		for rows.Next() {
			if _, err := rows.Columns(); err != nil {
				b.Fatal(err)
			}
		}
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
	}
	least := map[string]time.Duration{}
	bytesOf := map[string]uint64{}
	for b.Loop() {
		for name, run := range map[string]func(){"inflating": inflate, "ours": ours, "excelize": theirs} {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			began := time.Now()
			run()
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			if known, ok := least[name]; !ok || took < known {
				least[name] = took
			}
			bytesOf[name] = after.TotalAlloc - before.TotalAlloc
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, took := range least {
		b.ReportMetric(float64(took.Milliseconds()), name+"-ms")
		b.ReportMetric(float64(bytesOf[name])/float64(text), name+"-bytes/textbyte")
	}
	b.ReportMetric(float64(least["ours"])/float64(least["inflating"]), "of-inflating")
	b.ReportMetric(float64(least["ours"])/float64(least["excelize"]), "of-excelize")
	b.ReportMetric(float64(text)/(1<<20), "text-MB")
	b.ReportMetric(float64(inflated)/(1<<20), "inflated-MB")
}
