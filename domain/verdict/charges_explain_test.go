package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// chargedMonth is orders of ₹1,000, each with one line that remits net and states the
// charges, in columns of Freight and GST.
func chargedMonth(orders int, accept bool, net domain.Paise, charges ...domain.Paise) *verdict.Reconciliation {
	r, err := decide(domain.Terms{OffsetDays: 7, MinorGap: rupees(2), AcceptCharges: accept}, func(o *verdict.Orders, l *verdict.Remittances) {
		p := monthOf(orders, orders, func(int) domain.Paise { return rupees(1000) }, func(domain.Paise) domain.Paise { return net })
		l.SetMapping(domain.Mapping{domain.RoleOrderID: "Order", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
		for i := range p.orders {
			p.orders[i].addTo(o)
			l.Add(p.lines[i])
			for column, amount := range charges {
				l.AddCharge(uint8(column), amount)
			}
		}
		l.SetCharges([]string{"Freight", "GST"}[:len(charges)])
	})
	if err != nil {
		panic(err)
	}
	return r
}

// TestChargesExplain tests which lines charges explain (guide: verdict 1) and what follows if they
// are accepted (guide: verdict 4).
func TestChargesExplain(t *testing.T) {
	for name, c := range map[string]struct {
		net       domain.Paise
		charges   []domain.Paise
		flag      domain.Flag // with accepted charges
		shortfall domain.Paise
	}{
		"their sum":                         {92920, []domain.Paise{6000, 1080}, domain.Reconciled, 0},
		"negative ones":                     {92920, []domain.Paise{-6000, -1080}, domain.Reconciled, 0},
		"one that has the tax in it":        {92920, []domain.Paise{7080, 1080}, domain.Reconciled, 0},
		"to within a rupee":                 {92820, []domain.Paise{6000, 1080}, domain.Reconciled, 0},
		"a paisa more than that":            {92819, []domain.Paise{6000, 1080}, domain.ShortPaid, 7181},
		"not all of it":                     {88000, []domain.Paise{6000, 1080}, domain.ShortPaid, 12000},
		"no charge":                         {99950, nil, domain.MinorDiff, 50},
		"the charges are more than is owed": {100100, []domain.Paise{100}, domain.Overpaid, -100},
	} {
		t.Run(name, func(t *testing.T) {
			r := chargedMonth(1, true, c.net, c.charges...)
			require.Equal(t, c.flag, r.Result(0).Flag)
			require.Equal(t, c.shortfall, r.Result(0).Shortfall)
			require.Equal(t, c.net, r.Result(0).Remitted, "remitted is what was paid out")
			flagged := chargedMonth(1, false, c.net, c.charges...)
			require.Equal(t, rupees(1000)-c.net, flagged.Result(0).Shortfall, "unless they are accepted, they change nothing")
		})
	}
}

// TestStatedCharges is about what a reason and the warning say of charges.
func TestStatedCharges(t *testing.T) {
	reason := chargedMonth(1, false, 88000, 6000, 1080).Reason(0)
	require.Equal(t, []domain.StatedCharge{{Name: "Freight", Amount: 6000}, {Name: "GST", Amount: 1080}}, reason.Charges)
	require.Equal(t, []domain.Paise{7080, 4920}, []domain.Paise{reason.Charged, reason.Unexplained})
	inIt := chargedMonth(1, false, 92920, 7080, 1080).Reason(0)
	require.Equal(t, []domain.StatedCharge{{Name: "Freight", Amount: 7080}}, inIt.Charges, "the tax is in it")
	require.Zero(t, inIt.Unexplained)
	accepted := chargedMonth(1, true, 92920, 6000, 1080).Reason(0)
	require.Equal(t, domain.Paise(7080), accepted.Accepted)

	for _, w := range chargedMonth(5, false, 92920, 6000, 1080).Warnings() {
		require.Equal(t, domain.Warning{Code: domain.WarnDeductions, Count: 5, Of: 5, Amount: 5 * 7080, HasAmount: true, Kind: domain.DeductedCharges}, w)
	}
	require.Empty(t, chargedMonth(5, true, 92920, 6000, 1080).Warnings(), "accepted")
	require.Equal(t, domain.Paise(5*4920), chargedMonth(5, false, 88000, 6000, 1080).Warnings()[0].Unexplained)
}

// TestDisputesAskOnlyWhatNoChargeExplains: a letter does not ask for what the report
// accounts for.
func TestDisputesAskOnlyWhatNoChargeExplains(t *testing.T) {
	var d verdict.Dispute
	require.True(t, chargedMonth(1, false, 88000, 6000, 1080).Dispute(0, &d))
	require.Equal(t, []domain.Paise{12000, 4920}, []domain.Paise{d.Shortfall, d.Asked})
	require.False(t, chargedMonth(1, false, 92920, 6000, 1080).Dispute(0, &d))
	require.True(t, chargedMonth(1, false, 92920).Dispute(0, &d))
	require.Equal(t, domain.Paise(7080), d.Asked)
}

// TestDisputesOfWhatWasTakenBack holds that a letter asks for what was paid less charges and taken back, and not for the charges, whether
// they are accepted or not, and also where the courier gives them back.
func TestDisputesOfWhatWasTakenBack(t *testing.T) {
	for i := range 8 {
		accept, listed := i%2 == 1, []domain.Paise{rupees(1000), rupees(-1000), rupees(1000), 0}[i/2]
		r, err := decide(domain.Terms{OffsetDays: 1, AcceptCharges: accept}, func(o *verdict.Orders, l *verdict.Remittances) {
			p := monthOf(9, 1, func(int) domain.Paise { return rupees(1000) }, func(domain.Paise) domain.Paise { return 92920 })
			l.SetMapping(domain.Mapping{domain.RoleOrderID: "Order", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
			for _, order := range p.orders {
				order.addTo(o)
			}
			l.Add(p.lines[0])
			l.AddCharge(0, 7080)
			back := p.lines[0]
			back.Stated, back.Remitted, back.RemittedOn = -92920, -92920, back.RemittedOn+3
			back.Listed, back.Collected = listed, listed
			l.Add(back)
			if i > 1 {
				l.AddCharge(0, -7080)
			}
			l.SetCharges([]string{"Freight"})
		})
		require.NoError(t, err)
		var d verdict.Dispute
		require.True(t, r.Dispute(0, &d), i)
		require.Equal(t, []domain.Paise{0, rupees(1000), 92920}, []domain.Paise{d.Remitted, d.Shortfall, d.Asked}, i)
	}
}

// TestChargesOfATakenBackLineAlone holds that those count which only the line that takes money back states, as for the way back.
func TestChargesOfATakenBackLineAlone(t *testing.T) {
	r, err := decide(domain.Terms{OffsetDays: 1}, func(o *verdict.Orders, l *verdict.Remittances) {
		p := monthOf(9, 1, func(int) domain.Paise { return rupees(1000) }, func(paid domain.Paise) domain.Paise { return paid })
		l.SetMapping(domain.Mapping{domain.RoleOrderID: "Order", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
		for _, order := range p.orders {
			order.addTo(o)
		}
		l.Add(p.lines[0])
		back := p.lines[0]
		back.Stated, back.Remitted, back.RemittedOn = -back.Stated, -back.Remitted, back.RemittedOn+3
		l.Add(back)
		l.AddCharge(0, 5900)
		l.SetCharges([]string{"RTO Charges"})
	})
	require.NoError(t, err)
	var d verdict.Dispute
	require.True(t, r.Dispute(0, &d))
	require.Equal(t, []domain.Paise{rupees(1000), 94100}, []domain.Paise{d.Shortfall, d.Asked})
}

// TestChargesBeyondThoseTakenBack holds that of a line that takes money back with the charges of the paid line and others, the others count, and none only because it
// has another name there.
func TestChargesBeyondThoseTakenBack(t *testing.T) {
	for i, charges := range [][2]domain.Paise{{-7080, 5900}, {-7080, 5900}, {0, 7080}, {6000, 1080}} {
		listed := []domain.Paise{rupees(1000), rupees(-1000)}[i%2]
		r, err := decide(domain.Terms{OffsetDays: 1}, func(o *verdict.Orders, l *verdict.Remittances) {
			p := monthOf(9, 1, func(int) domain.Paise { return rupees(1000) }, func(domain.Paise) domain.Paise { return 92920 })
			l.SetMapping(domain.Mapping{domain.RoleOrderID: "Order", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
			for _, order := range p.orders {
				order.addTo(o)
			}
			l.Add(p.lines[0])
			l.AddCharge(0, 7080)
			back := p.lines[0]
			back.Stated, back.Remitted, back.RemittedOn = -back.Stated, -back.Remitted, back.RemittedOn+3
			back.Listed, back.Collected = listed, listed
			l.Add(back)
			for column, amount := range charges {
				l.AddCharge(uint8(column), amount)
			}
			l.SetCharges([]string{"Freight", "RTO Charges"})
		})
		require.NoError(t, err)
		beyond := []domain.Paise{5900, 5900, 0, 0}[i]
		var d verdict.Dispute
		require.True(t, r.Dispute(0, &d))
		require.Equal(t, []domain.Paise{rupees(1000), 92920 - beyond}, []domain.Paise{d.Shortfall, d.Asked})
		var reason domain.Reason
		r.Explain(0, &reason)
		want := []domain.StatedCharge{{Name: "Freight", Amount: 7080}}
		if beyond > 0 {
			want = append(want, domain.StatedCharge{Name: "RTO Charges", Amount: beyond})
		}
		require.Equal(t, want, reason.Charges)
	}
}

// TestChargesInTotals holds that control totals, payouts and the details of an order sum
// what reports state as charges.
func TestChargesInTotals(t *testing.T) {
	r := chargedMonth(3, false, 88000, 6000, -1080)
	require.True(t, r.StateCharges())
	require.Equal(t, domain.Paise(3*7080), r.ReportTotals()[0].Charges)
	require.Len(t, r.Payouts(), 1)
	require.Equal(t, domain.Paise(3*7080), r.Payouts()[0].Charges)
	require.Equal(t, domain.Paise(7080), r.Details(1).Charges)
	require.False(t, chargedMonth(1, false, 88000).StateCharges())
}

// TestRepeatsComeBackWithTheirCharges: repeats that are told by their order id alone count
// if the order is paid what is due with them, the charges that are accepted included.
func TestRepeatsComeBackWithTheirCharges(t *testing.T) {
	reconcile := func(total domain.Paise, remitted ...domain.Paise) verdict.Result {
		r, err := decide(domain.Terms{OffsetDays: 7, AcceptCharges: true}, func(o *verdict.Orders, l *verdict.Remittances) {
			priced("#1", "", total).addTo(o)
			l.SetMapping(domain.Mapping{domain.RoleOrderID: "Order", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
			for _, paid := range remitted {
				l.Add(verdict.Remittance{OrderID: []byte("1"), Listed: rupees(2000), Stated: paid, Remitted: paid, Collected: paid, HasRemitted: true})
				if paid > 0 {
					l.AddCharge(0, rupees(2000)-paid)
				}
			}
			l.SetCharges([]string{"Freight"})
		})
		require.NoError(t, err)
		return r.Result(0)
	}
	twice := reconcile(rupees(4000), 194100, 194100)
	require.Equal(t, []any{domain.Reconciled, domain.Paise(2 * 194100)}, []any{twice.Flag, twice.Remitted}, "two parcels")
	once := reconcile(rupees(2000), 194100, 194100)
	require.Equal(t, []any{domain.Reconciled, domain.Paise(194100)}, []any{once.Flag, once.Remitted}, "a repeat")
	reversed := reconcile(rupees(2000), 194100, -194100, 194100)
	require.Zero(t, reversed.Remitted, "with it the charges of both lines would count, which is more than what is due")
}

// TestChargesThatWereNotDeducted holds what of a payout's charges may be why the bank has less of it than its lines say was paid.
func TestChargesThatWereNotDeducted(t *testing.T) {
	type line struct {
		awb          string
		utr          string
		cod, paid    domain.Paise
		freight, tax domain.Paise
	}
	for name, c := range map[string]struct {
		lines []line
		want  domain.Paise // of the payout U2
	}{
		"none is stated, and a later part of a parcel is paid": {[]line{{"A1", "U1", 1000, 600, 0, 0}, {"A1", "U2", 1000, 400, 0, 0}}, 0},
		"beside such a part":           {[]line{{"A1", "U1", 1000, 600, 0, 0}, {"A1", "U2", 1000, 400, 0, 0}, {"A2", "U2", 1000, 1000, 50, 9}}, 59},
		"beside what another lacks":    {[]line{{"A1", "U2", 1000, 600, 0, 0}, {"A2", "U2", 1000, 1000, 50, 9}}, 59},
		"deducted":                     {[]line{{"A1", "U2", 1000, 941, 50, 9}}, 0},
		"the tax is in the freight":    {[]line{{"A1", "U2", 1000, 941, 59, 9}}, 0},
		"a part was deducted":          {[]line{{"A1", "U2", 1000, 970, 50, 9}}, 29},
		"nothing was paid on the line": {[]line{{"A1", "U2", 1000, 0, 50, 9}}, 59},
	} {
		r := mustDecide(domain.Terms{OffsetDays: 7}, func(o *verdict.Orders, l *verdict.Remittances) {
			priced("#1", "A1", rupees(1000)).addTo(o)
			l.SetMapping(domain.Mapping{domain.RoleAWB: "AWB", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
			for _, of := range c.lines {
				l.Add(verdict.Remittance{AWB: []byte(of.awb), UTR: []byte(of.utr), RemittedOn: ago(9 - int(of.utr[1]-'0')), Listed: rupees(of.cod), Collected: rupees(of.cod),
					Stated: rupees(of.paid), Remitted: rupees(of.paid), HasRemitted: true})
				l.AddCharge(0, rupees(of.freight))
				l.AddCharge(1, rupees(of.tax))
			}
			l.SetCharges([]string{"Freight", "GST"})
		})
		payouts := r.Payouts()
		require.Equal(t, rupees(c.want), payouts[len(payouts)-1].Undeducted, name)
	}
}
