package xlsx_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/adapters/documents/xlsx"
	"milaan/domain"
)

var made = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// write makes a workbook and opens it with a reader that is not ours.
func write(t testing.TB, fill func(w *xlsx.Writer)) *excelize.File {
	var b bytes.Buffer
	w := xlsx.New(&b, made)
	fill(w)
	require.NoError(t, w.Close())
	files, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	for _, f := range files.File {
		part, err := f.Open()
		require.NoError(t, err)
		for d := xml.NewDecoder(part); ; {
			if _, err = d.Token(); err != nil {
				break
			}
		}
		require.ErrorIs(t, err, io.EOF, "%s is XML", f.Name)
	}
	book, err := excelize.OpenReader(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	t.Cleanup(func() { _ = book.Close() })
	return book
}

func TestCells(t *testing.T) {
	const long = "14902602000001"
	book := write(t, func(w *xlsx.Writer) {
		require.NoError(t, w.Sheet("Orders", []int{20, 20}, "AWB", "Paid"))
		require.NoError(t, w.Row(xlsx.IDCell([]byte(long)), xlsx.AmountCell(-129_999_55), xlsx.DayCell(domain.DayFromDate(2026, 3, 1)), xlsx.CountCell(7),
			xlsx.TextCell("=1+1"), xlsx.TextCell("मिलान ₹ <&\"> _x0041_ \x00\ufffe\xff"), xlsx.DayCell(domain.NoDay), xlsx.TextCell("")))
		require.Equal(t, 2, w.Rows())
	})
	raw := excelize.Options{RawCellValue: true}
	for cell, want := range map[string]string{
		"A1": "AWB", "A2": long, "B2": "-129999.55", "C2": "46082", "D2": "7", "E2": "=1+1", "F2": "मिलान ₹ <&\"> _x0041_ \ufffd\ufffd\ufffd", "G2": "", "H2": "",
	} {
		got, err := book.GetCellValue("Orders", cell, raw)
		require.NoError(t, err)
		require.Equal(t, want, got, cell)
	}
	for cell, want := range map[string]string{"C2": "01-Mar-2026", "A2": long} {
		got, err := book.GetCellValue("Orders", cell)
		require.NoError(t, err)
		require.Equal(t, want, got, "%s as it is shown", cell)
	}
	for _, cell := range []string{"A2", "E2", "F2"} {
		formula, err := book.GetCellFormula("Orders", cell)
		require.NoError(t, err)
		require.Empty(t, formula, cell)
		kind, err := book.GetCellType("Orders", cell)
		require.NoError(t, err)
		require.Equal(t, excelize.CellTypeInlineString, kind, cell)
	}
	panes, err := book.GetPanes("Orders")
	require.NoError(t, err)
	require.True(t, panes.Freeze)
	require.Equal(t, 1, panes.YSplit)
	names := book.GetDefinedName()
	require.Len(t, names, 1, "the header can be filtered by")
	require.Equal(t, "'Orders'!$A$1:$B$2", names[0].RefersTo)
}

func TestSheets(t *testing.T) {
	book := write(t, func(w *xlsx.Writer) {
		require.NoError(t, w.Sheet("a/b:c'", nil))
		require.NoError(t, w.Row(xlsx.TextCell("x")))
		require.NoError(t, w.Sheet(strings.Repeat("é", 40), []int{5}, "h"))
	})
	require.Equal(t, []string{"a b c", strings.Repeat("é", 31)}, book.GetSheetList())
}

// TestLongTexts holds that no text is longer than a cell of Excel may be.
func TestLongTexts(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 40_000), strings.Repeat("₹", 40_000), strings.Repeat("😀", 20_000), strings.Repeat("&", 32_767)} {
		book := write(t, func(w *xlsx.Writer) {
			require.NoError(t, w.Sheet("s", nil))
			require.NoError(t, w.Row(xlsx.TextCell(text)))
		})
		got, err := book.GetCellValue("s", "A1", excelize.Options{RawCellValue: true})
		require.NoError(t, err)
		units := 0
		for _, r := range got {
			if units++; r > 0xffff {
				units++
			}
		}
		require.LessOrEqual(t, units, 32_767)
		require.Greater(t, units, 32_700)
		if got != text {
			require.True(t, strings.HasSuffix(got, "…"))
		}
	}
}

// broken fails after some bytes.
type broken struct{ left int }

var errFull = errors.New("disk full")

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestErrorsOfTheWriter(t *testing.T) {
	for size := 0; size < 4000; size += 97 {
		w := xlsx.New(&broken{size}, made)
		err := w.Sheet("s", nil, "a")
		for i := 0; i < 100 && err == nil; i++ {
			err = w.Row(xlsx.TextCell(fmt.Sprint("text ", i)))
		}
		if err == nil {
			err = w.Close()
		}
		if size < 2000 {
			require.ErrorIs(t, err, errFull, "%d", size)
		}
	}
}

// TestSameRunSameBytes holds that two workbooks of the same run are equal.
func TestSameRunSameBytes(t *testing.T) {
	write := func() []byte {
		var b bytes.Buffer
		w := xlsx.New(&b, made)
		require.NoError(t, w.Sheet("s", []int{4}, "h"))
		require.NoError(t, w.Row(xlsx.CountCell(1)))
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	require.Equal(t, write(), write())
}

// BenchmarkRows writes 50,000 orders, as a ratio to excelize's stream writer.
func BenchmarkRows(b *testing.B) {
	const rows, columns = 50_000, 18
	for b.Loop() {
		began := time.Now()
		w := xlsx.New(io.Discard, made)
		require.NoError(b, w.Sheet("Orders", nil, make([]string, columns)...))
		cells := make([]xlsx.Cell, columns)
		for i := range rows {
			for c := range cells {
				switch c % 3 {
				case 0:
					cells[c] = xlsx.IDCell(fmt.Appendf(nil, "1490260%07d", i))
				case 1:
					cells[c] = xlsx.AmountCell(domain.Paise(i*100 + c))
				default:
					cells[c] = xlsx.TextCell("Fully remitted: the whole amount by 2026-03-01")
				}
			}
			require.NoError(b, w.Row(cells...))
		}
		require.NoError(b, w.Close())
		ours := time.Since(began)

		began = time.Now()
		book := excelize.NewFile()
		stream, err := book.NewStreamWriter("Sheet1")
		require.NoError(b, err)
		values := make([]any, columns)
		for i := range rows {
			for c := range values {
				switch c % 3 {
				case 0:
					values[c] = fmt.Sprintf("1490260%07d", i)
				case 1:
					values[c] = float64(i*100+c) / 100
				default:
					values[c] = "Fully remitted: the whole amount by 2026-03-01"
				}
			}
			require.NoError(b, stream.SetRow(fmt.Sprintf("A%d", i+1), values))
		}
		require.NoError(b, stream.Flush())
		require.NoError(b, book.Write(io.Discard))
		require.NoError(b, book.Close())
		b.ReportMetric(float64(ours)/float64(time.Since(began)), "of-excelize")
		b.ReportMetric(float64(ours.Milliseconds()), "ms")
	}
}
