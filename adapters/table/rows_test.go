package table_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/garbage"
	"milaan/tests/only"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// open opens a text whose header is its first record with a cell a.
func open(text string) (peers.Table, error) {
	return table.New().Open(domain.CourierFile, ports.Content{Bytes: []byte(text)},
		func(cells [][]byte) (bool, error) {
			return slices.ContainsFunc(cells, func(c []byte) bool { return string(c) == "a" }), nil
		},
		func(line int, cells [][]byte) error { return errNoHeader })
}

var errNoHeader = errors.New("no header")

// faultOf is what is wrong with a file.
func faultOf(t *testing.T, err error) *domain.FileError {
	t.Helper()
	e, ok := errors.AsType[*domain.FileError](err)
	require.True(t, ok, "%v", err)
	return e
}

// readAll reads every cell of every record.
func readAll(t *testing.T, text string) (records [][]string, lines []int, err error) {
	t.Helper()
	tab, err := open(text)
	if err != nil {
		return nil, nil, err
	}
	defer tab.Close()
	columns := make([]int, len(tab.Header()))
	for i := range columns {
		columns[i] = i
	}
	return readColumns(tab, columns)
}

func readColumns(tab peers.Table, columns []int) (records [][]string, lines []int, err error) {
	r := tab.Rows(columns)
	cells := make([][]byte, len(columns))
	for r.Next(cells) {
		record := make([]string, len(cells))
		for i, c := range cells {
			record[i] = string(c)
		}
		records, lines = append(records, record), append(lines, r.Line())
	}
	return records, lines, r.Err()
}

func TestDialects(t *testing.T) {
	want := [][]string{{"1", "x y", "3"}, {"4", "5", "6"}}
	for name, text := range map[string]string{
		"comma":            "a,b,c\n1,x y,3\n4,5,6\n",
		"no last newline":  "a,b,c\n1,x y,3\n4,5,6",
		"CRLF":             "a,b,c\r\n1,x y,3\r\n4,5,6\r\n",
		"CR":               "a,b,c\r1,x y,3\r4,5,6\r",
		"CR at the end":    "a,b,c\n1,x y,3\n4,5,6\r",
		"semicolon":        "a;b;c\n1;x y;3\n4;5;6\n",
		"tab":              "a\tb\tc\n1\tx y\t3\n4\t5\t6\n",
		"pipe":             "a|b|c\n1|x y|3\n4|5|6\n",
		"sep line":         "sep=;\na;b;c\n1;x y;3\n4;5;6\n",
		"quoted sep line":  "\"sep=;\"\r\na;b;c\r\n1;x y;3\r\n4;5;6\r\n",
		"BOM":              "\ufeffa,b,c\n1,x y,3\n4,5,6\n",
		"quoted":           "\"a\",\"b\",\"c\"\n\"1\",\"x y\",\"3\"\n\"4\",\"5\",\"6\"\n",
		"blank records":    "a,b,c\n\n1,x y,3\n,,\n---,===,___\n \u00a0 ,,\n4,5,6\n,,\n\n",
		"preamble":         "Report of March\n\nfrom,to\na,b,c\n1,x y,3\n4,5,6\n",
		"prose preamble":   "the \"best\" report, ever\na,b,c\n1,x y,3\n4,5,6\n",
		"blank surplus":    "a,b,c\n1,x y,3,,\n4,5,6, \n",
		"padded":           "a,b,c\n 1 , x y,3\t\n4,5,6\n",
		"empty sep line":   "sep=\na;b;c\n1;x y;3\n4;5;6\n",
		"sep of a formula": "sep==\na;b;c\n1;x y;3\n4;5;6\n",
		"sep of a quote":   "sep=\"x\na;b;c\n1;x y;3\n4;5;6\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := only.Both(readAll(t, text))(t)
			require.Equal(t, want, got)
		})
	}
}

// TestUTF16IsDecoded reads half a character and an odd byte as U+FFFD.
func TestUTF16IsDecoded(t *testing.T) {
	for text, want := range map[string]string{
		"\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00": "2",
		"\xfe\xff\x00a\x00,\x00b\x00\n\x001\x00,\x002\x00\n": "2",
		"\xff\xfea\x00,\x00b\x00\n\x001\x00,\x00\x00\xd8x":   "\ufffd\ufffd",
	} {
		got, _ := only.Both(readAll(t, text))(t)
		require.Equal(t, [][]string{{"1", want}}, got)
	}
}

// TestWrappedCells reads ="…", which keeps a number as text in a spreadsheet and
// is seldom quoted by the programs that write it.
func TestWrappedCells(t *testing.T) {
	got, lines := only.Both(readAll(t, "a,=\"b\",c\n=\"0123\",x,=\"4,5\"\r\n\"=\"\"6\"\"\",=\"\",=\"7\""))(t)
	require.Equal(t, [][]string{{`="0123"`, "x", `="4,5"`}, {`="6"`, `=""`, `="7"`}}, got)
	require.Equal(t, []int{2, 3}, lines)
	for broken, want := range map[string][]string{
		"=\"1\"x,2,3\n": {`="1"x`, "2", "3"}, "=\"1,2\n": {`="1`, "2", ""}, "x=\"1\",2\n": {`x="1"`, "2", ""}, "=\"": {`="`, "", ""},
	} {
		got, _ := only.Both(readAll(t, "a,b,c\n"+broken))(t)
		require.Equal(t, [][]string{want}, got, "%q is no wrapper", broken)
	}
}

// TestQuotes reads quotation marks as people and programs write them.
func TestQuotes(t *testing.T) {
	for text, want := range map[string][]string{
		`1, "x, y" ,3`:                 {"1", "x, y", "3"},
		"1,\t\"x\",  \"\"":             {"1", "x", ""},
		`  "1",2,3`:                    {"1", "2", "3"},
		`Wall poster 12" x 18",2,"3"`:  {`Wall poster 12" x 18"`, "2", "3"},
		`5",6","7"`:                    {`5"`, `6"`, "7"},
		`1,x "y, z",3`:                 nil,
		`1,2,size 5"`:                  {"1", "2", `size 5"`},
		"1, \"two\nlines\" ,3":         {"1", "two\nlines", "3"},
		"1,2,\"3\" \r":                 {"1", "2", "3"},
		`1,2,3, "" , ""`:               {"1", "2", "3"},
		`1,2,3,  ,"" `:                 {"1", "2", "3"},
		"1,2,5\" \r":                   {"1", "2", `5"`},
		`1,"he said ""go, now"" " , 3`: {"1", `he said "go, now"`, "3"},
	} {
		for _, eol := range []string{"", "\n", "\n4,5,6\n"} {
			got, _, err := readAll(t, "a,b,c\n"+text+eol)
			if want == nil {
				require.Equal(t, domain.RuleBeyondHeader, faultOf(t, err).Rule, "a delimiter there is one")
				continue
			}
			require.NoError(t, err, "%q", text)
			require.Equal(t, want, got[0], "%q", text)
			require.Len(t, got, 1+strings.Count(eol, "4"))
		}
	}
}

func TestCells(t *testing.T) {
	got, lines, err := readAll(t, "a,b,c\n"+
		"\"he said \"\"go\"\"\",\"two\r\nlines\",3\n"+
		"short\n"+
		"\"\",\"\"\"\",x\n")
	require.NoError(t, err)
	require.Equal(t, [][]string{{`he said "go"`, "two\nlines", "3"}, {"short", "", ""}, {"", `"`, "x"}}, got)
	require.Equal(t, []int{2, 4, 5}, lines, "a record's line is where it begins in an editor")
}

func TestBrokenFiles(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want domain.FileError
	}{
		"text after quote":   {"a,b\n\"1\"x,2\n", domain.FileError{Rule: domain.RuleQuoteTrailed, Line: 2}},
		"quote left open":    {"a,b\n1,2\n\"3,4\n5,6\n", domain.FileError{Rule: domain.RuleQuoteOpen, Line: 3}},
		"too many cells":     {"a,b\n1,2\n1,2,,oops\n", domain.FileError{Rule: domain.RuleBeyondHeader, Line: 3, Value: "oops", Count: 4, Limit: 2}},
		"header with lines":  {"a,b,c\r1,2,3\r4,5,6\n7,8,9\n", domain.FileError{Rule: domain.RuleBeyondHeader, Line: 1, Value: "1", Count: 7, Limit: 3}},
		"told by its end":    {"b\rc,a\r1,2\n7,8\n", domain.FileError{Rule: domain.RuleBeyondHeader, Line: 1, Value: "1", Count: 3, Limit: 2}},
		"a workbook":         {"PK\x03\x04....", domain.FileError{Rule: domain.RuleWorkbook}},
		"an old workbook":    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", domain.FileError{Rule: domain.RuleOldWorkbook}},
		"the same, as text":  {string([]rune("\ufffd\ufffd\x11\u0871\x1a\ufffd")), domain.FileError{Rule: domain.RuleOldWorkbook}},
		"a PDF":              {"%PDF-1.7 ...", domain.FileError{Rule: domain.RulePDF}},
		"a web page":         {"\n <!DOCTYPE html><html><table><tr><td>AWB", domain.FileError{Rule: domain.RuleWebPage}},
		"an Excel page":      {"<table border=1><tr><td>AWB", domain.FileError{Rule: domain.RuleWebPage}},
		"UTF-16 as Latin-1":  {"ÿþa\x00,\x00b\x00", domain.FileError{Rule: domain.RuleNotText}},
		"nothing":            {" \n ", domain.FileError{Rule: domain.RuleEmpty}},
		"nothing in UTF-16":  {"\xff\xfe\r\x00\n\x00", domain.FileError{Rule: domain.RuleEmpty}},
		"nothing in cells":   {"\ufeff\",\",;;\n\t|\n", domain.FileError{Rule: domain.RuleEmpty}},
		"nothing below sep":  {"sep=;\n", domain.FileError{Rule: domain.RuleEmpty}},
		"a picture":          {"\x89PNG\r\n\x1a\n\x00", domain.FileError{Rule: domain.RulePicture}},
		"a picture as text":  {"\ufffdPNG\r\n\x1a\n\x00", domain.FileError{Rule: domain.RulePicture}},
		"a photo":            {"\xff\xd8\xff\xe0", domain.FileError{Rule: domain.RulePicture}},
		"a phone's photo":    {"\x00\x00\x00\x18ftypheic\x00", domain.FileError{Rule: domain.RulePicture}},
		"a web's picture":    {"RIFF\x00\x00\x00\x00WEBPVP8 ", domain.FileError{Rule: domain.RulePicture}},
		"a film":             {"\x00\x00\x00\x18ftypmp42\x00", domain.FileError{Rule: domain.RuleNotText}},
		"an archive":         {"7z\xbc\xaf\x27\x1c", domain.FileError{Rule: domain.RuleArchive}},
		"endless header":     {strings.Repeat("a,", 5000) + "\n1,2\n", domain.FileError{Rule: domain.RuleWide, Line: 1, NoHeader: true, Count: 5001, Limit: 2000}},
		"header not in time": {strings.Repeat("x,y\n", 100) + "a,b\n1,2\n", domain.FileError{Rule: domain.RuleFarHeader, Line: 101, Limit: 100}},
		"header far away":    {strings.Repeat("x y\n", 900) + "a;b\n1;2\n", domain.FileError{Rule: domain.RuleFarHeader, Line: 901, Limit: 100}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := readAll(t, c.text)
			c.want.File = domain.CourierFile
			require.Equal(t, &c.want, err)
		})
	}
	require.ErrorIs(t, only.Err2(readAll(t, strings.Repeat("x,y\n", 1001)+"a,b\n1,2\n")), errNoHeader)
	require.NoError(t, only.Err2(readAll(t, strings.Repeat("x,y\n", 99)+"a,b\n1,2\n")), "the header may be on line 100")
	for _, header := range []string{"a,b,\"c\rd\",e \r", "c\rd,a,b,e"} {
		require.NoError(t, only.Err2(readAll(t, header+"\r\n1,2,3,4\n")), "a name may have two lines")
	}
	asked := 0
	require.ErrorIs(t, only.Err(table.New().Open(domain.CourierFile, ports.Content{Bytes: []byte(strings.Repeat("x\rx,", 1999) + "x\n1,2\n")},
		func([][]byte) (bool, error) { asked++; return false, nil },
		func(int, [][]byte) error { return errNoHeader })), errNoHeader)
	require.Less(t, asked, 30, "a hostile header is not looked for behind each of its \r")
}

// TestOddRecords gives the whole of a record and its line, whatever was asked for
// before.
func TestOddRecords(t *testing.T) {
	tab := only.Value(open("sep=,\na,b,c\n1,2,3\n\n\"x\ny\",,=\"Total\"\r\n,,\n 7 ,8\n1,2,3,4\n"))(t)
	rows, cells := tab.Rows([]int{1}), make([][]byte, 1)
	var lines []int
	var records, all []string
	for rows.Next(cells) {
		if rows.Count() != 1 { // the first is not asked for
			lines = append(lines, rows.Line(), rows.Line())
		}
		records = append(records, string(rows.Record()))
		all = append(all, string(bytes.Join(tab.Cells(rows.Record()), []byte("|"))))
	}
	require.Equal(t, []int{5, 5, 8, 8}, lines)
	require.Equal(t, []string{"1,2,3\n", "\"x\ny\",,=\"Total\"\r\n", " 7 ,8\n"}, records)
	require.Equal(t, []string{"1|2|3", "x\ny||Total", "7|8"}, all)
	require.Equal(t, 9, faultOf(t, rows.Err()).Line)
	require.Equal(t, "1,2,3,4\n", string(rows.Record()), "the record that ended the rows")
}

// TestRowLimits reads a file to the contract's limit and beyond it, as the command line
// does, and one within a limit of its own. Blank records do not count.
func TestRowLimits(t *testing.T) {
	for _, c := range []struct{ limit, rows, line int }{
		{domain.MaxRows, domain.MaxRows, 0},
		{domain.MaxRows, domain.MaxRows + 1, 100_002},
		{0, 2 * domain.MaxRows, 0},
		{2 * domain.MaxRows, 2 * domain.MaxRows, 0},
		{3, 4, 8},
	} {
		tab, err := table.NewWithin(table.Settings{MaxRows: c.limit}).Open(domain.CourierFile, ports.Content{Bytes: []byte("a,b\n" + strings.Repeat("1,2\n,\n", c.rows))}, always, nil)
		require.NoError(t, err)
		rows, cells := tab.Rows([]int{0}), make([][]byte, 1)
		for rows.Next(cells) {
		}
		if c.line > 0 {
			require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleRows, Line: c.line, Limit: c.limit}, rows.Err())
			continue
		}
		require.NoError(t, rows.Err())
		require.Equal(t, c.rows, rows.Count())
	}
}

// always takes the first line for the header.
func always([][]byte) (bool, error) { return true, nil }

// TestLinesToExpect holds the room that is made ready: enough for ordinary files,
// never beyond the limit, and without one no more than the bytes allow.
func TestLinesToExpect(t *testing.T) {
	lines := func(r *table.Reader, body string) int {
		tab := only.Value(r.Open(domain.CourierFile, ports.Content{Bytes: []byte("a,b\n" + body)}, always, nil))(t)
		defer tab.Close()
		return tab.Lines()
	}
	limited, free := table.New(), table.NewWithin(table.Settings{})
	long := strings.Repeat("x", 99) + "\n"
	for _, r := range []*table.Reader{limited, free} {
		require.Zero(t, lines(r, ""))
		require.InDelta(t, 1030, lines(r, strings.Repeat(long, 1000)), 20)
		require.InDelta(t, 25_500, lines(r, strings.Repeat(long, 25_000)), 500)
	}
	require.Equal(t, domain.MaxRows, lines(limited, strings.Repeat(long, 100_000)))
	require.InDelta(t, 102_000, lines(free, strings.Repeat(long, 100_000)), 2000)
	require.InDelta(t, 62_000, lines(free, strings.Repeat(long[60:], 2000)+strings.Repeat(long, 58_000)), 5000, "the first lines are shorter than the others")
	for _, r := range []*table.Reader{limited, free} {
		require.Zero(t, lines(r, strings.Repeat("\n", 3_200_000)), "empty lines are no orders")
		require.Equal(t, 20_001, lines(r, strings.Repeat("1,2\n", 20_000)), "short rows are counted")
		require.Equal(t, 20_000, lines(r, strings.Repeat("1\n\n", 20_000)), "and among empty lines")
		require.Equal(t, 20_000, lines(r, strings.Repeat("1\n", 30_000)), "a row has three bytes")
	}
}

// FuzzPlainDialect holds the reader against encoding/csv: of a text that that one
// accepts both read the same cells, blanks around them and blank records aside.
func FuzzPlainDialect(f *testing.F) {
	for _, seed := range []string{
		"1,2,3\n", "\"x\ny\",2\r\n3\r\n", "\"a\"\"b\",\"\"\n", "a\"b,c\n", "\"a\"b\n", "\"open\n", "1,2\r", "\r\n\r\n1", "\"x\r\ny\"\r\n", ",,,\n,1",
		"\"\r\"\r\n", "x\r,y\r\n", "\"q\"\r", "12345678,1234567,123456,\"1,2\"\"3\",\n", "-,=,_\n", "\"\"\"\"\n\"\"", "a\rb,c\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		const columns = 6
		text := "a,b,c,d,e,f\n" + body
		if strings.ContainsRune(text, 0) || strings.Contains(text, "\xff\xfe") || strings.Contains(text, `="`) {
			t.Skip("not text, or not plain")
		}
		plain := csv.NewReader(strings.NewReader(text))
		plain.FieldsPerRecord = -1
		var want [][]string
		var wantErr error
		for wantErr == nil {
			var record []string
			if record, wantErr = plain.Read(); wantErr == nil {
				want = append(want, record)
			}
		}
		for i, record := range want {
			if len(record) > columns {
				t.Skip("surplus cells are judged elsewhere")
			}
			for len(record) < columns {
				record = append(record, "")
			}
			for k := range record {
				record[k] = strings.TrimFunc(record[k], func(r rune) bool { return r <= ' ' })
			}
			want[i] = record
		}
		tab, err := open("sep=,\n" + text) // the dialect is not in question here
		if err != nil {
			require.Error(t, wantErr, "we refuse %q", err)
			return
		}
		got, _, err := readColumns(tab, []int{0, 1, 2, 3, 4, 5})
		if !errors.Is(wantErr, io.EOF) {
			t.Skip("a quotation mark where encoding/csv allows none: TestQuotes says what it is to us")
		}
		require.NoError(t, err)
		require.Equal(t, withoutBlank(want[1:]), withoutBlank(got))
	})
}

func withoutBlank(records [][]string) [][]string {
	var kept [][]string
	for _, record := range records {
		if slices.ContainsFunc(record, func(cell string) bool {
			return !domain.IsSeparator(domain.Unwrap([]byte(strings.ReplaceAll(cell, `"`, ""))))
		}) {
			kept = append(kept, record)
		}
	}
	return kept
}
