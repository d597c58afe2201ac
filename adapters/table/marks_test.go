package table

import (
	"math/rand/v2"
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
		}
	}
}
