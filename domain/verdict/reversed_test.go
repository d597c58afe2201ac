package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestMoneyThatDidNotStay holds that an order whose payment counts says so if a line says of such a payment that it was reversed or
// bounced, in one run and in the next ones, and that a warning has these orders.
func TestMoneyThatDidNotStay(t *testing.T) {
	paid := payment(rupees(1000), 15)
	says := func(l storeLine, money string, day int) storeLine {
		l.Remitted, l.money, l.RemittedOn, l.UTR = 0, money, march(day), []byte{'V', byte('0' + day%10)}
		return l
	}
	later := says(paid, "Reversed", 20)
	repeat := says(paid, "Payment bounced", 15)
	repeat.UTR = paid.UTR
	undated := says(paid, "Rejected by bank", 20)
	undated.RemittedOn = domain.NoDay
	nameless := func(l storeLine) storeLine {
		l.OrderID = nil
		return l
	}
	beside := paid // so that a report without it is no correction of the payout
	beside.AWB, beside.OrderID = []byte("Q1"), []byte("91")
	noAWB := later
	noAWB.AWB = nil
	ofAnother := later
	ofAnother.AWB = []byte("Z9")
	debit := payment(-rupees(1000), 21)
	debit.Listed, debit.Collected, debit.money = 0, 0, "Reversed"
	second := orderOf(rupees(500), 1)
	second.Name = []byte("#2") // shares A1
	first := orderOf(rupees(1000), 1)
	one, two := []export{first}, []export{orderOf(rupees(500), 1), second}
	some := func(status string, on domain.Day) domain.Reversed {
		return domain.Reversed{Status: []byte(status), On: on, Amount: rupees(1000)}
	}
	for name, c := range map[string]struct {
		months []monthly
		want   domain.Reversed // without a status: none
	}{
		"after the payment":            {[]monthly{during(1, one, paid, later)}, some("Reversed", march(20))},
		"above the payment":            {[]monthly{during(1, one, later, paid)}, some("Reversed", march(20))},
		"the same line":                {[]monthly{during(1, one, paid, repeat)}, some("Payment bounced", march(15))},
		"the same line, above":         {[]monthly{during(1, one, repeat, paid)}, some("Payment bounced", march(15))},
		"several":                      {[]monthly{during(1, one, paid, says(paid, "Failed", 22), later)}, some("Failed", march(22))},
		"without a date":               {[]monthly{during(1, one, paid, undated)}, some("Rejected by bank", domain.NoDay)},
		"beside lines by AWB":          {[]monthly{during(1, one, paid, noAWB)}, some("Reversed", march(20))},
		"with an AWB of no order":      {[]monthly{during(1, one, paid, ofAnother)}, some("Reversed", march(20))},
		"before the payment":           {[]monthly{during(1, one, says(paid, "Failed", 10), paid)}, domain.Reversed{}},
		"not paid yet":                 {[]monthly{during(1, one, paid, says(paid, "Pending", 20))}, domain.Reversed{}},
		"an unknown status, and paid":  {[]monthly{during(1, one, paid, says(paid, "Paid, reversed", 20))}, domain.Reversed{}},
		"nothing was paid":             {[]monthly{during(1, one, later)}, domain.Reversed{}},
		"taken back by an amount":      {[]monthly{during(1, one, paid, debit)}, domain.Reversed{}},
		"by the ledger":                {[]monthly{during(1, one, paid), during(2, one, later)}, some("Reversed", march(20))},
		"by the ledger, the same line": {[]monthly{during(1, one, paid), during(2, one, repeat)}, some("Payment bounced", march(15))},
		"by the ledger, given once more": {[]monthly{during(1, one, paid), during(2, one, repeat), during(3, one, paid)},
			some("Payment bounced", march(15))},
		"by the ledger, which says less than the next report": {[]monthly{during(1, one, nameless(paid), beside), during(2, one, nameless(repeat)), during(3, one, paid)},
			some("Payment bounced", march(15))},
		"reversed before this run":                {[]monthly{during(1, one, paid, later), during(2, one)}, some("Reversed", march(20))},
		"reversed before this run, the same line": {[]monthly{during(1, one, paid, repeat), during(2, one)}, some("Payment bounced", march(15))},
		"of a shared AWB":                         {[]monthly{during(1, two, paid, later)}, some("Reversed", march(20))},
		"of a shared AWB, before the payment":     {[]monthly{during(1, two, paid, says(paid, "Failed", 10))}, domain.Reversed{}},
	} {
		t.Run(name, func(t *testing.T) {
			var previous ledger
			var r *verdict.Reconciliation
			for _, m := range c.months {
				r = m.run(t, domain.TermsFor(nil, 0, nil), previous)
				requireTies(t, r)
				previous = remember(r)
			}
			shared := len(c.months[0].orders) > 2
			want := domain.Warning{Code: domain.WarnReversedPayments, Count: 1, Amount: rupees(1000), HasAmount: true, Examples: []string{"#1"}}
			if shared {
				want.Count, want.Examples = 2, []string{"#1", "#2"}
				c.want.Amount /= 2
			}
			if is := len(c.want.Status) > 0; is {
				require.Equal(t, c.want, r.Reason(0).Reversed)
				require.True(t, r.Reason(0).Notes.Has(domain.NoteReversed))
				require.Contains(t, r.Warnings(), want)
				return
			}
			require.False(t, r.Reason(0).Notes.Has(domain.NoteReversed))
			for _, w := range r.Warnings() {
				require.NotEqual(t, domain.WarnReversedPayments, w.Code)
			}
		})
	}

	// A settled order that only the ledger has is in no result: the warning alone says it.
	r := during(2, nil, later).run(t, domain.TermsFor(nil, 0, nil), remember(during(1, one, paid).run(t, domain.TermsFor(nil, 0, nil), ledger{})))
	require.Contains(t, r.Warnings(), domain.Warning{Code: domain.WarnReversedPayments, Count: 1, Amount: rupees(1000), HasAmount: true,
		Examples: []string{"#1"}})
}
