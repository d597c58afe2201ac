package verdict_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// ledger is what one run remembers for the next.
type ledger struct {
	orders []verdict.RememberedOrder
	lines  []verdict.RememberedLine
}

// remember copies what the next ledger remembers of a run.
func remember(r *verdict.Reconciliation) (l ledger) {
	for o := range r.RememberedOrders() {
		kept := *o
		kept.Name, kept.AWBs, kept.Carrier, kept.Method = bytes.Clone(o.Name), bytes.Clone(o.AWBs), bytes.Clone(o.Carrier), bytes.Clone(o.Method)
		l.orders = append(l.orders, kept)
	}
	for line := range r.RememberedLines() {
		kept := *line
		kept.AWB, kept.OrderID, kept.UTR = bytes.Clone(line.AWB), bytes.Clone(line.OrderID), bytes.Clone(line.UTR)
		kept.AWBRounded = kept.AWBRounded && !verdict.LooksRounded(kept.AWB) // a file does not say so
		kept.ShipmentStatus, kept.PayStatus, kept.Charges = bytes.Clone(line.ShipmentStatus), bytes.Clone(line.PayStatus), slices.Clone(line.Charges)
		l.lines = append(l.lines, kept)
	}
	return l
}

// storeLine is a line with the texts of its statuses.
type storeLine struct {
	verdict.Remittance

	status string
	money  string // its remittance status
}

// month is one run of a quarter.
type monthly struct {
	orders []export
	lines  []storeLine
}

func (m monthly) run(t require.TestingT, terms domain.Terms, previous ledger) *verdict.Reconciliation {
	var (
		orders verdict.Orders
		lines  verdict.Remittances
		r      verdict.Reconciliation
	)
	orders.Reset()
	lines.Reset()
	for _, o := range m.orders {
		o.addTo(&orders)
	}
	for i := range previous.orders {
		require.Empty(t, orders.Remember(&previous.orders[i]))
	}
	for i := range previous.lines {
		require.Empty(t, lines.Remember(&previous.lines[i]))
	}
	lines.Begin("delhivery")
	var mapping domain.Mapping
	mapping[domain.RoleCODAmount], mapping[domain.RoleRemittedAmount] = "COD", "Paid"
	lines.SetMapping(mapping)
	lines.SetCharges([]string{"Freight"})
	for _, l := range m.lines {
		line := l.Remittance
		line.Status, line.MoneyStatus = lines.AddStatus([]byte(l.status)), lines.AddStatus([]byte(l.money))
		if s := lines.Status(line.Status); line.Status != 0 {
			line.HasStatus, line.Returned, line.OnWayBack, line.NeverLeft = true, s.Returned, s.OnWayBack, s.NeverLeft
		}
		lines.Add(line)
		if short := line.Listed - line.Stated; short > 0 {
			lines.AddCharge(0, short)
		}
	}
	require.NoError(t, r.Decide(&orders, &lines, terms))
	return &r
}

// drawQuarter draws orders with distinct lines, and spreads them over some runs. An order or a line may be in several
// of them. The last run has the latest order and the latest line.
func drawQuarter(t *rapid.T) (months []monthly, whole monthly) {
	months = make([]monthly, 3)
	var awbs []string
	amount := rapid.SampledFrom([]domain.Paise{100_00, 150_00, 250_00, 999_99})
	among := func(what string) []int {
		return rapid.SliceOfNDistinct(rapid.IntRange(0, len(months)-1), 1, 2, rapid.ID[int]).Draw(t, what)
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "orders") {
		awb := fmt.Sprintf("AWB%d", i)
		if rapid.IntRange(0, 5).Draw(t, "shares") == 0 && len(awbs) > 0 {
			awb = awbs[len(awbs)-1]
		}
		if rapid.IntRange(0, 5).Draw(t, "has none") == 0 {
			awb = ""
		} else {
			awbs = append(awbs, awb)
		}
		o := export{Order: verdict.Order{Name: fmt.Appendf(nil, "#%d", 1000+i), Total: amount.Draw(t, "total"), HasTotal: true,
			CreatedOn: march(rapid.IntRange(1, 28).Draw(t, "created")), Fulfilment: rapid.SampledFrom([]verdict.Fulfilment{verdict.Fulfilled, verdict.Fulfilled, verdict.Unfulfilled}).Draw(t, "fulfilment"),
			Payment:   rapid.SampledFrom([]domain.Payment{domain.PaymentCOD, domain.PaymentCOD, domain.PaymentPrepaid}).Draw(t, "payment"),
			Financial: rapid.SampledFrom([]domain.Financial{domain.FinancialPending, domain.FinancialPaid}).Draw(t, "financial"),
			Cancelled: rapid.IntRange(0, 8).Draw(t, "cancelled") == 0}, awbs: []byte(awb), carrier: "Delhivery"}
		whole.orders = append(whole.orders, o)
		for _, at := range among("exports") {
			months[at].orders = append(months[at].orders, o)
		}
		for range rapid.IntRange(0, 3).Draw(t, "lines") {
			n := len(whole.lines)
			l := storeLine{Remittance: verdict.Remittance{AWB: []byte(awb), OrderID: fmt.Append(nil, 1000+i), HasRemitted: true,
				Listed: o.Total, Stated: rapid.SampledFrom([]domain.Paise{0, 100_00, o.Total, o.Total - 10_00, -o.Total}).Draw(t, "stated"),
				RemittedOn: march(1 + n), UTR: fmt.Appendf(nil, "U%d", n), Line: int32(n)},
				status: rapid.SampledFrom([]string{"", "Delivered", "RTO Delivered", "In Transit"}).Draw(t, "status")}
			l.Remitted, l.Collected = l.Stated, l.Listed
			if l.Stated == 0 {
				l.RemittedOn = domain.NoDay
			}
			if rapid.IntRange(0, 3).Draw(t, "by order id") == 0 {
				l.AWB = nil
			}
			whole.lines = append(whole.lines, l)
			for _, at := range among("reports") {
				months[at].lines = append(months[at].lines, l)
			}
		}
	}
	for i := range months[:2] {
		first := export{Order: verdict.Order{Name: fmt.Appendf(nil, "#%d", 8000+i), Total: 100_00, HasTotal: true, CreatedOn: march(20 * i), Fulfilment: verdict.Fulfilled}}
		months[i].orders, whole.orders = append(months[i].orders, first), append(whole.orders, first)
	}
	last := export{Order: verdict.Order{Name: []byte("#9999"), Total: 100_00, HasTotal: true, CreatedOn: march(60), Fulfilment: verdict.Fulfilled}, awbs: []byte("LAST")}
	paid := storeLine{Remittance: verdict.Remittance{AWB: []byte("LAST"), HasRemitted: true, Listed: 100_00, Stated: 100_00, Remitted: 100_00, Collected: 100_00, RemittedOn: march(70)}}
	months[2].orders, months[2].lines = append(months[2].orders, last), append(months[2].lines, paid)
	whole.orders, whole.lines = append(whole.orders, last), append(whole.lines, paid)
	return months, whole
}

// TestAQuarterByLedgers holds that whatever way exports and reports are spread over runs, with the ledger
// between them, each order ends as it does in one run over everything.
func TestAQuarterByLedgers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		months, whole := drawQuarter(t)
		terms := domain.TermsFor(nil, 0, nil)
		terms.AcceptCharges = rapid.Bool().Draw(t, "charges")
		var previous ledger
		var r *verdict.Reconciliation
		for i, m := range months {
			r = m.run(t, terms, previous)
			couriers, all := r.Movements()
			requireMoves(t, all)
			var claimed verdict.ItemSum
			for _, c := range couriers {
				requireMoves(t, c)
				claimed.Items, claimed.Amount = claimed.Items+c.Now.Items, claimed.Amount+c.Now.Amount
			}
			require.Equal(t, all.Now, claimed)
			before := domain.Paise(0)
			for i := range previous.orders {
				if f := &previous.orders[i].Found; f.Flag.IsFlagged() {
					before += max(f.Shortfall, 0)
				}
			}
			require.Equal(t, before, all.Before.Amount, "what the run before has left open")
			requireTies(t, r)
			if i < len(months)-1 {
				previous = remember(r)
			}
		}
		// The orders in the order of the last run, and each line once, where the last report has it.
		after := remember(r)
		once := monthly{}
		for i := range after.orders {
			at := slices.IndexFunc(whole.orders, func(o export) bool { return bytes.Equal(o.Name, after.orders[i].Name) })
			once.orders = append(once.orders, whole.orders[at])
		}
		for _, m := range months {
			for _, l := range m.lines {
				once.lines = slices.DeleteFunc(once.lines, func(k storeLine) bool { return k.Line == l.Line && bytes.Equal(k.UTR, l.UTR) })
				once.lines = append(once.lines, l)
			}
		}
		require.Len(t, once.orders, len(whole.orders), "every order is remembered")
		want := once.run(t, terms, ledger{})
		for i := range want.Len() {
			if r.Reason(i).Cause == domain.CauseWasNotShipped {
				continue // it may have left since, which one run over everything cannot say
			}
			a, b := want.Result(i), r.Result(i)
			require.Equal(t, string(a.OrderID), string(b.OrderID))
			require.Equal(t, a.Due, b.Due, "due of %s", a.OrderID)
			require.Equal(t, a.Remitted, b.Remitted, "remitted of %s", a.OrderID)
			require.Equal(t, a.Accepted, b.Accepted, "accepted of %s", a.OrderID)
			require.Equal(t, a.Shortfall, b.Shortfall, "shortfall of %s: %v, %v", a.OrderID, a.Flag, b.Flag)
		}
	})
}

func requireMoves(t require.TestingT, m verdict.Movement) {
	require.Equal(t, m.Now.Amount, m.Before.Amount+m.New.Amount+m.Changed.Amount-m.PartlyPaid.Amount-m.Cleared.Amount-m.WrittenOff.Amount+m.Reopened.Amount)
}

// requireTies holds that what the reports and the ledger remit is what results and open items have as remitted.
func requireTies(t require.TestingT, r *verdict.Reconciliation) {
	var matched, remitted domain.Paise
	for _, of := range r.ReportTotals() {
		matched += of.Matched.Remitted
		require.Equal(t, of.Read.Remitted, of.Matched.Remitted+of.Unclaimed.Remitted+of.Repeated.Remitted+of.Corrected.Remitted+of.Unidentified.Remitted)
	}
	for i := range r.All() {
		remitted += r.Result(i).Remitted
	}
	require.Equal(t, remitted, matched)
}

// march is a day of March 2026, and of the months after it.
func march(day int) domain.Day { return domain.DayFromDate(2026, time.March, day) }

// TestDoubtsAboutTheExportAreOfTheExport holds that what only a ledger has is no fault of the export.
func TestDoubtsAboutTheExportAreOfTheExport(t *testing.T) {
	previous := ledger{}
	for i := range 3 {
		previous.orders = append(previous.orders, verdict.RememberedOrder{AWBs: []byte("1.90408E+12"),
			Order: verdict.Order{Name: []byte("#1001"), Total: 100_00, HasTotal: true, CreatedOn: march(2 + i)}})
	}
	m := monthly{orders: []export{{Order: verdict.Order{Name: []byte("#1001"), Total: 100_00, HasTotal: true, CreatedOn: march(30)}}}}
	again := m.orders[0]
	again.Name, again.awbs = []byte("#1002"), []byte("1904080000077")
	m.orders = append(m.orders, again)
	previous.orders = append(previous.orders, verdict.RememberedOrder{AWBs: []byte("1.90408E+12"), Order: again.Order})
	paid := previous.orders[0]
	paid.Name, paid.Payment, paid.AWBs = []byte("#1003"), domain.PaymentPrepaid, []byte("1.7E+12")
	previous.orders = append(previous.orders, paid)
	var rounded []domain.Warning
	for _, w := range m.run(t, domain.TermsFor(nil, 0, nil), previous).Warnings() {
		require.NotEqual(t, domain.WarnOneNameTwoOrders, w.Code)
		if w.Code == domain.WarnRoundedAWBs {
			rounded = append(rounded, w)
		}
	}
	require.Equal(t, []domain.Warning{{Code: domain.WarnRoundedAWBs, Count: 3, Of: 3, File: domain.LedgerFile, Examples: []string{"1.90408E+12"}}},
		rounded, "of the open items that the export does not have")
}

// TestNamesOfChargesOfManyMonths holds that a ledger is read though its lines of one courier have more names of charges together than a
// report may have.
func TestNamesOfChargesOfManyMonths(t *testing.T) {
	var lines verdict.Remittances
	lines.Reset()
	for i := range 3 * verdict.MaxCharges {
		require.Empty(t, lines.Remember(&verdict.RememberedLine{Courier: "dtdc", Remittance: verdict.Remittance{AWB: fmt.Append(nil, "A", i)},
			Charges: []domain.StatedCharge{{Name: fmt.Sprint("Fee ", i), Amount: 100}}}))
	}
	for i := range lines.Len() {
		require.Len(t, lines.ChargesOf(lines.At(i)), 1)
	}
}

// TestALedgerIsReadAgain holds that a ledger has no more than may be read: of too many open items those with the least claim are left out, and
// a warning counts them.
func TestALedgerIsReadAgain(t *testing.T) {
	const less = 3 // open items that have no room
	var m monthly
	for i := range domain.MaxRows + less {
		o := export{Order: verdict.Order{Name: fmt.Append(nil, "#", i), Total: domain.Paise(1000+i) * domain.Rupee, HasTotal: true, CreatedOn: march(1), Fulfilment: verdict.Fulfilled}}
		m.orders = append(m.orders, o)
	}
	settled := export{Order: verdict.Order{Name: []byte("#settled"), Total: rupees(1), HasTotal: true, CreatedOn: march(40), Fulfilment: verdict.Fulfilled}}
	m.orders = append(m.orders, settled)
	paid := payment(rupees(1), 41)
	paid.AWB, paid.OrderID = nil, []byte("settled")
	m.lines = append(m.lines, paid)
	r := m.run(t, domain.TermsFor(nil, 0, nil), ledger{})
	after := remember(r)
	require.Len(t, after.orders, domain.MaxRows)
	require.Equal(t, "#3", string(after.orders[0].Name))
	require.Empty(t, after.lines)
	want := domain.Warning{Code: domain.WarnLedgerFull, Count: less, Amount: (1000 + 1001 + 1002) * domain.Rupee, HasAmount: true}
	require.Contains(t, r.Warnings(), want)

	m.orders = m.orders[less+1:]
	r = m.run(t, domain.TermsFor(nil, 0, nil), ledger{})
	require.Len(t, remember(r).orders, domain.MaxRows, "the last of them is the one that is settled")
	require.Len(t, remember(r).lines, 1)
	require.NotContains(t, fmt.Sprint(r.Warnings()), domain.WarnLedgerFull)
}

// TestLinesOfALedgerAreReadAgain holds the same of lines.
func TestLinesOfALedgerAreReadAgain(t *testing.T) {
	m := monthly{orders: []export{orderOf(rupees(1000), 1), orderOf(rupees(1000), 40)}}
	m.orders[1].Name, m.orders[1].awbs = []byte("#2"), []byte("A2")
	line := func(awb string, on int) storeLine {
		l := payment(rupees(1), on)
		l.AWB, l.OrderID = []byte(awb), nil
		return l
	}
	m.lines = append(m.lines, line("A1", 20), line("A2", 50))
	m.lines[1].Stated, m.lines[1].Remitted = rupees(1000), rupees(1000)
	for i := range verdict.MaxLedgerRows {
		m.lines = append(m.lines, line(fmt.Sprint("U", i), 10+min(i, 1)))
	}
	after := remember(m.run(t, domain.TermsFor(nil, 0, nil), ledger{}))
	require.Len(t, after.orders, 1, "the one that is settled has no room")
	require.Len(t, after.lines, verdict.MaxLedgerRows-1)
	require.Equal(t, "A1", string(after.lines[0].AWB))
	require.Equal(t, "U1", string(after.lines[1].AWB), "the oldest line of no order has no room")
}

// TestChargesOfALedgerAreReadAgain holds the same of charges: an order and its line stay, and lines of no order go.
func TestChargesOfALedgerAreReadAgain(t *testing.T) {
	const more = 3 // lines than there is room for
	var (
		orders verdict.Orders
		lines  verdict.Remittances
		r      verdict.Reconciliation
	)
	orders.Reset()
	lines.Reset()
	orderOf(rupees(1000), 1).addTo(&orders)
	lines.Begin("delhivery")
	var mapping domain.Mapping
	mapping[domain.RoleCODAmount], mapping[domain.RoleRemittedAmount] = "COD", "Paid"
	lines.SetMapping(mapping)
	var names []string
	for i := range verdict.MaxCharges {
		names = append(names, fmt.Sprint("Fee ", i))
	}
	lines.SetCharges(names)
	for i := range domain.MaxRows + more {
		line := payment(rupees(1), 10).Remittance
		if i > 0 {
			line.AWB, line.OrderID = fmt.Append(nil, "U", i), nil
		}
		lines.Add(line)
		for column := range names {
			lines.AddCharge(uint8(column), 1)
		}
	}
	require.NoError(t, r.Decide(&orders, &lines, domain.TermsFor(nil, 0, nil)))
	var next verdict.Remittances
	next.Reset()
	kept := 0
	for l := range r.RememberedLines() {
		require.Empty(t, next.Remember(l))
		if kept++; kept == 1 {
			require.Equal(t, "A1", string(l.AWB))
		}
	}
	require.Equal(t, domain.MaxRows, kept)
	one := &verdict.RememberedLine{Courier: "delhivery", Charges: []domain.StatedCharge{{Name: "Fee 1", Amount: 1}}}
	require.Equal(t, domain.RuleLedgerAllCharges, next.Remember(one))
	one.Charges = nil
	require.Empty(t, next.Remember(one))
}

// TestWhatAnOpenOrderSharesIsRemembered holds that what a parcel of several orders has paid is remembered for as long as one of them is open, and
// with it the others: or else all of it would be that one's.
func TestWhatAnOpenOrderSharesIsRemembered(t *testing.T) {
	second, third := orderOf(rupees(1000), 2), orderOf(rupees(1000), 2)
	second.Name, third.Name, third.awbs = []byte("#2"), []byte("#3"), []byte("A3")
	both := payment(rupees(1300), 15) // in full for the first, in part for the second
	both.Listed, both.Collected = rupees(2000), rupees(2000)
	alone := payment(rupees(1000), 16)
	alone.AWB, alone.OrderID = []byte("A3"), []byte("3")
	months := []monthly{during(1, []export{orderOf(rupees(1000), 1), second, third}, both, alone), during(8, nil), during(16, nil)}
	var previous ledger
	for i, m := range months {
		r := m.run(t, domain.TermsFor(nil, 0, nil), previous)
		requireTies(t, r)
		previous = remember(r)
		names := map[string]bool{}
		for at := range r.All() {
			result := r.Result(at)
			names[string(result.OrderID)] = true
			if string(result.OrderID) == "#2" {
				require.Equal(t, rupees(700), result.Shortfall, "run %d", i+1)
			}
		}
		require.True(t, names["#1"] && names["#2"])
		require.Equal(t, i < 2, names["#3"], "one that shares nothing is forgotten once it is settled for long")
	}
}

// TestALedgerAlone holds that a run of a ledger alone finds what the run has found that has written it, and that orders which
// nobody has seen for long are forgotten if somebody asks for that.
func TestALedgerAlone(t *testing.T) {
	order := func(name string, day int) export {
		return export{Order: verdict.Order{Name: []byte(name), Total: 100_00, HasTotal: true, CreatedOn: march(day), Fulfilment: verdict.Fulfilled}, awbs: []byte("A" + name)}
	}
	paid := func(name string, paise domain.Paise, day int) storeLine {
		return storeLine{Remittance: verdict.Remittance{AWB: []byte("A" + name), HasRemitted: true, Listed: 100_00, Stated: paise, Remitted: paise, Collected: 100_00, RemittedOn: march(day)}}
	}
	terms := domain.TermsFor(nil, 0, nil)
	first := monthly{orders: []export{order("#1", 1), order("#2", 2), order("#3", 30)}, lines: []storeLine{paid("#1", 40_00, 20)}}.run(t, terms, ledger{})
	second := monthly{orders: []export{order("#4", 60)}, lines: []storeLine{paid("#1", 10_00, 50)}}.run(t, terms, remember(first))

	compareAlone := func(written *verdict.Reconciliation) *verdict.Reconciliation {
		var orders verdict.Orders
		orders.Reset()
		orders.Ledger.AsOf = written.Guidance.BatchAsOf
		var lines verdict.Remittances
		lines.Reset()
		kept := remember(written)
		for i := range kept.orders {
			require.Empty(t, orders.Remember(&kept.orders[i]))
		}
		for i := range kept.lines {
			require.Empty(t, lines.Remember(&kept.lines[i]))
		}
		var alone verdict.Reconciliation
		require.NoError(t, alone.Decide(&orders, &lines, terms))
		require.Zero(t, alone.Len())
		return &alone
	}
	alone := compareAlone(second)
	found := func(r *verdict.Reconciliation) map[string]verdict.Finding {
		all := map[string]verdict.Finding{}
		for item := range r.OpenItems() {
			if f := item.Now; item.Open {
				f.Courier = "" // without a report it is that of the ledger
				all[string(r.Result(item.Order).OrderID)] = f
			}
		}
		return all
	}
	require.Equal(t, found(second), found(alone))
	seen := found(alone)
	require.Equal(t, map[string]domain.Day{"#1": march(60), "#2": march(30), "#3": march(30), "#4": march(60)},
		map[string]domain.Day{"#1": seen["#1"].LastSeen, "#2": seen["#2"].LastSeen, "#3": seen["#3"].LastSeen, "#4": seen["#4"].LastSeen})

	second.KeptOn(march(75), domain.NoDay)
	late := found(second)
	require.Equal(t, map[string]domain.Day{"#1": march(75), "#2": march(30), "#4": march(75)},
		map[string]domain.Day{"#1": late["#1"].LastSeen, "#2": late["#2"].LastSeen, "#4": late["#4"].LastSeen}, "the shop has sold nothing for days, and they are seen all the same")

	alone.KeptOn(march(75), march(31))
	names := map[string]bool{}
	for _, o := range remember(alone).orders {
		names[string(o.Name)] = true
	}
	require.Equal(t, map[string]bool{"#1": true, "#4": true}, names)

	listed := paid("#7", 0, 0)
	listed.HasRemitted, listed.RemittedOn = false, domain.NoDay
	few := monthly{orders: []export{order("#5", 1), order("#6", 2), order("#7", 2)}, lines: []storeLine{paid("#5", 100_00, 30), listed}}
	quiet := few.run(t, terms, ledger{})
	flagged := found(quiet)
	require.True(t, flagged["#6"].Flag.IsFlagged(), "the shop had no orders since, and the reports reach far past the last ones")
	require.True(t, flagged["#7"].Flag.IsFlagged())
	require.Equal(t, flagged, found(compareAlone(quiet)), "no report says that any more, and they are no less overdue")
}

// Two orders share two AWBs, of which the newest export leaves out those of the first order. What is paid on them is shared in the
// order in which one run over everything has them: order by order, and not those of the export before those of the ledger.
func TestAWBsOfALedgerStandWithTheirOrders(t *testing.T) {
	order := func(name, awbs string) export {
		return export{Order: verdict.Order{Name: []byte(name), Total: 100_00, HasTotal: true, CreatedOn: march(1), Fulfilment: verdict.Fulfilled,
			Payment: domain.PaymentCOD}, awbs: []byte(awbs), carrier: "Delhivery"}
	}
	paid := func(awb, order string, amount domain.Paise) storeLine {
		return storeLine{Remittance: verdict.Remittance{AWB: []byte(awb), OrderID: []byte(order), HasRemitted: true, Listed: amount, Stated: amount,
			Collected: amount, Remitted: amount, RemittedOn: march(9), UTR: []byte("U" + awb)}}
	}
	terms := domain.TermsFor(nil, 0, nil)
	lines := []storeLine{paid("P1", "", 150_00), paid("Q2", "1002", 60_00)}
	whole := monthly{orders: []export{order("#1001", "P1, Q2"), order("#1002", "Q2, P1")}, lines: lines}
	first := monthly{orders: []export{order("#1001", "P1, Q2")}}
	second := monthly{orders: []export{order("#1001", ""), order("#1002", "Q2, P1")}, lines: lines}
	remitted := func(r *verdict.Reconciliation) (all []domain.Paise) {
		for i := range r.All() {
			all = append(all, r.Result(i).Remitted)
		}
		return all
	}
	want := remitted(whole.run(t, terms, ledger{}))
	require.Equal(t, []domain.Paise{100_00, 110_00}, want)
	require.Equal(t, want, remitted(second.run(t, terms, remember(first.run(t, terms, ledger{})))))
}

// An order number that a shop uses again is twice in a run with a ledger, and not in the export: reasons and doubts say so.
func TestNamesakesOfALedger(t *testing.T) {
	order := func(name string, day int) export {
		return export{Order: verdict.Order{Name: []byte(name), Total: 100_00, HasTotal: true, CreatedOn: march(day), Fulfilment: verdict.Fulfilled,
			Payment: domain.PaymentCOD}, carrier: "Delhivery"}
	}
	terms := domain.TermsFor(nil, 0, nil)
	previous := remember(monthly{orders: []export{order("#1001", 1), order("#1002", 2)}}.run(t, terms, ledger{}))
	var orders verdict.Orders
	var lines verdict.Remittances
	var r verdict.Reconciliation
	orders.Reset()
	lines.Reset()
	for _, o := range []export{order("#1001", 20), order("#1003", 21)} {
		o.addTo(&orders)
	}
	twin := orders.FindOrAddNamesake(orders.At(1), domain.Moment{Day: march(22)})
	twin.Total, twin.HasTotal = 100_00, true
	for i := range previous.orders {
		require.Empty(t, orders.Remember(&previous.orders[i]))
	}
	lines.Begin("delhivery")
	for _, id := range []string{"1001", "1003"} {
		lines.Add(verdict.Remittance{OrderID: []byte(id), Listed: 100_00, Collected: 100_00, Remitted: 100_00, RemittedOn: march(29)})
	}
	require.NoError(t, r.Decide(&orders, &lines, terms))
	said := map[string][]bool{}
	for i := range r.All() {
		reason := r.Reason(i)
		if reason.Notes.Has(domain.NoteNamesake) {
			name := string(r.Result(i).OrderID)
			said[name] = append(said[name], reason.LedgerNamesake)
		}
	}
	require.Equal(t, map[string][]bool{"#1001": {true, true}, "#1003": {false, false}}, said)
	at := slices.IndexFunc(r.Warnings(), func(w domain.Warning) bool { return w.Code == domain.WarnOneNameTwoOrders })
	require.Equal(t, []string{"#1003"}, r.Warnings()[at].Examples)
	require.Equal(t, 1, r.Warnings()[at].Count)
}

// TestAnOrderThatIsExportedAgainIsTheSame holds that an order is told by its name and the moment of its creation, as far as both files
// state it, and that orders which both state are never taken for each other.
func TestAnOrderThatIsExportedAgainIsTheSame(t *testing.T) {
	at := func(day, second int) export {
		o := orderOf(rupees(1000), day)
		if day == 0 {
			o.CreatedOn = domain.NoDay
		}
		o.FulfilledOn, o.CreatedSecond, o.namesake = march(3), int32(second), true
		return o
	}
	const ten = 10*3600 + 1
	for name, c := range map[string]struct {
		before, now []export
		orders      int
	}{
		"the same moment":                                {[]export{at(1, ten+37)}, []export{at(1, ten+37)}, 1},
		"the ledger has lost the seconds":                {[]export{at(1, ten)}, []export{at(1, ten+37)}, 1},
		"the export has lost the seconds":                {[]export{at(1, ten+37)}, []export{at(1, ten)}, 1},
		"the export has a day alone":                     {[]export{at(1, ten+37)}, []export{at(1, 0)}, 1},
		"other seconds":                                  {[]export{at(1, ten+37)}, []export{at(1, ten+36)}, 2},
		"another minute":                                 {[]export{at(1, ten+37)}, []export{at(1, ten+60)}, 2},
		"another day":                                    {[]export{at(1, ten)}, []export{at(2, ten)}, 2},
		"the export does not say when":                   {[]export{at(1, ten)}, []export{at(0, 0)}, 1},
		"the ledger does not say when":                   {[]export{at(0, 0)}, []export{at(1, ten)}, 1},
		"two in the ledger, and one without a day":       {[]export{at(1, ten), at(2, ten)}, []export{at(0, 0)}, 2},
		"two in the ledger, and one without seconds":     {[]export{at(1, ten+37), at(1, ten+38)}, []export{at(1, ten)}, 2},
		"two in the export, and one without a day":       {[]export{at(0, 0)}, []export{at(1, ten), at(2, ten)}, 3},
		"two in the ledger, of which one has no seconds": {[]export{at(1, ten+37), at(1, ten)}, nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			terms := domain.TermsFor(nil, 0, nil)
			r := during(2, c.now).run(t, terms, remember(during(1, c.before).run(t, terms, ledger{})))
			found := 0
			for i := range r.All() {
				if string(r.Result(i).OrderID) == "#1" {
					found++
				}
			}
			require.Equal(t, c.orders, found)
		})
	}
}

// TestWhatARunHasSeenIsRemembered holds that a settled order is remembered for 180 days after the last run that has seen it, however old
// it is, and that a ledger which is carried on is no such run.
func TestWhatARunHasSeenIsRemembered(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	owed := []export{orderOf(rupees(1000), 1)}
	remembers := func(months ...monthly) bool {
		var r *verdict.Reconciliation
		var previous ledger
		for _, m := range months {
			r = m.run(t, terms, previous)
			previous = remember(r)
		}
		return slices.ContainsFunc(previous.orders, func(o verdict.RememberedOrder) bool { return string(o.Name) == "#1" })
	}
	paid := during(1, owed, payment(rupees(1000), 15))
	require.True(t, remembers(paid, during(7, nil)))
	require.False(t, remembers(paid, during(8, nil)), "180 days after the run that has seen it")
	require.True(t, remembers(paid, during(8, owed), during(13, nil)), "it is exported again")
	require.False(t, remembers(paid, during(4, nil), during(8, nil)), "a ledger that has it is no export")
	require.True(t, remembers(during(1, owed), during(8, nil, payment(rupees(1000), 225)), during(13, nil)), "a report has paid it late")
	require.False(t, remembers(during(1, owed), during(8, nil, payment(rupees(1000), 225)), during(13, nil), during(15, nil)))
}

// TestPayoutsHaveRememberedLines holds that a payout of which a report lists a part again has the lines that the ledger has of it,
// and that nothing is a payout of which the ledger alone has lines.
func TestPayoutsHaveRememberedLines(t *testing.T) {
	line := func(awb, utr string, amount domain.Paise, day int) storeLine {
		return storeLine{Remittance: verdict.Remittance{AWB: []byte(awb), OrderID: []byte(awb), UTR: []byte(utr), HasRemitted: true, Listed: amount,
			Collected: amount, Stated: amount - 10_00, Remitted: amount - 10_00, RemittedOn: march(day)}}
	}
	const first, second = "UTRN26030001", "UTRN26030002"
	before := monthly{orders: []export{orderOf(100_00, 1)}, lines: []storeLine{line("A1", first, 100_00, 10), line("A2", first, 200_00, 11), line("A3", second, 400_00, 12)}}
	terms := domain.TermsFor(nil, 0, nil)
	previous := remember(before.run(t, terms, ledger{}))
	now := monthly{orders: before.orders, lines: []storeLine{line("A1", first, 100_00, 10), line("A4", "utrn 2603-0001", 800_00, 13), line("A5", "", 50_00, 14)}}
	r := now.run(t, terms, previous)
	payouts := r.Payouts()
	require.Len(t, payouts, 2)
	require.Equal(t, verdict.Payout{Report: 1, Courier: "delhivery", UTR: []byte(first), RemittedOn: march(13), Lines: 3, Collected: 1100_00, Deducted: 30_00,
		DeductedKnown: true, Charges: 30_00, Paid: 1070_00}, payouts[0])
	require.Equal(t, domain.Paise(40_00), payouts[1].Paid)

	for _, old := range []int{-140, -90} {
		before.lines[1].RemittedOn = march(old)
		payouts = now.run(t, terms, remember(before.run(t, terms, ledger{}))).Payouts()
		require.Equal(t, old < -100, payouts[0].Partial, "a ledger may have forgotten orders that were paid so long ago")
	}
}

// TestAnOrderThatWasNotShipped holds that nobody is asked for an order of which the shop has not said that it left, and that one which
// was not owed for that reason is not owed because the export has it no more.
func TestAnOrderThatWasNotShipped(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	r := during(2, nil).run(t, terms, remember(during(1, []export{unshipped(19)}).run(t, terms, ledger{})))
	for i := range r.All() {
		if string(r.Result(i).OrderID) == "#1" {
			require.Equal(t, rupees(1000), r.Result(i).Shortfall)
			require.Zero(t, r.Asked(i))
		}
	}
	r = during(2, []export{unshipped(19)}).run(t, terms, ledger{})
	for n := range 2 {
		r = during(3+n, nil).run(t, terms, remember(r))
		for i := range r.All() {
			if string(r.Result(i).OrderID) == "#1" {
				require.Equal(t, domain.Reconciled, r.Result(i).Flag)
				require.Equal(t, domain.CauseNotShipped, r.Reason(i).Cause)
			}
		}
	}
}

// TestAnAWBThatTheShopHasMoved holds that an order which the export has with another AWB has no more that of the ledger if it is another
// order's now, and that this one's alone pays it.
func TestAnAWBThatTheShopHasMoved(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	other := orderOf(rupees(600), 31)
	other.Name = []byte("#2")
	paid := payment(rupees(600), 45)
	paid.OrderID, paid.Listed, paid.Collected = nil, rupees(600), rupees(600)
	previous := remember(during(1, []export{orderOf(rupees(1000), 1)}).run(t, terms, ledger{}))
	for awbs, want := range map[string][2]domain.Paise{"A2": {0, rupees(600)}, "A2, A1": {rupees(600), 0}, "": {rupees(600), 0}} {
		corrected := orderOf(rupees(1000), 1)
		corrected.awbs = []byte(awbs)
		r := during(2, []export{corrected, other}, paid).run(t, terms, previous)
		require.Equal(t, want, [2]domain.Paise{r.Result(0).Remitted, r.Result(1).Remitted}, awbs)
	}
}

// TestSharersAreSeenTogether holds that a report which lists a parcel of several orders has all of them, though none by itself.
func TestSharersAreSeenTogether(t *testing.T) {
	first, second := orderOf(rupees(1000), 1), orderOf(rupees(1000), 1)
	second.Name = []byte("#2")
	line := payment(rupees(500), 10)
	line.OrderID = nil
	previous := remember(during(1, []export{first, second}, line).run(t, domain.TermsFor(nil, 0, nil), ledger{}))
	for again, asOf := range map[bool]domain.Day{true: march(50), false: march(20)} {
		m := during(2, nil)
		if again {
			m = during(2, nil, line)
		}
		seen := map[string]domain.Day{}
		for _, o := range remember(m.run(t, domain.TermsFor(nil, 0, nil), previous)).orders {
			seen[string(o.Name)] = o.Found.LastSeen
		}
		require.Equal(t, [2]domain.Day{asOf, asOf}, [2]domain.Day{seen["#1"], seen["#2"]}, "listed again: %t", again)
	}
}

// TestAPaymentThatTwoRunsListCountsOnce holds that two runs may list a payment unlike before an export has the AWB of its order: it pays
// the order once. If an export then has a second order with the AWB, they are two payments.
func TestAPaymentThatTwoRunsListCountsOnce(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	again, tracked, sharer := payment(rupees(1000), 12), orderOf(rupees(1000), 1), orderOf(rupees(1000), 1)
	sharer.Name = []byte("#2")
	first, untracked, other := again, tracked, tracked
	first.OrderID, untracked.awbs, other.Name = nil, nil, []byte("#7")
	net := func(l storeLine) storeLine {
		l.Listed, l.Collected = 0, l.Stated
		return l
	}
	withoutUTR := again
	withoutUTR.UTR = nil
	for name, c := range map[string]struct {
		first, again storeLine
		second       []export
		tracked      export
	}{
		"its order is in no export":       {first, again, nil, tracked},
		"it was delivered later":          {delivered(first, 11), delivered(again, 9), nil, tracked},
		"the second run has no id":        {again, first, nil, tracked},
		"the second run has no UTR":       {first, withoutUTR, nil, tracked},
		"the second run has its order":    {first, again, []export{untracked}, tracked},
		"the same, and has no id":         {again, first, []export{untracked}, tracked},
		"of what was collected no report": {net(first), net(again), nil, tracked},
		"the id is another one's":         {first, again, nil, other},
	} {
		r := during(1, nil, c.first).run(t, terms, ledger{})
		r = during(2, c.second, c.again).run(t, terms, remember(r))
		requireTies(t, r)
		r = during(3, []export{c.tracked}).run(t, terms, remember(r))
		for n := 4; n < 6; n++ {
			require.Equal(t, rupees(1000), remittedOf(r, string(c.tracked.Name)), name)
			requireTies(t, r)
			r = during(n, nil).run(t, terms, remember(r))
		}
		r = during(6, []export{sharer}).run(t, terms, remember(r))
		require.Equal(t, rupees(1000), remittedOf(r, string(c.tracked.Name)), name)
		require.Equal(t, rupees(1000), remittedOf(r, "#2"), name)
		requireTies(t, r)
	}
}

// TestALedgerForgetsALineForWhichAnotherStands holds that such a line is kept for no longer than others.
func TestALedgerForgetsALineForWhichAnotherStands(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	again, tracked := payment(rupees(1000), 12), orderOf(rupees(1000), 1)
	first := again
	first.OrderID = nil
	r := during(1, nil, first).run(t, terms, ledger{})
	r = during(2, nil, again).run(t, terms, remember(r))
	for n, lines := range map[int]int{3: 2, 6: 2, 7: 1} {
		last := during(n, []export{tracked}).run(t, terms, remember(r))
		kept := slices.DeleteFunc(remember(last).lines, func(l verdict.RememberedLine) bool { return string(l.AWB) != "A1" })
		require.Len(t, kept, lines, n)
	}
}

// TestALedgerHasAReportOnce holds that lines which a run lists once more stay of one report with those beside them.
func TestALedgerHasAReportOnce(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	other := orderOf(rupees(1000), 1)
	other.Name, other.awbs = []byte("#2"), []byte("A2")
	line := func(awb string, paid domain.Paise) storeLine {
		l := payment(paid, 12)
		l.AWB, l.OrderID = []byte(awb), nil
		return l
	}
	for name, c := range map[string]struct {
		months [3][]storeLine
		want   [2]domain.Paise // remitted for #1 and #2
	}{
		"a part is given again": {[3][]storeLine{{line("A1", rupees(100)), line("A2", rupees(1000))}, {line("A2", rupees(1000))}, {line("A1", rupees(950))}},
			[2]domain.Paise{rupees(1050), rupees(1000)}},
		"a part is corrected": {[3][]storeLine{{line("A1", rupees(1000)), line("A2", rupees(1000))}, {line("A1", rupees(980))}},
			[2]domain.Paise{rupees(1980), rupees(1000)}},
	} {
		var r *verdict.Reconciliation
		var previous ledger
		for n, lines := range c.months {
			r = during(n+1, map[bool][]export{true: {orderOf(rupees(1000), 1), other}}[n == 2], lines...).run(t, terms, previous)
			requireTies(t, r)
			previous = remember(r)
		}
		require.Equal(t, c.want, [2]domain.Paise{remittedOf(r, "#1"), remittedOf(r, "#2")}, name)
	}
}

// TestAnAWBThatTheShopHasMovedMayBeRounded holds that an AWB, which an order has by a ledger alone and others have in the export, may
// turn out to be rounded: it is taken from the order once.
func TestAnAWBThatTheShopHasMovedMayBeRounded(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	named := func(name, awb string) export {
		o := orderOf(rupees(1000), 1)
		o.Name, o.awbs = []byte(name), []byte(awb)
		return o
	}
	r := during(1, []export{named("#1", "10000100000")}).run(t, terms, ledger{})
	r = during(2, []export{named("#1", "10000123456"), named("#2", "10000100000"), named("#3", "10000100000")}).run(t, terms, remember(r))
	require.Equal(t, "10000123456", string(r.Result(0).AWB))
	requireTies(t, r)
}

// remittedOf is what was remitted for an order by its name.
func remittedOf(r *verdict.Reconciliation, name string) (remitted domain.Paise) {
	for i := range r.All() {
		if string(r.Result(i).OrderID) == name {
			remitted += r.Result(i).Remitted
		}
	}
	return remitted
}

// TestTheStatusOfALedgerHolds holds that a run whose reports say nothing new finds what the run before found: of lines with one date the
// lowest has the status, and in the ledger that is the repeat's place.
func TestTheStatusOfALedgerHolds(t *testing.T) {
	terms := domain.TermsFor(nil, 0, nil)
	line := func(utr, status string, paid domain.Paise) storeLine {
		l := payment(paid, 12)
		l.UTR = []byte(utr)
		l.status = status
		return l
	}
	for name, lines := range map[string][]storeLine{
		"the repeat is lower":  {line("U1", "Delivered", 0), line("U2", "Delivered", 0), line("U1", "RTO Delivered", 0)},
		"the repeat is higher": {line("U1", "Delivered", 0), line("U2", "RTO Delivered", 0), line("U1", "", rupees(100))},
	} {
		r := during(1, []export{orderOf(rupees(1000), 1)}, lines...).run(t, terms, ledger{})
		found := r.Result(0)
		last := during(2, []export{orderOf(rupees(1000), 1)}).run(t, terms, remember(r))
		require.Equal(t, []any{found.Flag, found.Due, found.Remitted}, []any{last.Result(0).Flag, last.Result(0).Due, last.Result(0).Remitted}, name)
	}
}
