package verdict_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// The decision table of the guide: verdict 2 to 4, as data. Days are
// counted from the batch's reference day: -3 is three days before it.

const asOf = domain.Day(20_500)

func ago(days int) domain.Day { return asOf - domain.Day(days) }

// order is one order of a case. Fields that are not set have usual values: ₹1,000
// cash on delivery, fulfilled, ordered 40 days and shipped 38 days ago.
type order struct {
	awb        string
	total      domain.Paise
	blankTotal bool
	free       bool          // a total of 0
	due        *domain.Paise // outstanding balance
	ordered    *int          // days ago
	shipped    *int          // days ago
	undated    bool
	status     string // fulfilment; "-" is blank
	financial  domain.Financial
	payment    domain.Payment
	several    bool
	cancelled  bool
}

// line is one line of the courier's file.
type line struct {
	awb, id   string // if both are blank, the line names the order of the case
	rounded   bool
	collected domain.Paise
	remitted  domain.Paise
	paid      *int // days ago
	delivered *int
	returned  bool
	status    string // of the shipment: "rto", "on its way" (back), "left" or "never left"; "" is none, unless returned
	toCollect bool   // collected is what was to be collected
	gross     bool   // the report has no remitted_amount
	net       bool   // the report has no cod_amount
	utr       string
}

type want struct {
	flag      domain.Flag
	due       domain.Paise
	remitted  domain.Paise
	shortfall domain.Paise
	days      int
	cause     domain.Cause
	notes     domain.Notes // notes that the reason has, among others
	never     domain.Notes // notes that it does not have
	awb       string
	mode      string // "" is order_id
}

func days(n int) *int                    { return &n }
func paise(p domain.Paise) *domain.Paise { return &p }
func rupees(n domain.Paise) domain.Paise { return n * domain.Rupee }
func report(l ...line) []line            { return l }
func paidLine(remitted domain.Paise) []line {
	return report(line{collected: rupees(1000), remitted: remitted, paid: days(20), delivered: days(30)})
}

type policyCase struct {
	name  string
	order order
	lines []line
	terms domain.Terms // zero: 7 days, ₹2
	// through is how many days past the reference day the report reaches,
	// by a line of another shop; nil: the lines of the case decide.
	through *int
	others  []order // further orders of the export
	want    want
}

var policyCases = []policyCase{
	// Section 4, rule by rule.
	{name: "1 nothing due, nothing remitted", order: order{payment: domain.PaymentPrepaid},
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "2 returned, the courier lists it as collected", lines: report(line{collected: rupees(1000), returned: true, delivered: days(30)}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected}},
	{name: "2 returned, the shop has it marked paid", order: order{financial: domain.FinancialPaid}, lines: report(line{returned: true}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseMarkedPaid}},
	{name: "2 comes before the window", order: order{shipped: days(1)}, lines: report(line{collected: rupees(1000), returned: true, delivered: days(0)}),
		want: want{flag: domain.RTOAnomaly, cause: domain.CauseCourierCollected, due: rupees(1000), shortfall: rupees(1000)}},
	{name: "returned, no evidence of collection", lines: report(line{returned: true}),
		want: want{flag: domain.Reconciled, cause: domain.CauseReturned}},
	{name: "returned and prepaid", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPaid}, lines: report(line{returned: true}),
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "returned after payment, reversed: it was paid, so it was collected", lines: report(line{collected: rupees(1000), remitted: rupees(1000), paid: days(20)}, line{collected: -rupees(1000), remitted: -rupees(1000), paid: days(10), returned: true}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 31}},
	{name: "2 on its way back, with a COD amount: nothing was collected yet", lines: report(line{collected: rupees(1000), status: "on its way"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseOnWayBack}},
	{name: "2 on its way back after a delivery", lines: report(line{collected: rupees(1000), status: "on its way", delivered: days(30)}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected}},
	{name: "2 on its way back, the shop has it marked paid", order: order{financial: domain.FinancialPaid}, lines: report(line{collected: rupees(1000), status: "on its way"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseMarkedPaid}},
	{name: "2 one parcel on its way back, one collected and returned", lines: report(line{awb: "A1", id: "1001", collected: rupees(400), status: "on its way"}, line{awb: "A2", id: "1001", collected: rupees(600), status: "rto"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected, awb: "A1, A2"}},
	{name: "2 two parcels on their way back", lines: report(line{awb: "A1", id: "1001", collected: rupees(400), status: "on its way"}, line{awb: "A2", id: "1001", collected: rupees(600), status: "on its way"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseOnWayBack, awb: "A1, A2"}},
	{name: "2 a charge on a cancelled order", order: order{cancelled: true}, lines: report(line{remitted: -rupees(40), paid: days(9), status: "never left"}),
		want: want{flag: domain.ShortPaid, cause: domain.CauseNeverLeft, remitted: -rupees(40), shortfall: rupees(40)}},
	{name: "returned, but paid for", lines: report(line{collected: rupees(1000), remitted: rupees(1000), paid: days(20), returned: true}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "3 remitted in full", lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "4 one paisa too much", lines: paidLine(rupees(1000) + 1),
		want: want{flag: domain.Overpaid, due: rupees(1000), remitted: rupees(1000) + 1, shortfall: -1}},
	{name: "4 money for nothing due", order: order{payment: domain.PaymentPrepaid}, lines: report(line{remitted: rupees(5), paid: days(3)}),
		want: want{flag: domain.Overpaid, cause: domain.CausePrepaid, remitted: rupees(5), shortfall: -rupees(5)}},
	{name: "5 one paisa short", lines: paidLine(rupees(1000) - 1),
		want: want{flag: domain.MinorDiff, due: rupees(1000), remitted: rupees(1000) - 1, shortfall: 1}},
	{name: "5 exactly the threshold", lines: paidLine(rupees(998)),
		want: want{flag: domain.MinorDiff, due: rupees(1000), remitted: rupees(998), shortfall: rupees(2)}},
	{name: "6 a paisa over the threshold", lines: paidLine(rupees(998) - 1),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(998) - 1, shortfall: rupees(2) + 1}},
	{name: "6 a threshold of 0 switches MINOR_DIFF off", terms: domain.Terms{OffsetDays: 7, MinorGap: 0}, lines: paidLine(rupees(1000) - 1),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(1000) - 1, shortfall: 1}},
	{name: "6 clawed back", lines: report(line{remitted: -rupees(300), paid: days(5)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: -rupees(300), shortfall: rupees(1300)}},
	{name: "6 clawed back, with nothing due", order: order{payment: domain.PaymentPrepaid}, lines: report(line{remitted: -rupees(300), paid: days(5)}),
		want: want{flag: domain.ShortPaid, cause: domain.CausePrepaid, remitted: -rupees(300), shortfall: rupees(300)}},
	{name: "5 clawed back, within tolerance", order: order{total: rupees(1)}, lines: report(line{remitted: -rupees(1), paid: days(5)}),
		want: want{flag: domain.MinorDiff, due: rupees(1), remitted: -rupees(1), shortfall: rupees(2)}},
	{name: "7 the window's last day", order: order{shipped: days(7)},
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000)}},
	{name: "7 listed, still inside the window", lines: report(line{collected: rupees(1000), delivered: days(7)}),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000)}},
	{name: "8 the day after the window", lines: report(line{collected: rupees(1000), delivered: days(8)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 1, cause: domain.CauseListed}},
	{name: "9 not listed, and the file covers the window", order: order{shipped: days(14)}, through: days(0),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 7}},
	{name: "10 not listed, one day short of covering the window", order: order{shipped: days(13)}, through: days(0),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 6, cause: domain.CauseNotCovered}},
	{name: "10 not listed, and the file has no date",
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 31}},

	// Windows and coverage.
	{name: "the window starts at the latest delivery", order: order{shipped: days(30)}, lines: report(line{collected: rupees(500), delivered: days(20)}, line{collected: rupees(500), delivered: days(7), utr: "x"}),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000)}},
	{name: "not shipped on any day: the order's date", order: order{ordered: days(8), status: "partial"},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 1}},
	{name: "complete coverage closes every window", order: order{shipped: days(0)}, through: days(-14),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 1}},
	{name: "a day before complete coverage", order: order{shipped: days(0)}, through: days(-13),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000)}},
	{name: "complete coverage, listed", order: order{shipped: days(0)}, lines: report(line{collected: rupees(1000), delivered: days(0)}), through: days(-14),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 1}},
	{name: "a longer window needs a longer coverage", order: order{shipped: days(0)}, terms: domain.Terms{OffsetDays: 20, MinorGap: rupees(2)}, through: days(-19),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000)}},
	{name: "and gets it", order: order{shipped: days(0)}, terms: domain.Terms{OffsetDays: 20, MinorGap: rupees(2)}, through: days(-20),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 1}},
	{name: "an order without a date waits", order: order{undated: true}, through: days(-13),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000)}},
	{name: "until coverage is complete", order: order{undated: true}, through: days(-14),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 1}},

	// Section 2: what is due.
	{name: "prepaid, but the courier collected", order: order{payment: domain.PaymentPrepaid}, lines: report(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23}},
	{name: "the courier collected less than is due, and paid it", lines: report(line{collected: rupees(700), remitted: rupees(700), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(700), shortfall: rupees(300), notes: domain.NoteCollected}},
	{name: "manual is cash while pending", order: order{payment: domain.PaymentManual, financial: domain.FinancialPending}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "manual is prepaid once paid", order: order{payment: domain.PaymentManual, financial: domain.FinancialPaid},
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "cancelled, no parcel", order: order{cancelled: true},
		want: want{flag: domain.Reconciled, cause: domain.CauseCancelled}},
	{name: "voided, no parcel", order: order{financial: domain.FinancialVoided},
		want: want{flag: domain.Reconciled, cause: domain.CauseCancelled}},
	{name: "cancelled, but the courier has it", order: order{cancelled: true}, lines: report(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23}},
	{name: "restocked, no parcel", order: order{status: "restocked"},
		want: want{flag: domain.Reconciled, cause: domain.CauseRestocked}},
	{name: "never shipped, window closed", order: order{status: "unfulfilled", ordered: days(8)}, others: []order{{}},
		want: want{flag: domain.Reconciled, cause: domain.CauseNotShipped}},
	{name: "never shipped, window open", order: order{status: "-", ordered: days(7)}, others: []order{{}},
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000)}},
	{name: "nobody is fulfilled: the column is not kept", order: order{status: "-", ordered: days(8)},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 1}},
	{name: "unfulfilled, but it has an AWB", order: order{status: "unfulfilled", ordered: days(8), awb: "38061"}, others: []order{{}},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 1, awb: "38061", mode: "awb"}},
	{name: "part-paid: the outstanding balance", order: order{financial: domain.FinancialPartlyPaid, due: paise(rupees(600))}, lines: paidLine(rupees(600)),
		want: want{flag: domain.Reconciled, due: rupees(600), remitted: rupees(600)}},
	{name: "a balance below the total is part-payment", order: order{due: paise(rupees(1000) - 1)}, lines: paidLine(rupees(1000) - 1),
		want: want{flag: domain.Reconciled, due: rupees(1000) - 1, remitted: rupees(1000) - 1}},
	{name: "a balance of the whole total is not", order: order{due: paise(rupees(1000))}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "a balance of nothing is not", order: order{financial: domain.FinancialPaid, due: paise(0)}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "several methods: what the courier collected", order: order{several: true, due: paise(0)}, lines: report(line{collected: rupees(400), remitted: rupees(400), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), never: domain.NotePartPrepaid}},
	{name: "5 part-paid, but the export keeps no balance: the total", order: order{financial: domain.FinancialPartlyPaid}, lines: report(line{collected: rupees(400), remitted: rupees(400), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(400), shortfall: rupees(600)}},
	{name: "several methods, not listed: the total, perhaps", order: order{several: true, due: paise(0)},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 31, notes: domain.NotePartPrepaid}},
	{name: "several methods, marked paid, awaited", order: order{several: true, financial: domain.FinancialPaid, shipped: days(2)},
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), notes: domain.NotePartPrepaid}},
	{name: "several methods, listed without an amount", order: order{several: true}, lines: report(line{delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23, notes: domain.NotePartPrepaid}},
	{name: "several methods, listed with the total", order: order{several: true}, lines: report(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 23, never: domain.NotePartPrepaid}},
	{name: "several methods, paid and taken back without an amount listed", order: order{several: true},
		lines: report(line{collected: rupees(400), remitted: rupees(400), paid: days(20), net: true}, line{collected: -rupees(400), remitted: -rupees(400), paid: days(10), net: true}),
		want:  want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 31, never: domain.NotePartPrepaid}},
	{name: "one method, not listed", want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 31, never: domain.NotePartPrepaid}},
	{name: "a blank total: what the courier collected", order: order{blankTotal: true}, lines: report(line{collected: rupees(700), remitted: rupees(650), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(700), remitted: rupees(650), shortfall: rupees(50)}},
	{name: "a total of nothing", order: order{free: true},
		want: want{flag: domain.Reconciled, cause: domain.CauseTotalZero}},
	{name: "no amount anywhere", order: order{blankTotal: true},
		want: want{flag: domain.Reconciled, cause: domain.CauseNoAmount}},

	{name: "1 unknown methods are prepaid", order: order{payment: domain.PaymentUnknown, financial: domain.FinancialPending},
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "1 cash while pending", order: order{payment: domain.PaymentCash, financial: domain.FinancialPending},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, cause: domain.CauseNotCovered}},
	{name: "1 cash with an AWB", order: order{payment: domain.PaymentCash, financial: domain.FinancialPaid, awb: "38061"},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, cause: domain.CauseNotCovered, awb: "38061", mode: "awb"}},
	{name: "1 cash over the counter", order: order{payment: domain.PaymentCash, financial: domain.FinancialPaid},
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "1 prepaid and pending, with an amount to be collected", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPending}, lines: report(line{toCollect: true, gross: true, collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed, notes: domain.NotePrepaidCollected}},
	{name: "1 prepaid and paid, with an amount to be collected", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPaid}, lines: report(line{toCollect: true, gross: true, collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid}},
	{name: "1 prepaid, collected all the same", order: order{payment: domain.PaymentPrepaid}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NotePrepaidCollected}},
	{name: "2 cancelled, the parcel never left", order: order{cancelled: true}, lines: report(line{collected: rupees(1000), status: "never left"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseNeverLeft}},
	{name: "2 restocked, the parcel never left", order: order{status: "restocked"}, lines: report(line{collected: rupees(1000), status: "never left"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseNeverLeft}},
	{name: "2 cancelled, one of its lines says that it left", order: order{cancelled: true}, lines: report(line{collected: rupees(1000), status: "never left"}, line{collected: rupees(1000), status: "left", delivered: days(30), utr: "x"}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed}},
	{name: "2 cancelled, one of its lines has no status", order: order{cancelled: true}, lines: report(line{collected: rupees(1000), status: "never left"}, line{collected: rupees(1000), delivered: days(30), utr: "x"}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed}},
	{name: "2 cancelled, never left, but paid for", order: order{cancelled: true}, lines: report(line{collected: rupees(1000), remitted: rupees(1000), paid: days(9), status: "never left"}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "2 not cancelled, never left", lines: report(line{toCollect: true, collected: rupees(1000), delivered: days(30), status: "never left"}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, cause: domain.CauseListed}},
	{name: "4 an ordinary RTO of an order report", lines: report(line{toCollect: true, gross: true, collected: rupees(1000), returned: true, delivered: days(30)}),
		want: want{flag: domain.Reconciled, cause: domain.CauseReturned}},
	{name: "4 the same, but the shop has it marked paid", order: order{financial: domain.FinancialPaid}, lines: report(line{toCollect: true, gross: true, collected: rupees(1000), returned: true, delivered: days(30)}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseMarkedPaid}},
	{name: "5 part-paid down to nothing", order: order{financial: domain.FinancialPartlyPaid, due: paise(0)},
		want: want{flag: domain.Reconciled, cause: domain.CauseNothingOutstanding}},
	{name: "6 as listed is the total: the total", order: order{several: true, due: paise(0)}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "6 as listed, of a split payout that repeats it", order: order{several: true, due: paise(0)}, lines: report(line{collected: rupees(400), remitted: rupees(300), paid: days(9)}, line{collected: rupees(400), remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400)}},
	{name: "6 as listed, of two parcels", order: order{several: true, due: paise(0)}, lines: report(line{awb: "A1", id: "1001", collected: rupees(400), remitted: rupees(400), paid: days(9)}, line{awb: "A2", id: "1001", collected: rupees(300), remitted: rupees(300), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(700), remitted: rupees(700), awb: "A1, A2"}},
	{name: "6 as listed, summed in a report of one amount", order: order{several: true, due: paise(0)}, lines: report(line{gross: true, collected: rupees(300), remitted: rupees(300), paid: days(9)}, line{gross: true, collected: rupees(100), remitted: rupees(100), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400)}},
	{name: "7 less what was to be collected for the parcel that came back", lines: report(
		line{awb: "A1", id: "1001", toCollect: true, gross: true, collected: rupees(600), remitted: rupees(600), paid: days(9), status: "left"},
		line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: rupees(400), status: "rto"}),
		want: want{flag: domain.Reconciled, due: rupees(600), remitted: rupees(600), notes: domain.NoteReturnedParcel | domain.NoteReturnedDeducted, awb: "A1, A2"}},
	{name: "7 never below nothing", lines: report(
		line{awb: "A1", id: "1001", toCollect: true, gross: true, collected: rupees(1), status: "left"},
		line{awb: "A2", id: "1001", toCollect: true, gross: true, collected: rupees(1200), status: "rto"}),
		want: want{flag: domain.Reconciled, cause: domain.CauseReturnedAmount, notes: domain.NoteReturnedParcel, awb: "A1, A2"}},
	{name: "7 what was collected for a parcel that came back is due", lines: report(
		line{awb: "A1", id: "1001", gross: true, collected: rupees(600), remitted: rupees(600), paid: days(9), status: "left"},
		line{awb: "A2", id: "1001", gross: true, collected: rupees(400), status: "rto"}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(600), shortfall: rupees(400), notes: domain.NoteReturnedParcel, never: domain.NoteReturnedDeducted, awb: "A1, A2"}},

	// Section 4: a parcel has the status of its latest-dated line.
	{name: "returned at last", lines: report(line{collected: rupees(1000), delivered: days(30), status: "left"}, line{collected: rupees(1000), delivered: days(20), status: "rto", utr: "x"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected}},
	{name: "returned at first, delivered at last", lines: report(line{collected: rupees(1000), delivered: days(20), status: "left"}, line{collected: rupees(1000), delivered: days(30), status: "rto", utr: "x"}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 13, cause: domain.CauseListed}},
	{name: "a later line without a status says nothing", lines: report(line{collected: rupees(1000), delivered: days(30), status: "rto"}, line{collected: rupees(1000), delivered: days(20), utr: "x"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected}},
	{name: "one parcel of two came back: not returned", lines: report(line{awb: "A1", id: "1001", collected: rupees(500), delivered: days(30), status: "left"}, line{awb: "A2", id: "1001", collected: rupees(500), delivered: days(29), status: "rto"}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 22, cause: domain.CauseListed, notes: domain.NoteReturnedParcel, awb: "A1, A2"}},
	{name: "both parcels came back", lines: report(line{awb: "A1", id: "1001", collected: rupees(500), status: "rto"}, line{awb: "A2", id: "1001", collected: rupees(500), status: "rto"}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), cause: domain.CauseCourierCollected, never: domain.NoteReturnedParcel, awb: "A1, A2"}},
	{name: "a refund is told", lines: report(line{collected: rupees(1000), remitted: rupees(1000), paid: days(9)}, line{remitted: -rupees(100), paid: days(5)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(900), shortfall: rupees(100), notes: domain.NoteRefund | domain.NoteCollected}},

	// Section 4: the file covers an order's window only if it reaches past its start.
	{name: "10 coverage is complete, but not past this order's dispatch", order: order{shipped: days(-5)}, through: days(-14),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 1, cause: domain.CauseNotCovered}},

	// Section 3: matching, and section 1: lines.
	{name: "by AWB", order: order{awb: "38061"}, lines: report(line{awb: "38061", collected: rupees(1000), remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), awb: "38061", mode: "awb"}},
	{name: "by order id where no line bears the AWB", order: order{awb: "38061"}, lines: report(line{awb: "14199", id: "1001", collected: rupees(1000), remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), awb: "38061", mode: "order_id"}},
	{name: "a line by order id beside one by AWB", order: order{awb: "38061"}, lines: report(line{awb: "38061", remitted: rupees(400), paid: days(9)}, line{awb: "14199", id: "#1001", remitted: rupees(600), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), awb: "38061", mode: "awb"}},
	{name: "an AWB beats the order id", order: order{awb: "38061"}, lines: report(line{awb: "38061", remitted: rupees(400), paid: days(9)}, line{awb: "14199", id: "#1001", remitted: rupees(601), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(400), shortfall: rupees(600), awb: "38061", mode: "awb"}},
	{name: "two AWBs of one order", order: order{awb: "38061, 38062"}, lines: report(line{awb: "38062", remitted: rupees(600), paid: days(9)}, line{awb: "38061", remitted: rupees(400), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), awb: "38061, 38062", mode: "awb"}},
	{name: "the courier's AWB where the shop has none", lines: report(line{awb: "B2", id: "1001", remitted: rupees(400), paid: days(9)}, line{awb: "A1", id: "1001", remitted: rupees(600), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), awb: "A1, B2"}},
	{name: "an AWB that is listed, unmatched", order: order{awb: "38061"},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 31, awb: "38061", mode: "awb"}},
	{name: "a rounded AWB is none", order: order{awb: "1.90408E+12"}, lines: report(line{awb: "1904076086893", id: "1001", remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), awb: "1904076086893"}},
	{name: "a rounded AWB of the courier matches nothing, but may be the order's", order: order{awb: "1.90408E+12"}, lines: report(line{awb: "1.90408E+12", rounded: true, remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, cause: domain.CauseMayBeRounded, notes: domain.NoteOwnAWBRounded, awb: "1.90408E+12"}},
	{name: "a rounded AWB, not listed yet", order: order{awb: "1.90408E+12"},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, cause: domain.CauseNotCovered, notes: domain.NoteOwnAWBRounded, awb: "1.90408E+12"}},
	{name: "a rounded AWB, inside the window", order: order{awb: "1.90408E+12", shipped: days(1)},
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), notes: domain.NoteOwnAWBRounded, awb: "1.90408E+12"}},
	{name: "a rounded AWB of a prepaid order", order: order{awb: "1.90408E+12", payment: domain.PaymentPrepaid},
		want: want{flag: domain.Reconciled, cause: domain.CausePrepaid, awb: "1.90408E+12"}},
	{name: "no AWB in the cell", order: order{awb: "-"},
		want: want{flag: domain.Overdue, cause: domain.CauseNotCovered, due: rupees(1000), shortfall: rupees(1000), days: 31}},
	{name: "letters of either case, a clone's id", order: order{}, lines: report(line{id: "1001-C", remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	{name: "split payouts are summed", lines: report(line{remitted: rupees(300), paid: days(12), utr: "U1"}, line{remitted: rupees(300), paid: days(12), utr: "U2"}, line{remitted: rupees(400), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000)}},
	// Section 1: repeats.
	{name: "the same line twice counts once", order: order{awb: "38061"}, lines: report(line{awb: "38061", remitted: rupees(500), paid: days(12), utr: "U1"}, line{awb: "38061", remitted: rupees(500), paid: days(12), utr: "U1"}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(500), shortfall: rupees(500), notes: domain.NoteRepeats, never: domain.NoteRepeatsCounted, awb: "38061", mode: "awb"}},
	{name: "told by the order id alone, and due with both: parcels of their own", lines: report(line{remitted: rupees(500), paid: days(12), utr: "U1"}, line{remitted: rupees(500), paid: days(12), utr: "U1"}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeatsCounted, never: domain.NoteRepeats}},
	{name: "the same with a rounded AWB", lines: report(line{awb: "1.49026E+13", id: "1001", rounded: true, remitted: rupees(500), paid: days(12)}, line{awb: "1.49026E+13", id: "1001", rounded: true, remitted: rupees(500), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeatsCounted | domain.NoteLineAWBRounded}},
	{name: "told by the order id alone, but not due with all", lines: report(line{remitted: rupees(500), paid: days(12)}, line{remitted: rupees(500), paid: days(12)}, line{remitted: rupees(500), paid: days(12)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(500), shortfall: rupees(500), notes: domain.NoteRepeats}},
	{name: "told by the order id alone, and due without them", lines: report(line{remitted: rupees(1000), paid: days(12)}, line{remitted: rupees(1000), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeats}},
	{name: "repeats that count after all do not change what is due", order: order{blankTotal: true}, lines: report(line{gross: true, collected: rupees(500), remitted: rupees(500), paid: days(12)}, line{gross: true, collected: rupees(500), remitted: rupees(500), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(500), remitted: rupees(500), notes: domain.NoteRepeats}},
	{name: "a repeat is paid if either is", order: order{awb: "38061"}, lines: report(line{awb: "38061", gross: true, collected: rupees(1000), paid: days(12)}, line{awb: "38061", gross: true, collected: rupees(1000), remitted: rupees(1000), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), notes: domain.NoteRepeats, awb: "38061", mode: "awb"}},
	{name: "the latest delivery of a repeat holds", order: order{awb: "38061", shipped: days(30)}, lines: report(line{awb: "38061", collected: rupees(1000), delivered: days(20)}, line{awb: "38061", collected: rupees(1000), delivered: days(7)}),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), awb: "38061", mode: "awb"}},
	{name: "another UTR is no repeat", order: order{awb: "38061"}, lines: report(line{awb: "38061", remitted: rupees(500), paid: days(12), utr: "U1"}, line{awb: "38061", remitted: rupees(500), paid: days(12), utr: "U2"}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), never: domain.NoteRepeats, awb: "38061", mode: "awb"}},
	{name: "another listed amount is no repeat", order: order{awb: "38061"}, lines: report(line{awb: "38061", collected: rupees(500), remitted: rupees(500), paid: days(12)}, line{awb: "38061", collected: rupees(501), remitted: rupees(500), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), never: domain.NoteRepeats, awb: "38061", mode: "awb"}},
	{name: "another remittance date is no repeat", order: order{awb: "38061"}, lines: report(line{awb: "38061", remitted: rupees(500), paid: days(12)}, line{awb: "38061", remitted: rupees(500), paid: days(11)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), never: domain.NoteRepeats, awb: "38061", mode: "awb"}},
	{name: "another AWB is no repeat", lines: report(line{awb: "A1", id: "1001", remitted: rupees(500), paid: days(12)}, line{awb: "A2", id: "1001", remitted: rupees(500), paid: days(12)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), never: domain.NoteRepeats, awb: "A1, A2"}},
	{name: "a repeated unpaid line is still a line", lines: report(line{collected: rupees(1000), delivered: days(20)}, line{collected: rupees(1000), delivered: days(20)}),
		want: want{flag: domain.Overdue, cause: domain.CauseListed, due: rupees(1000), shortfall: rupees(1000), days: 13}},
}

// reconcile runs one case. Its order is #1001; the others follow it.
func reconcile(c policyCase, lines []line) *verdict.Reconciliation {
	return mustDecide(c.terms, func(orders *verdict.Orders, remittances *verdict.Remittances) {
		add(orders, "#1001", c.order)
		// Another order fixes the reference day; it has its own parcel and is paid.
		add(orders, "#9999", order{ordered: days(0), shipped: days(0), awb: "99999", status: "partial"})
		for i, o := range c.others {
			add(orders, "#"+strconv.Itoa(2000+i), o)
		}
		remittances.Add(verdict.Remittance{AWB: []byte("99999"), Remitted: rupees(1000)})
		for _, l := range lines {
			remittances.Add(remittance(l))
		}
		if c.through != nil {
			remittances.Add(verdict.Remittance{AWB: []byte("foreign"), DeliveredOn: ago(*c.through)})
		}
	})
}

// remittance is a line as the reader of reports returns it.
func remittance(l line) verdict.Remittance {
	r := verdict.Remittance{AWB: []byte(l.awb), OrderID: []byte(strings.TrimPrefix(l.id, "#")), AWBRounded: l.rounded, UTR: []byte(l.utr),
		Listed: l.collected, Collected: l.collected, Remitted: l.remitted, ToBeCollected: l.toCollect}
	switch {
	case l.net:
		r.Listed, r.Collected, r.Stated, r.HasRemitted = 0, l.remitted, l.remitted, true
	case !l.gross:
		r.Stated, r.HasRemitted = l.remitted, true
	}
	if l.toCollect && l.remitted == 0 {
		r.Collected = 0
	}
	r.Returned = l.returned || l.status == "rto" || l.status == "on its way"
	r.NeverLeft, r.OnWayBack = l.status == "never left", l.status == "on its way"
	r.HasStatus = l.status != "" || r.Returned
	if l.awb == "" && l.id == "" {
		r.OrderID = []byte("1001")
	}
	if l.paid != nil {
		r.RemittedOn = ago(*l.paid)
	}
	if l.delivered != nil {
		r.DeliveredOn = ago(*l.delivered)
	}
	return r
}

func add(orders *verdict.Orders, name string, o order) {
	into, _ := orders.FindOrAdd([]byte(name))
	into.Total, into.HasTotal = o.total, !o.blankTotal
	if o.total == 0 && !o.blankTotal && !o.free {
		into.Total = rupees(1000)
	}
	if o.due != nil {
		into.Outstanding, into.HasOutstanding = *o.due, true
	}
	if o.awb != "" {
		orders.Track(into, []byte(o.awb))
	}
	into.Financial, into.Payment, into.PartPrepaid, into.Cancelled = o.financial, o.payment, o.several, o.cancelled
	if o.payment == domain.PaymentBlank && o.financial != domain.FinancialBlank {
		into.Payment = domain.PaymentCOD
	}
	into.Fulfilment = map[string]verdict.Fulfilment{"": verdict.Fulfilled, "restocked": verdict.Restocked, "partial": verdict.FulfilmentOther}[o.status]
	if o.undated {
		return
	}
	into.CreatedOn = ago(40)
	if o.ordered != nil {
		into.CreatedOn = ago(*o.ordered)
	}
	if o.shipped != nil {
		into.FulfilledOn = ago(*o.shipped)
	} else if into.Fulfilment == verdict.Fulfilled || into.Fulfilment == verdict.Restocked {
		into.FulfilledOn = ago(38)
	}
}

func TestDecisionTable(t *testing.T) {
	for _, c := range slices.Concat(policyCases, boundaryCases) {
		t.Run(c.name, func(t *testing.T) {
			r := reconcile(c, c.lines)
			checkFirst(t, c.want, r)
			// The order of the courier's lines makes no difference.
			reversed := slices.Clone(c.lines)
			slices.Reverse(reversed)
			checkFirst(t, c.want, reconcile(c, reversed))
		})
	}
}

func checkFirst(t *testing.T, w want, r *verdict.Reconciliation) {
	t.Helper()
	got := r.Result(0)
	require.Equal(t, w.flag.String(), got.Flag.String())
	require.Equal(t, w.due, got.Due, "due")
	require.Equal(t, w.remitted, got.Remitted, "remitted")
	require.Equal(t, w.shortfall, got.Shortfall, "shortfall")
	require.Equal(t, w.days, got.DaysOverdue, "days overdue")
	require.Equal(t, w.awb, string(got.AWB), "AWB")
	require.Equal(t, cmp.Or(w.mode, "order_id"), got.MatchMode.String())
	reason := r.Reason(0)
	require.Equal(t, w.cause, reason.Cause, "cause")
	require.Equal(t, w.notes, reason.Notes&w.notes, "notes")
	require.Zero(t, reason.Notes&w.never, "notes that should not be")
}
