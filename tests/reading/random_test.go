package reading

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLargerCases compares the two readings over cases drawn by chance, of up to
// 30 orders and 40 lines, in which what the rules say of neighbours, shared AWBs,
// repeats and rounded AWBs matters. They are the same each time.
func TestLargerCases(t *testing.T) {
	t.Parallel()
	c := newComparison()
	chance := rand.New(rand.NewPCG(20, 26))
	for range size(200, 2_000, 200_000) {
		given := draw(chance)
		c.add(given, len(given.Orders)+len(given.Lines))
	}
	requireReached(t, c.rules, "flag 10 another courier or time", "shared AWB", "due 7 total, repeats back")
	c.report(t)
}

// TestCasesOfSeveralReports compares the two readings over cases whose lines are in one to
// five reports of one courier or of several: the answers, the control totals and the
// payouts. Reports of one courier must give the answer of their joined file.
func TestCasesOfSeveralReports(t *testing.T) {
	t.Parallel()
	c := newComparison()
	chance := rand.New(rand.NewPCG(10, 26))
	for range size(60, 800, 100_000) {
		given := draw(chance)
		joined := Reconcile(given)
		couriers := []string{"dtdc", "delhivery", "custom"}[:1+chance.IntN(3)]
		for left := len(given.Lines); left > 0 || len(given.Reports) == 0; {
			r := Report{Lines: chance.IntN(left + 1), Courier: couriers[chance.IntN(len(couriers))]}
			if len(given.Reports) == 4 {
				r.Lines = left
			}
			given.Reports, left = append(given.Reports, r), left-r.Lines
		}
		c.add(given, len(given.Orders)+len(given.Lines))
		got, err := c.engine.reconcile(given)
		if err != nil {
			t.Fatal(err)
		}
		listedAgain := slices.Contains(Reconcile(given).Hits, "a line is listed again") // in one file the two are two payments
		if len(couriers) > 1 || got.Warnings["corrected_payout"].Is || got.Warnings["payout_listed_twice"].Is || listedAgain {
			continue // one file cannot say which of its lines are the newer ones
		}
		if all := differences(joined, got); slices.ContainsFunc(all, func(what string) bool {
			gap := strings.HasPrefix(what, "flag by rule 9: MISSING, of the engine OVERDUE") || strings.HasPrefix(what, "flag by rule 10 payout lacks") ||
				what == "warning payout_gap" // whether a payout lacks hangs on the reports
			return !gap && what != "totals" && what != "payouts" && !strings.HasPrefix(what, "the engine")
		}) {
			t.Fatalf("cut into reports: %v\n%s", all, show(given, joined, got))
		}
	}
	c.report(t)
}

// TestPaymentsListedUnlike compares the two readings where reports of one payout list payments of few orders, paid in parts and sent in
// several parcels, or money taken back, and do not say all of them.
func TestPaymentsListedUnlike(t *testing.T) {
	t.Parallel()
	c := newComparison()
	chance := rand.New(rand.NewPCG(26, 26))
	for range size(600, 20_000, 200_000) {
		given := drawPayments(chance)
		c.add(given, len(given.Lines))
	}
	requireReached(t, c.rules,
		"the order is paid too much with a line that is listed again", "one of several parcels is paid too much", "money is taken back once")
	c.report(t)
}

func drawPayments(chance *rand.Rand) Case {
	some := func(texts ...string) string { return texts[chance.IntN(len(texts))] }
	given := Case{Columns: reports[[]int{0, 2, 6, 9}[chance.IntN(4)]], OffsetDays: 7}
	given.Columns.AWB, given.Columns.OrderID, given.Columns.UTR = true, true, true
	awbs, named := [][]string{{"", ""}, {awbA, ""}, {awbA, awbB}, {awbA + "," + awbB, awbB}}[chance.IntN(4)], []string{"1"}
	if awbs[0] != "" && chance.IntN(2) == 0 { // else the AWB of a line is of one order
		named = append(named, "2")
	}
	for i, name := range named {
		o := Order{Name: name, CreatedAt: old, Financial: "pending", Fulfilment: "fulfilled", Total: Rupees(1000), Tracking: awbs[i]}
		given.Orders = append(given.Orders, o)
	}
	given.Reports = make([]Report, 2+chance.IntN(2))
	var payments []Line
	for range 1 + chance.IntN(4) {
		on := chance.IntN(3)
		l := Line{AWB: some(awbA, awbA, awbB, ""), OrderID: some(named...), UTR: fmt.Sprint("60991234567", on)}
		l.RemittanceDate = fmt.Sprint("2026-01-2", on)
		l.CODAmount = Rupees([]int64{1000, 600, 500, 400, 300, 0, -1000, -600, -500, -400}[chance.IntN(10)])
		if l.RemittedAmount = l.CODAmount; chance.IntN(4) == 0 {
			l.RemittedAmount = Rupees(l.CODAmount.Paise/100 - 40)
		}
		payments = append(payments, l)
	}
	for i := range given.Reports {
		given.Reports[i].Courier = some("dtdc", "dtdc", "delhivery")
		lacks := chance.IntN(5)
		for _, l := range payments {
			// The engine compares lines of no order only if an order is paid twice.
			known := l.AWB != "" && slices.ContainsFunc(given.Orders, func(o Order) bool { return strings.Contains(o.Tracking, l.AWB) })
			switch {
			case chance.IntN(3) == 0:
				continue
			case lacks == 0:
				l.UTR = ""
			case lacks == 1 && known:
				l.OrderID = ""
			case lacks == 2 && known && chance.IntN(2) == 0:
				l.UTR, l.OrderID = "", ""
			}
			given.Lines = append(given.Lines, l)
			given.Reports[i].Lines++
		}
	}
	return given
}

// draw draws a case: a month or several of orders, and a report that pays some of
// them, most of them right.
func draw(chance *rand.Rand) Case {
	oneOf := func(n int) bool { return chance.IntN(n) == 0 }
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	iso := func(days int) string { return first.AddDate(0, 0, days).Format(time.DateOnly) }
	given := Case{Columns: reports[chance.IntN(len(reports)-1)], OffsetDays: terms[chance.IntN(len(terms))].days, MinorRupees: terms[chance.IntN(len(terms))].minor, Accept: oneOf(2)}
	given.Columns.AWB, given.Columns.OrderID = true, !oneOf(4)
	given.Columns.Status, given.Columns.DeliveredDate, given.Columns.RemittanceStatus, given.Columns.UTR = !oneOf(3), !oneOf(3), !oneOf(3), true
	count := 1 + chance.IntN(30)
	if !oneOf(3) {
		count = 20 + chance.IntN(11)
	}
	span := []int{10, 30, 60, 120}[chance.IntN(4)]
	untidy := 3 + chance.IntN(12) // how seldom something is unusual
	awbs := make([]string, count)
	for i := range count {
		awbs[i] = fmt.Sprintf("190407%08d", 60868931+17*i)
		created := chance.IntN(span)
		o := Order{
			Name: fmt.Sprintf("#%d", 1001+i), CreatedAt: iso(created), Financial: "pending", Fulfilment: "fulfilled",
			Total: Rupees([]int64{400, 600, 1000, 1000, 2000}[chance.IntN(5)]), Currency: "INR",
		}
		if oneOf(2) {
			o.FulfilledAt = iso(created + chance.IntN(8))
		}
		if !oneOf(3) {
			o.Tracking = awbs[i]
		}
		if oneOf(untidy) && i > 0 {
			o.Tracking = awbs[chance.IntN(i)]
		}
		if oneOf(untidy) && i > 0 {
			o.Tracking += ", " + awbs[chance.IntN(i)]
		}
		if oneOf(2 * untidy) {
			o.Tracking = []string{rounded, zeros}[chance.IntN(2)]
		}
		if oneOf(2*untidy) && i > 0 {
			o.Name = given.Orders[chance.IntN(i)].Name
		}
		if oneOf(untidy) {
			o.PaymentMethod = payments[chance.IntN(len(payments))]
		}
		if oneOf(untidy) {
			o.Financial = financials[chance.IntN(len(financials))]
		}
		if oneOf(untidy) {
			o.Fulfilment = fulfilments[chance.IntN(len(fulfilments))]
		}
		if oneOf(untidy) {
			o.CancelledAt = iso(created + 1)
		}
		if oneOf(untidy) {
			o.Outstanding = []Amount{Rupees(0), Rupees(400), Rupees(200)}[chance.IntN(3)]
		}
		if oneOf(3 * untidy) {
			o.CreatedAt = ""
		}
		if oneOf(4 * untidy) {
			o.Total = blank
		}
		given.Orders = append(given.Orders, o)
	}
	// The report pays the orders of a stretch of the export's time.
	from, to := 0, span
	if oneOf(2) {
		from = chance.IntN(span)
		to = from + 1 + chance.IntN(span)
	}
	for i := range given.Orders {
		o := &given.Orders[i]
		if len(given.Lines) == 40 || o.CreatedAt < iso(from) || o.CreatedAt > iso(to) || oneOf(3) {
			continue
		}
		l := Line{AWB: awbs[i], OrderID: o.Name, CODAmount: o.Total, RemittedAmount: o.Total, RemittanceDate: iso(to + chance.IntN(30)), UTR: utrs[chance.IntN(2)]}
		switch {
		case oneOf(4):
			l.AWB = ""
		case oneOf(4):
			l.OrderID = ""
		}
		if oneOf(untidy) {
			l.AWB = []string{rounded, zeros, awbs[chance.IntN(count)]}[chance.IntN(3)]
		}
		if oneOf(untidy) {
			l.OrderID = given.Orders[chance.IntN(count)].Name
		}
		if oneOf(untidy) {
			l.CODAmount = Rupees([]int64{0, 400, 600, 1000, 1400, 2000, 3000, -400}[chance.IntN(8)])
			l.RemittedAmount = l.CODAmount
		}
		if oneOf(untidy) {
			l.RemittedAmount = Rupees([]int64{0, 400, 600, 998, 997, 1400, 2000, -400}[chance.IntN(8)])
		}
		if oneOf(untidy) {
			l.RemittanceDate = ""
		}
		if oneOf(2) {
			l.DeliveredDate = iso(chance.IntN(span + 10))
		}
		if oneOf(3) {
			l.Status = statuses[chance.IntN(len(statuses))]
		}
		if oneOf(untidy) {
			l.RemittanceStatus = remittanceStatus[chance.IntN(3)]
		}
		if oneOf(untidy) && len(given.Lines) < 39 { // two parcels of one price, told by the order id alone
			l.AWB, l.OrderID = []string{"", rounded}[chance.IntN(2)], o.Name
			l.CODAmount.Paise, l.RemittedAmount.Paise = o.Total.Paise/2, o.Total.Paise/2
			given.Lines = append(given.Lines, l)
		}
		given.Lines = append(given.Lines, l)
		for len(given.Lines) < 40 && oneOf(untidy) { // a repeat, or nearly
			again := l
			switch chance.IntN(6) {
			case 0:
				again.Status = statuses[chance.IntN(len(statuses))]
			case 1:
				again.RemittanceStatus = []string{"", "Payment reversed", "Remitted"}[chance.IntN(3)]
			case 2:
				again.UTR = utrs[chance.IntN(2)]
			case 3:
				again.DeliveredDate = iso(chance.IntN(span + 10))
			case 4:
				again.RemittedAmount = Rupees(400)
			}
			given.Lines = append(given.Lines, again)
		}
	}
	for i := range given.Orders {
		if oneOf(2 * untidy) {
			given.Orders[i].Tracking = shownNumber(chance, given.Orders[i].Tracking)
		}
	}
	for i := range given.Lines {
		if l := &given.Lines[i]; oneOf(untidy) {
			l.AWB, l.OrderID = shownNumber(chance, l.AWB), shownNumber(chance, strings.TrimPrefix(l.OrderID, "#"))
		}
	}
	chance.Shuffle(len(given.Lines), func(i, j int) { given.Lines[i], given.Lines[j] = given.Lines[j], given.Lines[i] })
	return given
}

// shownNumber writes a number of at least four digits as a spreadsheet may show it; other texts stay as they are.
func shownNumber(chance *rand.Rand, number string) string {
	if !isNumber(number) || len(number) < 4 {
		return number
	}
	text := number
	if size := 1 + chance.IntN(3); size > 1 { // lakhs or thousands
		head := number[:len(number)-3]
		for text = number[len(number)-3:]; len(head) > size; head = head[:len(head)-size] {
			text = head[len(head)-size:] + "," + text
		}
		text = head + "," + text
	}
	return text + []string{"", ".0", ".00"}[chance.IntN(3)]
}
