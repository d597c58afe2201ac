package table

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// FuzzFewColumns holds what is passed over against the plain reader: a choice of
// columns (a bit each), asked for from the last to the first if it is odd, must give
// the cells that record gives for them, and the same faults.
func FuzzFewColumns(f *testing.F) {
	wide := strings.Repeat("a,,bcd,1234567890,\"q,\"\"\",=\"7\",x y,,,,,,,,", 3) + "end\r\n"
	choices := []uint64{0, 1<<39 | 1, 1<<40 - 1, 1<<40 - 2}
	for c := range 40 {
		choices = append(choices, 1<<c, 1<<c|1<<((c+11)%40), 1<<c|1<<17|1)
	}
	for _, choice := range choices {
		f.Add(choice, strings.Repeat(wide+"q,\"z\nz\",\n,\"\n\"\r\n", 3), byte(','))
		f.Add(choice, "a;b"+strings.Repeat(";", 20)+"\"c\";d\n;\"x", byte(';'))
		f.Add(choice, strings.Repeat("ab,", 39)+"c\n", byte(','))
		f.Add(choice, strings.Repeat("abcdefg,", 36)+"\"a\"b\n", byte(','))
		f.Add(choice, strings.Repeat(",", 36)+"a\"b\n", byte('|'))
	}
	f.Fuzz(func(t *testing.T, choice uint64, text string, comma byte) {
		const width = 40
		if comma == '\n' || comma == quote || comma == '=' || comma >= utf8.RuneSelf {
			t.Skip("no delimiter")
		}
		tab := &csvFile{dialect: dialect{comma: comma, eol: '\n'}, header: make([][]byte, width), body: []byte(text)}
		var columns []int
		for c := range width {
			if choice>>c&1 == 1 {
				columns = append(columns, c)
			}
		}
		if choice&1 == 1 {
			slices.Reverse(columns)
		}
		requirePlain(t, tab, columns)
	})
}

// TestRecordsOfAnyLengthAreReadAlike reads texts that are long enough to be marked several times,
// with quotation marks at all places.
func TestRecordsOfAnyLengthAreReadAlike(t *testing.T) {
	read := func(text []byte) {
		requirePlain(t, &csvFile{dialect: dialect{comma: ',', eol: '\n'}, header: make([][]byte, 70), body: text}, []int{0, 1, 5, 6, 21, 69})
	}
	for n := range 2 * markedBytes {
		read([]byte(strings.Repeat("x", n) + "\"b,c\",d\n1,2\n"))
		read([]byte("\"" + strings.Repeat("x", n) + "\",\"c\"d\n"))
	}
	random := rand.New(rand.NewPCG(3, 4))
	parts := []string{",", ",", "x", "1234567", "\"a\"", ",\"b,\n\"", ",\"c\"\"d\"", "\"", "\r", "\n", "\r\n", "\"\r\n", ",\"\"\n", "=\"5\"", " ", strings.Repeat("y", 58), strings.Repeat("z", 63)}
	for range 4_000 {
		var text []byte
		odd := random.IntN(8) // in some texts, few parts break the rules of quoting
		for range random.IntN(150) {
			part := parts[random.IntN(len(parts))]
			if odd > 0 && (part[0] == quote || part[0] == '=' || part == " ") && random.IntN(40) > 0 {
				part = ",\"q\","
			}
			text = append(text, part...)
		}
		read(text)
	}
}

// requirePlain requires that records are read as record reads them, up to the first that is broken.
func requirePlain(t *testing.T, tab *csvFile, columns []int) {
	t.Helper()
	r, cells := tab.Rows(columns).(*rows), make([][]byte, len(columns))
	for rest := tab.body; len(rest) > 0; {
		want, after, broken := tab.record(nil, rest)
		clear(cells)
		got := r.record(cells)
		if broken != "" {
			e, _ := errors.AsType[*domain.FileError](r.err)
			require.NotNil(t, e, "%v", r.err)
			require.Equal(t, broken, e.Rule)
			return
		}
		require.NoError(t, r.err)
		require.Len(t, want, got)
		require.Equal(t, len(tab.body)-len(after), r.at)
		for k, c := range columns {
			if c < len(want) {
				require.Equal(t, strings.TrimFunc(string(want[c]), func(r rune) bool { return r <= ' ' }), string(cells[k]))
			} else {
				require.Empty(t, cells[k])
			}
		}
		rest = after
	}
}
