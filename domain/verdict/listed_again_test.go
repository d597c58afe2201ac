package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestAPaymentThatTwoRunsListCountsOnce holds that two runs may list a payment unlike before an export has the AWB of its order: it pays
// the order once. If an export then has a second order with the AWB, they are two payments.
func TestAPaymentThatTwoRunsListCountsOnce(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	again, tracked, sharer := payment(rupees(1000), 12), orderOf(rupees(1000), 1), orderOf(rupees(1000), 1)
	sharer.Name = []byte("#2")
	first, untracked, other := again, tracked, tracked
	first.OrderID, untracked.awbs, other.Name = nil, nil, []byte("#7")
	net := func(l storeLine) storeLine {
		l.Listed, l.Collected = 0, l.Stated
		return l
	}
	withoutUTR := again
	withoutUTR.UTR = nil
	for name, c := range map[string]struct {
		first, again storeLine
		second       []export
		tracked      export
	}{
		"its order is in no export":       {first, again, nil, tracked},
		"it was delivered later":          {delivered(first, 11), delivered(again, 9), nil, tracked},
		"the second run has no id":        {again, first, nil, tracked},
		"the second run has no UTR":       {first, withoutUTR, nil, tracked},
		"the second run has its order":    {first, again, []export{untracked}, tracked},
		"the same, and has no id":         {again, first, []export{untracked}, tracked},
		"of what was collected no report": {net(first), net(again), nil, tracked},
		"the id is another one's":         {first, again, nil, other},
	} {
		r := during(1, nil, c.first).run(t, terms, ledger{})
		r = during(2, c.second, c.again).run(t, terms, remember(r))
		requireTies(t, r)
		r = during(3, []export{c.tracked}).run(t, terms, remember(r))
		for n := 4; n < 6; n++ {
			require.Equal(t, rupees(1000), remittedOf(r, string(c.tracked.Name)), name)
			requireTies(t, r)
			r = during(n, nil).run(t, terms, remember(r))
		}
		r = during(6, []export{sharer}).run(t, terms, remember(r))
		require.Equal(t, rupees(1000), remittedOf(r, string(c.tracked.Name)), name)
		require.Equal(t, rupees(1000), remittedOf(r, "#2"), name)
		requireTies(t, r)
	}
}

// TestALedgerHasAReportOnce holds that lines which a run lists once more stay of one report with those beside them.
func TestALedgerHasAReportOnce(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	other := orderOf(rupees(1000), 1)
	other.Name, other.awbs = []byte("#2"), []byte("A2")
	line := func(awb string, paid domain.Paise) storeLine {
		l := payment(paid, 12)
		l.AWB, l.OrderID = []byte(awb), nil
		return l
	}
	for name, c := range map[string]struct {
		months [3][]storeLine
		want   [2]domain.Paise // remitted for #1 and #2
	}{
		"a part is given again": {[3][]storeLine{{line("A1", rupees(100)), line("A2", rupees(1000))}, {line("A2", rupees(1000))}, {line("A1", rupees(950))}},
			[2]domain.Paise{rupees(1050), rupees(1000)}},
		"a part is corrected": {[3][]storeLine{{line("A1", rupees(1000)), line("A2", rupees(1000))}, {line("A1", rupees(980))}},
			[2]domain.Paise{rupees(1980), rupees(1000)}},
	} {
		var r *verdict.Reconciliation
		var previous ledger
		for n, lines := range c.months {
			r = during(n+1, map[bool][]export{true: {orderOf(rupees(1000), 1), other}}[n == 2], lines...).run(t, terms, previous)
			requireTies(t, r)
			previous = remember(r)
		}
		require.Equal(t, c.want, [2]domain.Paise{remittedOf(r, "#1"), remittedOf(r, "#2")}, name)
	}
}

// remittedOf is what was remitted for an order by its name.
func remittedOf(r *verdict.Reconciliation, name string) (remitted domain.Paise) {
	for i := range r.All() {
		if string(r.Result(i).OrderID) == name {
			remitted += r.Result(i).Remitted
		}
	}
	return remitted
}

// TestTheStatusOfALedgerHolds holds that a run whose reports say nothing new finds what the run before found: of lines with one date the
// lowest has the status, and in the ledger that is the repeat's place.
func TestTheStatusOfALedgerHolds(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	line := func(utr, status string, paid domain.Paise) storeLine {
		l := payment(paid, 12)
		l.UTR = []byte(utr)
		l.status = status
		return l
	}
	for name, lines := range map[string][]storeLine{
		"the repeat is lower":  {line("U1", "Delivered", 0), line("U2", "Delivered", 0), line("U1", "RTO Delivered", 0)},
		"the repeat is higher": {line("U1", "Delivered", 0), line("U2", "RTO Delivered", 0), line("U1", "", rupees(100))},
	} {
		r := during(1, []export{orderOf(rupees(1000), 1)}, lines...).run(t, terms, ledger{})
		found := r.Result(0)
		last := during(2, []export{orderOf(rupees(1000), 1)}).run(t, terms, remember(r))
		require.Equal(t, []any{found.Flag, found.Due, found.Remitted}, []any{last.Result(0).Flag, last.Result(0).Due, last.Result(0).Remitted}, name)
	}
}
