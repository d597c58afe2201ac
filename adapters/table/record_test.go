package table

import (
	"errors"
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
		r, cells := tab.Rows(columns).(*rows), make([][]byte, len(columns))
		for rest := []byte(text); len(rest) > 0; {
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
			require.Equal(t, len(text)-len(after), r.at)
			for k, c := range columns {
				if c < len(want) {
					require.Equal(t, strings.TrimFunc(string(want[c]), func(r rune) bool { return r <= ' ' }), string(cells[k]))
				} else {
					require.Empty(t, cells[k])
				}
			}
			rest = after
		}
	})
}
