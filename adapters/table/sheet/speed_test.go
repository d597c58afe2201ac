package sheet_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

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
