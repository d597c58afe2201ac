package verdict_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	orders, lines := fresh()
	var r verdict.Reconciliation
	for _, o := range m.orders {
		o.addTo(orders)
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
	require.NoError(t, r.Decide(orders, lines, terms))
	return &r
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

	beside := monthly{orders: []export{order("#1001", "P1, 1.90408E+13")}}.run(t, terms, ledger{})
	require.Equal(t, "P1, 1.90408E+13", string(remember(beside).orders[0].AWBs), "what a spreadsheet has rounded stays one of the order's")
}

// An order number that a shop uses again is twice in a run with a ledger, and not in the export: reasons and doubts say so.
func TestNamesakesOfALedger(t *testing.T) {
	order := func(name string, day int) export {
		return export{Order: verdict.Order{Name: []byte(name), Total: 100_00, HasTotal: true, CreatedOn: march(day), Fulfilment: verdict.Fulfilled,
			Payment: domain.PaymentCOD}, carrier: "Delhivery"}
	}
	terms := domain.TermsFor(nil, 0, nil)
	previous := remember(monthly{orders: []export{order("#1001", 1), order("#1002", 2)}}.run(t, terms, ledger{}))
	orders, lines := fresh()
	var r verdict.Reconciliation
	for _, o := range []export{order("#1001", 20), order("#1003", 21)} {
		o.addTo(orders)
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
	require.NoError(t, r.Decide(orders, lines, terms))
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
	require.Equal(t, verdict.Payout{Report: 1, CourierReport: 1, Courier: "delhivery", UTR: []byte(first), RemittedOn: march(13), Lines: 3, Collected: 1100_00, Deducted: 30_00,
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
