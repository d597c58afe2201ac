package reading

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// The AWBs of the cases. A and B are of one length and begin alike; rounded is
// what a spreadsheet makes of either (it rounds up), and so is zeros.
const (
	awbA    = "19040760868931"
	awbB    = "19040760868948"
	awbC    = "77001122334455"
	awbD    = "55443322110099"
	rounded = "1.90408E+13"
	zeros   = "19040800000000"
	powerA  = "1.9040760868931E+13" // A, as a spreadsheet may write it, with all its digits
)

// The days of the cases. The latest order, and with it batch_as_of, is of newest
// unless a case says otherwise.
const (
	old      = "2026-01-05"
	newest   = "2026-02-10"
	covering = "2026-03-15" // completes the coverage
)

// dates are the days of one order.
type dates struct{ created, paid, fulfilled string }

// amounts are what one line states: in two columns, or in the only one.
type amounts struct{ collected, remitted, only Amount }

// settings are the terms of a run: days and rupees.
type settings struct {
	days  int
	minor int64
}

var blank Amount

// The classes of values, the plainest first.
var (
	financials  = []string{"pending", "paid", "partially_paid", "voided", ""}
	payments    = []string{"", "Cash on Delivery (COD)", "Prepaid", "Razorpay + Cash on Delivery", "Gokwik PPCOD", "manual", "Cash", "Partial Payment", "कैश ऑन डिलीवरी", "Razorpay + Wallet"}
	fulfilments = []string{"fulfilled", "", "restocked", "unfulfilled"}
	cancels     = []string{"", "2026-01-06"}
	owed        = [][2]Amount{
		{Rupees(1000), blank}, {Rupees(1000), Rupees(0)}, {Rupees(1000), Rupees(400)}, {Rupees(1000), Rupees(1000)},
		{blank, blank}, {blank, Rupees(400)}, {Rupees(0), blank}, {Rupees(400), blank}, {Rupees(0), Rupees(0)},
		{Rupees(2000), blank},
	}
	trackings  = []string{"", awbA, awbA + ", " + awbB, rounded, zeros, awbD, powerA, rounded + " " + awbA}
	orderDates = []dates{
		{created: old}, {created: old, fulfilled: "2026-01-07"}, {created: old, fulfilled: "2026-02-08"}, {created: newest}, {},
		{paid: old}, {fulfilled: old},
	}
	secondNames = []string{"#2", "#1"}
	currencies  = []string{"INR", "USD", ""}

	lineAWBs    = []string{"", awbA, awbB, awbC, rounded, zeros}
	lineIDs     = []string{"", "#1", "#2", "#7"}
	lineAmounts = []amounts{
		{Rupees(1000), Rupees(1000), Rupees(1000)},
		{Rupees(1000), Rupees(0), Rupees(0)},
		{Rupees(1000), Rupees(400), Rupees(400)},
		{Rupees(600), Rupees(600), Rupees(600)},
		{Rupees(1000), Rupees(998), Rupees(998)},
		{Rupees(1000), Rupees(1100), Rupees(1100)},
		{Rupees(1000), Rupees(-400), Rupees(-400)},
		{blank, Rupees(1000), blank},
		{Rupees(1000), Rupees(997), Rupees(997)},
		{Rupees(400), Rupees(0), Rupees(1)},
		{Rupees(0), Rupees(1000), Rupees(-1000)},
		{Rupees(-400), Rupees(0), Rupees(2000)},
		{Rupees(2000), Rupees(1400), Rupees(1400)},
		{Rupees(400), Rupees(400), Rupees(999)},
		{Rupees(1000), blank, Rupees(200)},
	}
	remittanceDates  = []string{"2026-01-20", covering, "", "2026-01-12"}
	deliveredDates   = []string{"", "2026-01-10", "2026-02-09"}
	statuses         = []string{"", "Delivered", "RTO Delivered", "Cancelled", "Pickup Scheduled", "Pickup Done", "R.T.O.", "RTO In Transit", "Returned: undelivered"}
	remittanceStatus = []string{"", "Not Remitted", "Remitted", "Partially Remitted"}
	utrs             = []string{"U1", "U2"}

	reports = []Columns{
		{CODAmount: "COD Amount", RemittanceDate: true},
		{CODAmount: "Collectable Amount", RemittanceDate: true},
		{CODAmount: "COD Amount", RemittedAmount: "Remitted Amount", RemittanceDate: true},
		{CODAmount: "Collectable Amount", RemittedAmount: "Remitted Amount", RemittanceDate: true},
		{CODAmount: "COD Amount", RemittedAmount: "Amount Payable", RemittanceDate: true},
		{CODAmount: "Collectable Amount", RemittedAmount: "Amount Payable"},
		{RemittedAmount: "Remitted Amount", RemittanceDate: true},
		{RemittedAmount: "Amount Payable", RemittanceDate: true},
		{RemittedAmount: "Remitted Amount"},
		{CODAmount: "COD Amount", RemittedAmount: "Remitted Amount", RemittanceDate: true, Charges: [3]string{"Freight Charges", "GST"}},
		{CODAmount: "COD Amount"},
	}
	lineCharges = [][3]string{{}, {"600"}, {"500", "100"}, {"600", "108"}, {"2"}, {"-3", "0"}, {"1400"}, {"1000"}, {"2", "18%"}}
	ids         = []Columns{{AWB: true, OrderID: true}, {AWB: true}, {OrderID: true}}
	terms       = []settings{{7, 2}, {7, 0}, {20, 2}, {30, 10}, {1, 1}}
	anchors     = []Order{
		{Name: "#9", CreatedAt: newest, Financial: "paid", PaymentMethod: "Prepaid", Fulfilment: "fulfilled", Total: Rupees(50), Currency: "INR"},
		{Name: "#9", CreatedAt: newest, Financial: "paid", PaymentMethod: "Prepaid", Total: Rupees(50), Currency: "INR"},
		{}, // none: the case's own orders are the newest
	}
	absent     = []bool{false, true}
	acceptance = []bool{false, true}
)

// field is a thing of a case that varies.
type field int

// The fields. Those of an order come twice, and so do those of a line.
const (
	financial field = iota
	payment
	fulfilment
	cancel
	owes
	tracking
	dated
	currency
	orderFields
)

const (
	lineAbsent field = iota
	lineAWB
	lineID
	lineAmount
	remittedOn
	deliveredOn
	status
	moneyStatus
	utr
	charged
	lineFields
)

const (
	columns = 2*orderFields + 2*lineFields + iota
	idColumns
	term
	anchor
	accepted
	secondOrder // absent, or how it is called
	allFields
)

func first(f field) field  { return f }
func second(f field) field { return orderFields + f }
func upper(f field) field  { return 2*orderFields + f }
func lower(f field) field  { return 2*orderFields + lineFields + f }

// pick is a class of each field. All zeros is the plainest case: one order, two
// lines that name nothing, and the anchor.
type pick [allFields]int

// sizes is how many classes each field has.
func sizes() pick {
	var n pick
	for _, order := range []func(field) field{first, second} {
		for f, size := range map[field]int{
			financial: len(financials), payment: len(payments), fulfilment: len(fulfilments), cancel: len(cancels), owes: len(owed),
			tracking: len(trackings), dated: len(orderDates), currency: len(currencies),
		} {
			n[order(f)] = size
		}
	}
	for _, line := range []func(field) field{upper, lower} {
		for f, size := range map[field]int{
			lineAbsent: len(absent), lineAWB: len(lineAWBs), lineID: len(lineIDs), lineAmount: len(lineAmounts), remittedOn: len(remittanceDates),
			deliveredOn: len(deliveredDates), status: len(statuses), moneyStatus: len(remittanceStatus), utr: len(utrs), charged: len(lineCharges),
		} {
			n[line(f)] = size
		}
	}
	n[columns], n[idColumns], n[term], n[anchor], n[accepted], n[secondOrder] = len(reports), len(ids), len(terms), len(anchors), len(acceptance), 1+len(secondNames)
	return n
}

// build makes the case of a pick.
func build(p *pick) Case {
	c := Case{Columns: reports[p[columns]], OffsetDays: terms[p[term]].days, MinorRupees: terms[p[term]].minor, Accept: acceptance[p[accepted]]}
	c.Columns.AWB, c.Columns.OrderID = ids[p[idColumns]].AWB, ids[p[idColumns]].OrderID
	c.Columns.DeliveredDate, c.Columns.Status, c.Columns.RemittanceStatus, c.Columns.UTR = true, true, true, true
	c.Orders = make([]Order, 0, 3)
	c.Orders = append(c.Orders, buildOrder(p, "#1", first))
	if p[secondOrder] > 0 {
		c.Orders = append(c.Orders, buildOrder(p, secondNames[p[secondOrder]-1], second))
	}
	if a := anchors[p[anchor]]; a.Name != "" {
		c.Orders = append(c.Orders, a)
	}
	c.Lines = make([]Line, 0, 2)
	for _, line := range []func(field) field{upper, lower} {
		if !absent[p[line(lineAbsent)]] {
			c.Lines = append(c.Lines, buildLine(p, c.Columns, line))
		}
	}
	return c
}

func buildOrder(p *pick, name string, of func(field) field) Order {
	d := orderDates[p[of(dated)]]
	return Order{
		Name: name, CreatedAt: d.created, PaidAt: d.paid, FulfilledAt: d.fulfilled, CancelledAt: cancels[p[of(cancel)]],
		Financial: financials[p[of(financial)]], Fulfilment: fulfilments[p[of(fulfilment)]], PaymentMethod: payments[p[of(payment)]],
		Total: owed[p[of(owes)]][0], Outstanding: owed[p[of(owes)]][1], Currency: currencies[p[of(currency)]], Tracking: trackings[p[of(tracking)]],
	}
}

func buildLine(p *pick, has Columns, of func(field) field) Line {
	l := Line{
		AWB: lineAWBs[p[of(lineAWB)]], OrderID: lineIDs[p[of(lineID)]],
		RemittanceDate: remittanceDates[p[of(remittedOn)]], DeliveredDate: deliveredDates[p[of(deliveredOn)]],
		Status: statuses[p[of(status)]], RemittanceStatus: remittanceStatus[p[of(moneyStatus)]], UTR: utrs[p[of(utr)]], Charges: lineCharges[p[of(charged)]],
	}
	states := lineAmounts[p[of(lineAmount)]]
	switch {
	case has.CODAmount != "" && has.RemittedAmount != "":
		l.CODAmount, l.RemittedAmount = states.collected, states.remitted
	case has.CODAmount != "":
		l.CODAmount = states.only
	default:
		l.RemittedAmount = states.only
	}
	return l
}

// part is a product of classes: what is not named is of the plainest class. nil
// stands for all classes of a field.
type part struct {
	name   string
	fields map[field][]int
	some   int // cases at most, spread over the product: a fifth by default, and five times as many with MILAAN_SOAK=short
	full   int // the same, with MILAAN_SOAK=1
}

// size is how many cases a test does: by default, with MILAAN_SOAK=short, and with any other
// MILAAN_SOAK.
func size(normal, short, full int) int {
	switch os.Getenv("MILAAN_SOAK") {
	case "":
		return normal
	case "short":
		return short
	}
	return full
}

// run answers the cases of a part, and gives how many combinations it has. Where
// there are more than the limit, they are taken at even distances; of products
// beyond count, by chance.
func (c *comparison) run(p part, limit int) (all float64) {
	size := sizes()
	fields := slices.Sorted(maps.Keys(p.fields))
	classes := make([][]int, len(fields))
	all = 1
	for i, f := range fields {
		classes[i] = p.fields[f]
		if classes[i] == nil {
			for class := range size[f] {
				classes[i] = append(classes[i], class)
			}
		}
		all *= float64(len(classes[i]))
	}
	const beyondCount = 1 << 60
	count, step := int(min(all, beyondCount)), 1
	if count > limit {
		for step = int(float64(count) * 0.6180339887); divisor(step, count) != 1; step++ {
		}
	}
	chance := rand.New(rand.NewPCG(8, 8))
	var picked pick
	for n, at := 0, 0; n < min(count, limit); n, at = n+1, (at+step)%count {
		weight, rest := 0, at
		for i, f := range fields {
			which := rest % len(classes[i])
			rest /= len(classes[i])
			if count == beyondCount {
				which = chance.IntN(len(classes[i]))
			}
			picked[f] = classes[i][which]
			if picked[f] != 0 {
				weight++
			}
		}
		c.add(build(&picked), weight)
	}
	return all
}

func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// one is a class that is always picked.
func one(class int) []int { return []int{class} }

var (
	noLine = one(1)
	onlyA  = one(1)
)

// with joins tables of fields; the last one that names a field holds.
func with(tables ...map[field][]int) map[field][]int {
	all := map[field][]int{}
	for _, table := range tables {
		maps.Copy(all, table)
	}
	return all
}

// of says which order or line a table of fields is of.
func of(which func(field) field, table map[field][]int) map[field][]int {
	all := map[field][]int{}
	for f, classes := range table {
		all[which(f)] = classes
	}
	return all
}

func parts() []part {
	allOfOrder := map[field][]int{financial: nil, payment: nil, fulfilment: nil, cancel: nil, owes: nil, tracking: nil, dated: nil, currency: {0, 0, 0, 0, 0, 0, 0, 1, 2}}
	allOfLine := map[field][]int{lineAWB: nil, lineID: nil, lineAmount: nil, remittedOn: nil, deliveredOn: nil, status: nil, moneyStatus: {0, 0, 0, 1, 2, 3}, utr: nil}
	common := map[field][]int{columns: nil, idColumns: {0, 0, 0, 1, 2}, term: nil, anchor: nil}
	oneLine := map[field][]int{lower(lineAbsent): noLine}
	return []part{
		{"one order, no line", with(of(first, allOfOrder), common, map[field][]int{upper(lineAbsent): noLine, lower(lineAbsent): noLine, columns: {0, 6}, idColumns: one(0), term: {0, 2}}), 800, 1_000_000},
		{"one order, another's line", with(of(first, allOfOrder), oneLine, map[field][]int{
			upper(lineID): one(3), upper(lineAWB): {0, 3, 4}, upper(remittedOn): nil, anchor: nil, first(currency): {0, 1}}), 1_200, 1_000_000},
		{"what an order owes", with(of(first, allOfOrder), oneLine, map[field][]int{
			first(tracking): {0, 1}, first(dated): {0, 3}, first(currency): one(0), upper(lineAWB): onlyA, upper(lineID): one(1),
			upper(lineAmount): {0, 1, 2, 6}, columns: {0, 1, 2, 3}, upper(status): {0, 2, 3, 7}, upper(deliveredOn): {0, 1}}), 2_400, 600_000},
		{"what a line says", with(of(upper, allOfLine), oneLine, map[field][]int{
			first(payment): {0, 2}, first(owes): {0, 2, 4}, first(tracking): nil, first(dated): {0, 1, 3}, first(financial): {0, 1}, columns: nil, idColumns: nil}), 2_400, 2_000_000},
		{"one order, two lines: which is whose", with(map[field][]int{
			first(payment): {0, 2}, first(owes): {0, 4, 7}, first(tracking): {0, 1, 2, 4}, first(financial): {0, 1}, columns: {0, 1, 2, 3, 6},
			upper(lineAWB): {0, 1, 2, 4, 5}, upper(lineID): {0, 1, 3}, upper(lineAmount): {0, 2, 3}, upper(utr): one(0),
			lower(lineAWB): {0, 1, 2, 4, 5}, lower(lineID): {0, 1, 3}, lower(lineAmount): {0, 2, 3}, lower(utr): {0, 1}}), 2_400, 1_000_000},
		{"one order, two lines: repeats", with(map[field][]int{
			first(payment): {0, 2}, first(owes): nil, first(tracking): {0, 1}, first(financial): {0, 1}, columns: {0, 1, 2, 3, 4, 6},
			upper(lineAWB): {0, 1, 4, 5}, upper(lineID): {0, 1}, upper(lineAmount): {0, 3, 13}, upper(status): {0, 1, 2, 3}, upper(moneyStatus): {0, 1},
			lower(lineAWB): {0, 1, 4, 5}, lower(lineID): {0, 1}, lower(lineAmount): {0, 3, 13}, lower(status): {0, 1, 2, 3}, lower(moneyStatus): {0, 1}, lower(deliveredOn): nil}), 8_800, 2_000_000},
		{"one order, two lines: parcels", with(map[field][]int{
			first(payment): {0, 2, 3}, first(owes): {0, 1, 4}, first(financial): {0, 1}, first(cancel): nil, first(tracking): one(2), columns: {0, 1, 2, 3, 4},
			upper(lineAWB): {0, 1, 2}, upper(lineID): one(1), upper(lineAmount): {1, 2, 3}, upper(status): {0, 1, 2, 3, 5}, upper(remittedOn): {0, 1, 2}, upper(deliveredOn): {0, 1},
			lower(lineAWB): {0, 1, 2}, lower(lineID): one(1), lower(lineAmount): {1, 2, 3}, lower(status): {0, 1, 2, 3, 5}, lower(remittedOn): {0, 1, 2}, lower(deliveredOn): {0, 1}}), 2_400, 3_000_000},
		{"one order, two lines: beside", with(map[field][]int{
			first(payment): {0, 2}, first(owes): {0, 2, 4, 9}, first(financial): {0, 1}, first(cancel): nil, first(tracking): onlyA, columns: {0, 1, 2, 3, 6, 9}, accepted: nil,
			upper(lineAWB): onlyA, upper(lineID): {0, 1}, upper(lineAmount): nil, upper(status): {0, 1, 2, 3, 7}, upper(remittedOn): {0, 2}, upper(deliveredOn): {0, 1}, upper(charged): {0, 1, 6},
			lower(lineAWB): {0, 3, 4}, lower(lineID): one(1), lower(lineAmount): nil, lower(status): {0, 1, 2, 3, 7}, lower(remittedOn): {0, 2}, lower(deliveredOn): {0, 1}, lower(utr): nil, lower(charged): {0, 1}}), 8_000, 3_000_000},
		{"one order, two lines: charges", with(map[field][]int{
			first(owes): {0, 4, 9}, first(payment): {0, 2}, first(cancel): nil, first(tracking): onlyA, columns: one(9), accepted: nil, term: nil,
			upper(lineAWB): onlyA, upper(lineAmount): nil, upper(charged): nil, upper(status): {0, 1, 2, 3}, upper(moneyStatus): {0, 1},
			lower(lineAWB): {0, 1, 3}, lower(lineID): one(1), lower(lineAmount): nil, lower(charged): nil, lower(utr): nil}), 4_000, 3_000_000},
		{"two orders, one line", with(oneLine, map[field][]int{
			first(payment): {0, 2}, first(fulfilment): {0, 1}, first(cancel): nil, first(tracking): nil, first(dated): nil, first(financial): {0, 1}, first(owes): {0, 7},
			second(payment): {0, 2}, second(fulfilment): {0, 1}, second(cancel): nil, second(tracking): nil, second(dated): nil, second(financial): {0, 1}, second(owes): {0, 2},
			upper(lineAWB): nil, upper(lineID): nil, upper(lineAmount): {0, 1, 3, 12}, upper(remittedOn): nil, columns: {0, 1, 2}, secondOrder: {1, 1, 2}, anchor: {0, 2}}), 2_400, 3_000_000},
		{"two orders, two lines: one AWB", with(map[field][]int{
			first(payment): {0, 2}, first(owes): {0, 2, 7}, first(tracking): {0, 1, 2}, first(cancel): {0, 1},
			second(owes): {0, 2, 7}, second(tracking): {0, 1, 2}, second(dated): {1, 3}, secondOrder: {1, 2}, columns: {0, 2, 3, 9},
			upper(lineAWB): {0, 1, 2}, upper(lineID): nil, upper(lineAmount): {0, 2, 6, 11, 12}, upper(charged): {0, 1},
			lower(lineAWB): {0, 1, 2}, lower(lineID): nil, lower(lineAmount): {0, 2, 1, 6}, lower(charged): {0, 1}, accepted: nil, upper(status): {0, 2, 7}}), 3_200, 5_000_000},
		{"two orders, two lines: rounded AWBs", with(map[field][]int{
			first(tracking): nil, second(tracking): nil, second(dated): {0, 3}, secondOrder: one(1), columns: {0, 2, 6},
			upper(lineAWB): nil, upper(lineID): nil, upper(lineAmount): {0, 1, 3}, upper(remittedOn): {0, 1},
			lower(lineAWB): nil, lower(lineID): nil, lower(lineAmount): {0, 1, 3}}), 6_000, 2_500_000},
		{"all of one order and one line", with(of(first, allOfOrder), of(upper, allOfLine), oneLine, common), 2_400, 2_000_000},
		{"all", with(of(first, allOfOrder), of(second, allOfOrder), of(upper, allOfLine), of(lower, allOfLine), common, map[field][]int{secondOrder: nil}), 2_400, 2_000_000},
	}
}

// TestEverySmallCase compares the two readings over the parts, and holds that these
// reach every rule.
func TestEverySmallCase(t *testing.T) {
	t.Parallel()
	rules := map[string]int{}
	ran := 0
	for _, p := range parts() {
		t.Run(p.name, func(t *testing.T) {
			c := newComparison()
			all := c.run(p, size(p.some/5, 5*p.some, p.full))
			t.Logf("of %.0f combinations", all)
			c.report(t)
			for rule, times := range c.rules {
				rules[rule] += times
			}
			ran++
		})
	}
	if ran < len(parts()) {
		return // only some were asked for
	}
	requireReached(t, rules,
		"due 1 prepaid", "due 2 cancelled", "due 3 not shipped", "due 4 returned", "due 5 part-paid", "due 6 as listed", "due 7 total", "due 7 no total",
		"due 5 part-paid less returned parcels", "due 6 as listed less returned parcels", "due 7 total less returned parcels", "due 7 no total less returned parcels",
		"due 7 total, repeats back", "flag 1", "flag 2", "flag 3", "flag 4", "flag 5", "flag 6", "flag 7", "flag 8", "flag 9", "flag 10 not covered", "flag 10 rounded line",
		"beside: serves the reason alone", "beside: a repeat", "beside: takes money back", "beside: a replacement", "beside: another parcel, nothing remitted",
		"beside: pays what is owed", "beside: more than is owed", "shared AWB", "shared AWB: taken back from the named order", "shared AWB: taken back from the first order",
		"shared AWB: more than all owe", "cancelled, and money taken back", "on its way back: nothing collected", "charges explain by their sum", "charges explain by one of them",
	)
}

// requireReached holds that the cases have reached rules, and tells how often they have reached each.
func requireReached(t *testing.T, rules map[string]int, wanted ...string) {
	t.Helper()
	for _, rule := range wanted {
		if rules[rule] == 0 {
			t.Errorf("no case reaches the rule %q", rule)
		}
	}
	for rule, times := range rules {
		t.Logf("%8d %s", times, rule)
	}
}
