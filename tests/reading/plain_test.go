package reading

import "testing"

// TestPlainReading holds the second reading to what the decisions say in so many
// words, each figure worked out by hand: it is the measure of the engine, and must
// not be measured by the engine alone.
func TestPlainReading(t *testing.T) {
	cod := Columns{AWB: true, OrderID: true, CODAmount: "COD Amount", RemittanceDate: true, DeliveredDate: true, Status: true, RemittanceStatus: true, UTR: true}
	net := cod
	net.RemittedAmount = "Remitted Amount"
	expected := net
	expected.CODAmount = "Collectable Amount"
	order := func(change func(*Order)) Order {
		o := Order{Name: "#1", CreatedAt: old, Financial: "pending", Fulfilment: "fulfilled", Total: Rupees(1000), Tracking: awbA}
		change(&o)
		return o
	}
	asIs := order(func(*Order) {})
	line := func(change func(*Line)) Line {
		l := Line{AWB: awbA, CODAmount: Rupees(1000), RemittedAmount: Rupees(1000), RemittanceDate: "2026-01-20"}
		change(&l)
		return l
	}
	full := line(func(*Line) {})
	for _, row := range []struct {
		name    string
		has     Columns
		orders  []Order
		lines   []Line
		flag    string
		due     int64 // rupees
		paid    int64
		overdue int
	}{
		{"paid in full", cod, []Order{asIs}, []Line{full}, "RECONCILED", 1000, 1000, 0},
		{"status says unpaid", cod, []Order{asIs}, []Line{line(func(l *Line) { l.RemittanceStatus = "Not Remitted" })}, "OVERDUE", 1000, 0, 29},
		{"two rupees short", net, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount = Rupees(998) })}, "MINOR_DIFF", 1000, 998, 0},
		{"three rupees short", net, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount = Rupees(997) })}, "SHORT_PAID", 1000, 997, 0},
		{"too much", net, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount = Rupees(1100) })}, "OVERPAID", 1000, 1100, 0},
		{"not listed, window not covered", cod, []Order{asIs}, nil, "OVERDUE", 1000, 0, 29},
		{"not listed, window covered", cod, []Order{asIs}, []Line{{AWB: awbC, CODAmount: Rupees(1), RemittanceDate: "2026-01-19"}}, "MISSING", 1000, 0, 29},
		{"not listed, a day short of covered", cod, []Order{asIs}, []Line{{AWB: awbC, CODAmount: Rupees(1), RemittanceDate: "2026-01-18"}}, "OVERDUE", 1000, 0, 29},
		{"not listed, a rounded line could be its own", cod, []Order{asIs}, []Line{{AWB: rounded, CODAmount: Rupees(1000), RemittanceDate: "2026-01-19"}}, "OVERDUE", 1000, 0, 29},
		{"window open on its last day", cod, []Order{order(func(o *Order) { o.FulfilledAt = "2026-02-03" })}, nil, "AWAITING_NEXT_CYCLE", 1000, 0, 0},
		{"window over since a day", cod, []Order{order(func(o *Order) { o.FulfilledAt = "2026-02-02" })}, nil, "OVERDUE", 1000, 0, 1},
		{"delivered late", cod, []Order{asIs}, []Line{line(func(l *Line) { l.RemittanceDate, l.DeliveredDate = "", "2026-02-05" })}, "AWAITING_NEXT_CYCLE", 1000, 0, 0},
		{"prepaid", cod, []Order{order(func(o *Order) { o.PaymentMethod, o.Financial = "Razorpay", "paid" })}, nil, "RECONCILED", 0, 0, 0},
		{"prepaid, and cash collected", cod, []Order{order(func(o *Order) { o.PaymentMethod, o.Financial = "Razorpay", "paid" })}, []Line{full}, "RECONCILED", 1000, 1000, 0},
		{"prepaid, paid, with an amount to be collected", expected, []Order{order(func(o *Order) { o.PaymentMethod, o.Financial = "Razorpay", "paid" })},
			[]Line{line(func(l *Line) { l.RemittedAmount = blank })}, "RECONCILED", 0, 0, 0},
		{"prepaid by two methods, and what was collected was taken back", net, []Order{order(func(o *Order) { o.PaymentMethod = "Razorpay + Wallet" })},
			[]Line{line(func(l *Line) { l.CODAmount, l.RemittedAmount = Rupees(400), Rupees(400) }), line(func(l *Line) { l.CODAmount, l.RemittedAmount = Rupees(-600), Rupees(-600) })}, "SHORT_PAID", 0, -200, 0},
		{"cancelled, never left", net, []Order{order(func(o *Order) { o.CancelledAt = old })}, []Line{line(func(l *Line) { l.RemittedAmount, l.Status = blank, "Pickup Scheduled" })}, "RECONCILED", 0, 0, 0},
		{"cancelled, and delivered", net, []Order{order(func(o *Order) { o.CancelledAt = old })}, []Line{line(func(l *Line) { l.RemittedAmount, l.Status = blank, "Delivered" })}, "OVERDUE", 1000, 0, 29},
		{"returned, nothing collected", expected, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount, l.Status = blank, "RTO DELIVERED" })}, "RECONCILED", 0, 0, 0},
		{"returned, collected", net, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount, l.Status = blank, "R.T.O." })}, "RTO_ANOMALY", 1000, 0, 0},
		{"returned, paid by the storefront", expected, []Order{order(func(o *Order) { o.Financial = "paid" })}, []Line{line(func(l *Line) { l.RemittedAmount, l.Status = blank, "RTS" })}, "RTO_ANOMALY", 1000, 0, 0},
		{"part-paid", cod, []Order{order(func(o *Order) { o.Financial, o.Outstanding = "partially_paid", Rupees(400) })}, nil, "OVERDUE", 400, 0, 29},
		{"part-paid by a gateway", cod, []Order{order(func(o *Order) { o.PaymentMethod, o.Outstanding = "Gokwik PPCOD", Rupees(0) })}, []Line{line(func(l *Line) { l.CODAmount = Rupees(700) })}, "RECONCILED", 700, 700, 0},
		{"not shipped", cod, []Order{order(func(o *Order) { o.Fulfilment, o.Tracking = "", "" })}, nil, "RECONCILED", 0, 0, 0},
		{"listed twice", cod, []Order{asIs}, []Line{full, full}, "RECONCILED", 1000, 1000, 0},
		{"two parcels told by the order id alone", cod, []Order{order(func(o *Order) { o.Total = Rupees(2000) })},
			[]Line{line(func(l *Line) { l.AWB, l.OrderID = "", "#1" }), line(func(l *Line) { l.AWB, l.OrderID = "", "#1" })}, "RECONCILED", 2000, 2000, 0},
		{"two orders, one AWB, paid together", cod, []Order{asIs, order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.CODAmount = Rupees(1400) })}, "RECONCILED", 1000, 1000, 0},
		{"two orders, one AWB, not the sum: the first has it", cod, []Order{asIs, order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.CODAmount = Rupees(1300) })}, "OVERPAID", 1000, 1300, 0},
		{"two orders, one AWB, the line names the other", cod, []Order{asIs, order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.OrderID = "#2" })}, "OVERDUE", 1000, 0, 29},
		{"half the parcels came back", expected, []Order{order(func(o *Order) { o.Tracking = awbA + "," + awbB })},
			[]Line{line(func(l *Line) { l.CODAmount, l.RemittedAmount, l.Status = Rupees(600), Rupees(600), "Delivered" }),
				line(func(l *Line) { l.AWB, l.CODAmount, l.RemittedAmount, l.Status = awbB, Rupees(400), blank, "RTO" })}, "RECONCILED", 600, 600, 0},
		{"payable, and no date", Columns{AWB: true, CODAmount: "COD Amount", RemittedAmount: "Amount Payable", RemittanceDate: true}, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittanceDate = "" })}, "OVERDUE", 1000, 0, 29},
	} {
		t.Run(row.name, func(t *testing.T) {
			given := Case{Orders: append(row.orders, anchors[0]), Lines: row.lines, Columns: row.has, OffsetDays: 7, MinorRupees: 2}
			answer := Reconcile(given)
			if answer.Refused != "" {
				t.Fatal(answer.Refused)
			}
			got := answer.Verdicts[0]
			if got.Flag != row.flag || got.Due != row.due*100 || got.Remitted != row.paid*100 || got.DaysOverdue != row.overdue {
				t.Errorf("want %s, due ₹%d, remitted ₹%d, %d days overdue, of\n%s", row.flag, row.due, row.paid, row.overdue, show(given, answer, Answer{}))
			}
		})
	}
}
