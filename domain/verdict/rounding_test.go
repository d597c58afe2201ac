package verdict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain/verdict"
)

// TestRoundedToZeros tests section 1 on AWBs that were rounded to zeros.
func TestRoundedToZeros(t *testing.T) {
	const awb = "14902600000"
	elsewhere := paidOn("Z9", "Z9", rupees(1))
	for _, c := range []struct {
		name      string
		orders    []export
		lines     []verdict.Remittance
		mode      string // of the last order
		awb       string
		unclaimed int
	}{
		{"one order, one line", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", rupees(1000))}, "awb", awb, 0},
		{"two orders bear it", []export{priced("#1", awb, rupees(1000)), priced("#2", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", rupees(1000))}, "order_id", awb, 1},
		{"two lines name different orders", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "8", rupees(1000)), paidOn(awb, "9", rupees(1000))}, "order_id", awb, 2},
		{"two lines name one order", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "1", rupees(400)), paidOn(awb, "1", rupees(600))}, "awb", awb, 0},
		{"two lines name none and differ", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", rupees(400)), paidOn(awb, "", rupees(600))}, "order_id", awb, 2},
		{"two lines name none and are alike", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", rupees(1000)), paidOn(awb, "", rupees(1000))}, "awb", awb, 0},
		{"one of two lines takes back", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", rupees(1000)), paidOn(awb, "", -rupees(400))}, "awb", awb, 0},
		{"ten digits are shown whole", []export{priced("#1", awb[1:], rupees(1000))}, []verdict.Remittance{paidOn(awb[1:], "", rupees(400)), paidOn(awb[1:], "", rupees(600))}, "awb", awb, 0},
		{"four zeros happen", []export{priced("#1", "14902610000", rupees(1000))}, []verdict.Remittance{paidOn("14902610000", "", rupees(400)), paidOn("14902610000", "", rupees(600))}, "awb", awb, 0},
		{"two orders bear it, and no line does", []export{priced("#1", awb, rupees(1000)), priced("#2", awb, rupees(1000))}, []verdict.Remittance{elsewhere}, "order_id", awb, 1},
		{"another that looks so is nobody else's", []export{priced("#1", awb, rupees(1000)), priced("#2", awb, rupees(1000)), priced("#3", "15902600000", rupees(1000))}, []verdict.Remittance{elsewhere}, "awb", "15902600000", 1},
		{"a line of nothing says nothing", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", rupees(1000)), paidOn(awb, "", 0)}, "awb", awb, 0},
		{"a line of nothing above", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", 0), paidOn(awb, "", rupees(1000))}, "awb", awb, 0},
		{"a paisa is an amount", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "", rupees(1000)), paidOn(awb, "", 1)}, "order_id", awb, 2},
		{"a clone is the order itself", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "1", rupees(400)), paidOn(awb, "1-C", rupees(600))}, "awb", awb, 0},
		{"an id that nobody has, twice", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "8", rupees(400)), paidOn(awb, "8", rupees(600))}, "awb", awb, 0},
		{"one known id and one unknown", []export{priced("#1", awb, rupees(1000))}, []verdict.Remittance{paidOn(awb, "8", rupees(400)), paidOn(awb, "1", rupees(600))}, "order_id", awb, 1},
		{"its other AWBs stay", []export{priced("#1", awb, rupees(1000)), priced("#2", "A5, "+awb+", A6", rupees(1000))}, []verdict.Remittance{elsewhere}, "awb", "A5, A6", 1},
		{"those of an order with an exponent too", []export{priced("#1", awb, rupees(1000)), priced("#2", awb, rupees(1000)), priced("#3", "1.90408E+12, A5, A6", rupees(1000))}, []verdict.Remittance{elsewhere}, "awb", "A5, A6", 1},
	} {
		r := pair{orders: c.orders, lines: c.lines}.reconcile()
		last := r.Result(r.Len() - 1)
		require.Equal(t, c.mode, last.MatchMode.String(), c.name)
		require.Equal(t, c.unclaimed, r.Tally.Unclaimed, c.name)
		if last.Remitted == 0 {
			require.Equal(t, c.awb, string(last.AWB), c.name)
		}
	}
}

// TestGuardAgainstRoundedLines tests section 4 on unclaimed lines with a rounded AWB: a
// line may be an order's own if it has the length and the leading digits of the order's
// AWB.
func TestGuardAgainstRoundedLines(t *testing.T) {
	through := verdict.Remittance{AWB: []byte("X"), OrderID: []byte("X"), DeliveredOn: ago(0)}
	digits60 := strings.Repeat("7", 60)
	for _, c := range []struct{ awb, line, id, want string }{
		{"14902612345678", "1.49026E+13", "", "OVERDUE"},
		{"14902656789012", "1.49027E+13", "", "OVERDUE"}, // rounded up
		{"", "1.49026E+13", "", "OVERDUE"},
		{"14902612345678", "1.49026E+13", "Z9", "MISSING"}, // it names another order
		{"14902612345678", "1.49026E+12", "", "MISSING"},   // another length
		{"14903612345678", "1.49026E+13", "", "MISSING"},   // other digits
		{"1.4903E+13", "1.49026E+13", "", "MISSING"},
		{"1.4902E+13", "1.49026E+13", "", "OVERDUE"},
		{"14902612345678", "1.49026e+13", "", "OVERDUE"},
		{"14902612345678", "1.49026E+13", "Z", "MISSING"}, // an id of one character names an order too
		{"14902612345678", "14902600000000", "", "OVERDUE"},
		{"12345678901234", "1E+13", "", "OVERDUE"},
		{"12345678901234", "2E+13", "", "MISSING"},
		{"1234567890123412345", "1.23456789012341E+18", "", "OVERDUE"}, // fifteen digits
		{"1234567890123412345", "1.23456789012342E+18", "", "MISSING"},
		{"14902656789012", "1.49028E+13", "", "MISSING"},
		{"14902649999999", "1.49027E+13", "", "MISSING"}, // rounds down
		{"14902650000000", "1.49027E+13", "", "OVERDUE"}, // rounds up
		{"19999996789012", "2E+13", "", "OVERDUE"},       // and carries
		{"1490265A789012", "1.49027E+13", "", "OVERDUE"},
		{"149026A5789012", "1.49027E+13", "", "MISSING"},
		{"A4902612345678", "1.49026E+13", "", "MISSING"},
		{digits60, "7.77777E+59", "", "OVERDUE"},
		{digits60 + "7", "7.77777E+60", "", "MISSING"}, // no AWB is that long
		{"1.4902E+13, A5", "1.49026E+13", "", "OVERDUE"},
		{"1.490261E+13", "1.49026E+13", "", "OVERDUE"},
		{"1.490261E+12", "1.49026E+13", "", "MISSING"},
		{"1.5E+13, 1.490261E+13", "1.49026E+13", "", "OVERDUE"},
		{"1.490261E+13", "1E+13", "", "OVERDUE"},
		{"14902", "1.4902E+13", "", "MISSING"},                // as many digits as the line has left
		{"1.9E+20, 149026E13X", "1.49026E+13", "", "MISSING"}, // no number
		{"1.9E+20, 0E+13", "1.49026E+13", "", "MISSING"},      // no digit is left
	} {
		rounded := verdict.Remittance{AWB: []byte(c.line), AWBRounded: true, OrderID: []byte(c.id), Listed: 5, Collected: 5}
		p := pair{orders: []export{priced("#1", c.awb, rupees(1000))}, lines: []verdict.Remittance{through, rounded}}
		require.Equal(t, []string{c.want}, flagsOf(p.reconcile()), "%+v", c)
		p.lines = append(p.lines, rounded, verdict.Remittance{AWB: []byte("9.8E+20"), AWBRounded: true})
		require.Equal(t, []string{c.want}, flagsOf(p.reconcile()), "%+v and another", c)
	}
}
