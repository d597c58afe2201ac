package verdict_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

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
	orders, lines := fresh()
	var r verdict.Reconciliation
	orderOf(rupees(1000), 1).addTo(orders)
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
	require.NoError(t, r.Decide(orders, lines, domain.TermsFor(nil, 0, nil)))
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

// TestWhatSettledOrdersShareIsRememberedWithThem holds that an old payment of a parcel of several orders is remembered for as long as one of
// them is: or else it would be asked for once more.
func TestWhatSettledOrdersShareIsRememberedWithThem(t *testing.T) {
	second := orderOf(rupees(1000), 1)
	second.Name = []byte("#2")
	late := payment(rupees(1000), 225)
	late.OrderID = nil
	both := []export{orderOf(rupees(1000), 1), second}
	for _, months := range [][]monthly{
		{during(1, both, payment(rupees(1000), 15)), during(8, nil, late), during(13, nil), during(15, nil)},
		{during(1, both, payment(rupees(1000), 15), late), during(4, both[:1]), during(8, both[1:]), during(13, nil), during(15, nil)},
	} {
		var previous ledger
		for i, m := range months {
			r := m.run(t, domain.TermsFor(nil, 0, nil), previous)
			requireTies(t, r)
			previous = remember(r)
			var paid, kept int
			for _, o := range previous.orders {
				if string(o.AWBs) == "A1" {
					kept++
					require.True(t, o.Found.Flag == domain.Reconciled || i == 0, "run %d: %s is %s", i+1, o.Name, o.Found.Flag)
				}
			}
			for _, l := range previous.lines {
				if string(l.AWB) == "A1" {
					paid++
				}
			}
			if i == len(months)-1 {
				require.Zero(t, kept+paid)
			} else {
				require.Equal(t, 2, kept, "run %d", i+1)
			}
		}
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
