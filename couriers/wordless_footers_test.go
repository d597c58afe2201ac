package couriers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// A line without ids that states the sums of the lines above it is a footer, though it has
// not the word total.
func TestFootersWithoutAWord(t *testing.T) {
	const head, lines = "AWB,COD Amount,Remitted Amount,Freight\n", "A1,100,90,10\nA2,200,180,20\n"
	for _, c := range []struct {
		what, text string
		lines      int
		money      domain.Paise // that belongs to no parcel
	}{
		{"all lines above", lines + ",300,270,30\n", 2, 0},
		{"one column of them", lines + ",,270,\n", 2, 0},
		{"another amount", lines + ",300,271,30\n", 2, 27100},
		{"a note beside it", lines + "For February,300,270,\n", 2, 0},
		{"कुल", lines + "कुल,300,1,\n", 2, 0},
		{"since the last footer", lines + "Total,300,270,\nA3,5,4,1\n,5,4,\n", 3, 0},
		{"all of them below a footer", lines + ",300,270,\nA3,5,4,1\n,305,274,\n", 3, 0},
		{"money of no parcel is in the sum", lines + ",7,7,\n,307,277,\n", 2, 700},
		{"and may be left out", lines + ",7,7,\n,300,270,\n", 2, 700},
		{"nothing above it", ",300,270,\n" + lines, 2, 27000},
		{"neither all nor the last", lines + ",300,270,\nA3,5,4,1\nA4,6,5,1\n,6,5,\n", 4, 500},
		{"a line with an id is none", lines + "A3,300,270,30\n", 3, 0},
	} {
		read := mustRead(t, head+c.text, noOrders)
		require.Equal(t, c.lines, read.Len(), c.what)
		require.Equal(t, c.money, read.Reports()[0].Unidentified.Remitted, c.what)
	}
}
