package verdict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestTheSameMoneyInTwoRuns holds that a line which a ledger and a report both list is the same money, and that what either says of it is known.
func TestTheSameMoneyInTwoRuns(t *testing.T) {
	half := func(awb string) storeLine {
		l := payment(rupees(500), 15)
		l.AWB, l.AWBRounded, l.Listed, l.Collected = []byte(awb), len(awb) > 2, rupees(500), rupees(500)
		return l
	}
	unpaid := func(l storeLine) storeLine {
		l.Remitted = 0
		return l
	}
	says := func(l storeLine, status string) storeLine {
		l.status = status
		return l
	}
	debit := payment(-rupees(40), 15)
	debit.Listed, debit.Collected = 0, 0
	withTwo := orderOf(rupees(1000), 1)
	withTwo.awbs = []byte("A1, 19040800000000")
	sharing := orderOf(rupees(1000), 1)
	sharing.Name, sharing.awbs = []byte("#2"), []byte("19040800000000")
	ofAnother := payment(rupees(1000), 15)
	ofAnother.AWB, ofAnother.OrderID = []byte("19040800000000"), []byte("7")
	zeros := half("19040800000000")
	zeros.AWBRounded = false
	notPaid := payment(0, 0)
	notPaid.UTR = []byte("U")
	back := notPaid
	back.AWB, back.AWBRounded = []byte("1.90408E+13"), true
	second := orderOf(rupees(1000), 2)
	second.Name = []byte("#2")

	one := []export{orderOf(rupees(1000), 1)}
	for name, c := range map[string]struct {
		months        []monthly
		order         string
		due, remitted domain.Paise
	}{
		"told by the order id, delivered by the ledger": {[]monthly{during(1, nil, delivered(half(""), 12)), during(2, one, half(""))}, "#1", 1000, 500},
		"told by the order id, and twice":               {[]monthly{during(1, nil, half("")), during(2, one, half(""), half(""))}, "#1", 1000, 1000},
		"told by the order id, paid by the ledger":      {[]monthly{during(1, one, half("")), during(2, nil, unpaid(half("")))}, "#1", 1000, 500},
		"a rounded AWB, paid by the ledger":             {[]monthly{during(1, one, half("1.90408E+13")), during(2, nil, unpaid(half("1.90408E+13")))}, "#1", 1000, 500},
		"the last status of equal lines": {[]monthly{during(1, one, says(debit, "Cancelled"), says(debit, "RTO Delivered")), during(2, nil, debit)},
			"#1", 0, -40},
		"listed twice by its AWB, rounded in the ledger":       {[]monthly{during(1, one, half("A1"), says(half("A1"), "Delivered")), during(2, nil)}, "#1", 1000, 500},
		"listed again by the third run, rounded in the ledger": {[]monthly{during(1, nil, half("A1")), during(2, one), during(3, nil, half("A1"))}, "#1", 1000, 500},
		"an AWB turns out to be rounded": {
			[]monthly{during(1, nil, zeros, zeros), during(2, one, ofAnother)}, "#1", 1000, 1000,
		},
		"paid by the ledger, and returned by the report": {
			[]monthly{during(1, one, debit), during(2, nil, says(unpaid(debit), "RTO Delivered"))}, "#1", 0, -40,
		},
		"a rounded AWB beside a reliable one": {[]monthly{during(1, []export{withTwo, sharing}, ofAnother), during(2, nil)}, "#2", 1000, 0},
		"delivered by a repeat without a status": {[]monthly{during(1, one, delivered(notPaid, 2), delivered(notPaid, 49)), during(2, nil)},
			"#1", 1000, 0},
		"delivered by a repeat beside it": {[]monthly{during(1, one, says(delivered(back, 10), "Delivered"), says(notPaid, "RTO Initiated")), during(2, []export{second})},
			"#1", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var previous ledger
			var r *verdict.Reconciliation
			for _, m := range c.months {
				r = m.run(t, domain.TermsFor(nil, 0, nil), previous)
				requireTies(t, r)
				previous = remember(r)
				for i := range previous.lines {
					if l := &previous.lines[i]; strings.HasSuffix(name, "rounded in the ledger") {
						l.AWB, l.AWBRounded = []byte("1.90408E+13"), true
					}
				}
			}
			for i := range r.All() {
				result := r.Result(i)
				if string(result.OrderID) == c.order {
					require.Equal(t, []domain.Paise{c.due * domain.Rupee, c.remitted * domain.Rupee}, []domain.Paise{result.Due, result.Remitted}, result.Flag)
					if name == "delivered by a repeat without a status" {
						require.Equal(t, domain.AwaitingNextCycle, result.Flag)
					}
				}
			}
		})
	}
}

// TestDecidedTwice holds that deciding does not eat what a ledger says of lines whose AWB a spreadsheet has rounded.
func TestDecidedTwice(t *testing.T) {
	orders, lines := fresh()
	orderOf(rupees(1000), 1).addTo(orders)
	paid := payment(rupees(500), 15).Remittance
	paid.AWB, paid.Listed, paid.Collected = []byte("19040760868931"), rupees(500), rupees(500)
	rounded := verdict.RememberedLine{Remittance: paid, Courier: "delhivery", BothAmounts: true, Print: paid.Fingerprint()}
	rounded.AWB, rounded.AWBRounded = []byte("1.90408E+13"), true
	require.Empty(t, lines.Remember(&rounded))
	lines.Begin("delhivery")
	lines.Add(paid)
	lines.Add(paid)
	for range 2 {
		var r verdict.Reconciliation
		require.NoError(t, r.Decide(orders, lines, domain.TermsFor(nil, 0, nil)))
		require.Equal(t, rupees(500), r.Result(0).Remitted)
	}
}
