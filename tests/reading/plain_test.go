package reading

import "testing"

// accepting marks an order of a case in which charges are accepted.
const accepting = "accept"

func accepts(o Order) Order {
	o.Carrier = accepting
	return o
}

func amount(paise int64) Amount { return Amount{Paise: paise, Stated: true} }

// TestPlainReading holds the second reading to what the decisions say in plain
// words, each figure worked out by hand: it is the measure of the engine, and must
// not be measured by the engine alone.
func TestPlainReading(t *testing.T) {
	t.Parallel()
	cod := Columns{AWB: true, OrderID: true, CODAmount: "COD Amount", RemittanceDate: true, DeliveredDate: true, Status: true, RemittanceStatus: true, UTR: true}
	net := cod
	net.RemittedAmount = "Remitted Amount"
	expected := net
	expected.CODAmount = "Collectable Amount"
	charged := net
	charged.Charges = [3]string{"Freight Charges", "GST"}
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
		paid    float64
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
		{"two orders, one AWB, less than the sum: the first is paid first", cod, []Order{asIs, order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.CODAmount = Rupees(1300) })}, "RECONCILED", 1000, 1000, 0},
		{"two orders, one AWB, more than the sum: the first has it", cod, []Order{asIs, order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.CODAmount = Rupees(1500) })}, "OVERPAID", 1000, 1100, 0},
		{"two orders, one AWB, the line names the first and pays both", cod, []Order{asIs, order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.OrderID, l.CODAmount = "#1", Rupees(1400) })}, "RECONCILED", 1000, 1000, 0},
		{"two orders, one AWB, the line names the other and pays part", cod, []Order{asIs, order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.OrderID = "#2" })}, "SHORT_PAID", 1000, 600, 0},
		{"two orders, one AWB, what the first was paid on its own AWB counts", cod, []Order{order(func(o *Order) { o.Tracking = awbA + "," + awbB }), order(func(o *Order) { o.Name, o.Total = "#2", Rupees(400) })},
			[]Line{line(func(l *Line) { l.AWB, l.CODAmount = awbB, Rupees(700) }), line(func(l *Line) { l.CODAmount = Rupees(700) })}, "RECONCILED", 1000, 1000, 0},
		{"a rest paid by order id", net, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittedAmount = Rupees(900) }), line(func(l *Line) { l.AWB, l.OrderID, l.RemittedAmount = "", "#1", Rupees(100) })}, "RECONCILED", 1000, 1000, 0},
		{"a debit by order id", net, []Order{asIs},
			[]Line{full, line(func(l *Line) { l.AWB, l.OrderID, l.CODAmount, l.RemittedAmount = "", "#1", blank, Rupees(-100) })}, "SHORT_PAID", 1000, 900, 0},
		{"a second payment by order id is not the order's", net, []Order{asIs},
			[]Line{full, line(func(l *Line) { l.AWB, l.OrderID, l.UTR = "", "#1", "U2" })}, "RECONCILED", 1000, 1000, 0},
		{"a second payment by order id that is taken back", net, []Order{asIs},
			[]Line{full, line(func(l *Line) { l.AWB, l.OrderID, l.UTR = "", "#1", "U2" }),
				line(func(l *Line) { l.AWB, l.OrderID, l.UTR, l.RemittedAmount = "", "#1", "U3", Rupees(-1000) })}, "RECONCILED", 1000, 1000, 0},
		{"a replacement after a return, paid short", net, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittedAmount, l.Status = Rupees(0), "RTO Delivered" }),
				line(func(l *Line) { l.AWB, l.OrderID, l.RemittedAmount, l.Status = awbC, "#1", Rupees(700), "Delivered" })}, "SHORT_PAID", 1000, 700, 0},
		{"a replacement after a return, kept", net, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittedAmount, l.Status = Rupees(0), "RTO Delivered" }),
				line(func(l *Line) { l.AWB, l.OrderID, l.RemittedAmount, l.Status = awbC, "#1", Rupees(0), "Delivered" })}, "OVERDUE", 1000, 0, 29},
		{"a replacement in a report of amounts to be collected", expected, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittedAmount, l.Status = Rupees(0), "RTO" }),
				line(func(l *Line) { l.AWB, l.OrderID, l.Status = awbC, "#1", "Delivered" })}, "RECONCILED", 1000, 1000, 0},
		{"a cancelled first parcel and a paid second", net, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittedAmount, l.Status = Rupees(0), "Cancelled" }), line(func(l *Line) { l.AWB, l.OrderID = awbC, "#1" })}, "RECONCILED", 1000, 1000, 0},
		{"a charge on a cancelled order", net, []Order{order(func(o *Order) { o.CancelledAt = old })},
			[]Line{line(func(l *Line) { l.CODAmount, l.RemittedAmount, l.Status = blank, Rupees(-40), "Cancelled" })}, "SHORT_PAID", 0, -40, 0},
		{"on its way back", net, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount, l.Status = Rupees(0), "RTO In Transit" })}, "RECONCILED", 0, 0, 0},
		{"on its way back, and delivered before", net, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittedAmount, l.Status, l.DeliveredDate = Rupees(0), "RTO In Transit", "2026-01-10" })}, "RTO_ANOMALY", 1000, 0, 0},
		{"on its way back, and paid by the storefront", net, []Order{order(func(o *Order) { o.Financial = "paid" })},
			[]Line{line(func(l *Line) { l.RemittedAmount, l.Status = Rupees(0), "RTO Initiated" })}, "RTO_ANOMALY", 1000, 0, 0},
		{"charges, by the contract", charged, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount, l.Charges = amount(92920), [3]string{"60", "10.80"} })}, "SHORT_PAID", 1000, 929.20, 0},
		{"charges, accepted", charged, []Order{accepts(asIs)}, []Line{line(func(l *Line) { l.RemittedAmount, l.Charges = amount(92920), [3]string{"60", "10.80"} })}, "RECONCILED", 1000, 929.20, 0},
		{"charges of which one alone explains, accepted", charged, []Order{accepts(asIs)}, []Line{line(func(l *Line) { l.RemittedAmount, l.Charges = Rupees(940), [3]string{"-60", "10.80"} })}, "RECONCILED", 1000, 940, 0},
		{"charges that explain a part, accepted", charged, []Order{accepts(asIs)}, []Line{line(func(l *Line) { l.RemittedAmount, l.Charges = Rupees(880), [3]string{"60", "10.80"} })}, "SHORT_PAID", 1000, 880, 0},
		{"charges on a line that is not remitted", charged, []Order{accepts(asIs)}, []Line{line(func(l *Line) { l.RemittedAmount, l.Charges = Rupees(0), [3]string{"1000"} })}, "OVERDUE", 1000, 0, 29},
		{"leading zeros in the export", cod, []Order{order(func(o *Order) { o.Tracking = "00" + awbA })}, []Line{full}, "RECONCILED", 1000, 1000, 0},
		{"leading zeros in the report", cod, []Order{asIs}, []Line{line(func(l *Line) { l.AWB = "00" + awbA })}, "RECONCILED", 1000, 1000, 0},
		{"a tracking link", cod, []Order{order(func(o *Order) { o.Tracking = "https://track.example/p/" + awbA })}, []Line{full}, "RECONCILED", 1000, 1000, 0},
		{"a tracking link with a parameter", cod, []Order{order(func(o *Order) { o.Tracking = "https://track.example/track?lang=en&awb=" + awbA })}, []Line{full}, "RECONCILED", 1000, 1000, 0},
		{"a total without a word", net, []Order{asIs}, []Line{line(func(l *Line) { l.RemittedAmount = Rupees(900) }), {CODAmount: Rupees(1000), RemittedAmount: Rupees(900)}}, "SHORT_PAID", 1000, 900, 0},
		{"dates that fall into the orders' time month first", cod, []Order{asIs}, []Line{line(func(l *Line) { l.RemittanceDate, l.DeliveredDate = "", "02/05/2026" })}, "AWAITING_NEXT_CYCLE", 1000, 0, 0},
		{"dates that are read as the other column", cod, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittanceDate, l.DeliveredDate = "", "02/05/2026" }), {AWB: awbC, CODAmount: Rupees(1), RemittanceDate: "13/01/2026"}}, "OVERDUE", 1000, 0, 1},
		{"a line under another AWB, listed twice, repeats the one that came back", expected, []Order{asIs},
			[]Line{line(func(l *Line) { l.OrderID, l.Status = "#1", "RTO Delivered" }), line(func(l *Line) { l.AWB, l.OrderID = awbC, "#1" }), line(func(l *Line) { l.AWB, l.OrderID = awbC, "#1" })}, "RECONCILED", 1000, 1000, 0},
		{"half the parcels came back", expected, []Order{order(func(o *Order) { o.Tracking = awbA + "," + awbB })},
			[]Line{line(func(l *Line) { l.CODAmount, l.RemittedAmount, l.Status = Rupees(600), Rupees(600), "Delivered" }),
				line(func(l *Line) { l.AWB, l.CODAmount, l.RemittedAmount, l.Status = awbB, Rupees(400), blank, "RTO" })}, "RECONCILED", 600, 600, 0},
		{"payable, and no date", Columns{AWB: true, CODAmount: "COD Amount", RemittedAmount: "Amount Payable", RemittanceDate: true}, []Order{asIs},
			[]Line{line(func(l *Line) { l.RemittanceDate = "" })}, "OVERDUE", 1000, 0, 29},
	} {
		t.Run(row.name, func(t *testing.T) {
			accept := row.orders[0].Carrier == accepting
			row.orders[0].Carrier = ""
			given := Case{Accept: accept, Orders: append(row.orders, anchors[0]), Lines: row.lines, Columns: row.has, OffsetDays: 7, MinorRupees: 2}
			answer := Reconcile(given)
			if answer.Refused != "" {
				t.Fatal(answer.Refused)
			}
			got := answer.Verdicts[0]
			if got.Flag != row.flag || got.Due != row.due*100 || got.Remitted != int64(row.paid*100) || got.DaysOverdue != row.overdue {
				t.Errorf("want %s, due ₹%d, remitted ₹%.2f, %d days overdue, of\n%s", row.flag, row.due, row.paid, row.overdue, show(given, answer, Answer{}))
			}
		})
	}
}
