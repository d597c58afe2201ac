package table_test

import (
	"fmt"
	"html"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/table"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/zips"
)

// columnName is a column as references name it, from 0.
func columnName(column int) (name string) {
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// sparse are the values of a sheet by row and column.
type sparse []map[int]string

func (s sparse) workbook(t require.TestingT) []byte {
	var sheet strings.Builder
	for y, row := range s {
		fmt.Fprintf(&sheet, `<row r="%d">`, y+1)
		for x := range 1 << 14 {
			if value := row[x]; value != "" {
				fmt.Fprintf(&sheet, `<c r="%s%d" t="str"><v>%s</v></c>`, columnName(x), y+1, html.EscapeString(value))
			}
		}
		sheet.WriteString("</row>")
	}
	return zips.OfAny(map[string]string{
		"xl/workbook.xml":            `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r" Type="worksheet" Target="sheet.xml"/></Relationships>`,
		"xl/sheet.xml":               `<worksheet><sheetData>` + sheet.String() + `</sheetData></worksheet>`,
	})
}

// csv is the sheet with a separator for each cell up to the last of a row.
func (s sparse) csv() []byte {
	var b strings.Builder
	for _, row := range s {
		for x := range 1 << 14 {
			value, rest := row[x], false
			if strings.ContainsAny(value, `,"`) {
				value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
			}
			b.WriteString(value)
			for further := range row {
				rest = rest || further > x
			}
			if !rest {
				break
			}
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// reading is what is read of a file whose header has a cell a.
type reading struct {
	header []string
	rows   []string
	fault  error
}

func read(content ports.Content) (r reading) {
	opened, err := openAs(table.New(), content)
	if err != nil {
		return reading{fault: err}
	}
	for _, name := range opened.Header() {
		r.header = append(r.header, string(name))
	}
	columns := make([]int, len(r.header))
	for i := range columns {
		columns[i] = i
	}
	rows, cells := opened.Rows(columns), make([][]byte, len(columns))
	for rows.Next(cells) {
		r.rows = append(r.rows, fmt.Sprintf("%d %q", rows.Line(), cells))
	}
	r.fault = rows.Err()
	return r
}

// TestFarCellsAreReadAsInCSV holds that a sheet is read as CSV with all its separators is,
// wherever its cells stand.
func TestFarCellsAreReadAsInCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		column := rapid.SampledFrom([]int{0, 1, 2, 3, 17, 40, 127, 128, 129, 130, 200, 1998, 1999, 2000, 2100, 16383})
		value := rapid.SampledFrom([]string{"x", "5", "-", " ", "\u00a0", `x,"y"`, ","})
		some := sparse(rapid.SliceOfN(rapid.MapOfN(column, value, 0, 4), 0, 8).Draw(t, "rows"))
		for i := range some {
			if some[i] == nil {
				some[i] = map[int]string{}
			}
		}
		header := map[int]string{0: "a", rapid.SampledFrom([]int{1, 2, 17, 40, 128, 129, 130, 200, 1999}).Draw(t, "width"): "b"}
		at := rapid.IntRange(0, len(some)).Draw(t, "header")
		some = append(some[:at:at], append(sparse{header}, some[at:]...)...)
		want, got := read(ports.Content{Bytes: some.csv()}), read(ports.Content{Bytes: some.workbook(t), Workbook: true})
		require.Equal(t, want, got)
	})
}

// TestFarCellsTakeNoMemory opens a sheet with a cell in the last column of each row, and one
// whose header is wide: what it expands to is claimed before.
func TestFarCellsTakeNoMemory(t *testing.T) {
	rows := make(sparse, 2_000)
	rows[0] = map[int]string{0: "a", 1: "b"}
	for y := 1; y < len(rows); y++ {
		rows[y] = map[int]string{0: "1", 1<<14 - 1: "-"}
	}
	var claimed atomic.Int64
	taken := &ports.Taken{Claim: func(bytes int64) error { claimed.Add(bytes); return nil }}
	far := ports.Content{Bytes: rows.workbook(t), Workbook: true, Taken: taken}
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleBeyondHeader, Line: 2, Value: "-", Count: 1 << 14, Limit: 2}, read(far).fault)
	require.Less(t, claimed.Load(), int64(8<<20))

	rows[0] = map[int]string{0: "a", 999: "b"}
	for y := 1; y < len(rows); y++ {
		rows[y] = map[int]string{999: "1"}
	}
	claimed.Store(0)
	wide := read(ports.Content{Bytes: rows.workbook(t), Workbook: true, Taken: taken})
	require.NoError(t, wide.fault)
	require.Len(t, wide.rows, len(rows)-1)
	require.Greater(t, claimed.Load(), int64(len(rows)-1)*1000)

	taken = &ports.Taken{Claim: func(bytes int64) error {
		if claimed.Add(bytes) > 1<<20 {
			return domain.ErrBusy
		}
		return nil
	}}
	claimed.Store(0)
	require.ErrorIs(t, read(ports.Content{Bytes: rows.workbook(t), Workbook: true, Taken: taken}).fault, domain.ErrBusy)
}
