package verdict_test

import (
	"milaan/domain"
)

// Cases at the limit of a rule of the decisions: with one paisa, one line or one order
// more or less, the result would be different.

// alike gives a line n times, each paid on another day.
func alike(n int, l line) (lines []line) {
	for i := range n {
		l.paid = days(9 + i)
		lines = append(lines, l)
	}
	return lines
}

var boundaryCases = []policyCase{
	// Section 2.
	{name: "1 pending and prepaid, a paisa to be collected", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPending, total: 1}, lines: report(line{toCollect: true, gross: true, collected: 1, delivered: days(30)}),
		want: want{flag: domain.Overdue, due: 1, shortfall: 1, days: 23, cause: domain.CauseListed}},
	{name: "1 pending and prepaid, nothing to be collected", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPending}, lines: report(line{toCollect: true, gross: true, delivered: days(30)}),
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "1 pending and prepaid, to be collected for two parcels of a report of two amounts", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPending}, lines: report(
		line{awb: "A1", id: "1001", toCollect: true, collected: rupees(600), delivered: days(30)}, line{awb: "A2", id: "1001", toCollect: true, collected: rupees(400), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed, awb: "A1, A2"}},
	{name: "1 prepaid, a paisa collected", order: order{payment: domain.PaymentPrepaid, total: 1}, lines: report(line{collected: 1, delivered: days(30)}),
		want: want{flag: domain.Overdue, due: 1, shortfall: 1, days: 23, cause: domain.CauseListed, notes: domain.NotePrepaidCollected}},
	{name: "2 cancelled, two lines that never left", order: order{cancelled: true}, lines: report(line{awb: "A1", id: "1001", collected: rupees(500), status: "never left"}, line{awb: "A2", id: "1001", collected: rupees(500), status: "never left"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseNeverLeft, awb: "A1, A2"}},
	{name: "2 cancelled, never left, a paisa paid on one of two lines", order: order{cancelled: true, total: 1}, lines: report(line{awb: "A1", id: "1001", collected: 1, remitted: 1, paid: days(9), status: "never left"}, line{awb: "A2", id: "1001", status: "never left"}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1, awb: "A1, A2"}},
	{name: "2 cancelled, never left, a paisa paid", order: order{cancelled: true, total: 1}, lines: report(line{collected: 1, remitted: 1, paid: days(9), status: "never left"}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "2 cancelled, two lines alike without a status", order: order{cancelled: true}, lines: report(line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30)}, line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed, notes: domain.NoteRepeats, awb: "A1"}},
	{name: "4 returned, a paisa collected", lines: report(line{collected: 1, returned: true}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected}},
	{name: "5 a balance of a paisa", order: order{due: paise(1)}, lines: report(line{collected: 1, remitted: 1, paid: days(9)}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "5 part-paid, and more than the total was paid", order: order{financial: domain.FinancialPartlyPaid, due: paise(-rupees(5))},
		want: want{flag: domain.Reconciled, cause: domain.CauseNothingOutstanding}},
	{name: "6 a paisa as listed", order: order{several: true, due: paise(0)}, lines: report(line{collected: 1, remitted: 1, paid: days(9)}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "6 several methods for nothing", order: order{several: true, due: paise(0), free: true},
		want: want{flag: domain.Reconciled, cause: domain.CauseTotalZero}},
	{name: "6 as listed, repeated on each payout under the AWB", order: order{several: true, due: paise(0)}, lines: report(line{awb: "A1", id: "1001", collected: rupees(400), remitted: rupees(300), paid: days(9)}, line{awb: "A1", id: "1001", collected: rupees(400), remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), awb: "A1", never: domain.NoteRefund}},
	{name: "6 as listed is the largest of a parcel", order: order{several: true, due: paise(0)}, lines: report(line{awb: "A1", id: "1001", collected: rupees(300), remitted: rupees(300), paid: days(9)}, line{awb: "A1", id: "1001", collected: rupees(400), remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), awb: "A1"}},
	{name: "6 as listed, a paisa repeated on each payout", order: order{several: true, due: paise(0)}, lines: report(line{collected: 1, remitted: 1, paid: days(9)}, line{collected: 1, paid: days(5)}),
		want: want{flag: domain.Reconciled, due: 1, remitted: 1}},
	{name: "6 as listed, the largest of a parcel is nothing", order: order{several: true, due: paise(0)}, lines: report(
		line{awb: "A1", id: "1001", collected: -rupees(100), paid: days(9)}, line{awb: "A1", id: "1001", paid: days(5)}, line{awb: "A2", id: "1001", collected: rupees(400), remitted: rupees(400), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), awb: "A1, A2"}},
	{name: "6 as listed, summed in a report of payouts alone", order: order{several: true, due: paise(0)}, lines: report(line{net: true, remitted: rupees(300), paid: days(9)}, line{net: true, remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400)}},
	{name: "7 summed in a report of payouts alone, a paisa each", order: order{blankTotal: true}, lines: report(line{net: true, remitted: 1, paid: days(9)}, line{net: true, remitted: 1, paid: days(5)}),
		want: want{flag: domain.Reconciled, due: 2, remitted: 2}},
	{name: "7 no total, and the courier lists less than nothing", order: order{blankTotal: true}, lines: report(line{gross: true, collected: -rupees(5)}),
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
	{name: "7 less what was to be collected, where payouts are told too", lines: report(
		line{awb: "A1", id: "1001", toCollect: true, collected: rupees(600), remitted: rupees(600), paid: days(9), status: "left"},
		line{awb: "A2", id: "1001", toCollect: true, collected: rupees(400), status: "rto"}),
		want: want{flag: domain.Reconciled, due: rupees(600), remitted: rupees(600), notes: domain.NoteReturnedParcel | domain.NoteReturnedDeducted, awb: "A1, A2"}},
	{name: "7 less a paisa that was to be collected", lines: report(
		line{awb: "A1", id: "1001", toCollect: true, gross: true, collected: rupees(1000) - 1, remitted: rupees(1000) - 1, paid: days(9), status: "left"},
		line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: 1, status: "rto"}),
		want: want{flag: domain.Reconciled, due: rupees(1000) - 1, remitted: rupees(1000) - 1, notes: domain.NoteReturnedParcel | domain.NoteReturnedDeducted, awb: "A1, A2"}},
	{name: "7 less all of a paisa", order: order{total: 1}, lines: report(
		line{awb: "A1", id: "1001", status: "left"}, line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: 1, status: "rto"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseReturnedAmount, awb: "A1, A2"}},
	{name: "7 a total of nothing, of which nothing is subtracted", order: order{free: true}, lines: report(
		line{awb: "A1", id: "1001", status: "left"}, line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: 1, status: "rto"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseTotalZero, awb: "A1, A2"}},

	{name: "7 what all parcels that came back were to collect is due where the shop has it marked paid", order: order{financial: domain.FinancialPaid}, lines: report(
		line{awb: "A1", id: "1001", toCollect: true, gross: true, collected: rupees(600), status: "rto"},
		line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: rupees(400), status: "rto"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseMarkedPaid, never: domain.NoteReturnedParcel, awb: "A1, A2"}},

	// Section 4: a parcel is an AWB.
	{name: "returned at first, delivered at last, under the AWB", lines: report(line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(20), status: "left"}, line{awb: "A1", id: "1001", collected: rupees(1000), delivered: days(30), status: "rto", utr: "x"}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 13, cause: domain.CauseListed, never: domain.NoteReturnedParcel, awb: "A1"}},
	{name: "one returned parcel is no part of several", lines: report(line{awb: "A1", id: "1001", collected: rupees(1000), status: "rto"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected, never: domain.NoteReturnedParcel | domain.NoteRefund, awb: "A1"}},

	{name: "a rounded AWB is not told where a good one stands beside it", order: order{awb: "1.90408E+12, 38061"},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 31, awb: "38061", mode: "awb", never: domain.NoteOwnAWBRounded}},
	{name: "a rounded AWB is not told where a line was found", order: order{awb: "1.90408E+12"}, lines: report(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23, awb: "1.90408E+12", never: domain.NoteOwnAWBRounded | domain.NoteHint, notes: domain.NoteCollected}},
	{name: "a paisa collected and not paid is told", lines: report(line{collected: 1, delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23, notes: domain.NoteCollected, never: domain.NoteRepeats | domain.NoteRefund}},
	{name: "a cod_amount that is not what is due is told", lines: report(line{collected: rupees(900), remitted: rupees(900), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(900), shortfall: rupees(100), notes: domain.NoteCollected, never: domain.NoteRefund | domain.NotePrepaidCollected}},
	{name: "of a report without one nothing is told", lines: report(line{net: true, remitted: rupees(900), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(900), shortfall: rupees(100), never: domain.NoteCollected | domain.NoteRefund | domain.NotePrepaidCollected}},
	{name: "a paisa taken back is told", lines: report(line{collected: rupees(1000), remitted: rupees(1000), paid: days(9)}, line{remitted: -1, paid: days(5)}),
		want: want{flag: domain.MinorDiff, due: rupees(1000), remitted: rupees(1000) - 1, shortfall: 1, notes: domain.NoteRefund | domain.NoteCollected}},

	// Section 1: repeats.
	{name: "paid in full, and listed twice", order: order{awb: "38061"}, lines: report(line{awb: "38061", collected: rupees(1000), remitted: rupees(1000), paid: days(12)}, line{awb: "38061", collected: rupees(1000), remitted: rupees(1000), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeats, awb: "38061", mode: "awb"}},
	{name: "repeats that pay nothing do not count after all", lines: report(line{gross: true, collected: rupees(1000), remitted: rupees(1000), paid: days(12)}, line{gross: true, collected: rupees(1000), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeats, never: domain.NoteRepeatsCounted}},
	{name: "a repeat is taken back if either is", order: order{awb: "38061"}, lines: report(line{awb: "38061", gross: true, collected: rupees(1000), remitted: rupees(1000), paid: days(20)},
		line{awb: "38061", gross: true, collected: -rupees(300), remitted: -rupees(300), paid: days(5)}, line{awb: "38061", gross: true, collected: -rupees(300), paid: days(5)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(700), shortfall: rupees(300), notes: domain.NoteRepeats | domain.NoteRefund, awb: "38061", mode: "awb"}},
	{name: "an AWB of one character tells a parcel", order: order{awb: "7"}, lines: report(line{awb: "7", remitted: rupees(500), paid: days(12)}, line{awb: "7", remitted: rupees(500), paid: days(12)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(500), shortfall: rupees(500), notes: domain.NoteRepeats, awb: "7", mode: "awb"}},
}
