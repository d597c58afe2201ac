package verdict_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/worked"
)

// These tests are about section 3 of the decisions: lines by order id beside lines by AWB.

// lists is a line of a report with both amounts.
func lists(awb, id, status string, listed, remitted domain.Paise) verdict.Remittance {
	l := verdict.Remittance{AWB: []byte(awb), OrderID: []byte(id), Listed: listed, Stated: remitted, Collected: listed, Remitted: remitted, HasRemitted: true}
	if remitted != 0 {
		l.RemittedOn = ago(9)
	}
	l.HasStatus, l.Returned, l.NeverLeft = status != "", status == "rto", status == "never left"
	return l
}

// toBeCollected is a line whose cod_amount states what was to be collected.
func toBeCollected(l verdict.Remittance) verdict.Remittance {
	l.ToBeCollected = true
	if l.Remitted == 0 {
		l.Collected = 0
	}
	return l
}

func dated(l verdict.Remittance, paid int, utr string) verdict.Remittance {
	l.RemittedOn, l.UTR = ago(paid), []byte(utr)
	return l
}

func TestLinesBesideThoseByAWB(t *testing.T) {
	const due = 1000 * domain.Rupee
	rto := toBeCollected(lists("A1", "1", "rto", due, 0))
	paid := func(amount domain.Paise) verdict.Remittance { return lists("A1", "1", "delivered", due, amount) }
	second := lists("B1", "1", "delivered", due, due)
	second.UTR = []byte("U2")
	for _, c := range []struct {
		name      string
		lines     []verdict.Remittance
		flag      domain.Flag
		remitted  domain.Paise
		unclaimed int
		notes     domain.Notes // of those on lines beside
	}{
		{"a rest that is paid by order id", []verdict.Remittance{paid(rupees(900)), lists("", "1", "", 0, rupees(100))}, domain.Reconciled, due, 0, domain.NoteBeside},
		{"and whose AWB is rounded", []verdict.Remittance{paid(rupees(900)), func() verdict.Remittance {
			l := lists("1.9E+12", "1", "", 0, rupees(100))
			l.AWBRounded = true
			return l
		}()}, domain.Reconciled, due, 0, domain.NoteBeside},
		{"a second parcel that the export does not know", []verdict.Remittance{paid(rupees(600)), lists("B1", "1", "delivered", rupees(400), rupees(400))}, domain.Reconciled, due, 0, domain.NoteBeside},
		{"a paisa more than is due", []verdict.Remittance{paid(rupees(900)), lists("", "1", "", 0, rupees(100)+1)}, domain.ShortPaid, rupees(900), 1, domain.NoteRefused},
		{"a debit", []verdict.Remittance{paid(due), lists("", "1", "", 0, -rupees(100))}, domain.ShortPaid, rupees(900), 0, domain.NoteBeside},
		{"a second payment", []verdict.Remittance{paid(due), second}, domain.Reconciled, due, 1, domain.NoteRefused},
		{"and its reversal", []verdict.Remittance{paid(due), second, lists("B1", "1", "", 0, -due)}, domain.Reconciled, due, 2, domain.NoteRefused},
		{"a reversal takes back one payment", []verdict.Remittance{paid(due), second, lists("B1", "1", "", 0, -due), lists("B1", "1", "", 1, -due)}, domain.Overdue, 0, 2, domain.NoteRefused | domain.NoteBeside},
		{"a reversal above what it takes back", []verdict.Remittance{paid(due), lists("B1", "1", "", 0, -due), second}, domain.Reconciled, due, 0, domain.NoteBeside},

		{"a replacement that is paid short", []verdict.Remittance{rto, lists("B1", "1", "delivered", due, rupees(700))}, domain.ShortPaid, rupees(700), 0, domain.NoteReplaced},
		{"a replacement that is paid more than is due", []verdict.Remittance{rto, lists("B1", "1", "delivered", due, rupees(1300))}, domain.Overpaid, rupees(1300), 0, domain.NoteReplaced},
		{"a replacement whose money is kept", []verdict.Remittance{rto, lists("B1", "1", "delivered", due, 0)}, domain.Overdue, 0, 0, domain.NoteReplaced},
		{"also if the report says of neither what was collected", []verdict.Remittance{rto, toBeCollected(lists("B1", "1", "delivered", due, 0))}, domain.Overdue, 0, 0, domain.NoteReplaced},
		{"a replacement that came back too", []verdict.Remittance{rto, lists("B1", "1", "rto", due, 0)}, domain.Reconciled, 0, 1, domain.NoteIdle},
		{"a replacement of which nothing is known", []verdict.Remittance{rto, lists("B1", "1", "", due, 0)}, domain.Reconciled, 0, 1, domain.NoteIdle},
		{"a replacement without a status is paid", []verdict.Remittance{rto, lists("B1", "1", "", due, due)}, domain.Reconciled, due, 0, domain.NoteReplaced},
		{"a cancelled parcel and a paid second one", []verdict.Remittance{lists("A1", "1", "never left", due, 0), second}, domain.Reconciled, due, 0, domain.NoteReplaced},
		{"a cancelled parcel that is said to be collected", []verdict.Remittance{lists("A1", "1", "never left", due, 0), lists("B1", "1", "delivered", due, rupees(700))}, domain.ShortPaid, rupees(700), 0, domain.NoteReplaced},
		{"what was taken back on the first counts", []verdict.Remittance{lists("A1", "1", "rto", 0, -rupees(40)), second}, domain.ShortPaid, rupees(960), 0, domain.NoteReplaced},
		{"a debit between the two is no parcel", []verdict.Remittance{rto, lists("", "1", "", 0, -rupees(40)), second}, domain.ShortPaid, rupees(960), 0, domain.NoteReplaced},
		{"a third parcel after two that came back", []verdict.Remittance{rto, func() verdict.Remittance { l := lists("B1", "1", "rto", due, rupees(5)); return l }(), lists("C1", "1", "delivered", due, rupees(995))}, domain.Reconciled, due, 0, domain.NoteReplaced},
		{"no third after a second that arrived", []verdict.Remittance{rto, second, lists("C1", "1", "delivered", due, due)}, domain.Reconciled, due, 1, domain.NoteReplaced | domain.NoteRefused},
		{"none while the parcel is under way", []verdict.Remittance{lists("A1", "1", "left", due, 0), lists("B1", "1", "delivered", due, rupees(1300))}, domain.Overdue, 0, 1, domain.NoteRefused},

		{"a line like one of the order's but for its AWB", []verdict.Remittance{dated(lists("A1", "1", "delivered", due, due), 9, "U1"), dated(lists("", "1", "delivered", due, due), 9, "U1")}, domain.Reconciled, due, 0, 0},
		{"also if that parcel came back", []verdict.Remittance{dated(lists("A1", "1", "rto", due, rupees(400)), 9, "U1"), dated(lists("B1", "1", "rto", due, rupees(400)), 9, "U1")}, domain.ShortPaid, rupees(400), 0, 0},
		{"also if it is listed twice itself, it is no parcel", []verdict.Remittance{
			dated(toBeCollected(lists("A1", "1", "rto", due, due)), 9, "U1"), dated(toBeCollected(lists("B1", "1", "", due, due)), 9, "U1"), dated(toBeCollected(lists("B1", "1", "", due, due)), 9, "U1"),
		}, domain.Reconciled, due, 0, 0},
		{"halves that are alike are parcels of their own", []verdict.Remittance{dated(lists("A1", "1", "delivered", due, rupees(500)), 9, "U1"), dated(lists("", "1", "delivered", due, rupees(500)), 9, "U1")}, domain.Reconciled, due, 0, domain.NoteBeside},
		{"another date is another payment", []verdict.Remittance{dated(lists("A1", "1", "delivered", due, due), 9, "U1"), dated(lists("", "1", "delivered", due, due), 8, "U1")}, domain.Reconciled, due, 1, domain.NoteRefused},
		{"of two alike the paid one counts", func() []verdict.Remittance {
			unpaid := dated(lists("A1", "1", "delivered", due, due), 9, "U1")
			unpaid.Remitted = 0
			return []verdict.Remittance{unpaid, dated(lists("", "1", "delivered", due, due), 9, "U1")}
		}(), domain.Reconciled, due, 0, domain.NoteBeside},
		{"a repeat goes where its line goes", []verdict.Remittance{paid(rupees(900)), lists("B1", "1", "", 0, rupees(100)), lists("B1", "1", "", 0, rupees(100))}, domain.Reconciled, due, 0, domain.NoteBeside},
		{"also to no order", []verdict.Remittance{paid(due), second, second}, domain.Reconciled, due, 1, domain.NoteRefused},
		{"the status of a repeat holds", []verdict.Remittance{rto, lists("B1", "1", "", due, 0), lists("B1", "1", "delivered", due, 0)}, domain.Overdue, 0, 0, domain.NoteReplaced},
	} {
		t.Run(c.name, func(t *testing.T) {
			today := priced("#9", "", 1)
			today.CreatedOn = asOf
			r := pair{orders: []export{priced("#1", "A1", due), today}, lines: c.lines}.reconcile()
			require.Equal(t, c.flag.String(), r.Result(0).Flag.String())
			require.Equal(t, c.remitted, r.Result(0).Remitted)
			require.Equal(t, "awb", r.Result(0).MatchMode.String())
			require.Equal(t, "A1", string(r.Result(0).AWB))
			require.Equal(t, c.unclaimed, r.Tally.Unclaimed)
			require.Equal(t, c.notes, r.Reason(0).Notes&(domain.NoteBeside|domain.NoteReplaced|domain.NoteIdle|domain.NoteRefused))
		})
	}
}

// TestRepeatOfASharedLine: a line by order id that repeats one of an AWB which the order
// shares counts once.
func TestRepeatOfASharedLine(t *testing.T) {
	two := []export{priced("#1", "A1, A2", rupees(1000)), priced("#2", "A1, A2", rupees(400))}
	for _, amount := range []domain.Paise{rupees(1000), -rupees(400)} {
		shared, byID := dated(lists("A1", "1", "delivered", amount, amount), 9, "U1"), dated(lists("", "1", "delivered", amount, amount), 9, "U1")
		for _, lines := range [][]verdict.Remittance{{shared, byID}, {byID, shared}, {byID, shared, byID}} {
			r := pair{orders: two, lines: lines}.reconcile()
			require.Equal(t, amount, r.Result(0).Remitted)
			require.Zero(t, r.Tally.Unclaimed)
			require.Equal(t, len(lines)-1, r.ReportTotals()[0].Repeated.Lines)
		}
	}
	cancelled := priced("#1", "A1", rupees(1000))
	cancelled.Cancelled = true
	shared, byID := dated(lists("A1", "1", "", rupees(500), rupees(500)), 9, "U1"), dated(lists("", "1", "", rupees(500), rupees(500)), 9, "U1")
	r := pair{orders: []export{cancelled, priced("#2", "A1", rupees(1000))}, lines: []verdict.Remittance{shared, byID}}.reconcile()
	require.Equal(t, domain.CauseCancelled, r.Reason(0).Cause, "a repeat is no line of the cancelled order alone")
	require.Zero(t, r.Result(0).Due)

	unpaid := dated(lists("A1", "1", "delivered", rupees(1000), rupees(1000)), 9, "U1")
	unpaid.Remitted = 0
	r = pair{orders: two, lines: []verdict.Remittance{unpaid, dated(lists("", "1", "delivered", rupees(1000), rupees(1000)), 9, "U1")}}.reconcile()
	require.Equal(t, rupees(1000), r.Result(0).Remitted, "the line that is paid counts")
}

// TestStatusOfARepeatBeside: of two lines that are alike but for the AWB, the lower one has
// the status.
func TestStatusOfARepeatBeside(t *testing.T) {
	order, today := priced("#1", "A1", rupees(1000)), priced("#9", "", 1)
	order.Cancelled, today.CreatedOn = true, asOf
	byID, byAWB := dated(lists("", "1", "delivered", rupees(1000), 0), 9, "U1"), dated(lists("A1", "1", "never left", rupees(1000), 0), 9, "U1")
	for _, c := range []struct {
		lines []verdict.Remittance
		flag  domain.Flag
	}{
		{[]verdict.Remittance{byID, byAWB}, domain.Reconciled},
		{[]verdict.Remittance{byAWB, byID}, domain.Overdue},
	} {
		r := pair{orders: []export{order, today}, lines: c.lines}.reconcile()
		require.Equal(t, c.flag.String(), r.Result(0).Flag.String())
		require.Equal(t, 1, r.ReportTotals()[0].Repeated.Lines)
	}
}

// TestStorefrontDueOfALineBeside: an order that owes nothing by its storefront columns gets
// no line beside that pays.
func TestStorefrontDueOfALineBeside(t *testing.T) {
	for name, change := range map[string]func(*export){
		"prepaid":      func(o *export) { o.Payment = domain.PaymentPrepaid },
		"cancelled":    func(o *export) { o.Cancelled = true },
		"the balance":  func(o *export) { o.Outstanding, o.HasOutstanding = 1, true },
		"blank amount": func(o *export) { o.Total, o.HasTotal = 0, false },
	} {
		order := priced("#1", "A1", rupees(1000))
		change(&order)
		r := pair{orders: []export{order}, lines: []verdict.Remittance{lists("A1", "1", "delivered", 0, 0), lists("B1", "1", "delivered", 2, 2)}}.reconcile()
		require.Equal(t, 1, r.Tally.Unclaimed, name)
		require.True(t, r.Reason(0).Notes.Has(domain.NoteRefused), name)
	}
}

// TestReplacementCountsAlone: the window and the listed amount are those of the parcel that
// replaces the first one.
func TestReplacementCountsAlone(t *testing.T) {
	order := priced("#1", "A1", 0)
	order.HasTotal = false
	first, second := lists("A1", "1", "rto", rupees(900), 0), lists("B1", "1", "delivered", rupees(700), 0)
	first.DeliveredOn, second.DeliveredOn = ago(20), ago(2)
	other := priced("#9", "", 1)
	other.CreatedOn = asOf
	r := pair{orders: []export{order, other}, lines: []verdict.Remittance{first, second}}.reconcile()
	require.Equal(t, rupees(700), r.Result(0).Due)
	require.Equal(t, ago(2-7), r.Result(0).DueBy)
	require.Equal(t, domain.AwaitingNextCycle, r.Result(0).Flag)
}

// TestReplacementThatIsTakenBack: a payment and its debit are of one parcel, whichever the report lists first.
func TestReplacementThatIsTakenBack(t *testing.T) {
	const due = 1000 * domain.Rupee
	first := lists("A1", "1", "rto", 0, 0)
	paid, back := dated(lists("B1", "1", "delivered", due, due), 20, "U1"), dated(lists("B1", "1", "rto", -due, -due), 2, "U2")
	order, today := priced("#1", "A1", due), priced("#9", "", 1)
	order.Financial, order.Payment, today.CreatedOn = domain.FinancialPaid, domain.PaymentCOD, asOf
	for _, lines := range [][]verdict.Remittance{{first, paid, back}, {first, back, paid}, {back, paid, first}} {
		r := pair{orders: []export{order, today}, lines: lines}.reconcile()
		require.Equal(t, domain.RTOAnomaly.String(), r.Result(0).Flag.String())
		require.Equal(t, due, r.Result(0).Shortfall)
	}
}

// shops is a report in which this many orders, all matched by AWB, are paid, and the first
// of them are named by lines of another shop, too.
func shops(orders, named int, foreign func(i int) verdict.Remittance) (p pair) {
	for i := range orders {
		name := fmt.Sprint(1000 + i)
		p.orders = append(p.orders, priced("#"+name, "A"+name, rupees(1000)))
		p.lines = append(p.lines, lists("A"+name, name, "delivered", rupees(400), rupees(400)))
		if i < named {
			p.lines = append(p.lines, foreign(i))
		}
	}
	return p
}

// TestAnotherShopWithTheSameNumbers: if many orders are named by lines with the AWB of no
// order, these are another shop's.
func TestAnotherShopWithTheSameNumbers(t *testing.T) {
	foreign := func(i int) verdict.Remittance {
		return lists(fmt.Sprint("Z", i), fmt.Sprint(1000+i), "delivered", rupees(300), rupees(300))
	}
	byID := func(i int) verdict.Remittance {
		return lists("", fmt.Sprint(1000+i), "delivered", rupees(300), rupees(300))
	}
	for _, c := range []struct {
		name          string
		orders, named int
		foreign       func(int) verdict.Remittance
		unclaimed     int
	}{
		{"four", 4, 4, foreign, 0},
		{"five of fifty", 50, 5, foreign, 0},
		{"five of forty-nine", 49, 5, foreign, 5},
		{"lines without an AWB are no other shop's", 5, 5, byID, 0},
	} {
		r := shops(c.orders, c.named, c.foreign).reconcile()
		require.Equal(t, c.unclaimed, r.Tally.Unclaimed, c.name)
		require.Equal(t, c.unclaimed > 0, r.Reason(0).Notes.Has(domain.NoteRefused), c.name)
	}
	mixed := shops(5, 5, foreign)
	mixed.lines = append(mixed.lines, byID(0), lists("", "1001", "", 0, -rupees(300)))
	r := mixed.reconcile()
	require.Equal(t, 6, r.Tally.Unclaimed, "and what takes their money back")
	require.Equal(t, rupees(700), r.Result(0).Remitted, "a line without an AWB is not among them")
}

// TestWarningOfLinesBeside: the warning of unclaimed lines tells those that name an order
// that is paid from those that belong to no order, and leaves out those of which nothing
// has to be known.
func TestWarningOfLinesBeside(t *testing.T) {
	order := priced("#1", "A1", rupees(1000))
	paid, second, idle := lists("A1", "1", "delivered", rupees(1000), rupees(1000)), lists("B1", "1", "delivered", 0, rupees(1000)), lists("C1", "1", "rto", rupees(1000), 0)
	foreign := lists("X", "77", "", rupees(5), rupees(5))
	w := pair{orders: []export{order}, lines: []verdict.Remittance{paid, second, idle, foreign}}.warnings()[domain.WarnUnclaimedLines]
	require.Equal(t, domain.Warning{Code: domain.WarnUnclaimedLines, Count: 2, Named: 1, Amount: rupees(1005), HasAmount: true}, w)
	require.NotContains(t, pair{orders: []export{order}, lines: []verdict.Remittance{paid, idle}}.warnings(), domain.WarnUnclaimedLines)
}

// TestManyLinesBeside has as many lines beside as there are rows, all of one order, of each
// kind.
func TestManyLinesBeside(t *testing.T) {
	for name, line := range map[string]func(i int) verdict.Remittance{
		"taken": func(i int) verdict.Remittance { return lists(fmt.Sprint("B", i), "1", "delivered", domain.Paise(i), 1) },
		"refused": func(i int) verdict.Remittance {
			return lists(fmt.Sprint("B", i), "1", "delivered", 0, rupees(5000)+domain.Paise(i))
		},
		"reversed": func(i int) verdict.Remittance {
			return lists("", "1", "", domain.Paise(i), []domain.Paise{-1, 1}[i%2]*(rupees(5000)+domain.Paise(i/2)))
		},
		"alike": func(i int) verdict.Remittance {
			return lists(fmt.Sprint("B", i), "1", "delivered", domain.Paise(i/2), 1)
		},
		"replaced": func(i int) verdict.Remittance { return lists(fmt.Sprint("B", i), "1", "rto", domain.Paise(i), 1) },
	} {
		worked.RequireLinear(t, 1000, func(n int) func() {
			var orders verdict.Orders
			orders.Reset()
			priced("#1", "A1", rupees(1000)).addTo(&orders)
			var remittances verdict.Remittances
			remittances.Add(lists("A1", "1", "rto", 0, 0))
			for i := range n {
				remittances.Add(line(i))
			}
			var r verdict.Reconciliation
			return func() {
				require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)), name)
				r.Reason(0)
			}
		})
	}
}
