package verdict_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// listedReport is a report of tests of corrections: what it pays for the orders A0, A1 and so on, each
// of ₹1,000; a negative amount stands for no line.
type listedReport struct {
	courier string
	utr     string
	on      domain.Day     // NoDay: no date
	cod     bool           // it states the ₹1,000 too
	paid    []domain.Paise // rupees
}

// TestAPayoutListedAgainOfAnOrderThatOwesNothing tests section 1 on corrections and repeats of several reports for an order that the
// storefront has as prepaid or called off, though the courier has collected ₹1,000 for it.
func TestAPayoutListedAgainOfAnOrderThatOwesNothing(t *testing.T) {
	line := func(listed, stated domain.Paise, utr string) verdict.Remittance {
		return verdict.Remittance{AWB: []byte("A1"), UTR: []byte(utr), RemittedOn: ago(20),
			Listed: rupees(listed), Collected: rupees(max(listed, stated)), Stated: rupees(stated), Remitted: rupees(stated), HasRemitted: true}
	}
	of := func(change func(*export)) export {
		o := priced("#1", "A1", rupees(1000))
		change(&o)
		return o
	}
	orders := map[string][]export{
		"prepaid":   {of(func(o *export) { o.Payment = domain.PaymentPrepaid })},
		"cancelled": {of(func(o *export) { o.Cancelled = true })},
		"restocked": {of(func(o *export) { o.Fulfilment = verdict.Restocked })},
		"beside one that is cash on delivery, in one parcel": {of(func(*export) {}), of(func(o *export) { o.Name, o.Payment = []byte("#2"), domain.PaymentPrepaid })},
	}
	for name, exported := range orders {
		for what, c := range map[string]struct {
			earlier, later verdict.Remittance
			want           domain.Paise
		}{
			"corrected":          {line(1000, 900, "U1"), line(1000, 1000, "U1"), 1000},
			"again with its UTR": {line(0, 1000, ""), line(0, 1000, "U1"), 1000},
			"in two parts":       {line(1000, 400, "U1"), line(1000, 600, "U1"), 1000},
			"in two halves":      {line(0, 500, ""), line(0, 500, "U1"), 1000},
		} {
			r := mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, lines *verdict.Remittances) {
				for i := range exported {
					exported[i].addTo(of)
				}
				for _, l := range []verdict.Remittance{c.earlier, c.later} {
					lines.Begin("dtdc")
					m := domain.Mapping{domain.RoleRemittedAmount: "Paid"}
					if l.Listed != 0 {
						m[domain.RoleCODAmount] = "COD"
					}
					lines.SetMapping(m)
					lines.Add(l)
				}
			})
			require.Equal(t, rupees(c.want), r.Result(0).Remitted, "%s, %s", name, what)
		}
	}
}

// reportsOf decides about orders of ₹1,000 with some reports.
func reportsOf(orders int, reports ...listedReport) *verdict.Reconciliation {
	return mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, lines *verdict.Remittances) {
		for i := range orders {
			priced(fmt.Sprint("#", i), fmt.Sprint("A", i), rupees(1000)).addTo(of)
		}
		for _, r := range reports {
			lines.Begin(r.courier)
			m := domain.Mapping{domain.RoleRemittedAmount: "Paid"}
			if r.cod {
				m[domain.RoleCODAmount] = "COD"
			}
			lines.SetMapping(m)
			for i, paid := range r.paid {
				if paid < 0 {
					continue
				}
				l := verdict.Remittance{AWB: fmt.Append(nil, "A", i), OrderID: fmt.Append(nil, i), UTR: []byte(r.utr), RemittedOn: r.on,
					Stated: rupees(paid), Remitted: rupees(paid), Collected: rupees(paid), HasRemitted: true}
				if r.cod {
					l.Listed, l.Collected = rupees(1000), rupees(1000)
				}
				lines.Add(l)
			}
		}
	})
}

// TestCorrectedPayouts tests section 1 on corrections: which payouts a later report corrects, and
// which only look like it.
func TestCorrectedPayouts(t *testing.T) {
	day, other := ago(20), ago(13)
	short := []domain.Paise{800, 800, 800, 800, 800}
	full := []domain.Paise{1000, 1000, 1000, 1000, 1000}
	report := func(utr string, on domain.Day, paid ...domain.Paise) listedReport {
		return listedReport{courier: "dtdc", utr: utr, on: on, cod: true, paid: paid}
	}
	without := func(r listedReport) listedReport { r.cod = false; return r }
	by := func(courier string, r listedReport) listedReport { r.courier = courier; return r }
	const corrected, doubtful, plain = domain.WarnCorrectedPayout, domain.WarnPayoutListedTwice, domain.WarningCode("")
	for _, c := range []struct {
		name    string
		reports []listedReport
		want    domain.WarningCode
		paid    []domain.Paise // what is remitted for each order
	}{
		{"short, then in full", []listedReport{report("U1", day, short...), report("U1", day, full...)}, corrected, full},
		{"in full, then short", []listedReport{report("U1", day, full...), report("U1", day, short...)}, corrected, short},
		{"the case of a UTR makes no difference", []listedReport{report("u1", day, short...), report("U1", day, full...)}, corrected, full},
		{"the day is corrected too", []listedReport{report("U1", day, full...), report("U1", other, full...)}, corrected, full},
		{"little more under the same UTR", []listedReport{report("U1", day, full...), report("U1", day, 20, 30, 20, 30, 20)}, doubtful,
			[]domain.Paise{1020, 1030, 1020, 1030, 1020}},
		{"little instead of one amount", []listedReport{report("U1", day, full...), report("U1", day, 1000, 20, 1000, 1000, 1000)}, corrected,
			[]domain.Paise{1000, 20, 1000, 1000, 1000}},
		{"by the day", []listedReport{report("", day, short...), report("", day, full...)}, corrected, full},
		{"the UTR is known later", []listedReport{report("", day, full...), report("U1", day, full...)}, corrected, full},
		{"and with other amounts", []listedReport{report("", day, short...), report("U1", day, full...), report("U1", day, full...)}, corrected, full},
		{"one amount alone", []listedReport{without(report("", day, short...)), without(report("", day, full...))}, corrected, full},
		{"one line is corrected", []listedReport{report("U1", day, full...), report("U1", day, 1000, 1000, 900, 1000, 1000)}, corrected, []domain.Paise{1000, 1000, 900, 1000, 1000}},
		{"one parcel is not paid after all", []listedReport{report("U1", day, full...), report("U1", day, 1000, 1000, 0, 1000, 1000)}, corrected, []domain.Paise{1000, 1000, 0, 1000, 1000}},
		{"a parcel comes in addition", []listedReport{report("U1", day, 800, 800, 800), report("U1", day, 900, 900, 900, 900)}, corrected, []domain.Paise{900, 900, 900, 900, 0}},
		{"twice", []listedReport{report("U1", day, short...), report("U1", day, 900, 900, 900, 900, 900), report("U1", day, full...)}, corrected, full},
		{"one parcel with what was collected", []listedReport{report("U1", day, 800), report("U1", day, 1000)}, corrected, []domain.Paise{1000, 0, 0, 0, 0}},

		{"one parcel without what was collected", []listedReport{without(report("U1", day, 800)), without(report("U1", day, 1000))}, doubtful, []domain.Paise{1800, 0, 0, 0, 0}},
		{"a parcel lacks", []listedReport{report("U1", day, short...), report("U1", day, 1000, 1000, 1000, 1000, -1)}, doubtful, []domain.Paise{1800, 1800, 1800, 1800, 800}},
		{"together less than is due", []listedReport{report("U1", day, 400, 400, 400), report("U1", day, 450, 450, 450)}, doubtful, []domain.Paise{850, 850, 850, 0, 0}},
		{"the UTR was known before", []listedReport{report("U1", day, short...), report("", day, full...)}, doubtful, []domain.Paise{1800, 1800, 1800, 1800, 1800}},
		{"without UTR and day", []listedReport{report("", domain.NoDay, short...), report("", domain.NoDay, full...)}, doubtful, []domain.Paise{1800, 1800, 1800, 1800, 1800}},
		{"of another courier", []listedReport{report("U1", day, short...), by("delhivery", report("U1", day, full...))}, doubtful, []domain.Paise{1800, 1800, 1800, 1800, 1800}},
		{"few lines before the payout", []listedReport{report("U1", day, 90, 90), report("U1", day, full...)}, doubtful, []domain.Paise{1090, 1090, 1000, 1000, 1000}},

		{"the same again", []listedReport{report("U1", day, full...), report("U1", day, full...)}, plain, full},
		{"in two parts", []listedReport{report("", day, 400, 450, 500), report("", day, 600, 550, 500)}, plain, []domain.Paise{1000, 1000, 500, 0, 0}},
		{"in two parts that were rounded", []listedReport{report("U1", day, 334, 333, 334), report("U1", day, 667, 667, 667)}, plain, []domain.Paise{1001, 1000, 1001, 0, 0}},
		{"the rest of some", []listedReport{report("U1", day, short...), report("U1", day, 200, -1, 200)}, plain, []domain.Paise{1000, 800, 1000, 800, 800}},
		{"in two parts, one with a UTR", []listedReport{report("", day, 400, 450, 500), report("U1", day, 600, 550, 500)}, plain, []domain.Paise{1000, 1000, 1000, 0, 0}},
		{"with a UTR on another day", []listedReport{report("", day, short...), report("U1", other, full...)}, plain, []domain.Paise{1800, 1800, 1800, 1800, 1800}},
		{"another UTR", []listedReport{report("U1", day, short...), report("U2", day, full...)}, plain, []domain.Paise{1800, 1800, 1800, 1800, 1800}},
		{"beside a payout of that day without a UTR, and one that is listed twice", []listedReport{report("U1", day, short...), report("U2", day, full...),
			report("", day, -1, -1, -1, -1, -1, 40), report("U3", other, -1, -1, -1, -1, -1, -1, 900), report("U3", other, -1, -1, -1, -1, -1, -1, 900)}, plain,
			[]domain.Paise{1800, 1800, 1800, 1800, 1800}},
		{"another day", []listedReport{report("", day, short...), report("", other, full...)}, plain, []domain.Paise{1800, 1800, 1800, 1800, 1800}},
		{"other parcels", []listedReport{report("U1", day, 1000, 1000), report("U1", day, -1, -1, 1000, 1000)}, plain, []domain.Paise{1000, 1000, 1000, 1000, 0}},
		{"another courier's of that day", []listedReport{report("", day, short...), by("delhivery", report("", day, full...))}, plain, []domain.Paise{1800, 1800, 1800, 1800, 1800}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reportsOf(5, c.reports...)
			for i, paid := range c.paid {
				require.Equal(t, rupees(paid), r.Result(i).Remitted, "order %d", i)
			}
			said := domain.WarningCode("")
			for _, w := range r.Warnings() {
				if w.Code == domain.WarnCorrectedPayout || w.Code == domain.WarnPayoutListedTwice {
					said = w.Code
				}
			}
			require.Equal(t, c.want, said)
			require.Equal(t, c.want == corrected, corrects(r))
		})
	}
}

// TestACorrectionIsSaid holds that a correction is in the warning, in the totals, in the payouts and
// in the reasons, to the paisa.
func TestACorrectionIsSaid(t *testing.T) {
	r := reportsOf(3, listedReport{courier: "dtdc", utr: "U1", on: ago(20), cod: true, paid: []domain.Paise{800, 1000, -1}},
		listedReport{courier: "dtdc", utr: "U2", on: ago(20), cod: true, paid: []domain.Paise{-1, -1, 1000}},
		listedReport{courier: "dtdc", utr: "U1", on: ago(20), cod: true, paid: []domain.Paise{1000, 1000, -1}})
	require.Equal(t, []string{"RECONCILED", "RECONCILED", "RECONCILED"}, flagsOf(r))
	require.Equal(t, []domain.Warning{{Code: domain.WarnCorrectedPayout, Report: 1, By: 3, Reports: 3, Payouts: 1, Count: 2, Amount: rupees(1800), HasAmount: true,
		Examples: []string{"U1"}}}, r.Warnings())
	totals := r.ReportTotals()
	require.Equal(t, verdict.LineSum{Lines: 2, Remitted: rupees(1800)}, totals[0].Corrected)
	require.Equal(t, totals[0].Read, totals[0].Corrected)
	require.Equal(t, verdict.LineSum{Lines: 2, Remitted: rupees(2000)}, totals[2].Matched)
	payouts := r.Payouts()
	require.Len(t, payouts, 2)
	require.Equal(t, rupees(2000), payouts[1].Paid)
	require.Equal(t, 3, payouts[1].Report)
	require.Equal(t, domain.Corrected{Report: 1, By: 3, Remitted: rupees(800)}, r.Reason(0).Corrected)
	require.False(t, r.Reason(2).Notes.Has(domain.NoteCorrected))
}

// TestACorrectionOfSeveralLines holds that the lines of a parcel are added up before they are compared,
// repeats aside, and that what an order has of other payouts stays.
func TestACorrectionOfSeveralLines(t *testing.T) {
	on := ago(20)
	lines := func(utr string, paid ...domain.Paise) (of []verdict.Remittance) {
		for i, p := range paid {
			of = append(of, verdict.Remittance{AWB: []byte("A" + fmt.Sprint(i%2)), UTR: []byte(utr), RemittedOn: on, Stated: rupees(p), Remitted: rupees(p),
				Collected: rupees(p), HasRemitted: true})
		}
		return of
	}
	decide := func(reports ...[]verdict.Remittance) *verdict.Reconciliation {
		return mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, all *verdict.Remittances) {
			priced("#0", "A0", rupees(1000)).addTo(of)
			priced("#1", "A1", rupees(1000)).addTo(of)
			for _, r := range reports {
				all.Begin("dtdc")
				for _, l := range r {
					all.Add(l)
				}
			}
		})
	}
	require.Equal(t, []string{"RECONCILED", "RECONCILED"}, flagsOf(decide(lines("U1", 600, 500, 400, 500, 600, 500), lines("U1", 1000, 1000))),
		"two lines of each parcel, of which one is repeated, are one line of the whole now")
	r := decide(lines("U0", 300, 300), lines("U1", 600, 600), lines("U1", 700, 700))
	require.Equal(t, []string{"RECONCILED", "RECONCILED"}, flagsOf(r))
}

// TestListedAgain tests section 1 on repeats: of two reports that overlap, one may not say all of the payout. What both list counts once,
// what only one lists counts, and nothing is dropped that may be another payment.
func TestListedAgain(t *testing.T) {
	day := ago(20)
	type change func(*verdict.Remittance)
	noUTR, noID := func(l *verdict.Remittance) { l.UTR = nil }, func(l *verdict.Remittance) { l.OrderID = nil }
	noDay := func(l *verdict.Remittance) { l.RemittedOn = domain.NoDay }
	gross := func(l *verdict.Remittance) { l.Stated, l.HasRemitted = 0, false }
	net := func(l *verdict.Remittance) { l.Listed, l.Collected = 0, l.Stated }
	rounded := func(l *verdict.Remittance) { l.UTR = []byte("6.09912E+11") }
	half := func(l *verdict.Remittance) {
		l.Listed, l.Stated, l.Remitted, l.Collected = rupees(500), rupees(500), rupees(500), rupees(500)
	}
	earlier := func(l *verdict.Remittance) { l.RemittedOn-- }
	other := func(l *verdict.Remittance) { l.UTR = []byte("609912345679") }
	all := func(changes ...change) change {
		return func(l *verdict.Remittance) {
			for _, c := range changes {
				c(l)
			}
		}
	}
	none := all()
	for name, c := range map[string]struct {
		one, two change
		remitted domain.Paise // of an order that both list
		warned   domain.WarningCode
		payouts  int
	}{
		"the older has no UTR yet":                {noUTR, none, 1000, domain.WarnRepeatedLines, 2},
		"the newer has no UTR":                    {none, noUTR, 1000, domain.WarnRepeatedLines, 2},
		"the older has a rounded UTR":             {rounded, none, 1000, domain.WarnRepeatedLines, 2},
		"the newer has no order ids":              {none, noID, 1000, domain.WarnRepeatedLines, 1},
		"neither UTR in one nor ids in the other": {noUTR, noID, 1000, domain.WarnRepeatedLines, 2},
		"the newer has no day":                    {none, noDay, 1000, domain.WarnRepeatedLines, 1},
		"the newer has what was collected alone":  {none, gross, 1000, domain.WarnRepeatedLines, 1},
		"the older has what was collected alone":  {gross, none, 1000, domain.WarnRepeatedLines, 1},
		"the older has what was remitted alone":   {all(net, noUTR), none, 1000, domain.WarnRepeatedLines, 2},
		"halves":                                  {all(half, noUTR), half, 1000, "", 2},
		"of the day before":                       {all(noUTR, earlier), none, 2000, "", 2},
		"neither UTR nor day in common":           {all(noUTR, noDay), none, 2000, "", 2},
		"no amount in common":                     {net, gross, 2000, domain.WarnPayoutListedTwice, 1},
		"under another UTR":                       {other, none, 2000, domain.WarnPayoutListedTwice, 2},
	} {
		t.Run(name, func(t *testing.T) {
			r := mustDecide(domain.TermsFor(nil, 0, nil), func(of *verdict.Orders, lines *verdict.Remittances) {
				for i := range 6 {
					priced(fmt.Sprint("#", i), fmt.Sprint("A", i), rupees(1000)).addTo(of)
				}
				for at, change := range []change{c.one, c.two} {
					lines.Begin("dtdc")
					lines.SetMapping(domain.Mapping{domain.RoleRemittedAmount: "Paid", domain.RoleCODAmount: "COD"})
					for i := 2 * at; i < 2*at+4; i++ {
						l := verdict.Remittance{AWB: fmt.Append(nil, "A", i), OrderID: fmt.Append(nil, i), UTR: []byte("609912345678"), RemittedOn: day,
							Listed: rupees(1000), Stated: rupees(1000), Remitted: rupees(1000), Collected: rupees(1000), HasRemitted: true}
						change(&l)
						lines.Add(l)
					}
				}
			})
			codes := map[domain.WarningCode]domain.Warning{}
			for _, w := range r.Warnings() {
				codes[w.Code] = w
			}
			for _, code := range []domain.WarningCode{domain.WarnRepeatedLines, domain.WarnPayoutListedTwice, domain.WarnCorrectedPayout} {
				_, said := codes[code]
				require.Equal(t, code == c.warned, said, code)
			}
			for i := range r.All() {
				want := rupees(c.remitted)
				if i < 2 || i >= 4 {
					want = min(rupees(1000), want)
					if name == "halves" {
						want = rupees(500)
					}
				}
				require.Equal(t, want, r.Result(i).Remitted, i)
				require.Equal(t, c.warned == domain.WarnRepeatedLines && 2 <= i && i < 4, r.Reason(i).Notes.Has(domain.NoteRepeats), i)
			}
			require.Len(t, r.Payouts(), c.payouts)
			requireTies(t, r)
			if c.warned == domain.WarnRepeatedLines {
				require.Equal(t, []any{2, rupees(2000)}, []any{codes[c.warned].Count, codes[c.warned].Amount})
			}
		})
	}
}
