package couriers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestAnUnreadColumnOfWhatWasPaidOut holds of which columns the warning speaks, and that others are passed over.
func TestAnUnreadColumnOfWhatWasPaidOut(t *testing.T) {
	for _, c := range []struct {
		column, cells string // of lines with ₹1,000 collected, and ₹1,001 on the third
		want          bool
	}{
		{"Paid", "941 941 1000", true},
		{"भुगतान", "₹941.00 1,000 1000", true},
		{"Paid", "1000 1000 1001", false},
		{"Paid", "500 500 500", false},
		{"Paid", "941 941", false},
		{"Paid", "941 1000 1180", false},
		{"Paid", "Yes No Yes", false},
		{"Taxable Value", "847 847 847", false},
		{"Wt (gms)", "500 500 600", false},
		{"Hub Code", "501 502 503", false},
		{"Order Amount", "950 950 951", false},
		{"Freight", "700 700 700", false}, // it is read
	} {
		text := strings.Builder{}
		text.WriteString("AWB,COD Amount," + c.column + ",Remittance Date\n")
		for i, cell := range strings.Fields(c.cells) {
			fmt.Fprintf(&text, "A%d,%d,%q,2026-03-05\n", i, 1000+i/2, cell)
		}
		text.WriteString("A9,1000,,\n")
		var want []domain.Warning
		if c.want {
			want = []domain.Warning{{Code: domain.WarnCollectedOnly, Column: c.column, Count: 3}}
		}
		require.Equal(t, want, mustRead(t, text.String(), noOrders).Warnings, "%s %s", c.column, c.cells)
	}
}
