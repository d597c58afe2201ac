package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// Rows at the edge of a rule of decisions.md: one paisa, one line, one order more
// or less would decide otherwise.

// alike gives a line so many times, each paid on a day of its own.
func alike(n int, l line) (lines []line) {
	for i := range n {
		l.paid = days(9 + i)
		lines = append(lines, l)
	}
	return lines
}

var boundaryCases = []policyCase{
	// Section 2.
	{name: "1 pending and prepaid, a paisa to be collected", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPending, total: 1}, lines: settled(line{toCollect: true, gross: true, collected: 1, delivered: days(30)}),
		want: want{flag: domain.Overdue, due: 1, shortfall: 1, days: 23, cause: domain.CauseListed}},
	{name: "1 pending and prepaid, nothing to be collected", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPending}, lines: settled(line{toCollect: true, gross: true, delivered: days(30)}),
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "1 pending and prepaid, to be collected for two parcels of a report of two amounts", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPending}, lines: settled(
		line{awb: "A1", id: "1001", toCollect: true, collected: rupees(600), delivered: days(30)}, line{awb: "A2", id: "1001", toCollect: true, collected: rupees(400), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed, awb: "A1, A2"}},
	{name: "1 prepaid, a paisa collected", order: order{payment: domain.PaymentPrepaid, total: 1}, lines: settled(line{collected: 1, delivered: days(30)}),
		want: want{flag: domain.Overdue, due: 1, shortfall: 1, days: 23, cause: domain.CauseListed, notes: domain.NotePrepaidCollected}},
	{name: "2 cancelled, two lines that never left", order: order{cancelled: true}, lines: settled(line{awb: "A1", id: "1001", collected: rupees(500), status: "never left"}, line{awb: "A2", id: "1001", collected: rupees(500), status: "never left"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseNeverLeft, awb: "A1, A2"}},
	{name: "2 cancelled, never left, a paisa paid on one of two lines", order: order{cancelled: true, total: 1}, lines: settled(line{awb: "A1", id: "1001", collected: 1, remitted: 1, paid: days(9), status: "never left"}, line{awb: "A2", id: "1001", status: "never left"}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1, awb: "A1, A2"}},
	{name: "2 cancelled, never left, a paisa paid", order: order{cancelled: true, total: 1}, lines: settled(line{collected: 1, remitted: 1, paid: days(9), status: "never left"}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "2 cancelled, two lines alike without a status", order: order{cancelled: true}, lines: settled(line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30)}, line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed, notes: domain.NoteRepeats, awb: "A1"}},
	{name: "4 returned, a paisa collected", lines: settled(line{collected: 1, returned: true}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected}},
	{name: "5 a balance of a paisa", order: order{due: paise(1)}, lines: settled(line{collected: 1, remitted: 1, paid: days(9)}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "5 part-paid, and more than the total was paid", order: order{financial: domain.FinancialPartlyPaid, due: paise(-rupees(5))},
		want: want{flag: domain.Reconciled, cause: domain.CauseNothingOutstanding}},
	{name: "6 a paisa as listed", order: order{several: true, due: paise(0)}, lines: settled(line{collected: 1, remitted: 1, paid: days(9)}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "6 several methods for nothing", order: order{several: true, due: paise(0), free: true},
		want: want{flag: domain.Reconciled, cause: domain.CauseTotalZero}},
	{name: "6 as listed, repeated on each payout under the AWB", order: order{several: true, due: paise(0)}, lines: settled(line{awb: "A1", id: "1001", collected: rupees(400), remitted: rupees(300), paid: days(9)}, line{awb: "A1", id: "1001", collected: rupees(400), remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), awb: "A1", never: domain.NoteRefund}},
	{name: "6 as listed is the largest of a parcel", order: order{several: true, due: paise(0)}, lines: settled(line{awb: "A1", id: "1001", collected: rupees(300), remitted: rupees(300), paid: days(9)}, line{awb: "A1", id: "1001", collected: rupees(400), remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), awb: "A1"}},
	{name: "6 as listed, a paisa repeated on each payout", order: order{several: true, due: paise(0)}, lines: settled(line{collected: 1, remitted: 1, paid: days(9)}, line{collected: 1, paid: days(5)}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "6 as listed, the largest of a parcel is nothing", order: order{several: true, due: paise(0)}, lines: settled(
		line{awb: "A1", id: "1001", collected: -rupees(100), paid: days(9)}, line{awb: "A1", id: "1001", paid: days(5)}, line{awb: "A2", id: "1001", collected: rupees(400), remitted: rupees(400), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), awb: "A1, A2"}},
	{name: "6 as listed, summed in a report of payouts alone", order: order{several: true, due: paise(0)}, lines: settled(line{net: true, remitted: rupees(300), paid: days(9)}, line{net: true, remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400)}},
	{name: "7 summed in a report of payouts alone, a paisa each", order: order{blankTotal: true}, lines: settled(line{net: true, remitted: 1, paid: days(9)}, line{net: true, remitted: 1, paid: days(5)}),
		want: want{flag: domain.Reconciled, due: 2, remitted: 2}},
	{name: "7 no total, and the courier lists less than nothing", order: order{blankTotal: true}, lines: settled(line{gross: true, collected: -rupees(5)}),
		want: want{flag: domain.Reconciled, cause: domain.CauseNoAmount}},
	{name: "7 eight lines are not one too many", order: order{blankTotal: true}, lines: alike(8, line{awb: "A1", id: "1001", collected: rupees(800), remitted: rupees(100)}),
		want: want{flag: domain.Reconciled, due: rupees(800), remitted: rupees(800), awb: "A1"}},
	{name: "7 nine lines are not either", order: order{blankTotal: true}, lines: alike(9, line{awb: "A1", id: "1001", collected: rupees(900), remitted: rupees(100)}),
		want: want{flag: domain.Reconciled, due: rupees(900), remitted: rupees(900), awb: "A1"}},
	{name: "7 many lines of two parcels and of none", order: order{blankTotal: true}, lines: append(append(
		alike(3, line{awb: "A1", id: "1001", collected: rupees(100), remitted: rupees(50), status: "left"}),
		alike(4, line{awb: "A2", id: "1001", collected: rupees(200), remitted: rupees(50), status: "rto"})...),
		alike(5, line{collected: rupees(300), remitted: rupees(50)})...),
		want: want{flag: domain.Reconciled, due: rupees(600), remitted: rupees(600), awb: "A1, A2", notes: domain.NoteReturnedParcel}},
	{name: "7 less what was to be collected, where payouts are told too", lines: settled(
		line{awb: "A1", id: "1001", toCollect: true, collected: rupees(600), remitted: rupees(600), paid: days(9), status: "left"},
		line{awb: "A2", id: "1001", toCollect: true, collected: rupees(400), status: "rto"}),
		want: want{flag: domain.Reconciled, due: rupees(600), remitted: rupees(600), notes: domain.NoteReturnedParcel | domain.NoteReturnedDeducted, awb: "A1, A2"}},
	{name: "7 less a paisa that was to be collected", lines: settled(
		line{awb: "A1", id: "1001", toCollect: true, gross: true, collected: rupees(1000) - 1, remitted: rupees(1000) - 1, paid: days(9), status: "left"},
		line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: 1, status: "rto"}),
		want: want{flag: domain.Reconciled, due: rupees(1000) - 1, remitted: rupees(1000) - 1, notes: domain.NoteReturnedParcel | domain.NoteReturnedDeducted, awb: "A1, A2"}},
	{name: "7 less all of a paisa", order: order{total: 1}, lines: settled(
		line{awb: "A1", id: "1001", status: "left"}, line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: 1, status: "rto"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseReturnedAmount, awb: "A1, A2"}},
	{name: "7 a total of nothing, of which nothing is subtracted", order: order{free: true}, lines: settled(
		line{awb: "A1", id: "1001", status: "left"}, line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: 1, status: "rto"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseTotalZero, awb: "A1, A2"}},

	{name: "7 what all parcels that came back were to collect is due where the shop has it marked paid", order: order{financial: domain.FinancialPaid}, lines: settled(
		line{awb: "A1", id: "1001", toCollect: true, gross: true, collected: rupees(600), status: "rto"},
		line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: rupees(400), status: "rto"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseMarkedPaid, never: domain.NoteReturnedParcel, awb: "A1, A2"}},

	// Section 4: a parcel is an AWB.
	{name: "returned at first, delivered at last, under the AWB", lines: settled(line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(20), status: "left"}, line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30), status: "rto", utr: "x"}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 13, cause: domain.CauseListed, never: domain.NoteReturnedParcel, awb: "A1"}},
	{name: "one returned parcel is no part of several", lines: settled(line{awb: "A1", id: "1001", collected: rupees(1000), status: "rto"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected, never: domain.NoteReturnedParcel | domain.NoteRefund, awb: "A1"}},

	{name: "a rounded AWB is not told where a good one stands beside it", order: order{awb: "1.90408E+12, 38061"},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 31, awb: "38061", mode: "awb", never: domain.NoteOwnAWBRounded}},
	{name: "a rounded AWB is not told where a line was found", order: order{awb: "1.90408E+12"}, lines: settled(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23, awb: "1.90408E+12", never: domain.NoteOwnAWBRounded | domain.NoteHint, notes: domain.NoteCollected}},
	{name: "a paisa collected and not paid is told", lines: settled(line{collected: 1, delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23, notes: domain.NoteCollected, never: domain.NoteRepeats | domain.NoteRefund}},
	{name: "a cod_amount that is not what is due is told", lines: settled(line{collected: rupees(900), remitted: rupees(900), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(900), shortfall: rupees(100), notes: domain.NoteCollected, never: domain.NoteRefund | domain.NotePrepaidCollected}},
	{name: "of a report without one nothing is told", lines: settled(line{net: true, remitted: rupees(900), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(900), shortfall: rupees(100), never: domain.NoteCollected | domain.NoteRefund | domain.NotePrepaidCollected}},
	{name: "a paisa taken back is told", lines: settled(line{collected: rupees(1000), remitted: rupees(1000), paid: days(9)}, line{remitted: -1, paid: days(5)}),
		want: want{flag: domain.MinorDiff, due: rupees(1000), remitted: rupees(1000) - 1, shortfall: 1, notes: domain.NoteRefund | domain.NoteCollected}},

	// Section 1: repeats.
	{name: "paid in full, and listed twice", order: order{awb: "38061"}, lines: settled(line{awb: "38061", collected: rupees(1000), remitted: rupees(1000), paid: days(12)}, line{awb: "38061", collected: rupees(1000), remitted: rupees(1000), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeats, awb: "38061", mode: "awb"}},
	{name: "repeats that pay nothing do not count after all", lines: settled(line{gross: true, collected: rupees(1000), remitted: rupees(1000), paid: days(12)}, line{gross: true, collected: rupees(1000), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeats, never: domain.NoteRepeatsCounted}},
	{name: "a repeat is taken back if either is", order: order{awb: "38061"}, lines: settled(line{awb: "38061", gross: true, collected: rupees(1000), remitted: rupees(1000), paid: days(20)},
		line{awb: "38061", gross: true, collected: -rupees(300), remitted: -rupees(300), paid: days(5)}, line{awb: "38061", gross: true, collected: -rupees(300), paid: days(5)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(700), shortfall: rupees(300), notes: domain.NoteRepeats | domain.NoteRefund, awb: "38061", mode: "awb"}},
	{name: "an AWB of one character tells a parcel", order: order{awb: "7"}, lines: settled(line{awb: "7", remitted: rupees(500), paid: days(12)}, line{awb: "7", remitted: rupees(500), paid: days(12)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(500), shortfall: rupees(500), notes: domain.NoteRepeats, awb: "7", mode: "awb"}},
}

// TestOfLinesAlikeTheLowerHasTheStatus is section 1 on repeats: later statuses and
// the latest delivery hold. The order of the lines decides here.
func TestOfLinesAlikeTheLowerHasTheStatus(t *testing.T) {
	rto := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(20), status: "rto"}
	left := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30), status: "left"}
	between := line{awb: "A1", id: "1001", delivered: days(25), status: "left", utr: "x"}
	never := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30), status: "never left"}
	blank := line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(10)}
	for _, c := range []struct {
		name  string
		order order
		lines []line
		want  domain.Flag
		cause domain.Cause
	}{
		{"delivered, though the other is dated later", order{}, settled(rto, left), domain.Overdue, domain.CauseListed},
		{"returned", order{}, settled(left, rto), domain.RTOAnomaly, domain.CauseCourierCollected},
		{"the status has the latest delivery of the two", order{}, settled(func() line { l := left; l.delivered = days(20); return l }(), func() line { l := rto; l.delivered = days(30); return l }(), between), domain.RTOAnomaly, domain.CauseCourierCollected},
		{"a lower line without a status says nothing", order{}, settled(left, rto, blank), domain.RTOAnomaly, domain.CauseCourierCollected},
		{"it never left after all", order{cancelled: true}, settled(left, never), domain.Reconciled, domain.CauseNeverLeft},
		{"it left after all", order{cancelled: true}, settled(never, left), domain.Overdue, domain.CauseListed},
	} {
		r := settle(policyCase{order: c.order}, c.lines)
		require.Equal(t, c.want.String(), r.Result(0).Flag.String(), c.name)
		require.Equal(t, c.cause, r.Reason(0).Cause, c.name)
	}
}

// TestFiguresOfAReason are the values of a reason that no flag shows.
func TestFiguresOfAReason(t *testing.T) {
	reason := func(lines ...line) domain.Reason { return settle(policyCase{}, lines).Reason(0) }
	paid := line{awb: "A1", id: "1001", collected: rupees(1000), remitted: rupees(1000), paid: days(9)}
	unpaid := line{awb: "A2", id: "1001", collected: rupees(3), paid: days(2)}
	require.Equal(t, ago(9), reason(paid, unpaid).RemittedOn, "money moved on that day alone")
	require.Equal(t, ago(9), reason(unpaid, paid).RemittedOn)
	require.Equal(t, ago(2), reason(paid, line{awb: "A2", id: "1001", remitted: 1, paid: days(2)}).RemittedOn, "a paisa moved")
	require.Equal(t, ago(2), reason(line{awb: "A2", id: "1001", remitted: 1, paid: days(2)}, paid).RemittedOn)

	back := reason(line{remitted: -rupees(3), paid: days(2)})
	require.Equal(t, rupees(3), back.TakenBack)
	require.True(t, back.Notes.Has(domain.NoteRefund))
	back = reason(paid, line{awb: "A1", id: "1001", remitted: -rupees(3), paid: days(2)})
	require.Equal(t, rupees(3), back.TakenBack)
	require.False(t, reason(paid, unpaid).Notes.Has(domain.NoteRefund))
	require.Zero(t, reason(paid, unpaid).TakenBack)

	short := paid
	short.remitted = rupees(900)
	one := reason(short)
	require.Zero(t, one.TakenBack)
	require.Equal(t, []int{1, 0}, []int{one.Parcels, one.ReturnedParcel})
	one = reason(line{collected: rupees(1000), returned: true})
	require.Equal(t, []int{1, 1}, []int{one.Parcels, one.ReturnedParcel})
	two := reason(paid, line{awb: "A2", id: "1001", collected: rupees(3), status: "rto"})
	require.Equal(t, []int{2, 1}, []int{two.Parcels, two.ReturnedParcel})
	none := reason()
	require.Equal(t, []int{0, 0}, []int{none.Parcels, none.ReturnedParcel})
}

// TestRepeatsThatCountAreNoRepeats holds the warning to what was decided.
func TestRepeatsThatCountAreNoRepeats(t *testing.T) {
	half := line{remitted: rupees(500), paid: days(12)}
	for _, w := range settle(policyCase{}, settled(half, half)).Warnings() {
		require.NotEqual(t, domain.WarnRepeatedLines, w.Code)
	}
	codes := map[domain.WarningCode]domain.Warning{}
	for _, w := range settle(policyCase{}, settled(half, half, half)).Warnings() {
		codes[w.Code] = w
	}
	require.Equal(t, domain.Warning{Code: domain.WarnRepeatedLines, Count: 2, Amount: rupees(1000), HasAmount: true}, codes[domain.WarnRepeatedLines])

	// Which parcel a rounded AWB without an order id is cannot be told.
	rounded := line{awb: "1.49026E+13", rounded: true, remitted: rupees(500), paid: days(12)}
	r := settle(policyCase{}, settled(rounded, rounded))
	require.Equal(t, rupees(1000), r.Tally.UnclaimedPaid)
	require.Equal(t, 2, r.Tally.Unclaimed)
	var many []line
	for range 12 {
		many = append(many, rounded)
	}
	require.Equal(t, rupees(6000), settle(policyCase{}, many).Tally.UnclaimedPaid)

	// With an order id of one character it can.
	p := pair{orders: []export{priced("#1", "", rupees(500))}}
	for range 2 {
		l := paidOn("1.49026E+13", "1", rupees(500))
		l.AWBRounded = true
		p.lines = append(p.lines, l)
	}
	require.Equal(t, []string{"RECONCILED"}, flagsOf(p.withTerms().settle()))
}

// TestManyRepeatsInNoOrder takes the way of many lines through texts of any
// length: the repeats are the same as those of few.
func TestManyRepeatsInNoOrder(t *testing.T) {
	small := "x" + strings.Repeat("𐐨", 300) // 1,201 bytes, in characters of four
	large := "X" + strings.Repeat("𐐀", 300)
	long := strings.Repeat("a", 5000)
	var p pair
	p.orders = []export{priced("#1", "", rupees(1000))}
	once := map[string]bool{}
	var want domain.Paise
	for i, kind := range []int{0, 0, 1, 1, 0, 2, 3, 1, 3, 2, 2, 4, 0, 4, 5, 5, 6, 4, 6, 6, 7, 8, 7, 8} {
		awb := []string{"A1", "A2", small, "A1", long + "1", long + "2", "B1", "7", "8"}[kind]
		if kind == 2 && i%2 == 0 {
			awb = large
		}
		l := paidOn(awb, "1", domain.Paise(kind*7+1))
		l.Stated, l.HasRemitted = l.Remitted, true
		l.UTR = []byte(strings.Repeat("u", 900))
		p.lines = append(p.lines, l)
		if key := fmt.Sprint(kind); !once[key] {
			once[key] = true
			want += l.Remitted
		}
	}
	r := p.withTerms().settle()
	require.Equal(t, want, r.Result(0).Remitted)
	reason := r.Reason(0)
	require.Equal(t, 24-9, reason.Repeats)
	require.Equal(t, 8, reason.Parcels)
}

// TestNamedByAClone is section 1 on ids: a clone's stands for the order itself
// where nobody bears it.
func TestNamedByAClone(t *testing.T) {
	clone, order := priced("#1001-C", "", rupees(400)), priced("#1001", "", rupees(600))
	r := pair{orders: []export{clone, order}, lines: []domain.Remittance{paidOn("", "1001-C", rupees(400)), paidOn("", "1001", rupees(600))}}.withTerms().settle()
	require.Equal(t, []string{"RECONCILED", "RECONCILED"}, flagsOf(r))
	r = pair{orders: []export{order, clone}, lines: []domain.Remittance{paidOn("", "1001", rupees(600)), paidOn("", "1001-C", rupees(400))}}.withTerms().settle()
	require.Equal(t, []string{"RECONCILED", "RECONCILED"}, flagsOf(r))
}

// TestWhoAContradictionSpeaksOf holds that the first order of the export is told,
// whatever the order of the lines.
func TestWhoAContradictionSpeaksOf(t *testing.T) {
	orders := []export{priced("#1", "", rupees(100)), priced("#2", "A2", rupees(200)), priced("#3", "A3", rupees(300)), priced("#4", "", rupees(400))}
	for _, lines := range [][]domain.Remittance{
		{paidOn("A2", "1", rupees(200)), paidOn("A2", "4", 5), paidOn("A3", "1", rupees(300)), paidOn("A3", "4", 5)},
		{paidOn("A3", "4", 5), paidOn("A3", "1", rupees(300)), paidOn("A2", "4", 5), paidOn("A2", "1", rupees(200))},
	} {
		r := pair{orders: orders, lines: lines}.withTerms().settle()
		for i, other := range []string{"#2", "#1", "#1", "#2"} {
			require.Equal(t, other, string(r.Reason(i).Other), "order %d", i+1)
		}
		require.True(t, r.Reason(0).Notes.Has(domain.NoteNamedOnOther))
		require.True(t, r.Reason(1).Notes.Has(domain.NoteContradiction))
	}
}

// TestWhoHoldsTheLine is the same of orders that share AWBs.
func TestWhoHoldsTheLine(t *testing.T) {
	orders := []export{priced("#1", "A1", rupees(100)), priced("#2", "A2", rupees(200)), priced("#3", "A1, A2", rupees(300)), priced("#4", "A2, A1", rupees(300))}
	for _, lines := range [][]domain.Remittance{
		{paidOn("A1", "1", rupees(100)), paidOn("A2", "2", rupees(200))},
		{paidOn("A2", "2", rupees(200)), paidOn("A1", "1", rupees(100))},
	} {
		r := pair{orders: orders, lines: lines}.withTerms().settle()
		for _, i := range []int{2, 3} {
			require.Equal(t, "#1", string(r.Reason(i).Other))
			require.Equal(t, domain.CauseListedByOther, r.Reason(i).Cause)
		}
		require.Empty(t, r.Reason(0).Other)
		require.Empty(t, r.Reason(1).Other)
	}
}

// TestWhatSharersOwe is section 3 on the exact sum: what each owes by its
// storefront columns alone.
func TestWhatSharersOwe(t *testing.T) {
	with := func(o export, change func(*export)) export { change(&o); return o }
	base := priced("#1", "A1", rupees(1000))
	for _, c := range []struct {
		name  string
		other export
		paid  domain.Paise
		want  []domain.Paise
		cause domain.Cause
	}{
		{"prepaid: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Payment = domain.PaymentPrepaid }), rupees(1000), []domain.Paise{rupees(1000), 0}, domain.CausePrepaid},
		{"part-paid: the balance", with(priced("#2", "A1", rupees(500)), func(o *export) { o.Outstanding, o.HasOutstanding = rupees(200), true }), rupees(1200), []domain.Paise{rupees(1000), rupees(200)}, domain.CauseNone},
		{"part-paid with more: nothing", with(priced("#2", "A1", rupees(500)), func(o *export) {
			o.Outstanding, o.HasOutstanding, o.Financial = -rupees(5), true, domain.FinancialPartlyPaid
		}), rupees(1000), []domain.Paise{rupees(1000), 0}, domain.CauseNothingOutstanding},
		{"a total of nothing", priced("#2", "A1", 0), rupees(1000), []domain.Paise{rupees(1000), 0}, domain.CauseTotalZero},
	} {
		r := pair{orders: []export{base, c.other}, lines: []domain.Remittance{paidOn("A1", "", c.paid)}}.withTerms().settle()
		require.Equal(t, c.want, []domain.Paise{r.Result(0).Remitted, r.Result(1).Remitted}, c.name)
		require.Equal(t, c.want, []domain.Paise{r.Result(0).Due, r.Result(1).Due}, c.name)
		require.True(t, r.Reason(1).Notes.Has(domain.NoteSharedSum), c.name)
		require.Equal(t, c.cause, r.Reason(1).Cause, c.name)
	}
	paisa := pair{orders: []export{priced("#1", "A1", 1), priced("#2", "A1", 0)}, lines: []domain.Remittance{paidOn("A1", "", 1)}}.withTerms().settle()
	require.True(t, paisa.Reason(1).Notes.Has(domain.NoteSharedSum), "a paisa is a sum")
	nothing := pair{orders: []export{priced("#1", "A1", 0), priced("#2", "A1", 0)}, lines: []domain.Remittance{paidOn("A1", "", 0)}}.withTerms().settle()
	require.False(t, nothing.Reason(1).Notes.Has(domain.NoteSharedSum), "nothing is none")
	require.True(t, nothing.Reason(1).Notes.Has(domain.NoteHeldByOther))
}

// namesakes settles two orders of one name, the second created later.
func namesakes(t *testing.T, first, second export, lines ...domain.Remittance) *domain.Reconciliation {
	t.Helper()
	var orders domain.Orders
	var remittances domain.Remittances
	orders.Reset()
	remittances.Reset()
	a, _ := orders.Named([]byte("#1001"))
	a.Total, a.HasTotal, a.CreatedOn = first.Total, first.HasTotal, ago(40)
	if len(first.awbs) > 0 {
		orders.Track(a, first.awbs)
	}
	b := orders.Namesake(a, domain.Moment{Day: ago(30)})
	b.Total, b.HasTotal = second.Total, second.HasTotal
	if len(second.awbs) > 0 {
		orders.Track(b, second.awbs)
	}
	for _, l := range lines {
		remittances.Add(l)
	}
	var r domain.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	return &r
}

// TestWhichNamesake is section 1 on two orders of one name: a line goes to the
// only one whose total it equals, else to the first, and the others count as listed.
func TestWhichNamesake(t *testing.T) {
	line := func(listed, stated, collected domain.Paise) domain.Remittance {
		return domain.Remittance{OrderID: []byte("1001"), Listed: listed, Stated: stated, Collected: collected, Remitted: stated, RemittedOn: ago(9)}
	}
	for _, c := range []struct {
		name          string
		first, second domain.Paise
		line          domain.Remittance
		at            int
	}{
		{"what is listed, not what was paid", rupees(1000), rupees(500), line(rupees(500), rupees(1000), rupees(500)), 1},
		{"what was paid where nothing is listed", rupees(1000), rupees(500), line(0, rupees(500), 7), 1},
		{"a paisa listed", rupees(1000), 1, line(1, rupees(1000), 1), 1},
		{"a paisa paid", rupees(1000), 1, line(0, 1, rupees(1000)), 1},
		{"neither", rupees(1000), rupees(500), line(rupees(700), rupees(700), rupees(700)), 0},
		{"both", rupees(500), rupees(500), line(rupees(500), rupees(500), rupees(500)), 0},
	} {
		r := namesakes(t, priced("", "", c.first), priced("", "", c.second), c.line)
		require.Equal(t, c.line.Remitted, r.Result(c.at).Remitted, c.name)
		other := r.Reason(1 - c.at)
		require.Equal(t, domain.CauseListedByOther, other.Cause, c.name)
		require.True(t, other.Notes.Has(domain.NoteNamesake), c.name)
	}
	// One that was found by its AWB is not asked.
	found := paidOn("A1", "", rupees(1000))
	r := namesakes(t, priced("", "A1", rupees(1000)), priced("", "", rupees(500)), found, paidOn("", "1001", rupees(1000)))
	require.Equal(t, []domain.Paise{rupees(1000), rupees(1000)}, []domain.Paise{r.Result(0).Remitted, r.Result(1).Remitted})
	require.False(t, r.Reason(0).Notes.Has(domain.NoteNamesake))
}

// TestRoundedAtTheEdge is section 1 on AWBs rounded to zeros, where one amount or
// one order more would decide otherwise.
func TestRoundedAtTheEdge(t *testing.T) {
	const awb = "14902600000"
	elsewhere := paidOn("Z9", "Z9", rupees(1))
	for _, c := range []struct {
		name   string
		orders []export
		lines  []domain.Remittance
		mode   string // of the last order
		awb    string
	}{
		{"two orders bear it, and no line does", []export{priced("#1", awb, rupees(1000)), priced("#2", awb, rupees(1000))}, []domain.Remittance{elsewhere}, "order_id", awb},
		{"another that looks so is nobody else's", []export{priced("#1", awb, rupees(1000)), priced("#2", awb, rupees(1000)), priced("#3", "15902600000", rupees(1000))}, []domain.Remittance{elsewhere}, "awb", "15902600000"},
		{"a line of nothing says nothing", []export{priced("#1", awb, rupees(1000))}, []domain.Remittance{paidOn(awb, "", rupees(1000)), paidOn(awb, "", 0)}, "awb", awb},
		{"a line of nothing above", []export{priced("#1", awb, rupees(1000))}, []domain.Remittance{paidOn(awb, "", 0), paidOn(awb, "", rupees(1000))}, "awb", awb},
		{"a paisa is an amount", []export{priced("#1", awb, rupees(1000))}, []domain.Remittance{paidOn(awb, "", rupees(1000)), paidOn(awb, "", 1)}, "order_id", awb},
		{"a clone is the order itself", []export{priced("#1", awb, rupees(1000))}, []domain.Remittance{paidOn(awb, "1", rupees(400)), paidOn(awb, "1-C", rupees(600))}, "awb", awb},
		{"an id that nobody has, twice", []export{priced("#1", awb, rupees(1000))}, []domain.Remittance{paidOn(awb, "8", rupees(400)), paidOn(awb, "8", rupees(600))}, "awb", awb},
		{"one known id and one unknown", []export{priced("#1", awb, rupees(1000))}, []domain.Remittance{paidOn(awb, "8", rupees(400)), paidOn(awb, "1", rupees(600))}, "order_id", awb},
		{"its other AWBs stay", []export{priced("#1", awb, rupees(1000)), priced("#2", "A5, "+awb+", A6", rupees(1000))}, []domain.Remittance{elsewhere}, "awb", "A5, A6"},
		{"those of an order with an exponent too", []export{priced("#1", awb, rupees(1000)), priced("#2", awb, rupees(1000)), priced("#3", "1.90408E+12, A5, A6", rupees(1000))}, []domain.Remittance{elsewhere}, "awb", "A5, A6"},
	} {
		r := pair{orders: c.orders, lines: c.lines}.withTerms().settle()
		last := r.Result(r.Len() - 1)
		require.Equal(t, c.mode, last.MatchMode.String(), c.name)
		if last.Remitted == 0 {
			require.Equal(t, c.awb, string(last.AWB), c.name)
		}
	}
}

// TestGuardAtTheEdge is section 4 on unclaimed lines with a rounded AWB: one may
// be an order's own if its length and leading digits are those of the order's AWB.
func TestGuardAtTheEdge(t *testing.T) {
	through := domain.Remittance{AWB: []byte("X"), OrderID: []byte("X"), DeliveredOn: ago(0)}
	digits60 := strings.Repeat("7", 60)
	for _, c := range []struct{ awb, line, id, want string }{
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
		rounded := domain.Remittance{AWB: []byte(c.line), AWBRounded: true, OrderID: []byte(c.id), Listed: 5, Collected: 5}
		p := pair{orders: []export{priced("#1", c.awb, rupees(1000))}, lines: []domain.Remittance{through, rounded}}.withTerms()
		require.Equal(t, []string{c.want}, flagsOf(p.settle()), "%+v", c)
		p.lines = append(p.lines, rounded, domain.Remittance{AWB: []byte("9.8E+20"), AWBRounded: true})
		require.Equal(t, []string{c.want}, flagsOf(p.settle()), "%+v and another", c)
	}
}

// TestTheCouriersWords is section 4, last lines: the courier's status where it lists
// an unpaid order.
func TestTheCouriersWords(t *testing.T) {
	type words struct {
		shipment, money string
		line            domain.Remittance
	}
	on := func(ago int, shipment, money string) words {
		return words{shipment, money, domain.Remittance{AWB: []byte("A1"), OrderID: []byte("1"), Listed: rupees(1000), DeliveredOn: asOf - domain.Day(ago), UTR: fmt.Append(nil, shipment, money, ago), ToBeCollected: true}}
	}
	for _, awb := range []string{"", "A1"} { // found by order id, and by AWB
		for _, c := range []struct {
			name   string
			change func(*export)
			lines  []words
			want   [2]string
		}{
			{"one line", nil, []words{on(30, "In transit", "Pending")}, [2]string{"In transit", "Pending"}},
			{"the latest-dated line", nil, []words{on(30, "Shipped", "Queued"), on(20, "Delivered", "Pending"), on(25, "In transit", "On hold")}, [2]string{"Delivered", "Pending"}},
			{"the lower one of a day", nil, []words{on(30, "Shipped", "Queued"), on(30, "Delivered", "Pending")}, [2]string{"Delivered", "Pending"}},
			{"of lines that say something", nil, []words{on(30, "Shipped", "Queued"), on(20, "", "")}, [2]string{"Shipped", "Queued"}},
			{"each by itself", nil, []words{on(30, "Shipped", ""), on(20, "", "Queued")}, [2]string{"Shipped", "Queued"}},
			{"a paisa due", func(o *export) { o.Total = 1 }, []words{on(30, "Shipped", "Queued")}, [2]string{"Shipped", "Queued"}},
			{"nothing due", func(o *export) { o.Total = 0 }, []words{on(30, "Shipped", "Queued")}, [2]string{}},
			{"it never left", func(o *export) { o.Cancelled = true }, []words{on(30, "Manifested", "")}, [2]string{"Manifested", ""}},
			{"nothing listed", nil, nil, [2]string{}},
		} {
			var orders domain.Orders
			var remittances domain.Remittances
			orders.Reset()
			remittances.Reset()
			priced("#0", "", rupees(1)).addTo(&orders)
			o := priced("#1", awb, rupees(1000))
			if c.change != nil {
				c.change(&o)
			}
			o.addTo(&orders)
			for _, w := range c.lines {
				if o.Total == 0 {
					w.line.Collected = w.line.Listed
				}
				w.line.Status, w.line.MoneyStatus = remittances.AddStatus([]byte(w.shipment)), remittances.AddStatus([]byte(w.money))
				status := remittances.Status(w.line.Status)
				w.line.HasStatus, w.line.NeverLeft = w.shipment != "", status.NeverLeft
				remittances.Add(w.line)
			}
			var r domain.Reconciliation
			require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
			reason := r.Reason(1)
			require.Equal(t, c.want, [2]string{string(reason.CourierStatus), string(reason.MoneyStatus)}, "%s, AWB %q", c.name, awb)
		}
	}
	// A paid order needs no word of the courier's.
	var orders domain.Orders
	var remittances domain.Remittances
	orders.Reset()
	remittances.Reset()
	priced("#1", "", rupees(1000)).addTo(&orders)
	l := paidOn("", "1", 1)
	l.Status, l.MoneyStatus = remittances.AddStatus([]byte("Delivered")), remittances.AddStatus([]byte("Paid"))
	remittances.Add(l)
	var r domain.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	require.Empty(t, r.Reason(0).CourierStatus)
	require.Empty(t, r.Reason(0).MoneyStatus)
}

// TestHintAtTheEdge is section 4 on the one unclaimed line that looks like an
// order's.
func TestHintAtTheEdge(t *testing.T) {
	long := "K" + strings.Repeat("-", 95) + "1001"
	order := priced("#1001", "SF38061", rupees(1000))
	for _, c := range []struct {
		name  string
		order export
		lines []domain.Remittance
		hint  string
	}{
		{"an order without an AWB", priced("#1001", "", rupees(1000)), []domain.Remittance{paidOn("", "KURTI-1001", rupees(1000))}, "KURTI-1001"},
		{"two lines for an order without an AWB", priced("#1001", "", rupees(1000)), []domain.Remittance{paidOn("", "KURTI-1001", rupees(1000)), paidOn("", "SHIRT-1001", rupees(1000))}, ""},
		{"a paisa", priced("#1001", "", 1), []domain.Remittance{paidOn("", "KURTI-1001", 1)}, "KURTI-1001"},
		{"no digits at all", priced("#KURTA", "", rupees(1000)), []domain.Remittance{paidOn("", "SHIRT", rupees(1000))}, ""},
		{"an id of 100 bytes", order, []domain.Remittance{paidOn("", long, rupees(1000))}, long},
		{"an id of 101 bytes", order, []domain.Remittance{paidOn("", long[:1]+"-"+long[1:], rupees(1000))}, ""},
		{"by AWB and id the same line", order, []domain.Remittance{paidOn("38061SF", "KURTI-1001", rupees(1000))}, "38061SF"},
		{"by AWB one, by id another", order, []domain.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("", "KURTI-1001", rupees(1000))}, ""},
		{"by AWB several, by id one", order, []domain.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("38061FS", "y", rupees(1000)), paidOn("", "KURTI-1001", rupees(1000))}, ""},
		{"the second of two AWBs", priced("#1001", "SF38061, SF38062", rupees(1000)), []domain.Remittance{paidOn("38062SF", "x", rupees(1000))}, "38062SF"},
		{"one of each AWB", priced("#1001", "SF38061, SF38062", rupees(1000)), []domain.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("38062SF", "x", rupees(1000))}, ""},
		{"an AWB of one character", priced("#1001", "SF-7", rupees(1000)), []domain.Remittance{paidOn("7", "KURTI-1001", rupees(1000))}, "7"},
		{"by what was paid", order, []domain.Remittance{{OrderID: []byte("KURTI-1001"), Listed: rupees(1100), Stated: rupees(1000), Remitted: rupees(1000), RemittedOn: ago(9)}}, "KURTI-1001"},
		{"an AWB's digits are no id's", priced("#38061", "", rupees(1000)), []domain.Remittance{paidOn("38061SF", "x", rupees(1000))}, ""},
		{"the same line twice is one", order, []domain.Remittance{paidOn("38061SF", "x", rupees(1000)), paidOn("38061SF", "x", rupees(1000))}, "38061SF"},
		{"a rounded AWB is none", order, []domain.Remittance{{AWB: []byte("38061"), AWBRounded: true, Listed: rupees(1000), RemittedOn: ago(9)}}, ""},
	} {
		reason := pair{orders: []export{c.order}, lines: c.lines}.withTerms().settle().Reason(0)
		require.Equal(t, c.hint, string(reason.HintID), c.name)
		require.Equal(t, c.hint != "", reason.Notes.Has(domain.NoteHint), c.name)
	}
	// An order that is settled, or listed, needs no hint.
	waiting := order
	waiting.CreatedOn = asOf
	r := pair{orders: []export{waiting, priced("#2", "", rupees(1000))}, lines: []domain.Remittance{paidOn("", "KURTI-1001", rupees(1000)), paidOn("", "2", 5), paidOn("", "X-2", rupees(1000))}}.withTerms().settle()
	require.Equal(t, []string{"AWAITING_NEXT_CYCLE", "SHORT_PAID"}, flagsOf(r))
	require.False(t, r.Reason(0).Notes.Has(domain.NoteHint))
	require.False(t, r.Reason(1).Notes.Has(domain.NoteHint))
}

// TestWarningsAtTheEdge is section 6: what each warning counts, and what not.
func TestWarningsAtTheEdge(t *testing.T) {
	month := func(orders, listed int, paid func(domain.Paise) domain.Paise) pair {
		var p pair
		for i := range orders {
			name := fmt.Sprint(1000 + i)
			p.orders = append(p.orders, priced("#"+name, "", rupees(100)))
			if i < listed {
				l := paidOn("", name, rupees(100))
				l.Remitted = paid(rupees(100))
				l.Stated, l.HasRemitted = l.Remitted, true
				p.lines = append(p.lines, l)
			}
		}
		return p
	}
	warned := func(p pair) map[domain.WarningCode]domain.Warning {
		found := map[domain.WarningCode]domain.Warning{}
		for _, w := range p.withTerms().settle().Warnings() {
			found[w.Code] = w
		}
		return found
	}
	whole := func(total domain.Paise) domain.Paise { return total }

	// few_matched speaks of shipped, uncancelled COD orders whose window has ended.
	for name, c := range map[string]struct {
		change func(*export)
		of     int
	}{
		"shipped":                      {func(*export) {}, 21},
		"prepaid":                      {func(o *export) { o.Payment = domain.PaymentPrepaid }, 20},
		"cancelled":                    {func(o *export) { o.Cancelled = true }, 20},
		"not shipped":                  {func(o *export) { o.Fulfilment = domain.Unfulfilled }, 20},
		"not shipped, but with an AWB": {func(o *export) { o.Fulfilment, o.awbs = domain.Unfulfilled, []byte("A1") }, 21},
		"inside its window":            {func(o *export) { o.FulfilledOn = ago(27) }, 20},
		"past its window":              {func(o *export) { o.FulfilledOn = ago(28) }, 21},
	} {
		p := month(20, 11, whole)
		o := priced("#1", "", rupees(100))
		c.change(&o)
		late := priced("#2", "", rupees(100)) // the reference day is its own
		late.CreatedOn, late.Payment = ago(20), domain.PaymentPrepaid
		p.orders = append(p.orders, o, late)
		for i := range p.lines {
			p.lines[i].RemittedOn = ago(30) // coverage is not complete
		}
		require.Equal(t, domain.Warning{Code: domain.WarnFewMatched, Count: 11, Of: c.of}, warned(p)[domain.WarnFewMatched], name)
	}
	require.NotContains(t, warned(month(5, 3, whole)), domain.WarnFewMatched, "60 %")
	require.Contains(t, warned(month(37, 22, whole)), domain.WarnFewMatched, "59.5 %")

	// deductions: by at least half a percent, and by shares that differ by one at most.
	share := func(hundredths domain.Paise) func(domain.Paise) domain.Paise {
		return func(total domain.Paise) domain.Paise { return total - hundredths }
	}
	require.Contains(t, warned(month(10, 10, share(50))), domain.WarnDeductions)
	require.NotContains(t, warned(month(10, 10, share(49))), domain.WarnDeductions)
	for _, first := range []bool{true, false} {
		for extra, contained := range map[domain.Paise]bool{100: true, 101: false} {
			p := month(10, 10, share(300))
			at := len(p.lines) - 1
			if first {
				at = 0
			}
			p.lines[at].Remitted -= extra
			p.lines[at].Stated -= extra
			_, found := warned(p)[domain.WarnDeductions]
			require.Equal(t, contained, found, "%d", extra)
		}
	}
	for _, c := range []struct {
		due, paid domain.Paise
		warned    bool
	}{{0, rupees(5), true}, {1, 2, false}, {rupees(100), 1, false}} {
		p := month(11, 11, share(300))
		p.orders[10].Total, p.lines[10].Listed, p.lines[10].Collected = c.due, c.due, c.due
		p.lines[10].Remitted, p.lines[10].Stated = c.paid, c.paid
		_, found := warned(p)[domain.WarnDeductions]
		require.Equal(t, c.warned, found, "%+v", c)
	}
	more := month(10, 10, share(300))
	more.lines[9].Remitted, more.lines[9].Stated = rupees(101), rupees(101)
	require.NotContains(t, warned(more), domain.WarnDeductions, "one is paid more")
	more.lines[9], more.lines[0] = more.lines[0], more.lines[9]
	require.NotContains(t, warned(more), domain.WarnDeductions, "one is paid more, at first")
	w := warned(month(10, 10, share(300)))[domain.WarnDeductions]
	require.Equal(t, domain.Warning{Code: domain.WarnDeductions, Count: 10, Amount: 3000, HasAmount: true, Share: 300}, w)
	huge := month(10, 10, whole)
	for i := range huge.orders {
		huge.orders[i].Total = 1 << 50
		huge.lines[i].Listed, huge.lines[i].Remitted, huge.lines[i].Stated = 1<<50, 1<<50-1<<46, 1<<50-1<<46
	}
	require.Equal(t, 625, warned(huge)[domain.WarnDeductions].Share)

	// unknown_payment_methods: pending orders with a method that is not known.
	p := month(10, 10, whole)
	for i, method := range []string{"Gokwik", "Shopflo", "Gokwik", "Custom", "Other", ""} {
		p.orders[i].Payment, p.orders[i].Financial = domain.PaymentUnknown, domain.FinancialPending
		p.orders[i].method = method
	}
	p.orders[6].Payment, p.orders[6].Financial = domain.PaymentUnknown, domain.FinancialPaid
	p.orders[7].Payment, p.orders[7].Financial = domain.PaymentPrepaid, domain.FinancialPending
	require.Equal(t, domain.Warning{Code: domain.WarnUnknownPaymentMethods, Count: 6, Amount: rupees(600), HasAmount: true, Examples: []string{"Gokwik", "Shopflo", "Custom"}}, warned(p)[domain.WarnUnknownPaymentMethods])

	// returned_with_amount: those that are anomalies only for that.
	p = month(20, 20, whole)
	for i := range 6 {
		p.lines[i].Remitted, p.lines[i].Stated, p.lines[i].Returned, p.lines[i].HasStatus = 0, 0, true, true
	}
	for i := range 2 {
		p.orders[i].Financial, p.orders[i].Payment = domain.FinancialPaid, domain.PaymentCOD
	}
	p.orders[2].Financial, p.orders[2].Payment = domain.FinancialPaid, domain.PaymentPrepaid
	require.Equal(t, domain.Warning{Code: domain.WarnReturnedWithAmount, Count: 4, Amount: rupees(400), HasAmount: true}, warned(p)[domain.WarnReturnedWithAmount])

	// rounded_awbs, of each file: of those that have an AWB.
	p = month(10, 10, whole)
	for i, awb := range []string{"1.1E+13", "1.2E+13", "1.1E+13", "1.3E+13", "1.4E+13", "A5"} {
		p.orders[i].awbs = []byte(awb)
		p.lines[i].AWB, p.lines[i].AWBRounded = []byte(awb), awb != "A5"
	}
	p.lines[6].AWB = []byte("7")
	var rounded []domain.Warning
	for _, w := range p.withTerms().settle().Warnings() {
		if w.Code == domain.WarnRoundedAWBs {
			rounded = append(rounded, w)
		}
	}
	some := []string{"1.1E+13", "1.2E+13", "1.3E+13"}
	require.Equal(t, []domain.Warning{{Code: domain.WarnRoundedAWBs, Count: 5, Of: 6, File: domain.StorefrontFile, Examples: some},
		{Code: domain.WarnRoundedAWBs, Count: 5, Of: 7, File: domain.CourierFile, Examples: some}}, rounded)
	zeros := month(10, 10, whole)
	zeros.lines[0].AWB, zeros.lines[1].AWB = []byte("14902600000"), []byte("14902600000")
	require.Equal(t, domain.Warning{Code: domain.WarnRoundedAWBs, Count: 2, Of: 2, File: domain.CourierFile, Examples: []string{"14902600000"}}, warned(zeros)[domain.WarnRoundedAWBs])
}
