package verdict_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// orderOf is order #1, for cash of this much, ordered on a day of March.
func orderOf(total domain.Paise, day int) export {
	return export{Order: verdict.Order{Name: []byte("#1"), Total: total, HasTotal: true, CreatedOn: march(day), Fulfilment: verdict.Fulfilled,
		Payment: domain.PaymentCOD, Financial: domain.FinancialPending}, awbs: []byte("A1"), carrier: "Delhivery"}
}

// payment is a line of order #1, of which the courier has listed ₹1,000 and remitted this much on a day of March.
func payment(remitted domain.Paise, day int) storeLine {
	return storeLine{Remittance: verdict.Remittance{AWB: []byte("A1"), OrderID: []byte("1"), UTR: []byte{'U', byte('0' + day%10)}, HasRemitted: true,
		Listed: rupees(1000), Collected: rupees(1000), Stated: remitted, Remitted: remitted, RemittedOn: march(day)}}
}

func delivered(l storeLine, day int) storeLine {
	l.DeliveredOn = march(day)
	return l
}

func called(o export, off bool) export {
	o.Cancelled = off
	return o
}

// unshipped is order #1 as the shop has it before it leaves.
func unshipped(day int) export {
	o := orderOf(rupees(1000), day)
	o.Fulfilment, o.awbs = verdict.Unfulfilled, nil
	return o
}

func byOrderID(l storeLine) storeLine {
	l.AWB = nil
	return l
}

// during is the n-th month, from 1, with some orders and lines. Its batch_as_of is the 20th of March, 30 days later in
// each month after it, and another order is paid 13 days later.
func during(n int, orders []export, lines ...storeLine) monthly {
	asOf := 30*n - 10
	other := orderOf(rupees(500), asOf)
	other.Name, other.awbs = []byte{'#', '8', byte('0' + n)}, []byte{'O', byte('0' + n)}
	paid := payment(rupees(500), asOf+13)
	paid.AWB, paid.OrderID, paid.Listed, paid.Collected = other.awbs, other.Name[1:], rupees(500), rupees(500)
	return monthly{orders: append(slices.Clone(orders), other), lines: append(slices.Clone(lines), paid)}
}

// TestOpenItems walks the table of section 10: what becomes of order #1 in the last of some months, with the ledger of each month given to
// the next one.
func TestOpenItems(t *testing.T) {
	one := func(amount domain.Paise) verdict.ItemSum { return verdict.ItemSum{Items: 1, Amount: rupees(amount)} }
	unpaid, none := []export{orderOf(rupees(1000), 1)}, []export(nil)
	for name, c := range map[string]struct {
		months []monthly
		marks  []domain.Mark // of the ledgers of the months, as a person has changed them; none: as they are
		given  domain.Mark   // in the last month
		accept bool          // charges, from the last month on
		change verdict.Change
		moved  verdict.Movement
		flag   domain.Flag
		cause  domain.Cause
		since  int // a day of March
		passed bool
		ends   bool // what was said of the claim
	}{
		"new": {months: []monthly{during(1, none), during(2, []export{orderOf(rupees(1000), 35)})},
			change: verdict.New, moved: verdict.Movement{New: one(1000), Now: one(1000)}, flag: domain.Missing, since: 50},
		"awaited, and new": {months: []monthly{during(1, []export{orderOf(rupees(1000), 19)}), during(2, []export{orderOf(rupees(1000), 19)})},
			change: verdict.New, moved: verdict.Movement{New: one(1000), Now: one(1000)}, flag: domain.Missing, since: 50},
		"awaited": {months: []monthly{during(1, none), during(2, []export{orderOf(rupees(1000), 49)})},
			moved: verdict.Movement{Awaited: one(1000)}, flag: domain.AwaitingNextCycle},
		"no change": {months: []monthly{during(1, unpaid), during(2, unpaid)},
			moved: verdict.Movement{Before: one(1000), Now: one(1000)}, flag: domain.Missing, cause: domain.CauseFoundMissing, since: 20},
		"more is due": {months: []monthly{during(1, unpaid, payment(rupees(400), 15)), during(2, []export{orderOf(rupees(1200), 1)})},
			change: verdict.Changed, moved: verdict.Movement{Before: one(600), Changed: one(200), Now: one(800)}, flag: domain.ShortPaid, since: 20},
		"less is due": {months: []monthly{during(1, unpaid, payment(rupees(400), 15)), during(2, []export{orderOf(rupees(900), 1)})},
			change: verdict.Changed, moved: verdict.Movement{Before: one(600), Changed: one(-100), Now: one(500)}, flag: domain.ShortPaid, since: 20},
		"taken back while it is open": {months: []monthly{during(1, unpaid, payment(rupees(400), 15)), during(2, none, payment(-rupees(100), 45))},
			change: verdict.Changed, moved: verdict.Movement{Before: one(600), Changed: one(100), Now: one(700)}, flag: domain.ShortPaid, since: 20},
		"cancelled": {months: []monthly{during(1, unpaid), during(2, []export{called(orderOf(rupees(1000), 1), true)})},
			change: verdict.Ceased, moved: verdict.Movement{Before: one(1000), Changed: one(-1000)}, flag: domain.Reconciled, cause: domain.CauseCancelled},
		"taken back, and awaited again": {months: []monthly{during(1, unpaid, payment(rupees(400), 15)), during(2, none, delivered(payment(-rupees(400), 49), 48))},
			change: verdict.Ceased, moved: verdict.Movement{Before: one(600), Changed: one(-600), Awaited: one(1000)}, flag: domain.AwaitingNextCycle},
		"partly paid": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(300), 45))},
			change: verdict.PartlyPaid, moved: verdict.Movement{Before: one(1000), PartlyPaid: one(300), Now: one(700)}, flag: domain.ShortPaid, since: 20},
		"partly paid, and more is due": {months: []monthly{during(1, unpaid), during(2, []export{orderOf(rupees(1100), 1)}, payment(rupees(300), 45))},
			change: verdict.PartlyPaid, moved: verdict.Movement{Before: one(1000), PartlyPaid: one(300), Changed: one(100), Now: one(800)}, flag: domain.ShortPaid, since: 20},
		"paid but for a small difference": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(999), 45))},
			change: verdict.PartlyPaid, moved: verdict.Movement{Before: one(1000), PartlyPaid: one(999), Now: one(1)}, flag: domain.MinorDiff, since: 20},
		"cleared": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(1000), 45))},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000)}, flag: domain.Reconciled},
		"cleared by two lines": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(400), 45), payment(rupees(600), 46))},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000)}, flag: domain.Reconciled},
		"cleared, and less is due": {months: []monthly{during(1, unpaid), during(2, []export{orderOf(rupees(900), 1)}, payment(rupees(900), 45))},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Changed: one(-100), Cleared: one(900)}, flag: domain.Reconciled},
		"cleared and overpaid": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(1200), 45))},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000), Overpaid: one(200)}, flag: domain.Overpaid, since: 20},
		"listed again": {months: []monthly{during(1, unpaid, payment(rupees(400), 15)), during(2, unpaid, payment(rupees(400), 15))},
			moved: verdict.Movement{Before: one(600), Now: one(600)}, flag: domain.ShortPaid, since: 20},
		"written off": {months: []monthly{during(1, unpaid), during(2, none)}, marks: []domain.Mark{{State: domain.WrittenOff}},
			change: verdict.NowWrittenOff, moved: verdict.Movement{Before: one(1000), WrittenOff: one(1000)}, flag: domain.Missing, cause: domain.CauseFoundMissing, since: 20},
		"written off and partly paid": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(300), 45))}, marks: []domain.Mark{{State: domain.WrittenOff}},
			change: verdict.NowWrittenOff, moved: verdict.Movement{Before: one(1000), PartlyPaid: one(300), WrittenOff: one(700)}, flag: domain.ShortPaid, since: 20},
		"written off, and paid in the same month": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(1000), 45))}, marks: []domain.Mark{{State: domain.WrittenOff}},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000)}, flag: domain.Reconciled},
		"written off before": {months: []monthly{during(1, unpaid), during(2, none), during(3, none)}, marks: []domain.Mark{{State: domain.WrittenOff}, {State: domain.WrittenOff}},
			flag: domain.Missing, cause: domain.CauseFoundMissing, since: 20},
		"recovered": {months: []monthly{during(1, unpaid), during(2, none), during(3, none, payment(rupees(1000), 75))}, marks: []domain.Mark{{State: domain.WrittenOff}, {State: domain.WrittenOff}},
			change: verdict.Recovered, moved: verdict.Movement{Recovered: one(1000)}, flag: domain.Reconciled},
		"recovered, and more": {months: []monthly{during(1, unpaid), during(2, none), during(3, none, payment(rupees(1200), 75))}, marks: []domain.Mark{{State: domain.WrittenOff}, {State: domain.WrittenOff}}, ends: true,
			change: verdict.Recovered, moved: verdict.Movement{Recovered: one(1000), Overpaid: one(200)}, flag: domain.Overpaid, since: 20},
		"written off while nothing was owed": {months: []monthly{during(1, unpaid, payment(rupees(1000), 15)), during(2, none, payment(rupees(200), 45))}, marks: []domain.Mark{{State: domain.WrittenOff}}, ends: true,
			moved: verdict.Movement{Overpaid: one(200)}, flag: domain.Overpaid, since: 50},
		"recovered, and taken back": {months: []monthly{during(1, unpaid), during(2, none), during(3, none, payment(rupees(1000), 75)), during(4, none, payment(-rupees(1000), 106))},
			marks: []domain.Mark{{State: domain.WrittenOff}}, ends: true,
			change: verdict.Reopened, moved: verdict.Movement{Reopened: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 110},
		"overpaid after it was written off, and taken back": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(1200), 45)), during(3, none, payment(-rupees(1200), 76))},
			marks: []domain.Mark{{State: domain.WrittenOff}}, ends: true,
			change: verdict.Reopened, moved: verdict.Movement{Reopened: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 20},
		"a small rest is written off, and all is taken back": {months: []monthly{during(1, unpaid, payment(rupees(980), 15)), during(2, none), during(3, none, payment(-rupees(980), 76))},
			marks: []domain.Mark{{State: domain.WrittenOff, Note: "gone"}}, ends: true,
			change: verdict.Reopened, moved: verdict.Movement{Reopened: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 20},
		"a small rest is written off, and all is taken back in the same month": {months: []monthly{during(1, unpaid, payment(rupees(980), 15)), during(2, none, payment(-rupees(980), 45))},
			marks: []domain.Mark{{State: domain.WrittenOff}}, ends: true,
			change: verdict.Changed, moved: verdict.Movement{Before: one(20), Changed: one(980), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 20},
		"all is taken back, and written off again": {months: []monthly{during(1, unpaid, payment(rupees(980), 15)), during(2, none), during(3, none, payment(-rupees(980), 76))},
			marks: []domain.Mark{{State: domain.WrittenOff}}, given: domain.Mark{State: domain.WrittenOff},
			change: verdict.NowWrittenOff, moved: verdict.Movement{Reopened: one(1000), WrittenOff: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 20},
		"written off before, and more is due": {months: []monthly{during(1, unpaid), during(2, none), during(3, []export{orderOf(rupees(1200), 1)})}, marks: []domain.Mark{{State: domain.WrittenOff}},
			flag: domain.Missing, cause: domain.CauseFoundMissing, since: 20},
		"new, and written off": {months: []monthly{during(1, none), during(2, []export{orderOf(rupees(1000), 35)})}, given: domain.Mark{State: domain.WrittenOff},
			change: verdict.NowWrittenOff, moved: verdict.Movement{New: one(1000), WrittenOff: one(1000)}, flag: domain.Missing, since: 50},
		"awaited and written off, and new": {months: []monthly{during(1, []export{orderOf(rupees(1000), 19)}), during(2, []export{orderOf(rupees(1000), 19)})}, marks: []domain.Mark{{State: domain.WrittenOff}},
			change: verdict.NowWrittenOff, moved: verdict.Movement{New: one(1000), WrittenOff: one(1000)}, flag: domain.Missing, since: 50},
		"a reversal that is written off": {months: []monthly{during(1, unpaid, payment(rupees(1000), 15)), during(2, none, payment(-rupees(1000), 45))}, given: domain.Mark{State: domain.WrittenOff},
			change: verdict.NowWrittenOff, moved: verdict.Movement{Reopened: one(1000), WrittenOff: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 50},
		"its charges are accepted": {months: []monthly{during(1, unpaid, payment(rupees(930), 15)), during(2, none)}, accept: true,
			change: verdict.Ceased, moved: verdict.Movement{Before: one(70), Changed: one(-70)}, flag: domain.Reconciled},
		"written off, and its charges are accepted": {months: []monthly{during(1, unpaid, payment(rupees(930), 15)), during(2, none), during(3, none)}, accept: true, marks: []domain.Mark{{State: domain.WrittenOff}},
			flag: domain.Reconciled},
		"paid but for charges that are accepted": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(930), 45))}, accept: true,
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000)}, flag: domain.Reconciled},
		"the write-off taken back": {months: []monthly{during(1, unpaid), during(2, none), during(3, none)}, marks: []domain.Mark{{State: domain.WrittenOff}, {}},
			change: verdict.Reopened, moved: verdict.Movement{Reopened: one(1000), Now: one(1000)}, flag: domain.Missing, cause: domain.CauseFoundMissing, since: 20},
		"the write-off taken back, and paid": {months: []monthly{during(1, unpaid), during(2, none), during(3, none, payment(rupees(1000), 75))}, marks: []domain.Mark{{State: domain.WrittenOff}, {}},
			change: verdict.Recovered, moved: verdict.Movement{Recovered: one(1000)}, flag: domain.Reconciled},
		"a reversal": {months: []monthly{during(1, unpaid, payment(rupees(1000), 15)), during(2, none, payment(-rupees(1000), 45))},
			change: verdict.Reopened, moved: verdict.Movement{Reopened: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 50},
		"paid after a reversal": {months: []monthly{during(1, unpaid, payment(rupees(1000), 15)), during(2, none, payment(-rupees(1000), 45)), during(3, none, payment(rupees(1000), 76))},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000)}, flag: domain.Reconciled},
		"a promise that has passed": {months: []monthly{during(1, unpaid), during(2, none)}, marks: []domain.Mark{{State: domain.Promised, PromisedUntil: march(49)}},
			moved: verdict.Movement{Before: one(1000), Now: one(1000), Promises: one(1000)}, flag: domain.Missing, cause: domain.CauseFoundMissing, since: 20, passed: true},
		"a promise until batch_as_of": {months: []monthly{during(1, unpaid), during(2, none)}, marks: []domain.Mark{{State: domain.Promised, PromisedUntil: march(50)}},
			moved: verdict.Movement{Before: one(1000), Now: one(1000)}, flag: domain.Missing, cause: domain.CauseFoundMissing, since: 20},
		"a promise that was kept, and the money taken back": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(1000), 45)), during(3, none, payment(-rupees(1000), 76))},
			marks: []domain.Mark{{State: domain.Promised, PromisedUntil: march(49)}}, ends: true,
			change: verdict.Reopened, moved: verdict.Movement{Reopened: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 80},
		"a promise that was kept": {months: []monthly{during(1, unpaid), during(2, none, payment(rupees(1000), 45))}, marks: []domain.Mark{{State: domain.Promised, PromisedUntil: march(49), RaisedOn: march(21), Note: "by telephone"}},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000)}, flag: domain.Reconciled},
		"found missing, and listed": {months: []monthly{during(1, unpaid), during(2, none, payment(0, 0))},
			moved: verdict.Movement{Before: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseListed, since: 20},
		"not shipped, and awaited": {months: []monthly{during(1, []export{unshipped(19)}), during(2, none)},
			change: verdict.New, moved: verdict.Movement{New: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseWasNotShipped, since: 50},
		"not shipped, and awaited long ago": {months: []monthly{during(1, []export{unshipped(19)}), during(2, none), during(3, none)},
			moved: verdict.Movement{Before: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseWasNotShipped, since: 50},
		"not shipped, and paid": {months: []monthly{during(1, []export{unshipped(19)}), during(2, none), during(3, none, byOrderID(payment(rupees(1000), 75)))},
			change: verdict.Cleared, moved: verdict.Movement{Before: one(1000), Cleared: one(1000)}, flag: domain.Reconciled},
		"only the ledger has it": {months: []monthly{during(1, []export{orderOf(rupees(1000), 19)}), during(2, none)},
			change: verdict.New, moved: verdict.Movement{New: one(1000), Now: one(1000)}, flag: domain.Overdue, cause: domain.CauseLedgerAlone, since: 50},
	} {
		t.Run(name, func(t *testing.T) {
			var previous ledger
			var r *verdict.Reconciliation
			for i, m := range c.months {
				if i > 0 {
					previous = remember(r)
					at := slices.IndexFunc(previous.orders, func(o verdict.RememberedOrder) bool { return string(o.Name) == "#1" })
					if i <= len(c.marks) {
						previous.orders[at].Found.Mark = c.marks[i-1]
					}
				}
				terms := domain.TermsFor(nil, 0, nil)
				terms.AcceptCharges = c.accept && i == len(c.months)-1
				r = m.run(t, terms, previous)
				requireTies(t, r)
			}
			if c.given != (domain.Mark{}) {
				require.Empty(t, r.Mark([]domain.MarkedOrder{{ChosenOrder: domain.ChosenOrder{OrderID: "#1"}, Mark: c.given}}))
			}
			couriers, all := r.Movements()
			require.Equal(t, c.moved, all)
			requireMoves(t, all)
			if len(couriers) > 0 {
				all.Courier = couriers[0].Courier
				require.Equal(t, []verdict.Movement{all}, couriers)
			}
			items := slices.Collect(r.OpenItems())
			require.Len(t, items, 1)
			item := &items[0]
			require.Equal(t, "#1", string(r.Result(item.Order).OrderID))
			require.Equal(t, c.change, item.Change)
			require.Equal(t, c.flag, item.Now.Flag)
			require.Equal(t, c.cause, r.Reason(item.Order).Cause)
			require.Equal(t, c.passed, item.PromisePassed)
			since := domain.NoDay
			if c.since > 0 {
				since = march(c.since)
			}
			require.Equal(t, since, item.Now.Since)
			if mark := c.given; len(c.marks) > 0 && mark == (domain.Mark{}) {
				mark = c.marks[len(c.marks)-1]
				if c.ends {
					mark.State, mark.PromisedUntil = domain.Unmarked, domain.NoDay
				}
				require.Equal(t, mark, item.Now.Mark, "what a person has noted is carried on")
			}
			for _, o := range remember(r).orders {
				if mark := item.Now.Mark; string(o.Name) == "#1" {
					if item.Now.Flag == domain.Reconciled {
						mark.State, mark.PromisedUntil = domain.Unmarked, domain.NoDay
					}
					require.Equal(t, mark, o.Found.Mark, "what is said of a claim ends with it")
				}
			}
			require.Equal(t, c.passed, slices.ContainsFunc(r.Warnings(), func(w domain.Warning) bool { return w.Code == domain.WarnPromisesPassed }))
		})
	}
}

// TestReasonsOfALedger holds what a reason says by the ledger, and of how much.
func TestReasonsOfALedger(t *testing.T) {
	shared := orderOf(rupees(600), 2)
	shared.Name = []byte("#2")
	both := during(1, []export{orderOf(rupees(400), 1), shared}, payment(rupees(900), 15))
	other := func(l storeLine) storeLine { l.OrderID = nil; return l }
	both.lines[0] = other(both.lines[0])
	for name, c := range map[string]struct {
		months     []monthly
		notes      bool
		remembered domain.Paise
	}{
		"a line of the ledger":     {months: []monthly{during(1, []export{orderOf(rupees(1000), 1)}, payment(rupees(400), 15)), during(2, nil, payment(rupees(300), 45))}, notes: true, remembered: rupees(400)},
		"taken back since":         {months: []monthly{during(1, []export{orderOf(rupees(1000), 1)}, payment(-rupees(400), 15)), during(2, nil, payment(rupees(300), 45))}, notes: true, remembered: -rupees(400)},
		"listed again":             {months: []monthly{during(1, []export{orderOf(rupees(1000), 1)}, payment(rupees(400), 15)), during(2, nil, payment(rupees(400), 15))}},
		"no line":                  {months: []monthly{during(1, []export{orderOf(rupees(1000), 1)}), during(2, nil, payment(rupees(400), 45))}},
		"a line of several orders": {months: []monthly{both, during(2, nil)}, notes: true},
	} {
		first := c.months[0].run(t, domain.TermsFor(nil, 0, nil), ledger{})
		r := c.months[1].run(t, domain.TermsFor(nil, 0, nil), remember(first))
		for i := range r.All() {
			if string(r.Result(i).OrderID) == "#1" {
				reason := r.Reason(i)
				require.Equal(t, c.notes, reason.Notes.Has(domain.NoteRemembered), name)
				require.Equal(t, c.remembered, reason.Remembered, name)
			}
		}
	}
}

// TestAnAdvanceStaysPaid holds that the courier never owes what the shop was paid before. When the courier has paid the rest, the shop
// marks the order as paid, and only the ledger still says that there was less to collect.
func TestAnAdvanceStaysPaid(t *testing.T) {
	as := func(total, outstanding domain.Paise, financial domain.Financial) export {
		o := orderOf(rupees(total), 1)
		o.Outstanding, o.HasOutstanding, o.Financial = rupees(outstanding), outstanding >= 0, financial
		return o
	}
	listed := func(cod, paid domain.Paise) storeLine {
		l := payment(rupees(paid), 15)
		l.Listed, l.Collected = rupees(cod), rupees(cod)
		return l
	}
	const paid = domain.FinancialPaid
	part := as(1000, 900, domain.FinancialPartlyPaid)
	for name, c := range map[string]struct {
		exports   []export // of a month each
		line      storeLine
		due       domain.Paise
		flag      domain.Flag
		notes     domain.Notes
		stillOpen domain.Paise
	}{
		"marked as paid":                {[]export{part, as(1000, 0, paid)}, listed(900, 900), rupees(900), domain.Reconciled, domain.NoteAdvance, 0},
		"once more":                     {[]export{part, as(1000, 0, paid), as(1000, 0, paid)}, listed(900, 900), rupees(900), domain.Reconciled, domain.NoteAdvance, 0},
		"and refunded":                  {[]export{part, as(1000, 0, paid), as(1000, 0, domain.FinancialPartlyRefunded)}, listed(900, 900), rupees(900), domain.Reconciled, domain.NoteAdvance, 0},
		"refunded at once":              {[]export{part, as(1000, 0, domain.FinancialRefunded)}, listed(900, 900), rupees(900), domain.Reconciled, domain.NoteAdvance, 0},
		"no outstanding balance stated": {[]export{part, as(1000, -1, paid)}, listed(900, 900), rupees(900), domain.Reconciled, domain.NoteAdvance, 0},
		"it was pending":                {[]export{as(1000, 900, domain.FinancialPending), as(1000, 0, paid)}, listed(900, 900), rupees(900), domain.Reconciled, domain.NoteAdvance, 0},
		"paid in part":                  {[]export{part, as(1000, 0, paid)}, listed(900, 850), rupees(900), domain.ShortPaid, domain.NoteAdvance, rupees(50)},
		"more was bought":               {[]export{part, as(1200, 0, paid)}, listed(1100, 1100), rupees(1200), domain.ShortPaid, domain.NotePerhapsAdvance, rupees(100)},
		"less is left than was paid":    {[]export{part, as(80, 0, paid)}, listed(80, 80), rupees(80), domain.Reconciled, 0, 0},
		"a payment was booked":          {[]export{as(1000, 100, domain.FinancialPartlyPaid), as(1000, 0, paid)}, listed(1000, 900), rupees(1000), domain.ShortPaid, 0, rupees(100)},
		"a payment was booked, heals":   {[]export{as(1000, 100, domain.FinancialPartlyPaid), as(1000, 0, paid), as(1000, 0, paid)}, listed(1000, 900), rupees(1000), domain.ShortPaid, 0, rupees(100)},
		"half was booked":               {[]export{as(1000, 500, domain.FinancialPartlyPaid), as(1000, 0, paid)}, listed(500, 500), rupees(1000), domain.ShortPaid, domain.NotePerhapsAdvance, rupees(500)},
		"half was booked, in parts":     {[]export{as(1000, 500, domain.FinancialPartlyPaid), as(1000, 0, paid)}, listed(500, 400), rupees(1000), domain.ShortPaid, 0, rupees(600)},
		"a part of it was booked":       {[]export{as(1000, 600, domain.FinancialPartlyPaid), as(1000, 0, paid)}, listed(400, 400), rupees(1000), domain.ShortPaid, domain.NotePerhapsAdvance, rupees(600)},
		"the total is edited":           {[]export{as(1500, 1000, domain.FinancialPartlyPaid), as(1000, 0, paid)}, listed(1000, 500), rupees(1000), domain.ShortPaid, 0, rupees(500)},
		"more than the balance listed":  {[]export{part, as(1000, 0, paid)}, listed(1000, 850), rupees(1000), domain.ShortPaid, 0, rupees(150)},
		"more than the balance paid":    {[]export{part, as(1000, 0, paid)}, listed(900, 1000), rupees(1000), domain.Reconciled, 0, 0},
		"not marked":                    {[]export{part, part}, listed(900, 900), rupees(900), domain.Reconciled, 0, 0},
		"outstanding again":             {[]export{part, as(1000, 950, paid)}, listed(950, 950), rupees(950), domain.Reconciled, 0, 0},
		"all was outstanding":           {[]export{as(1000, 1000, domain.FinancialPending), as(1000, 0, paid)}, listed(1000, 900), rupees(1000), domain.ShortPaid, 0, rupees(100)},
		"no ledger":                     {[]export{as(1000, 0, paid)}, listed(900, 900), rupees(1000), domain.ShortPaid, domain.NotePerhapsAdvance, rupees(100)},
		"no ledger, not all is paid":    {[]export{as(1000, 0, paid)}, listed(900, 850), rupees(1000), domain.ShortPaid, 0, rupees(150)},
		"no ledger, not marked":         {[]export{as(1000, 1000, domain.FinancialPending)}, listed(900, 900), rupees(1000), domain.ShortPaid, 0, rupees(100)},
		"no ledger, nothing listed":     {[]export{as(1000, 0, paid)}, listed(0, 900), rupees(1000), domain.ShortPaid, 0, rupees(100)},
	} {
		t.Run(name, func(t *testing.T) {
			var r *verdict.Reconciliation
			var previous ledger
			for i, exported := range c.exports {
				r = during(i+1, []export{exported}, c.line).run(t, domain.TermsFor(nil, 0, nil), previous)
				previous = remember(r)
			}
			_, all := r.Movements()
			require.Equal(t, c.stillOpen, all.Now.Amount)
			if c.stillOpen == 0 {
				require.Zero(t, all.Reopened)
			}
			require.Equal(t, "#1", string(r.Result(0).OrderID))
			require.Equal(t, c.due, r.Result(0).Due)
			require.Equal(t, c.flag, r.Result(0).Flag)
			reason := r.Reason(0)
			require.Equal(t, c.notes, reason.Notes&(domain.NoteAdvance|domain.NotePerhapsAdvance))
			if c.notes == domain.NoteAdvance {
				require.Equal(t, rupees(100), reason.Advance)
			}
		})
	}
}

// TestABookedPaymentIsNoAdvance holds that the rest is still owed when the shop had booked what the courier had paid, and that it is settled
// when it is paid.
func TestABookedPaymentIsNoAdvance(t *testing.T) {
	booked, paid := orderOf(rupees(1000), 1), orderOf(rupees(1000), 1)
	booked.Outstanding, booked.HasOutstanding, booked.Financial = rupees(100), true, domain.FinancialPartlyPaid
	paid.HasOutstanding, paid.Financial = true, domain.FinancialPaid
	first, rest := payment(rupees(900), 15), payment(rupees(100), 75)
	for _, l := range []*storeLine{&first, &rest} {
		l.Listed, l.Collected = rupees(1000), rupees(1000)
	}
	var previous ledger
	for i, month := range []struct {
		exported export
		line     storeLine
		flag     domain.Flag
	}{{booked, first, domain.Overpaid}, {paid, first, domain.ShortPaid}, {paid, rest, domain.Reconciled}, {paid, rest, domain.Reconciled}} {
		r := during(i+1, []export{month.exported}, month.line).run(t, domain.TermsFor(nil, 0, nil), previous)
		require.Equal(t, month.flag, r.Result(0).Flag, i)
		previous = remember(r)
	}
}

// TestAnAdvanceIsContradictedLater holds that a balance of the ledger is not due when the courier pays more than it, nor for an order that
// shares an AWB, of which nobody says what the courier lists for it alone.
func TestAnAdvanceIsContradictedLater(t *testing.T) {
	part, paid := orderOf(rupees(1000), 1), orderOf(rupees(1000), 1)
	part.Outstanding, part.HasOutstanding, part.Financial = rupees(900), true, domain.FinancialPartlyPaid
	paid.HasOutstanding, paid.Financial = true, domain.FinancialPaid
	beside := orderOf(rupees(300), 1)
	beside.Name = []byte("#2")
	pays := func(cod, amount domain.Paise) storeLine {
		l := payment(rupees(amount), 45)
		l.Listed, l.Collected = rupees(cod), rupees(amount)
		return l
	}
	for name, c := range map[string]struct {
		exports []export // of the second month
		line    storeLine
		due     domain.Paise
	}{
		"just the balance": {[]export{paid}, pays(900, 900), rupees(900)},
		"more is paid":     {[]export{paid}, pays(900, 1000), rupees(1000)},
		"a shared AWB":     {[]export{paid, beside}, pays(900, 900), rupees(1000)},
	} {
		t.Run(name, func(t *testing.T) {
			first := during(1, []export{part}).run(t, domain.TermsFor(nil, 0, nil), ledger{})
			r := during(2, c.exports, c.line).run(t, domain.TermsFor(nil, 0, nil), remember(first))
			require.Equal(t, c.due, r.Result(0).Due)
		})
	}
}

// TestWarningsOfALedger holds what an accountant is told of a run with a ledger.
func TestWarningsOfALedger(t *testing.T) {
	weak := payment(rupees(300), 45)
	weak.AWB = nil
	undated := payment(rupees(200), 0)
	undated.UTR, undated.RemittedOn = nil, domain.NoDay
	known := remember(during(1, []export{orderOf(rupees(1000), 1)}).run(t, domain.TermsFor(nil, 0, nil), ledger{}))
	awaited := remember(during(1, []export{orderOf(rupees(1000), 19)}).run(t, domain.TermsFor(nil, 0, nil), ledger{}))
	early := payment(rupees(5), 20)
	early.AWB, early.OrderID = []byte("U1"), nil
	for name, c := range map[string]struct {
		month    monthly
		previous ledger
		want     []domain.Warning
	}{
		"nothing that was awaited":    {during(2, nil), awaited, []domain.Warning{{Code: domain.WarnLedgerApart, Count: 2}}},
		"what was awaited is listed":  {during(2, nil, payment(0, 0)), awaited, nil},
		"still awaited":               {monthly{orders: during(1, nil).orders, lines: []storeLine{early}}, awaited, nil},
		"months that do not overlap":  {during(2, nil), known, nil},
		"an order with a name of its": {during(2, []export{orderOf(rupees(1000), 40)}), known, []domain.Warning{{Code: domain.WarnLedgerApart, Count: 2}}},
		"an order of it is exported":  {during(2, []export{orderOf(rupees(1000), 1)}), known, nil},
		"an order of it is paid":      {during(2, nil, payment(rupees(300), 45)), known, nil},
		"no AWB, and no UTR and date": {during(2, nil, weak, undated), known, []domain.Warning{{Code: domain.WarnWeakLines, Count: 2, Amount: rupees(500), HasAmount: true}}},
		"no ledger":                   {during(2, nil, weak, undated), ledger{}, nil},
	} {
		warnings := c.month.run(t, domain.TermsFor(nil, 0, nil), c.previous).Warnings()
		of := []domain.WarningCode{domain.WarnLedgerApart, domain.WarnWeakLines, domain.WarnPromisesPassed}
		warnings = slices.DeleteFunc(warnings, func(w domain.Warning) bool { return !slices.Contains(of, w.Code) })
		require.Len(t, warnings, len(c.want), name)
		for i := range c.want {
			require.Equal(t, c.want[i], warnings[i], name)
		}
	}
}

// TestBrandsOfALedger holds that a ledger of another brand is doubted, though it has an order of the export.
func TestBrandsOfALedger(t *testing.T) {
	for brands, warned := range map[[2]string]bool{{"Asha", "Kurta"}: true, {"Asha", "asha"}: false, {"Asha", domain.DefaultBrand}: false,
		{domain.DefaultBrand, "Asha"}: false, {"", "Asha"}: false, {"Asha", ""}: false} {
		orders, lines := fresh()
		var r verdict.Reconciliation
		orderOf(rupees(1000), 1).addTo(orders)
		require.Empty(t, orders.Remember(&verdict.RememberedOrder{Order: verdict.Order{Name: []byte("#1"), CreatedOn: march(1)},
			Found: verdict.Finding{Flag: domain.Reconciled}}))
		orders.Ledger.Brand = brands[0]
		lines.Begin("delhivery")
		require.NoError(t, r.Decide(orders, lines, domain.TermsFor(nil, 0, nil)))
		r.Brand = brands[1]
		at := slices.IndexFunc(r.Warnings(), func(w domain.Warning) bool { return w.Code == domain.WarnLedgerApart })
		require.Equal(t, warned, at >= 0, brands)
		if warned {
			require.Equal(t, brands[:], r.Warnings()[at].Examples)
		}
	}
}

// TestAPayoutOfALedgerIsCorrected holds that a report of the ledger is numbered after the run's own, so that nothing that is said of it names
// another one.
func TestAPayoutOfALedgerIsCorrected(t *testing.T) {
	second := orderOf(rupees(1000), 1)
	second.Name, second.awbs = []byte("#2"), []byte("A2")
	paid := func(awb string, remitted domain.Paise) storeLine {
		l := payment(remitted, 15)
		l.AWB, l.OrderID, l.UTR = []byte(awb), nil, []byte("U15")
		return l
	}
	first := during(1, []export{orderOf(rupees(1000), 1), second}, paid("A1", rupees(800)), paid("A2", rupees(800))).
		run(t, domain.TermsFor(nil, 0, nil), ledger{})
	r := during(2, nil, paid("A1", rupees(900)), paid("A2", rupees(900))).run(t, domain.TermsFor(nil, 0, nil), remember(first))
	requireTies(t, r)
	for i := r.Len(); i < r.All(); i++ {
		if result := r.Result(i); string(result.OrderID) != "#81" {
			require.Equal(t, rupees(900), result.Remitted)
			require.Equal(t, domain.Corrected{Report: 2, By: 1, Remitted: rupees(800)}, r.Reason(i).Corrected)
		}
	}
	at := slices.IndexFunc(r.Warnings(), func(w domain.Warning) bool { return w.Code == domain.WarnCorrectedPayout })
	require.GreaterOrEqual(t, at, 0)
	require.Equal(t, []int{2, 1}, []int{r.Warnings()[at].Report, r.Warnings()[at].By})
	_, all := r.Movements()
	require.Equal(t, verdict.Movement{Before: verdict.ItemSum{Items: 2, Amount: rupees(400)}, PartlyPaid: verdict.ItemSum{Items: 2, Amount: rupees(200)},
		Now: verdict.ItemSum{Items: 2, Amount: rupees(200)}}, all)
}
