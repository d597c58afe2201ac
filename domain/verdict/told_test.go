package verdict_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestAReportWithoutIDs holds that an order which has no AWB in the export stays paid by the id of its line if a later report lists the
// payout again without order ids.
func TestAReportWithoutIDs(t *testing.T) {
	for name, c := range map[string]struct {
		first, later []string // what the reports list
		paid         domain.Paise
		warned       domain.WarningCode
	}{
		"with other amounts":     {[]string{"1", "2"}, []string{"1", "2"}, rupees(980), domain.WarnCorrectedPayout},
		"with its UTR":           {[]string{"1", "2"}, []string{"1", "2"}, rupees(1000), domain.WarnCorrectedPayout},
		"with its UTR, and less": {[]string{"1", "2", "3"}, []string{"1", "2"}, rupees(1000), domain.WarnRepeatedLines},
	} {
		r := mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, lines *verdict.Remittances) {
			priced("#1", "", rupees(1000)).addTo(of)
			priced("#2", "A2", rupees(1000)).addTo(of)
			list := func(ids []string, paid domain.Paise, change func(*verdict.Remittance)) {
				lines.Begin("dtdc")
				lines.SetMapping(domain.Mapping{domain.RoleRemittedAmount: "Paid", domain.RoleCODAmount: "COD"})
				for _, id := range ids {
					l := paidOn("A"+id, id, paid)
					l.Listed, l.Stated = rupees(1000), paid
					change(&l)
					lines.Add(l)
				}
			}
			unnamed := func(l *verdict.Remittance) { l.OrderID, l.UTR = nil, []byte("609912345678") }
			list(c.first, rupees(1000), func(*verdict.Remittance) {})
			list(c.later, c.paid, unnamed)
			list(c.later[:1], c.paid, unnamed) // one of its lines once more
		})
		require.Equal(t, [2]domain.Paise{c.paid, c.paid}, [2]domain.Paise{r.Result(0).Remitted, r.Result(1).Remitted}, name)
		require.True(t, slices.ContainsFunc(r.Warnings(), func(w domain.Warning) bool { return w.Code == c.warned }), name)
		require.Equal(t, len(c.first)-2, r.Tally.Unclaimed, name)
		requireTies(t, r)
	}
}

// TestALineWhoseOrderIsLearnedIsComparedAgain holds that what is due for the order of a line counts as soon as the order is known: the third
// report corrects the second one, which stands for the first one without its id.
func TestALineWhoseOrderIsLearnedIsComparedAgain(t *testing.T) {
	r := mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, lines *verdict.Remittances) {
		priced("#1", "", rupees(1000)).addTo(of)
		for _, l := range [...]struct {
			id, utr string
			paid    domain.Paise
		}{{"1", "", 1000}, {"", "609912345678", 1000}, {"1", "609912345678", 980}} {
			lines.Begin("dtdc")
			lines.SetMapping(domain.Mapping{domain.RoleRemittedAmount: "Paid", domain.RoleCODAmount: "COD"})
			line := paidOn("A1", l.id, rupees(1000))
			line.UTR, line.Stated, line.Remitted = []byte(l.utr), rupees(l.paid), rupees(l.paid)
			lines.Add(line)
		}
	})
	require.Equal(t, rupees(980), r.Result(0).Remitted)
	requireTies(t, r)
}

// TestALedgerKnowsTheOrderOfALine holds the same over months: whether the export has the order before or after the report that corrects it,
// and whether a report lists the line once more.
func TestALedgerKnowsTheOrderOfALine(t *testing.T) {
	report := func(paid domain.Paise, ids ...string) (lines []storeLine) {
		for i, awb := range []string{"A1", "A2", "A3"} {
			l := payment(paid, 15)
			if l.AWB, l.OrderID = []byte(awb), nil; ids != nil {
				l.OrderID = []byte(ids[i])
			}
			lines = append(lines, l)
		}
		return lines
	}
	order := func(name, awb string) export {
		o := orderOf(rupees(1000), 1)
		o.Name, o.awbs = []byte(name), []byte(awb)
		return o
	}
	others := []export{order("#2", "A2"), order("#3", "A3")}
	all := append(slices.Clone(others), order("#1", ""))
	tracked := append(slices.Clone(others), order("#1", "A1"))
	named, unnamed, last := report(rupees(990), "1", "2", "3"), report(rupees(980)), report(rupees(970))
	other, rest := named[0], unnamed[0]
	other.OrderID, other.Remitted, other.Stated = []byte("7"), rupees(5), rupees(5)
	rest.Remitted, rest.Stated = rupees(5), rupees(5)
	for name, c := range map[string]struct {
		months []monthly
		want   domain.Paise // for #1
	}{
		"corrected a month later":       {[]monthly{during(1, all, named...), during(2, all, unnamed...)}, 980},
		"and not given any more":        {[]monthly{during(1, all, named...), during(2, all, unnamed...), during(3, all)}, 980},
		"and given again":               {[]monthly{during(1, all, named...), during(2, all, unnamed...), during(3, all, unnamed...), during(4, all)}, 980},
		"and given twice":               {[]monthly{during(1, all, named...), during(2, all, unnamed...), during(3, all, append(unnamed, unnamed...)...)}, 980},
		"and corrected again":           {[]monthly{during(1, all, named...), during(2, all, unnamed...), during(3, all, last...), during(4, all)}, 970},
		"and the first report again":    {[]monthly{during(1, all, named...), during(2, all, unnamed...), during(3, all, named...)}, 990},
		"before the export has it":      {[]monthly{during(1, others, named...), during(2, others, unnamed...), during(3, all)}, 980},
		"before the export has its AWB": {[]monthly{during(1, others, named...), during(2, all, unnamed...), during(3, tracked)}, 980},
		"two lines name two orders": {
			[]monthly{during(1, all, append(slices.Clone(named), other)...), during(2, all, append(slices.Clone(unnamed), rest)...)}, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var previous ledger
			var r *verdict.Reconciliation
			for _, m := range c.months {
				r = m.run(t, domain.TermsFor(nil, 0, nil), previous)
				requireTies(t, r)
				previous = remember(r)
			}
			require.Equal(t, rupees(c.want), remittedOf(r, "#1"))
		})
	}
}
