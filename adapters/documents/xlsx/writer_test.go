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
	"milaan/tests/only"
)

var made = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// write makes a workbook and opens it with a reader that is not ours.
func write(t testing.TB, fill func(w *xlsx.Writer)) *excelize.File {
	var b bytes.Buffer
	w := xlsx.New(&b, made)
	fill(w)
	require.NoError(t, w.Close())
	for _, f := range only.Value(zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())))(t).File {
		part, err := f.Open()
		require.NoError(t, err)
		for d := xml.NewDecoder(part); ; {
			if _, err = d.Token(); err != nil {
				break
			}
		}
		require.ErrorIs(t, err, io.EOF, "%s is XML", f.Name)
	}
	book := only.Value(excelize.OpenReader(bytes.NewReader(b.Bytes())))(t)
	t.Cleanup(func() { _ = book.Close() })
	return book
}

func TestCells(t *testing.T) {
	const long = "14902602000001"
	book := write(t, func(w *xlsx.Writer) {
		require.NoError(t, w.Sheet("Orders", []int{20, 20}, "AWB", "Paid"))
		require.NoError(t, w.Row(xlsx.IDCell([]byte(long)), xlsx.AmountCell(-129_999_55), xlsx.DayCell(domain.DayFromDate(2026, 3, 1)), xlsx.CountCell(7),
			xlsx.TextCell("=1+1"), xlsx.TextCell("मिलान ₹ <&\"> _x0041_ \x00\ufffe\xff"), xlsx.DayCell(domain.NoDay), xlsx.TextCell("")))
	})
	raw := excelize.Options{RawCellValue: true}
	for cell, want := range map[string]string{
		"A1": "AWB", "A2": long, "B2": "-129999.55", "C2": "46082", "D2": "7", "E2": "=1+1", "F2": "मिलान ₹ <&\"> _x0041_ \ufffd\ufffd\ufffd", "G2": "", "H2": "",
	} {
		require.Equal(t, want, only.Value(book.GetCellValue("Orders", cell, raw))(t), cell)
	}
	for cell, want := range map[string]string{"C2": "1 Mar 2026", "A2": long} {
		require.Equal(t, want, only.Value(book.GetCellValue("Orders", cell))(t), "%s as it is shown", cell)
	}
	for _, cell := range []string{"A2", "E2", "F2"} {
		require.Empty(t, only.Value(book.GetCellFormula("Orders", cell))(t), cell)
		require.Equal(t, excelize.CellTypeInlineString, only.Value(book.GetCellType("Orders", cell))(t), cell)
	}
	panes := only.Value(book.GetPanes("Orders"))(t)
	require.True(t, panes.Freeze)
	require.Equal(t, 1, panes.YSplit)
	names := map[string]string{}
	for _, n := range book.GetDefinedName() {
		names[n.Name] = n.RefersTo
	}
	require.Equal(t, map[string]string{"_xlnm._FilterDatabase": "'Orders'!$A$1:$B$2", "_xlnm.Print_Area": "'Orders'!$A$1:$B$2",
		"_xlnm.Print_Titles": "'Orders'!$1:$1"}, names, "the header can be filtered by, and stands on each page")
}

// TestHeadings holds that a heading stands where the figures below it do, in tables and on
// pages with several of them.
func TestHeadings(t *testing.T) {
	book := write(t, func(w *xlsx.Writer) {
		require.NoError(t, w.Sheet("Orders", []int{12, 12, 9, 12}, "AWB", "Paid", "Days overdue", "Deducted"))
		require.NoError(t, w.Row(xlsx.IDCell([]byte("1")), xlsx.Cell{}, xlsx.CountCell(1), xlsx.TextCell("not stated")))
		require.NoError(t, w.Row(xlsx.IDCell([]byte("2")), xlsx.AmountCell(100), xlsx.CountCell(2), xlsx.TextCell("not stated")))
		require.NoError(t, w.Sheet("Summary", []int{12, 12}))
		for _, heading := range []string{"Orders", "What to do"} {
			require.NoError(t, w.Row(xlsx.Cell{Kind: xlsx.Heading, Text: []byte("By flag")}, xlsx.Cell{Kind: xlsx.Heading, Text: []byte(heading)}))
			below := xlsx.TextCell("Dispute")
			if heading == "Orders" {
				below = xlsx.CountCell(3)
			}
			require.NoError(t, w.Row(xlsx.TextCell("Missing"), below))
		}
	})
	for cell, want := range map[string]string{"Orders!A1": "left", "Orders!B1": "right", "Orders!C1": "right", "Orders!D1": "left",
		"Summary!A1": "left", "Summary!B1": "right", "Summary!B3": "left"} {
		require.Equal(t, want, alignment(t, book, cell).Horizontal, cell)
	}
}

func alignment(t *testing.T, book *excelize.File, cell string) *excelize.Alignment {
	sheet, at, _ := strings.Cut(cell, "!")
	style := only.Value(book.GetCellStyle(sheet, at))(t)
	return only.Value(book.GetStyle(style))(t).Alignment
}

// TestPrinting holds that sheets fit on the width of landscape pages, which are numbered, and
// that long texts are on as many lines as they need.
func TestPrinting(t *testing.T) {
	reason := strings.Repeat("seven more ", 9) // 99 characters
	book := write(t, func(w *xlsx.Writer) {
		require.NoError(t, w.Sheet("Orders", []int{8, 54}, "Days overdue", "Reason"))
		require.NoError(t, w.Row(xlsx.CountCell(1), xlsx.TextCell(reason)))
		require.NoError(t, w.Row(xlsx.CountCell(1), xlsx.TextCell("short")))
		require.NoError(t, w.Sheet("Summary", []int{34, 18, 18}))
		require.NoError(t, w.Row(xlsx.Cell{Kind: xlsx.Sentence, Text: []byte(reason)}))
	})
	for _, sheet := range []string{"Orders", "Summary"} {
		layout := only.Value(book.GetPageLayout(sheet))(t)
		require.Equal(t, []any{"landscape", 9, 0}, []any{*layout.Orientation, *layout.Size, *layout.FitToHeight}, "A4, and as many pages as it takes")
		require.True(t, *only.Value(book.GetSheetProps(sheet))(t).FitToPage)
		require.Equal(t, "&L&A&R&P / &N", only.Value(book.GetHeaderFooter(sheet))(t).OddFooter)
	}
	for row, want := range map[int]float64{1: 30, 2: 30, 3: 15} {
		require.InDelta(t, want, only.Value(book.GetRowHeight("Orders", row))(t), 0.1, row)
	}
	require.True(t, alignment(t, book, "Orders!B2").WrapText)
	require.InDelta(t, 30, only.Value(book.GetRowHeight("Summary", 1))(t), 0.1)
	merged := only.Value(book.GetMergeCells("Summary"))(t)
	require.Len(t, merged, 1)
	require.Equal(t, "C1", merged[0].GetEndAxis())
}

// TestLongTexts holds that no text is longer than a cell of Excel may be.
func TestLongTexts(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 40_000), strings.Repeat("₹", 40_000), strings.Repeat("😀", 20_000), strings.Repeat("&", 32_767)} {
		book := write(t, func(w *xlsx.Writer) {
			require.NoError(t, w.Sheet("s", nil))
			require.NoError(t, w.Row(xlsx.TextCell(text)))
		})
		got := only.Value(book.GetCellValue("s", "A1", excelize.Options{RawCellValue: true}))(t)
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
