package verdict

import (
	"cmp"
	"iter"
	"slices"

	"milaan/domain"
)

// What a run writes down for the next one: which orders and lines, and what of them (guide: verdict 10).

// RememberedOrders yields the orders that the next ledger remembers, with what this run has found on them. Their texts
// are valid until the next one.
func (r *Reconciliation) RememberedOrders() iter.Seq[*RememberedOrder] {
	return func(yield func(*RememberedOrder) bool) {
		var of RememberedOrder
		for _, i := range r.kept().orders {
			o := &r.orders.list[i]
			of = RememberedOrder{Order: *o, Carrier: r.orders.Text(o.Carrier), Method: r.orders.Text(o.Method)}
			if r.policy.keepsAdvance(o, &r.matching.claims[i]) {
				of.Outstanding, of.HasOutstanding = o.Total-o.advance, true
			}
			if of.AWBs = r.orders.allAWBs(of.AWBs, o); len(of.AWBs) == 0 {
				of.AWBs = domain.Trim(r.orders.trackingOf(o))
			}
			of.Found, _ = r.finding(int(i))
			if !r.isOpen(int(i)) { // else a write-off would hide that the money is taken back later
				of.Found.Mark.State, of.Found.Mark.PromisedUntil = domain.Unmarked, domain.NoDay
			}
			if of.Found.Carried = of.Found.Mark.State; !yield(&of) {
				return
			}
		}
	}
}

// RememberedLines yields the lines that the next ledger remembers. What it yields is valid until the next one.
func (r *Reconciliation) RememberedLines() iter.Seq[*RememberedLine] {
	return func(yield func(*RememberedLine) bool) {
		var of RememberedLine
		own, spoken, prints := r.matching.repeats.ownDeliveries(), r.matching.spoken(), r.remittances.roundedPrints()
		reversed := r.reversedRepeats()
		for _, l := range r.kept().lines {
			line := &r.remittances.list[l]
			report := &r.remittances.reports[line.Report]
			of = RememberedLine{Remittance: *line, Courier: report.Courier, BothAmounts: report.bothAmounts(),
				Charges: of.Charges[:0], Seen: r.lineSeenOn(l), Print: line.Fingerprint()}
			_, of.CourierKey = report.group()
			if day, has := own[l]; has {
				of.DeliveredOn = day
			}
			if repeat, says := spoken[of.Print]; says && r.matching.repeats.marks[l]&silent != 0 {
				from := r.remittances.list[repeat]
				if day, has := own[repeat]; has {
					from.DeliveredOn = day
				}
				of.learn(&from, true)
			}
			if status, says := reversed[of.Print]; says && of.Remitted > 0 {
				of.MoneyStatus = status
			}
			of.Told = r.matching.told[l]
			if print, rounded := prints[l]; rounded {
				of.Print = print
			}
			of.ShipmentStatus, of.PayStatus = r.remittances.Status(of.Status).Text, r.remittances.Status(of.MoneyStatus).Text
			for _, c := range r.remittances.ChargesOf(line) {
				of.Charges = append(of.Charges, domain.StatedCharge{Name: report.Charges[c.Column], Amount: c.Amount})
			}
			if !yield(&of) {
				return
			}
		}
	}
}

// KeptForNext is how many orders and lines the next ledger remembers.
func (r *Reconciliation) KeptForNext() (orders, lines int) {
	return len(r.kept().orders), len(r.kept().lines)
}

// RememberedFor is for how many days before batch_as_of settled orders, and lines of no order, are remembered.
const RememberedFor = 180

// keeping is what the next ledger remembers.
type keeping struct {
	ready  bool
	orders []int32
	lines  []int32
	oldest domain.Day // see OldestKept

	leftOut ItemSum // open items, for which there is no room
}

// remembersLine says whether a line is no repeat that surely is the money of another one. An AWB that ends in zeros may turn
// out to be rounded, so that its repeats were parcels of their own.
func (m *matching) remembersLine(i int32) bool {
	mark := m.repeats.marks[i]
	return mark&corrected == 0 && (mark&leftOut == 0 || LooksRounded(m.lines[i].AWB))
}

// spoken are the repeats that are not remembered and have the status of their group, by what is equal for it.
func (m *matching) spoken() map[[FingerprintSize]byte]int32 {
	lines := map[[FingerprintSize]byte]int32{}
	for i, mark := range m.repeats.marks {
		if mark&(corrected|leftOut|silent) == leftOut && m.lines[i].HasStatus {
			lines[m.lines[i].Fingerprint()] = int32(i)
		}
	}
	return lines
}

// kept is keep, once.
func (r *Reconciliation) kept() *keeping {
	if !r.keeping.ready {
		r.keeping = r.keep()
		r.keeping.ready = true
	}
	return &r.keeping
}

// MaxLedgerRows is how many orders and lines a ledger may have together: domain.MaxRows orders, and a few lines for each.
const MaxLedgerRows = 4 * domain.MaxRows

// MaxLedgerCharges is how many charges a ledger may have: as many as a report may have.
const MaxLedgerCharges = domain.MaxRows * MaxCharges

// keep decides what the next ledger remembers: orders that are open or written off, those that a run has seen in the last RememberedFor
// days, and those that share parcels with them; and the lines of these, and lines of no order from the same days. An order that only a
// ledger has is seen by a run whose reports have it. If there is no room for all, settled orders are left out first, from the one that was
// seen the longest ago; then lines of no order; and of the open items those with the least claim.
func (r *Reconciliation) keep() (k keeping) {
	m, from := &r.matching, max(r.Guidance.BatchAsOf-RememberedFor, r.unseenBefore)
	lineDated := func(l int32) domain.Day {
		dated, seen := m.lines[l].datedOn(), r.lineSeenOn(l)
		if r.keptOn != domain.NoDay { // whatever date a report has, the service keeps no line for longer than since it was first seen
			dated = min(dated, seen)
		}
		return cmp.Or(dated, seen)
	}
	var open, settled []int32
	for i := range r.decided {
		at, seen := int32(i), r.lastSeenOn(i)
		switch {
		case r.orders.list[i].Currency != 0, seen < r.unseenBefore:
		case r.isOpen(i):
			open = append(open, at)
		case seen >= from:
			settled = append(settled, at)
		}
	}
	var others []int32 // lines of no order alone
	dropped := make([]bool, len(m.lines))
	of := func(l int32) {
		if dropped[l] = lineDated(l) < from; !dropped[l] {
			others = append(others, l)
		}
	}
	for l := m.claims[len(r.decided)].first; l != noLine; l = m.next[l] {
		of(l)
	}
	open, settled, held := r.holdTogether(open, settled)
	for _, s := range m.shared {
		if !held[s.line] {
			of(s.line)
		}
	}
	if r.mayOverflow() {
		charges := MaxLedgerCharges
		for l := range held {
			charges -= int(m.lines[l].charges)
		}
		open, settled = r.fit(&k, MaxLedgerRows-len(held), charges, open, settled, others, dropped, lineDated)
	}
	k.orders = append(open, settled...)
	slices.Sort(k.orders)
	next := 0
	for i := range r.decided {
		if next < len(k.orders) && k.orders[next] == int32(i) {
			next++
			continue
		}
		for l := m.claims[i].first; l != noLine; l = m.next[l] {
			dropped[l] = true
		}
	}
	again := r.againByRuns(dropped, func(l int32) bool { return lineDated(l) >= from })
	for l := range m.lines {
		if !dropped[l] && m.remembersLine(int32(l)) || again[int32(l)] {
			k.lines = append(k.lines, int32(l))
		}
	}
	m.sortBySpeaking(k.lines)
	for _, i := range k.orders {
		k.dates(r.lastSeenOn(int(i)))
	}
	for _, l := range others {
		if !dropped[l] && m.remembersLine(l) {
			k.dates(lineDated(l))
		}
	}
	return k
}

// sortBySpeaking puts lines in the places of the repeats from which they have their status, because of lines with one date the lowest has
// the status that holds. Lines beside those of an AWB stay, because there the order of the money decides.
func (m *matching) sortBySpeaking(lines []int32) {
	spoken := m.spoken()
	if len(spoken) == 0 {
		return
	}
	places := map[int32]int32{}
	for _, l := range lines {
		if m.repeats.marks[l]&silent != 0 {
			if repeat, says := spoken[m.lines[l].Fingerprint()]; says {
				places[l] = repeat
			}
		}
	}
	for i := range m.beside {
		delete(places, m.beside[i].line)
	}
	place := func(l int32) int32 {
		if at, moved := places[l]; moved {
			return at
		}
		return l
	}
	slices.SortStableFunc(lines, func(a, b int32) int { return cmp.Compare(place(a), place(b)) })
}

// againByRuns are the recent lines of the ledger for which others of it stand that the next one has: a later export may have a second
// order with the AWB, and then both count.
func (r *Reconciliation) againByRuns(dropped []bool, recent func(line int32) bool) map[int32]bool {
	lines := map[int32]bool{}
	for _, a := range r.matching.corrections.again {
		if a.byRuns && !r.mayOverflow() && !dropped[a.kept] && r.matching.remembersLine(a.kept) && recent(a.line) {
			lines[a.line] = true
		}
	}
	return lines
}

// dates notes that something of the next ledger is kept from a day on.
func (k *keeping) dates(day domain.Day) {
	if k.oldest == domain.NoDay || day < k.oldest {
		k.oldest = day
	}
}

// OldestKept is the first of the days from which something of the next ledger is kept: an order from when it was last seen, a line of
// no order from its own day; NoDay: it has neither.
func (r *Reconciliation) OldestKept() domain.Day { return r.kept().oldest }

// holdTogether puts orders that share parcels with these, first with the open ones and then with the settled ones, and finds the lines of
// such parcels: without them, all that a parcel has paid would be one order's, or nothing.
func (r *Reconciliation) holdTogether(open, settled []int32) (o, s []int32, lines map[int32]bool) {
	m := &r.matching
	if len(m.shares) == 0 {
		return open, settled, nil
	}
	lines = map[int32]bool{}
	with, held := make(map[int32]bool, len(open)), make([]bool, len(m.sharedParcels))
	together := func(orders []int32) []int32 {
		for _, i := range orders {
			with[i] = true
		}
		for at := 0; at < len(orders); at++ {
			for _, share := range m.sharesOf(orders[at]) {
				if held[share.parcel] {
					continue
				}
				held[share.parcel] = true
				p := &m.sharedParcels[share.parcel]
				for _, l := range m.shared[p.from:p.to] {
					lines[l.line] = true
				}
				for _, other := range r.orders.sharersOf(p.awb) {
					if !with[other.order] && r.orders.list[other.order].Currency == 0 && r.lastSeenOn(int(other.order)) >= r.unseenBefore {
						with[other.order] = true
						orders = append(orders, other.order)
					}
				}
			}
		}
		return orders
	}
	open = together(open)
	settled = slices.DeleteFunc(settled, func(i int32) bool { return with[i] })
	if !r.mayOverflow() { // else what is settled must leave room
		settled = together(settled)
	}
	return open, settled, lines
}

// fit leaves out what a ledger has no room for.
func (r *Reconciliation) fit(k *keeping, rows, charges int, open, settled, others []int32, dropped []bool,
	lineDated func(int32) domain.Day,
) (o, s []int32) {
	m, orders := &r.matching, 0
	has := func(i int32) bool {
		n, charged := 1, 0
		for l := m.claims[i].first; l != noLine; l = m.next[l] {
			if m.remembersLine(l) {
				n, charged = n+1, charged+int(m.lines[l].charges)
			}
		}
		if orders == domain.MaxRows || n > rows || charged > charges {
			return false
		}
		orders, rows, charges = orders+1, rows-n, charges-charged
		return true
	}
	slices.SortStableFunc(open, func(a, b int32) int { return cmp.Compare(r.openAmount(b), r.openAmount(a)) })
	for _, i := range open {
		if has(i) {
			o = append(o, i)
		} else {
			k.leftOut.add(r.openAmount(i))
		}
	}
	slices.SortStableFunc(others, func(a, b int32) int { return cmp.Compare(lineDated(b), lineDated(a)) })
	for _, l := range others {
		switch {
		case !m.remembersLine(l):
		case rows == 0 || int(m.lines[l].charges) > charges:
			dropped[l] = true
		default:
			rows, charges = rows-1, charges-int(m.lines[l].charges)
		}
	}
	slices.SortStableFunc(settled, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.lastSeenOn(int(b)), r.lastSeenOn(int(a))),
			cmp.Compare(r.orders.list[b].OrderedOn(), r.orders.list[a].OrderedOn()))
	})
	for _, i := range settled {
		if has(i) {
			s = append(s, i)
		}
	}
	return o, s
}

// mayOverflow says whether a ledger may have no room for all that it is to remember.
func (r *Reconciliation) mayOverflow() bool {
	return len(r.decided) > domain.MaxRows || len(r.decided)+len(r.remittances.list) > MaxLedgerRows ||
		len(r.remittances.charges) > MaxLedgerCharges
}

// openAmount is what is claimed for an open item, or may still come.
func (r *Reconciliation) openAmount(order int32) domain.Paise {
	d := &r.decided[order]
	switch {
	case d.flag == domain.AwaitingNextCycle:
		return d.due
	case r.MarkOf(int(order)).State == domain.WrittenOff:
		return 0
	}
	return max(d.shortfall, 0)
}

// KeptOn says on which day the next ledger is written of which the service keeps a copy: its orders are seen on that day. It leaves
// out, with their lines, the orders that were last seen before another day, open ones too, and the lines of no order of that
// time. It must be called before anything is asked of the next ledger.
func (r *Reconciliation) KeptOn(today, unseenBefore domain.Day) {
	r.keptOn, r.unseenBefore = today, unseenBefore
}

// seesOn is the day on which this run sees its orders and lines.
func (r *Reconciliation) seesOn() domain.Day { return cmp.Or(r.keptOn, r.Guidance.BatchAsOf) }

// lastSeenOn is the day of the last run whose export or reports had an order.
func (r *Reconciliation) lastSeenOn(order int) domain.Day {
	f := r.orders.foundOn(int32(order))
	if f == nil || order < len(r.decisions) || r.isListed(order) {
		return r.seesOn()
	}
	return cmp.Or(f.LastSeen, f.Seen)
}

// lineSeenOn is the day of the last run whose reports had a line.
func (r *Reconciliation) lineSeenOn(line int32) domain.Day {
	if r.isGiven(line) {
		return r.seesOn()
	}
	return cmp.Or(r.remittances.seen[line], r.Guidance.BatchAsOf)
}
