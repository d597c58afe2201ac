package table

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMarksAreThoseOfPlainGo compares the marks of this processor's instructions with those of
// plain Go, and these with the bytes.
func TestMarksAreThoseOfPlainGo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const alphabet = ",;\t|\"\n\rab\x00\x2b\x2d\xac\xa2\x8a\xff"
	for blocks := range 5 {
		for range 200 {
			text := make([]byte, 1+blocks*markedBytes)
			for i := range text {
				text[i] = alphabet[random.IntN(len(alphabet))]
			}
			comma, eol := alphabet[random.IntN(4)], "\n\r"[random.IntN(2)]
			want, plain, got := make([]marks, blocks), make([]marks, blocks), make([]marks, blocks)
			for i, b := range text[1:] { // the text need not begin where the processor would like it to
				bit := uint64(1) << (i % markedBytes)
				if b == comma {
					want[i/markedBytes].commas |= bit
				}
				if b == quote {
					want[i/markedBytes].quotes |= bit
				}
				if b == eol {
					want[i/markedBytes].eols |= bit
				}
			}
			markPlain(text[1:], plain, comma, eol)
			mark(text[1:], got, comma, eol)
			require.Equal(t, want, plain)
			require.Equal(t, want, got)
			for _, m := range got {
				plain, got := make([]uint16, markedBytes), make([]uint16, markedBytes)
				placesPlain(m.commas, plain, 128)
				places(m.commas, got, 128)
				n := bits.OnesCount64(m.commas)
				require.Equal(t, plain[:n], got[:n])
			}
		}
	}
}

// TestMarkedRecordsAreThoseReadCellByCell reads records of all lengths, many of which the marker cannot read.
func TestMarkedRecordsAreThoseReadCellByCell(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	cells := []string{"", "x", "#1001", `"a, b"`, "\"a\nb\"", `"a ""b"""`, `="07"`, `5" wide`, ` "x"`, "\u00a0", strings.Repeat("long ", 100)}
	for range 300 {
		likely, text := 1+random.IntN(len(cells)), []byte("a,b,c\n")
		longest := []int{3, 40, 3000, mostBlocks * markedBytes}[random.IntN(4)]
		for len(text) < 3*mostBlocks*markedBytes && random.IntN(200) > 0 {
			for range 1 + random.IntN(3) {
				text = append(append(text, cells[random.IntN(likely)]...), ',')
			}
			if random.IntN(8) == 0 {
				text = append(text, strings.Repeat("x", random.IntN(longest))...)
			}
			text = append(text, []string{"\n", "\r\n", "\n\n\n", ",,,\n"}[random.IntN(4)]...)
		}
		rows, plain := opened(t, string(text)).Rows([]int{0, 2}).(*rows), opened(t, string(text)).Rows([]int{0, 2}).(*rows)
		plain.oddOnes = mostOdd
		for got, want := make([][]byte, 2), make([][]byte, 2); plain.Next(want); {
			require.True(t, rows.Next(got))
			require.Equal(t, string(plain.Record()), string(rows.Record()))
			require.Equal(t, fmt.Sprintf("%q", want), fmt.Sprintf("%q", got))
			rows.oddOnes = 0
		}
		require.False(t, rows.Next(make([][]byte, 2)))
		require.Equal(t, plain.Err(), rows.Err())
	}
}
