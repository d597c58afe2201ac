package table

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// opened is a text whose first line is its header.
func opened(t *testing.T, text string) peers.Table {
	t.Helper()
	tab, err := New().Open(domain.CourierFile, ports.Content{Bytes: []byte(text)}, func([][]byte) (bool, error) { return true, nil }, nil)
	require.NoError(t, err)
	return tab
}

// TestRecordsOfManyCells reads files whose records have many more cells than
// their header: a file is what it is, however wide.
func TestRecordsOfManyCells(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		width int // of the record that is refused; 0: none is
	}{
		"blank":                {"1,2" + strings.Repeat(",", 100_000) + "\n3,4\n", 0},
		"blank in quotes":      {"1,2" + strings.Repeat(`,""`, 100_000) + "\n3,4\n", 0},
		"blank in a wrapper":   {"1,2" + strings.Repeat(`,=""`, 100_000) + "\n3,4\n", 0},
		"blank beyond ASCII":   {"1,2" + strings.Repeat(",\u00a0", 100_000) + "\n3,4\n", 0},
		"blank, then one":      {"1,2" + strings.Repeat(",", 100_000) + "x\n3,4\n", 100_002},
		"blank, then a quoted": {"1,2" + strings.Repeat(", ", 100_000) + ",\"x\n\"\n3,4\n", 100_003},
		"no blank":             {"1,2" + strings.Repeat(",x", 100_000) + "\n3,4\n", 100_002},
		"nothing but wrappers": {strings.Repeat(`="",`, 100_000) + "\n1,2\n3,4\n", 0},
		"nothing but blanks":   {strings.Repeat(",\u00a0,", 100_000) + "\n1,2\n3,4\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			rows, cells := opened(t, "a,b\n"+c.text).Rows([]int{0, 1}), make([][]byte, 2)
			var got []string
			for rows.Next(cells) {
				got = append(got, string(cells[0])+string(cells[1]))
			}
			if c.width > 0 {
				require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleBeyondHeader, Line: 2, Value: "x", Count: c.width, Limit: 2}, rows.Err())
				return
			}
			require.NoError(t, rows.Err())
			require.Equal(t, []string{"12", "34"}, got)
		})
	}
}

// TestCellsDoNotOutliveTheirRecord reads short records after long ones.
func TestCellsDoNotOutliveTheirRecord(t *testing.T) {
	tab := opened(t, "a,b,c,d\n1,2,3,4\n5\n,,6\n\n7,8\n")
	for _, columns := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {3, 0}} {
		cells := make([][]byte, len(columns))
		for i := range cells {
			cells[i] = []byte("from before")
		}
		rows := tab.Rows(columns)
		for _, want := range []string{"1234", "5", "6", "78"} {
			require.True(t, rows.Next(cells))
			for slot, column := range columns {
				record := map[string]string{"1234": "1234", "5": "5   ", "6": "  6 ", "78": "78  "}[want]
				require.Equal(t, strings.TrimSpace(record[column:column+1]), string(cells[slot]), "%s, column %d", want, column)
			}
		}
		require.False(t, rows.Next(cells))
	}
}

// TestWideLinesAreNoHeaders names the line that has lost its end, if there is no
// header in time, and passes it over if there is.
func TestWideLinesAreNoHeaders(t *testing.T) {
	wide := strings.Repeat("AWB No,", 3000)
	asked := 0
	is := func(cells [][]byte) (bool, error) {
		asked = max(asked, len(cells))
		return string(cells[0]) == "a", nil
	}
	missing := func(int, [][]byte) error { return domain.ErrFile }
	_, err := New().Open(domain.CourierFile, ports.Content{Bytes: []byte(wide + "\nx,y\n1,2\n")}, is, missing)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleWide, Line: 1, NoHeader: true, Count: 3001, Limit: maxColumns}, err)
	tab, err := New().Open(domain.CourierFile, ports.Content{Bytes: []byte(wide + "\n\"" + strings.Repeat("x\n", 30) + "\"\na,b\n1,2\n")}, is, missing)
	require.NoError(t, err)
	rows := tab.Rows([]int{0})
	require.True(t, rows.Next(make([][]byte, 1)))
	require.Equal(t, 34, rows.Line())
	require.LessOrEqual(t, asked, maxColumns)
}

// TestLongCellsAreNoNames cuts a cell above the body that nobody could know.
func TestLongCellsAreNoNames(t *testing.T) {
	for _, cell := range []string{strings.Repeat("x", 1<<20), `"` + strings.Repeat(`""`, 1<<20) + `"`, strings.Repeat("\u00a0", 1<<20) + "x"} {
		longest := 0
		_, err := New().Open(domain.CourierFile, ports.Content{Bytes: []byte("y," + cell + "\n")}, func(cells [][]byte) (bool, error) {
			longest = len(cells[len(cells)-1])
			return false, nil
		}, func(int, [][]byte) error { return domain.ErrFile })
		require.ErrorIs(t, err, domain.ErrFile)
		require.Equal(t, domain.MaxColumnName+1, longest)
		require.Empty(t, domain.HeaderKey(strings.Repeat("x", longest)))
	}
}

// TestTheWidestLineIsNamed looks for a header where several lines have lost their
// ends: the first of the widest is named.
func TestTheWidestLineIsNamed(t *testing.T) {
	wide := func(cells int) string { return strings.Repeat(",", cells-1) + "\n" }
	text := "a,b\n" + wide(3000) + "\"x\ny\"" + wide(5000) + wide(5000) + wide(4000)
	_, err := New().Open(domain.CourierFile, ports.Content{Bytes: []byte("sep=,\n" + text)}, func([][]byte) (bool, error) { return false, nil }, nil)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleWide, Line: 4, NoHeader: true, Count: 5000, Limit: maxColumns}, err)
}

// TestTheLikeliestHeaderIsShown has lines above and below a header that nobody knows: cells that are blank up to the end of a line,
// as a spreadsheet writes them beside a title, make it no likelier.
func TestTheLikeliestHeaderIsShown(t *testing.T) {
	const header, line = "Docket,Party Ref,Net Cr.", "MX1,#1001,1299"
	for text, want := range map[string]int{
		"Statement of COD,,\n" + header + "\n" + line:                   2,
		"Statement of COD,,,\nClient:,SHOP,,\n" + header + ",\n" + line: 3,
		header + "\n" + line + ",,\n":                                   1,
		"Statement of COD,,\n,,,,\n":                                    1,
	} {
		at, shown := 0, ""
		_, err := New().Open(domain.CourierFile, ports.Content{Bytes: []byte(text)}, func([][]byte) (bool, error) { return false, nil },
			func(line int, cells [][]byte) error {
				at, shown = line, string(bytes.Join(cells, []byte(",")))
				return domain.ErrFile
			})
		require.ErrorIs(t, err, domain.ErrFile)
		require.Equal(t, want, at, text)
		require.NotContains(t, shown, ",,", text)
	}
}

// TestCloseQuotationMarks has quotation marks at every distance from a cell's
// beginning, where they are looked for in two ways.
func TestCloseQuotationMarks(t *testing.T) {
	for n := range 9 {
		inner := strings.Repeat("x", n)
		for cell, want := range map[string]string{`"` + inner + `"`: inner, `"` + inner + `"""`: inner + `"`, inner + `x"x`: inner + `x"x`, `="` + inner + `"`: `="` + inner + `"`} {
			rows, cells := opened(t, "a,b\n"+cell+",y\n").Rows([]int{0, 1}), make([][]byte, 2)
			require.True(t, rows.Next(cells), "%v", rows.Err())
			require.Equal(t, want+"/y", string(cells[0])+"/"+string(cells[1]))
		}
	}
}
