package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestWhatSharersOwe tests section 3 on shared AWBs: an order is paid up to its storefront
// due, which is what it owes by the storefront's columns alone.
func TestWhatSharersOwe(t *testing.T) {
	with := func(o export, change func(*export)) export { change(&o); return o }
	base := priced("#1", "A1", rupees(1000))
	for _, c := range []struct {
		name  string
		other export
		due   domain.Paise
		cause domain.Cause
	}{
		{"prepaid: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Payment = domain.PaymentPrepaid }), 0, domain.CausePrepaid},
		{"cancelled: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Cancelled = true }), 0, domain.CauseCancelled},
		{"restocked: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Fulfilment = verdict.Restocked }), 0, domain.CauseRestocked},
		{"part-paid: the balance", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Outstanding, o.HasOutstanding = rupees(200), true }), rupees(200), domain.CauseNone},
		{"part-paid with more: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) {
			o.Outstanding, o.HasOutstanding, o.Financial = -rupees(5), true, domain.FinancialPartlyPaid
		}), 0, domain.CauseNothingOutstanding},
		{"a total of nothing", priced("#2", "A1", 0), 0, domain.CauseTotalZero},
	} {
		for _, orders := range [][]export{{base, c.other}, {c.other, base}} {
			r := pair{orders: orders, lines: []verdict.Remittance{paidOn("A1", "", rupees(1000)+c.due)}}.reconcile()
			first := 0
			if string(orders[1].Name) == "#1" {
				first = 1
			}
			require.Equal(t, []domain.Paise{rupees(1000), c.due}, []domain.Paise{r.Result(first).Remitted, r.Result(1 - first).Remitted}, c.name)
			require.Equal(t, []domain.Paise{rupees(1000), c.due}, []domain.Paise{r.Result(first).Due, r.Result(1 - first).Due}, c.name)
			require.Equal(t, c.cause, r.Reason(1-first).Cause, c.name)
		}
	}
}

// sharing is what is expected of orders that share AWBs.
type sharing struct {
	name   string
	orders []export
	lines  []verdict.Remittance
	want   []domain.Paise // remitted, by order
}

func (s sharing) test(t *testing.T) {
	t.Run(s.name, func(t *testing.T) {
		r := pair{orders: s.orders, lines: s.lines}.reconcile()
		var all []domain.Paise
		for i := range r.Len() {
			all = append(all, r.Result(i).Remitted)
		}
		require.Equal(t, s.want, all)
		require.Zero(t, r.Tally.Unclaimed)
		var matched domain.Paise
		for _, totals := range r.ReportTotals() {
			matched += totals.Matched.Remitted
		}
		require.Equal(t, r.Tally.Remitted, matched)
	})
}

// TestSharedAWB tests section 3 on AWBs that several orders have.
func TestSharedAWB(t *testing.T) {
	two := []export{priced("#1", "A1", rupees(600)), priced("#2", "A1", rupees(400))}
	for _, s := range []sharing{
		{"one line that names the first pays both", two, []verdict.Remittance{paidOn("A1", "1", rupees(1000))}, []domain.Paise{rupees(600), rupees(400)}},
		{"one line that names the second pays both", two, []verdict.Remittance{paidOn("A1", "2", rupees(1000))}, []domain.Paise{rupees(600), rupees(400)}},
		{"a line that names nobody pays in the order of the export", two, []verdict.Remittance{paidOn("A1", "", rupees(900))}, []domain.Paise{rupees(600), rupees(300)}},
		{"the order that a line names comes first", two, []verdict.Remittance{paidOn("A1", "2", rupees(500))}, []domain.Paise{rupees(100), rupees(400)}},
		{"what names nobody pays what a named order still owes", two, []verdict.Remittance{paidOn("A1", "1", rupees(500)), paidOn("A1", "", rupees(500))}, []domain.Paise{rupees(600), rupees(400)}},
		{"what is left over is the named order's", two, []verdict.Remittance{paidOn("A1", "2", rupees(1500))}, []domain.Paise{rupees(600), rupees(900)}},
		{"what is left over is the first's if no line names one", two, []verdict.Remittance{paidOn("A1", "", rupees(1500))}, []domain.Paise{rupees(1100), rupees(400)}},
		{"a repeat counts once", two, []verdict.Remittance{paidOn("A1", "", rupees(1000)), paidOn("A1", "", rupees(1000))}, []domain.Paise{rupees(600), rupees(400)}},
		{"what is taken back is the named order's", two, []verdict.Remittance{paidOn("A1", "", rupees(1000)), paidOn("A1", "2", -rupees(50))}, []domain.Paise{rupees(600), rupees(400)}[:0:0]},
		{"a payment that is taken back pays nobody", two, []verdict.Remittance{paidOn("A1", "2", rupees(1000)), paidOn("A1", "2", -rupees(1000))}, []domain.Paise{0, 0}},
		{"and opens again what is owed", two, []verdict.Remittance{paidOn("A1", "1", rupees(600)), paidOn("A1", "1", -rupees(600)), paidOn("A1", "", rupees(1000))}, []domain.Paise{rupees(600), rupees(400)}},
		{"an id that no sharer has names nobody", two, []verdict.Remittance{paidOn("A1", "77", rupees(1000))}, []domain.Paise{rupees(600), rupees(400)}},
		{"an AWB that an order alone has pays of its due", []export{priced("#1", "A1, B1", rupees(600)), priced("#2", "A1", rupees(400))},
			[]verdict.Remittance{paidOn("A1", "", rupees(700)), paidOn("B1", "", rupees(300))}, []domain.Paise{rupees(600), rupees(400)}},
		{"and counts once if the report repeats it", []export{priced("#1", "A1, B1", rupees(600)), priced("#2", "A1", rupees(400))},
			[]verdict.Remittance{paidOn("B1", "", rupees(300)), paidOn("A1", "", rupees(700)), paidOn("B1", "", rupees(300))}, []domain.Paise{rupees(600), rupees(400)}},
		{"a due counts once over all AWBs", []export{priced("#1", "A1, A2", rupees(600)), priced("#2", "A1", rupees(400)), priced("#3", "A2", rupees(500))},
			[]verdict.Remittance{paidOn("A1", "", rupees(1000)), paidOn("A2", "", rupees(500))}, []domain.Paise{rupees(600), rupees(400), rupees(500)}},
		{"a line by order id beside a shared AWB", two, []verdict.Remittance{paidOn("A1", "", rupees(800)), paidOn("", "2", rupees(200))}, []domain.Paise{rupees(600), rupees(400)}},
	} {
		if len(s.want) == 0 { // -50 of the second opens its due, and the first has none left to give
			s.want = []domain.Paise{rupees(600), rupees(350)}
		}
		s.test(t)
	}
}

// TestChargesOfASharedAWB: what charges explain is shared too, up to what the payments have
// left open.
func TestChargesOfASharedAWB(t *testing.T) {
	for _, c := range []struct {
		accept bool
		want   []domain.Paise // shortfalls
	}{{true, []domain.Paise{0, 0}}, {false, []domain.Paise{0, rupees(100)}}} {
		r, err := decide(domain.Terms{OffsetDays: 7, AcceptCharges: c.accept}, func(o *verdict.Orders, l *verdict.Remittances) {
			l.SetMapping(domain.Mapping{domain.RoleAWB: "AWB", domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Paid"})
			priced("#1", "A1", rupees(1000)).addTo(o)
			priced("#2", "A1", rupees(400)).addTo(o)
			l.Add(lists("A1", "", "delivered", rupees(1400), rupees(1300)))
			l.AddCharge(0, rupees(100))
			l.SetCharges([]string{"Freight"})
		})
		require.NoError(t, err)
		require.Equal(t, []domain.Paise{rupees(1000), rupees(300)}, []domain.Paise{r.Result(0).Remitted, r.Result(1).Remitted})
		require.Equal(t, c.want, []domain.Paise{r.Result(0).Shortfall, r.Result(1).Shortfall})
		reason := r.Reason(1)
		require.Equal(t, []domain.StatedCharge{{Name: "Freight", Amount: rupees(100)}}, reason.Charges)
	}
}
