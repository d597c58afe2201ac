package verdict_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestUnnamedCouriers holds when reports that count as those of one courier seem to be of several.
func TestUnnamedCouriers(t *testing.T) {
	type report struct {
		awbs    []string
		courier string
		header  uint64
		source  int
	}
	of := func(form string, numbers ...int) (awbs []string) {
		for _, n := range numbers {
			awbs = append(awbs, fmt.Sprintf(form, n))
		}
		return awbs
	}
	sf, d := of("SF%08dIN", 1, 2, 3), of("D%08d", 1, 2, 3)
	warned := func(count, report, by, of int) []domain.Warning {
		return []domain.Warning{{Code: domain.WarnUnnamedCouriers, Count: count, Report: report, By: by, Reports: of}}
	}
	for name, c := range map[string]struct {
		reports []report
		want    []domain.Warning
	}{
		"two forms":                      {[]report{{awbs: sf, header: 7}, {awbs: d, header: 7}}, warned(2, 1, 2, 2)},
		"one form, two beginnings":       {[]report{{awbs: of("1490%06d", 1, 2, 3), header: 7}, {awbs: of("3861%06d", 1, 2, 3), header: 7}}, warned(2, 1, 2, 2)},
		"one beginning":                  {[]report{{awbs: of("1490%06d", 1, 2, 3), header: 7}, {awbs: of("1495%06d", 1, 2, 3), header: 7}}, nil},
		"a third has both":               {[]report{{awbs: sf, header: 7}, {awbs: d, header: 7}, {awbs: []string{sf[0], d[0]}, header: 7}}, nil},
		"the second is like the third":   {[]report{{awbs: sf, header: 7}, {awbs: d[:2], header: 7}, {awbs: of("D%08d", 7), header: 7}}, warned(3, 1, 2, 3)},
		"two parcels may be an accident": {[]report{{awbs: sf, header: 7}, {awbs: append(of("D%08d", 1), d[:2]...), header: 7}}, nil},
		"without AWBs":                   {[]report{{awbs: sf, header: 7}, {awbs: []string{"", "", ""}, header: 7}}, nil},
		"one courier is named":           {[]report{{awbs: sf, courier: "shadowfax", header: 7}, {awbs: d, header: 7}}, nil},
		"both are":                       {[]report{{awbs: sf, courier: "dtdc", header: 7}, {awbs: d, courier: "dtdc", header: 7}}, nil},
		"two headers":                    {[]report{{awbs: sf, header: 7}, {awbs: d, header: 8}}, nil},
		"headers that nobody knows":      {[]report{{awbs: sf}, {awbs: d}}, nil},
		"after others": {[]report{{awbs: sf, courier: "shadowfax", header: 7}, {awbs: d, header: 9}, {awbs: sf, header: 9}},
			warned(2, 2, 3, 3)},
		"of one source": {[]report{{awbs: sf, header: 7, source: 1}, {awbs: d, header: 8, source: 1}}, warned(2, 1, 2, 2)},
		"of two":        {[]report{{awbs: sf, header: 7, source: 1}, {awbs: d, header: 7, source: 2}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			orders, lines := fresh()
			var r verdict.Reconciliation
			priced("#1", "SF00000001IN", rupees(500)).addTo(orders)
			require.Empty(t, lines.Remember(&verdict.RememberedLine{Remittance: paidOn("X1", "", rupees(1))}), "those of a ledger come before them")
			for _, report := range c.reports {
				lines.Begin(report.courier)
				lines.SetHeader(report.header)
				lines.SetSource(report.source, fmt.Sprint(report.source))
				for _, awb := range report.awbs {
					lines.Add(paidOn(awb, "7", rupees(500)))
				}
			}
			require.NoError(t, r.Decide(orders, lines, domain.TermsFor(nil, 0, nil)))
			var found []domain.Warning
			for _, w := range r.Warnings() {
				if w.Code == domain.WarnUnnamedCouriers {
					found = append(found, w)
				}
			}
			require.Equal(t, c.want, found)
		})
	}
}

// TestUnnamedCouriersOverRuns holds that reports which count as those of one courier in one run do so over a ledger as well: the later one
// corrects a payout, or repeats it and says more of it.
func TestUnnamedCouriersOverRuns(t *testing.T) {
	type report struct {
		courier string
		header  uint64
		source  int
		id      string // of the source
	}
	headed, sourced := report{header: 7}, report{header: 7, source: 1, id: "S1"}
	custom := report{courier: domain.CustomCourier, header: 7, source: 1, id: "S1"}
	for name, c := range map[string]struct {
		earlier, later report
		one            bool // courier
	}{
		"one header":                    {headed, headed, true},
		"two headers":                   {headed, report{header: 8}, false},
		"one source":                    {sourced, sourced, true},
		"one source, another place":     {sourced, report{header: 7, source: 2, id: "S1"}, true},
		"one source, another header":    {sourced, report{header: 8, source: 1, id: "S1"}, true},
		"two sources, one place":        {sourced, report{header: 7, source: 1, id: "S2"}, false},
		"columns of a source":           {custom, custom, true},
		"the same, and then none":       {custom, sourced, true},
		"columns of two sources":        {custom, report{courier: domain.CustomCourier, source: 2, id: "S2"}, false},
		"the columns of requests":       {report{courier: domain.CustomCourier, header: 7}, report{courier: domain.CustomCourier, header: 8}, false},
		"the same columns of requests":  {report{courier: domain.CustomCourier, header: 7}, report{courier: domain.CustomCourier, header: 7}, true},
		"a courier that has been named": {report{courier: "dtdc", header: 7}, report{courier: "dtdc", header: 8}, true},
	} {
		earlier, corrected := []domain.Paise{990, 1090, 1190}, []domain.Paise{1000, 1100, 1200}
		run := func(previous ledger, given []report, amounts [][]domain.Paise, utrs []string) *verdict.Reconciliation {
			return mustDecide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, lines *verdict.Remittances) {
				if len(previous.orders) == 0 {
					for i, due := range corrected {
						priced(fmt.Sprint("#", i), fmt.Sprint("A", i), rupees(due)).addTo(orders)
					}
				}
				for i := range previous.orders {
					require.Empty(t, orders.Remember(&previous.orders[i]))
				}
				for i := range previous.lines {
					require.Empty(t, lines.Remember(&previous.lines[i]))
				}
				for n, of := range given {
					lines.Begin(of.courier)
					lines.SetHeader(of.header)
					lines.SetSource(of.source, of.id)
					for i, amount := range amounts[n] {
						line := paidOn(fmt.Sprint("A", i), fmt.Sprint(i), rupees(amount))
						line.UTR = []byte(utrs[n])
						lines.Add(line)
					}
				}
			})
		}
		for what, amounts := range map[string][][]domain.Paise{"corrected": {earlier, corrected}, "with a UTR": {corrected, corrected}} {
			utrs := []string{"", map[string]string{"corrected": "", "with a UTR": "U1"}[what]}
			atOnce := run(ledger{}, []report{c.earlier, c.later}, amounts, utrs)
			first := run(ledger{}, []report{c.earlier}, amounts[:1], utrs)
			second := run(remember(first), []report{c.later}, amounts[1:], utrs[1:])
			third := run(remember(second), nil, nil, nil)
			for i := range corrected {
				order, want := fmt.Sprint("#", i), rupees(corrected[i])
				if !c.one {
					want += rupees(amounts[0][i])
				}
				require.Equal(t, want, remittedOf(atOnce, order), "%s, %s, at once", name, what)
				require.Equal(t, want, remittedOf(second, order), "%s, %s", name, what)
				require.Equal(t, want, remittedOf(third, order), "%s, %s, and then a run without reports", name, what)
			}
			requireTies(t, second)
		}
	}
}

// TestALedgerOfManyUnnamedCouriers holds that a ledger is not refused for what tells unnamed couriers apart: beyond as many as a run may have
// reports, they count as one that is not known.
func TestALedgerOfManyUnnamedCouriers(t *testing.T) {
	var lines verdict.Remittances
	lines.Reset()
	line := func(courier string, key uint64) *verdict.RememberedLine {
		return &verdict.RememberedLine{Remittance: paidOn("A1", "1", rupees(100)), Courier: courier, CourierKey: key}
	}
	for key := range uint64(3 * domain.MaxReports) {
		require.Empty(t, lines.Remember(line("", 1+key)))
	}
	for i := range domain.MaxReports - 1 {
		require.Empty(t, lines.Remember(line(fmt.Sprint("courier ", i), 0)))
	}
	require.Empty(t, lines.Remember(line("", 0)))
	require.Equal(t, domain.RuleLedgerCouriers, lines.Remember(line("one more", 0)))
	require.Empty(t, lines.Remember(line("", 1)))
}

// TestLinesOfAnEarlierVersionCountOnce holds that a payment which two runs have listed unlike counts once, though the first of them did not
// say what tells couriers apart that nobody names.
func TestLinesOfAnEarlierVersionCountOnce(t *testing.T) {
	line := func(utr string, key uint64, seen int) verdict.RememberedLine {
		of := paidOn("A1", "1", rupees(1000))
		of.UTR = []byte(utr)
		return verdict.RememberedLine{Remittance: of, CourierKey: key, Seen: march(seen), Print: of.Fingerprint()}
	}
	for key, want := range map[uint64]domain.Paise{0: rupees(1000), 7: rupees(1000)} {
		r := mustDecide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, lines *verdict.Remittances) {
			priced("#1", "A1", rupees(1000)).addTo(orders)
			for _, l := range []verdict.RememberedLine{line("", 0, 1), line("U1", key, 2)} {
				require.Empty(t, lines.Remember(&l))
			}
		})
		require.Equal(t, want, remittedOf(r, "#1"), key)
	}
}
