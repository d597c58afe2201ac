package domain_test

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// The decision table of decisions.md, sections 2 to 4, as data. Days are
// counted from the batch's reference day: -3 is three days before it.

const asOf = domain.Day(20_500)

func ago(days int) domain.Day { return asOf - domain.Day(days) }

// order is one order of a case; what is left out is the ordinary: ₹1,000 cash
// on delivery, fulfilled, ordered 40 days and shipped 38 days ago.
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
	awb, id   string // without either: the case's order
	rounded   bool
	collected domain.Paise
	remitted  domain.Paise
	paid      *int // days ago
	delivered *int
	returned  bool
	utr       string
}

type want struct {
	flag      domain.Flag
	due       domain.Paise
	remitted  domain.Paise
	shortfall domain.Paise
	days      int
	reason    string // how it begins
	not       string // what it does not say
	awb       string
	mode      string // "" is order_id
}

// rounded ends the reason of an order whose AWB could not find its lines.
const rounded = "; its AWB was rounded by a spreadsheet: export it as text"

func days(n int) *int                    { return &n }
func paise(p domain.Paise) *domain.Paise { return &p }
func rupees(n domain.Paise) domain.Paise { return n * domain.Rupee }
func settled(l ...line) []line           { return l }
func paidLine(remitted domain.Paise) []line {
	return settled(line{collected: rupees(1000), remitted: remitted, paid: days(20), delivered: days(30)})
}

type policyCase struct {
	name   string
	order  order
	lines  []line
	terms  domain.Terms // zero: 7 days, ₹2
	others []order      // further orders of the export
	// through is how far past the reference day the courier's file reaches,
	// told by a line of another shop; nil: as far as the case's lines do.
	through *int
	want    want
}

var policyCases = []policyCase{
	// Section 4, rule by rule.
	{name: "1 nothing due, nothing remitted", order: order{payment: domain.PaymentPrepaid},
		want: want{flag: domain.Reconciled, reason: "Nothing due: prepaid order"}},
	{name: "2 returned, the courier lists it as collected", lines: settled(line{collected: rupees(1000), returned: true, delivered: days(30)}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), reason: "Returned but COD collected: ₹1,000 not remitted; the courier lists it as collected"}},
	{name: "2 returned, the shop has it marked paid", order: order{financial: domain.FinancialPaid}, lines: settled(line{returned: true}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), reason: "Returned but COD collected: ₹1,000 not remitted; the shop has it marked paid"}},
	{name: "2 comes before the window", order: order{shipped: days(1)}, lines: settled(line{collected: rupees(1000), returned: true, delivered: days(0)}),
		want: want{flag: domain.RTOAnomaly, due: rupees(1000), shortfall: rupees(1000), reason: "Returned but COD collected"}},
	{name: "returned, no evidence of collection", lines: settled(line{returned: true}),
		want: want{flag: domain.Reconciled, reason: "Nothing due: returned, nothing collected"}},
	{name: "returned and prepaid", order: order{payment: domain.PaymentPrepaid, financial: domain.FinancialPaid}, lines: settled(line{returned: true}),
		want: want{flag: domain.Reconciled, reason: "Nothing due: prepaid order"}},
	{name: "returned after payment, reversed", lines: settled(line{collected: rupees(1000), remitted: rupees(1000), paid: days(20)}, line{collected: -rupees(1000), remitted: -rupees(1000), paid: days(10), returned: true}),
		want: want{flag: domain.Reconciled, reason: "Nothing due: returned, nothing collected"}},
	{name: "returned, but paid for", lines: settled(line{collected: rupees(1000), remitted: rupees(1000), paid: days(20), returned: true}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted: ₹1,000"}},
	{name: "3 remitted in full", lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted: ₹1,000 by " + ago(20).String()}},
	{name: "4 one paisa too much", lines: paidLine(rupees(1000) + 1),
		want: want{flag: domain.Overpaid, due: rupees(1000), remitted: rupees(1000) + 1, shortfall: -1, reason: "Overpaid: ₹0.01 more than the ₹1,000 due"}},
	{name: "4 money for nothing due", order: order{payment: domain.PaymentPrepaid}, lines: settled(line{remitted: rupees(5), paid: days(3)}),
		want: want{flag: domain.Overpaid, remitted: rupees(5), shortfall: -rupees(5), reason: "Overpaid: ₹5"}},
	{name: "5 one paisa short", lines: paidLine(rupees(1000) - 1),
		want: want{flag: domain.MinorDiff, due: rupees(1000), remitted: rupees(1000) - 1, shortfall: 1, reason: "Within tolerance: ₹0.01 of ₹1,000"}},
	{name: "5 exactly the threshold", lines: paidLine(rupees(998)),
		want: want{flag: domain.MinorDiff, due: rupees(1000), remitted: rupees(998), shortfall: rupees(2), reason: "Within tolerance: ₹2 of ₹1,000 not remitted, up to ₹2 is tolerated"}},
	{name: "6 a paisa over the threshold", lines: paidLine(rupees(998) - 1),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(998) - 1, shortfall: rupees(2) + 1, reason: "Shortfall detected: ₹2.01 of ₹1,000 not remitted"}},
	{name: "6 a threshold of 0 switches MINOR_DIFF off", terms: domain.Terms{OffsetDays: 7, MinorGap: 0}, lines: paidLine(rupees(1000) - 1),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(1000) - 1, shortfall: 1, reason: "Shortfall detected"}},
	{name: "6 clawed back", lines: settled(line{remitted: -rupees(300), paid: days(5)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: -rupees(300), shortfall: rupees(1300), reason: "Shortfall detected: ₹1,000 not remitted and ₹300 taken back; dispute the difference"}},
	{name: "6 clawed back, with nothing due", order: order{payment: domain.PaymentPrepaid}, lines: settled(line{remitted: -rupees(300), paid: days(5)}),
		want: want{flag: domain.ShortPaid, remitted: -rupees(300), shortfall: rupees(300), reason: "Shortfall detected: ₹300 taken back, with nothing due; dispute the difference"}},
	{name: "5 clawed back, within tolerance", order: order{total: rupees(1)}, lines: settled(line{remitted: -rupees(1), paid: days(5)}),
		want: want{flag: domain.MinorDiff, due: rupees(1), remitted: -rupees(1), shortfall: rupees(2), reason: "Within tolerance: ₹1 not remitted and ₹1 taken back, up to ₹2 is tolerated"}},
	{name: "7 the window's last day", order: order{shipped: days(7)},
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting next remittance cycle: ₹1,000 expected by " + ago(0).String()}},
	{name: "7 listed, still inside the window", lines: settled(line{collected: rupees(1000), delivered: days(7)}),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting next remittance cycle"}},
	{name: "8 the day after the window", lines: settled(line{collected: rupees(1000), delivered: days(8)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted within the courier's window: ₹1,000 listed by the courier, but unpaid; 1 day late, due by " + ago(1).String()}},
	{name: "9 not listed, and the file covers the window", order: order{shipped: days(14)}, through: days(0),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 7, reason: "Not remitted: ₹1,000 in no line of the courier file, which reaches " + ago(0).String()}},
	{name: "10 not listed, one day short of covering the window", order: order{shipped: days(13)}, through: days(0),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 6, reason: "Not remitted within the courier's window: ₹1,000 not listed by the courier yet"}},
	{name: "10 not listed, and the file has no date",
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, reason: "Not remitted within the courier's window"}},

	// Windows and coverage.
	{name: "the window starts at the latest delivery", order: order{shipped: days(30)}, lines: settled(line{collected: rupees(500), delivered: days(20)}, line{collected: rupees(500), delivered: days(7), utr: "x"}),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting"}},
	{name: "not shipped on any day: the order's date", order: order{ordered: days(8), status: "partial"},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted within"}},
	{name: "complete coverage closes every window", order: order{shipped: days(0)}, through: days(-14),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted: "}},
	{name: "a day before complete coverage", order: order{shipped: days(0)}, through: days(-13),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting"}},
	{name: "complete coverage, listed", order: order{shipped: days(0)}, lines: settled(line{collected: rupees(1000), delivered: days(0)}), through: days(-14),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted within"}},
	{name: "a longer window needs a longer coverage", order: order{shipped: days(0)}, terms: domain.Terms{OffsetDays: 20, MinorGap: rupees(2)}, through: days(-19),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting"}},
	{name: "and gets it", order: order{shipped: days(0)}, terms: domain.Terms{OffsetDays: 20, MinorGap: rupees(2)}, through: days(-20),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted: "}},
	{name: "an order without a date waits", order: order{undated: true}, through: days(-13),
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting next remittance cycle: ₹1,000 expected"}},
	{name: "until coverage is complete", order: order{undated: true}, through: days(-14),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted"}},

	// Section 2: what is due.
	{name: "prepaid, but the courier collected", order: order{payment: domain.PaymentPrepaid}, lines: settled(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, reason: "Not remitted within"}},
	{name: "a blank payment method is cash", order: order{payment: domain.PaymentBlank}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted"}},
	{name: "manual is cash while pending", order: order{payment: domain.PaymentManual, financial: domain.FinancialPending}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted"}},
	{name: "manual is prepaid once paid", order: order{payment: domain.PaymentManual, financial: domain.FinancialPaid},
		want: want{flag: domain.Reconciled, reason: "Nothing due: prepaid order"}},
	{name: "cancelled, no parcel", order: order{cancelled: true},
		want: want{flag: domain.Reconciled, reason: "Nothing due: cancelled order"}},
	{name: "voided, no parcel", order: order{financial: domain.FinancialVoided},
		want: want{flag: domain.Reconciled, reason: "Nothing due: cancelled order"}},
	{name: "cancelled, but the courier has it", order: order{cancelled: true}, lines: settled(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, reason: "Not remitted within"}},
	{name: "restocked, no parcel", order: order{status: "restocked"},
		want: want{flag: domain.Reconciled, reason: "Nothing due: restocked"}},
	{name: "never shipped, window closed", order: order{status: "unfulfilled", ordered: days(8)}, others: []order{{}},
		want: want{flag: domain.Reconciled, reason: "Nothing due: never shipped"}},
	{name: "never shipped, window open", order: order{status: "-", ordered: days(7)}, others: []order{{}},
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting"}},
	{name: "nobody is fulfilled: the column is not kept", order: order{status: "-", ordered: days(8)},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted within"}},
	{name: "unfulfilled, but it has an AWB", order: order{status: "unfulfilled", ordered: days(8), awb: "38061"}, others: []order{{}},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 1, reason: "Not remitted within", awb: "38061", mode: "awb"}},
	{name: "part-paid: the outstanding balance", order: order{financial: domain.FinancialPartlyPaid, due: paise(rupees(600))}, lines: paidLine(rupees(600)),
		want: want{flag: domain.Reconciled, due: rupees(600), remitted: rupees(600), reason: "Fully remitted: ₹600"}},
	{name: "a balance below the total is part-payment", order: order{due: paise(rupees(1000) - 1)}, lines: paidLine(rupees(1000) - 1),
		want: want{flag: domain.Reconciled, due: rupees(1000) - 1, remitted: rupees(1000) - 1, reason: "Fully remitted"}},
	{name: "a balance of the whole total is not", order: order{due: paise(rupees(1000))}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted"}},
	{name: "a balance of nothing is not", order: order{financial: domain.FinancialPaid, due: paise(0)}, lines: paidLine(rupees(1000)),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted"}},
	{name: "several methods: what the courier collected", order: order{several: true, due: paise(0)}, lines: settled(line{collected: rupees(400), remitted: rupees(400), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), reason: "Fully remitted: ₹400"}},
	{name: "part-paid, and the export keeps no balance: what the courier collected", order: order{financial: domain.FinancialPartlyPaid}, lines: settled(line{collected: rupees(400), remitted: rupees(400), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(400), remitted: rupees(400), reason: "Fully remitted: ₹400"}},
	{name: "several methods, nothing collected: the total", order: order{several: true, due: paise(0)},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, reason: "Not remitted within"}},
	{name: "a blank total: what the courier collected", order: order{blankTotal: true}, lines: settled(line{collected: rupees(700), remitted: rupees(650), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(700), remitted: rupees(650), shortfall: rupees(50), reason: "Shortfall detected: ₹50 of ₹700"}},
	{name: "a total of nothing", order: order{free: true},
		want: want{flag: domain.Reconciled, reason: "Nothing due: the order's total is ₹0"}},
	{name: "no amount anywhere", order: order{blankTotal: true},
		want: want{flag: domain.Reconciled, reason: "Nothing due: no amount in either file"}},

	// Section 3: matching, and section 1: lines.
	{name: "by AWB", order: order{awb: "38061"}, lines: settled(line{awb: "38061", collected: rupees(1000), remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted", awb: "38061", mode: "awb"}},
	{name: "by order id where no line bears the AWB", order: order{awb: "38061"}, lines: settled(line{awb: "14199", id: "1001", collected: rupees(1000), remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted", awb: "38061", mode: "order_id"}},
	{name: "an AWB beats the order id", order: order{awb: "38061"}, lines: settled(line{awb: "38061", remitted: rupees(400), paid: days(9)}, line{awb: "14199", id: "#1001", remitted: rupees(600), paid: days(9)}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(400), shortfall: rupees(600), reason: "Shortfall", awb: "38061", mode: "awb"}},
	{name: "two AWBs of one order", order: order{awb: "38061, 38062"}, lines: settled(line{awb: "38062", remitted: rupees(600), paid: days(9)}, line{awb: "38061", remitted: rupees(400), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted", awb: "38061, 38062", mode: "awb"}},
	{name: "the courier's AWB where the shop has none", lines: settled(line{awb: "B2", id: "1001", remitted: rupees(400), paid: days(9)}, line{awb: "A1", id: "1001", remitted: rupees(600), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted", awb: "A1, B2"}},
	{name: "an AWB that is listed, unmatched", order: order{awb: "38061"},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, reason: "Not remitted within", awb: "38061", mode: "awb"}},
	{name: "a rounded AWB is none", order: order{awb: "1.90408E+12"}, lines: settled(line{awb: "1904076086893", id: "1001", remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted", awb: "1904076086893"}},
	{name: "a rounded AWB of the courier matches nothing", order: order{awb: "1.90408E+12"}, lines: settled(line{awb: "1.90408E+12", rounded: true, remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Missing, due: rupees(1000), shortfall: rupees(1000), days: 31, reason: "Not remitted: ₹1,000 in no line of the courier file, which reaches " + ago(9).String() + "; 31 days late, due by " + ago(31).String() + rounded, awb: "1.90408E+12"}},
	{name: "a rounded AWB, not listed yet", order: order{awb: "1.90408E+12"},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, reason: "Not remitted within the courier's window: ₹1,000 not listed by the courier yet; 31 days late, due by " + ago(31).String() + rounded, awb: "1.90408E+12"}},
	{name: "a rounded AWB, inside the window", order: order{awb: "1.90408E+12", shipped: days(1)},
		want: want{flag: domain.AwaitingNextCycle, due: rupees(1000), reason: "Awaiting next remittance cycle: ₹1,000 expected by " + ago(-6).String() + rounded, awb: "1.90408E+12"}},
	{name: "a rounded AWB beside a good one", order: order{awb: "1.90408E+12, 38061"},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, reason: "Not remitted within", not: rounded, awb: "38061", mode: "awb"}},
	{name: "a rounded AWB, listed by order id", order: order{awb: "1.90408E+12"}, lines: settled(line{collected: rupees(1000), delivered: days(30)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 23, reason: "Not remitted within", not: rounded, awb: "1.90408E+12"}},
	{name: "a rounded AWB of a prepaid order", order: order{awb: "1.90408E+12", payment: domain.PaymentPrepaid},
		want: want{flag: domain.Reconciled, reason: "Nothing due: prepaid order", not: rounded, awb: "1.90408E+12"}},
	{name: "no AWB in the cell", order: order{awb: "-"},
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 31, reason: "Not remitted within", not: rounded, awb: "-"}},
	{name: "letters of either case, a clone's id", order: order{}, lines: settled(line{id: "1001-C", remitted: rupees(1000), paid: days(9)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted"}},
	{name: "split payouts are summed", lines: settled(line{remitted: rupees(300), paid: days(12), utr: "U1"}, line{remitted: rupees(300), paid: days(12), utr: "U2"}, line{remitted: rupees(400), paid: days(5)}),
		want: want{flag: domain.Reconciled, due: rupees(1000), remitted: rupees(1000), reason: "Fully remitted: ₹1,000 by " + ago(5).String()}},
	{name: "the same line twice counts once", lines: settled(line{remitted: rupees(500), paid: days(12), utr: "U1"}, line{remitted: rupees(500), paid: days(12), utr: "U1"}),
		want: want{flag: domain.ShortPaid, due: rupees(1000), remitted: rupees(500), shortfall: rupees(500), reason: "Shortfall"}},
	{name: "a repeated unpaid line is still a line", lines: settled(line{collected: rupees(1000), delivered: days(20)}, line{collected: rupees(1000), delivered: days(20)}),
		want: want{flag: domain.Overdue, due: rupees(1000), shortfall: rupees(1000), days: 13, reason: "Not remitted within"}},
}

// settle runs one case: its order is #1001, the others follow.
func settle(c policyCase, lines []line) *domain.Reconciliation {
	var orders domain.Orders
	var remittances domain.Remittances
	orders.Reset()
	remittances.Reset()
	add(&orders, "#1001", c.order)
	// Another order fixes the reference day; it has its own parcel and is paid.
	reference := order{ordered: days(0), shipped: days(0), awb: "99999", status: "partial"}
	add(&orders, "#9999", reference)
	for i, o := range c.others {
		add(&orders, "#"+strconv.Itoa(2000+i), o)
	}
	remittances.Add(domain.Remittance{AWB: []byte("99999"), Remitted: rupees(1000)})
	for _, l := range lines {
		r := domain.Remittance{AWB: []byte(l.awb), OrderID: []byte(strings.TrimPrefix(l.id, "#")), AWBRounded: l.rounded,
			Collected: l.collected, Remitted: l.remitted, Returned: l.returned, UTR: []byte(l.utr)}
		if l.awb == "" && l.id == "" {
			r.OrderID = []byte("1001")
		}
		if l.paid != nil {
			r.RemittedOn = ago(*l.paid)
		}
		if l.delivered != nil {
			r.DeliveredOn = ago(*l.delivered)
		}
		remittances.Add(r)
	}
	if c.through != nil {
		remittances.Add(domain.Remittance{AWB: []byte("foreign"), DeliveredOn: ago(*c.through)})
	}
	terms := c.terms
	if terms == (domain.Terms{}) {
		terms = domain.TermsFor(nil, 0, nil)
	}
	var r domain.Reconciliation
	if err := r.Settle(&orders, &remittances, terms); err != nil {
		panic(err)
	}
	return &r
}

func add(orders *domain.Orders, name string, o order) {
	into, _ := orders.Named([]byte(name))
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
	switch o.status {
	case "":
		into.Fulfilment = "fulfilled"
	case "-":
	default:
		into.Fulfilment = o.status
	}
	if o.undated {
		return
	}
	into.CreatedOn = ago(40)
	if o.ordered != nil {
		into.CreatedOn = ago(*o.ordered)
	}
	if o.shipped != nil {
		into.FulfilledOn = ago(*o.shipped)
	} else if into.Fulfilment == "fulfilled" || into.Fulfilment == "restocked" {
		into.FulfilledOn = ago(38)
	}
}

func TestDecisionTable(t *testing.T) {
	for _, c := range policyCases {
		t.Run(c.name, func(t *testing.T) {
			r := settle(c, c.lines)
			checkFirst(t, c.want, r)
			// The courier's order of lines means nothing.
			reversed := make([]line, len(c.lines))
			for i, l := range c.lines {
				reversed[len(c.lines)-1-i] = l
			}
			checkFirst(t, c.want, settle(c, reversed))
		})
	}
}

func checkFirst(t *testing.T, w want, r *domain.Reconciliation) {
	t.Helper()
	got := r.Result(0)
	require.Equal(t, w.flag.String(), got.Flag.String())
	require.Equal(t, w.due, got.Due, "due")
	require.Equal(t, w.remitted, got.Remitted, "remitted")
	require.Equal(t, w.shortfall, got.Shortfall, "shortfall")
	require.Equal(t, w.days, got.DaysOverdue, "days overdue")
	require.Equal(t, w.awb, string(got.AWB), "AWB")
	require.Equal(t, cmp.Or(w.mode, "order_id"), got.MatchMode.String())
}
