package verdict

import (
	"cmp"
	"slices"

	"milaan/domain"
)

// Several orders may have the same AWB, for example if they were sent in one parcel.
// They share its lines, each up to what it owes (guide: verdict 3). What a line says
// besides amounts, it says of each of them.

type sharedLine struct{ awb, line int32 }

type sharedParcel struct {
	awb         int32 // place in Orders.noted
	from, to    int32 // its lines in matching.shared
	speaks      int32 // the line with the latest date that has a status, or noLine
	pays        int32 // the same for the status of the money
	remitted    domain.Paise
	takenBack   domain.Paise // the part of it that was taken back, as a positive amount
	explained   domain.Paise // by how much less was remitted than collected, as far as charges explain it
	explainedBy int32        // the first line that charges explain; only if explained is not 0
	deliveredOn domain.Day   // the latest
	lines       int32        // repeats aside
	onWayBack   bool         // it is still on its way back and was not delivered
	states      bool         // some line has a cod_amount
	left        bool         // not all lines say that the parcel never left the shop
}

// share is the part of a shared parcel that counts for one of its orders.
type share struct {
	order, parcel int32
	remitted      domain.Paise
	takenBack     domain.Paise // the part of it that was taken back, as a positive amount
	collected     domain.Paise
	listed        domain.Paise
	toCollect     domain.Paise
	explained     domain.Paise // the part of what charges explain
}

// claimShared shares the lines with shared AWBs among their orders, in the order in which
// the export has the AWBs: the order of a report's lines makes no difference.
func (m *matching) claimShared() {
	m.sharedParcels, m.shares = m.sharedParcels[:0], m.shares[:0]
	if len(m.shared) == 0 {
		return
	}
	m.sortShared()
	from := int32(0)
	for lines := range sections(m.shared, func(s *sharedLine) int32 { return s.awb }) {
		to := from + int32(len(lines))
		m.claimOneShared(from, to)
		from = to
	}
	slices.SortFunc(m.shares, func(a, b share) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.parcel, b.parcel))
	})
}

// sortShared puts the lines of each shared AWB together. An AWB that an order has by a ledger alone is noted after all of the
// export, but stands behind the order's own ones, as in one run over everything.
func (m *matching) sortShared() {
	place := func(awb int32) int32 { return awb }
	if m.orders.remembers {
		places := map[int32]int32{}
		for _, s := range m.shared {
			if _, known := places[s.awb]; !known {
				places[s.awb] = m.orders.placeOfShared(s.awb)
			}
		}
		place = func(awb int32) int32 { return places[awb] }
	}
	slices.SortFunc(m.shared, func(a, b sharedLine) int {
		return cmp.Or(cmp.Compare(place(a.awb), place(b.awb)), cmp.Compare(a.line, b.line))
	})
}

// claimOneShared shares the lines of one AWB, which are the elements of matching.shared
// from a place to another.
func (m *matching) claimOneShared(from, to int32) {
	lines := m.scratch[:0]
	for _, s := range m.shared[from:to] {
		lines = append(lines, s.line)
	}
	m.scratch = lines
	m.repeats.find(lines, m.lines)
	p := sharedParcel{awb: m.shared[from].awb, from: from, to: to, speaks: noLine, pays: noLine}
	split := splitter{m: m, sharers: m.orders.sharersOf(p.awb), at: len(m.shares)}
	amounts := parcel{speaks: noLine}
	learned := split.learn(&p, &amounts, lines)
	m.sharedParcels = append(m.sharedParcels, p)
	for _, s := range split.sharers {
		m.shares = append(m.shares, share{order: s.order, parcel: int32(len(m.sharedParcels) - 1)})
		if m.claims[s.order].details == 0 {
			m.sumDetails(s.order) // what the lines that the order has by itself have paid
			c := &m.claims[s.order]
			m.details[c.details].explained = m.explainedAlone(c, lineMark.counts)
		}
	}
	split.payments()
	split.sum(learned.collected, func(c *claim, _ *details) domain.Paise { return c.collected },
		func(s *share) *domain.Paise { return &s.collected })
	split.sum(amounts.summed+amounts.largest, func(_ *claim, d *details) domain.Paise { return d.listed },
		func(s *share) *domain.Paise { return &s.listed })
	split.sum(amounts.summedToCollect+amounts.largestToCollect, func(_ *claim, d *details) domain.Paise { return d.toCollect },
		func(s *share) *domain.Paise { return &s.toCollect })
	for i := range split.sharers {
		s := &m.shares[split.at+i]
		c := &m.claims[s.order]
		c.lines += to - from
		c.marks |= markByAWB | markListed | markShared | learned.marks&markRounded
		c.remittedOn = max(c.remittedOn, learned.remittedOn)
		if learned.has(markContradiction) {
			c.noteContradicted(learned.other)
		}
		m.addShare(c, &m.details[c.details], s)
		c.settle(&m.details[c.details])
	}
	if p.explained != 0 { // up to what the payments have left open
		split.sum(p.explained, func(c *claim, d *details) domain.Paise { return c.remitted + d.explained },
			func(s *share) *domain.Paise { return &s.explained })
		for i := range split.sharers {
			s := &m.shares[split.at+i]
			m.details[m.claims[s.order].details].explained += s.explained
		}
	}
}

// splitter shares the amounts of one parcel among its orders.
type splitter struct {
	m       *matching
	sharers []sharer
	at      int   // place of the first order's share in matching.shares
	first   int32 // the first of the orders that a line names, or else the first of all
}

// lineLeft is what of a line is not shared out yet.
type lineLeft struct {
	amount domain.Paise
	to     int32 // the place of the order that the line names, or noSharer
}

// learn collects what the lines of a shared AWB say, and their sums. A line that names an
// order without the AWB is noted on that order for the first of those that have it.
func (s *splitter) learn(p *sharedParcel, amounts *parcel, lines []int32) (learned claim) {
	m, first := s.m, s.sharers[0].order
	m.left, s.first = m.left[:0], noSharer
	for _, i := range lines {
		line, mark := &m.lines[i], m.repeats.marks[i]
		learned.learn(line)
		amounts.hear(m.lines, mark, i)
		if line.MoneyStatus != 0 && (p.pays == noLine || later(m.lines, i, p.pays)) {
			p.pays = i
		}
		p.states = p.states || line.Listed != 0
		p.left = p.left || mark&silent == 0 && !line.NeverLeft
		amounts.delivered = amounts.delivered || line.DeliveredOn != domain.NoDay
		left := lineLeft{to: s.named(line)}
		if mark&leftOut == 0 {
			learned.collected += line.Collected
			p.remitted += line.Remitted
			p.takenBack -= min(line.Remitted, 0)
			if difference, charges := m.remittances.explain(line); charges != nil {
				if p.explained == 0 {
					p.explainedBy = i
				}
				p.explained += difference
			}
			p.lines++
			amounts.add(line)
			left.amount = line.Remitted
		}
		m.left = append(m.left, left)
		if left.to != noSharer {
			if s.first == noSharer || left.to < s.first {
				s.first = left.to
			}
		} else if named := m.findContradicted(first, line); named != noLine {
			learned.noteContradicted(named)
			m.claims[named].noteNamedElsewhere(first)
		}
	}
	if p.onWayBack = amounts.speaks != noLine && m.lines[amounts.speaks].OnWayBack && !amounts.delivered; p.onWayBack {
		learned.collected = 0
	}
	p.speaks, p.deliveredOn, s.first = amounts.speaks, learned.deliveredOn, max(s.first, 0)
	return learned
}

// noSharer stands for a line that names none of the orders with its AWB.
const noSharer = -1

// named returns the place of the order that a line names; else noSharer.
func (s *splitter) named(line *Remittance) int32 {
	named := s.m.orders.Find(line.OrderID)
	if named < 0 {
		return noSharer
	}
	placeOf := func(at int32) (int, bool) {
		return slices.BinarySearchFunc(s.sharers, at, func(s sharer, at int32) int { return cmp.Compare(s.order, at) })
	}
	chosen, _ := s.m.chooseNamesake(int32(named), line, func(at int32) bool {
		_, shares := placeOf(at)
		return shares
	})
	if chosen == noLine {
		return noSharer
	}
	at, _ := placeOf(chosen)
	return int32(at)
}

// open returns how much of an order's storefront due is still open, if so much of it has
// been counted on its other AWBs and so much on this one.
func (s *splitter) open(at int32, before, here domain.Paise) domain.Paise {
	return max(s.m.orders.list[s.sharers[at].order].owes()-before-here, 0)
}

// payments shares what the lines have remitted. The order of the lines makes no difference:
// what was taken back goes first, for it opens again what the order owes; and what lines
// that name nobody have paid is shared before what others leave over.
func (s *splitter) payments() {
	shares, lines := s.m.shares[s.at:], s.m.left
	pay := func(from *lineLeft, at int32) {
		paid := min(from.amount, s.open(at, s.m.claims[s.sharers[at].order].remitted, shares[at].remitted))
		shares[at].remitted += paid
		from.amount -= paid
	}
	for k := range lines {
		if l := &lines[k]; l.amount < 0 {
			to := &shares[max(l.to, 0)]
			to.remitted += l.amount
			to.takenBack -= l.amount
		}
	}
	for k := range lines {
		if l := &lines[k]; l.amount > 0 && l.to != noSharer {
			pay(l, l.to)
		}
	}
	slices.SortStableFunc(lines, func(a, b lineLeft) int { return cmp.Compare(a.to, b.to) }) // not by their places in the report
	next := int32(0)                                                                         // all orders before it have what they owe
	for k := range lines {
		l := &lines[k]
		for l.amount > 0 && int(next) < len(s.sharers) {
			if pay(l, next); l.amount > 0 {
				next++
			}
		}
		if l.amount > 0 {
			shares[max(l.to, 0)].remitted += l.amount
		}
	}
}

// sum shares one sum of all lines: the orders that a line names come first. before says
// how much an order has on its other AWBs, and of where its share is.
func (s *splitter) sum(sum domain.Paise, before func(*claim, *details) domain.Paise, of func(*share) *domain.Paise) {
	m := s.m
	shares := m.shares[s.at:]
	pay := func(at int32) {
		c := &m.claims[s.sharers[at].order]
		part := min(sum, s.open(at, before(c, &m.details[c.details]), *of(&shares[at])))
		*of(&shares[at]) += part
		sum -= part
	}
	if sum > 0 {
		for k := range m.left { // sorted by payments
			if to := m.left[k].to; to != noSharer {
				pay(to)
			}
		}
		for at := range s.sharers {
			pay(int32(at))
		}
	}
	*of(&shares[s.first]) += sum
}

func (m *matching) addShare(c *claim, d *details, s *share) {
	c.remitted += s.remitted
	d.takenBack += s.takenBack
	if s.remitted > 0 {
		c.marks |= markPaid
	}
	if c.has(markReplaced) {
		return
	}
	c.collected += s.collected
	d.listed += s.listed
	d.toCollect += s.toCollect
	d.parcels++
	p := &m.sharedParcels[s.parcel]
	c.deliveredOn = max(c.deliveredOn, p.deliveredOn)
	if p.left || s.remitted > 0 {
		c.marks |= markLeft
	}
	if p.speaks == noLine {
		return
	}
	d.spoken++
	if m.lines[p.speaks].Returned {
		d.returned++
		d.returnedListed += s.toCollect
	}
	if p.onWayBack {
		d.onWayBack++
	}
}

// sharesOf returns the shares of an order, in the order in which the export has the AWBs.
func (m *matching) sharesOf(order int32) []share {
	return sectionOf(m.shares, order, func(s share) int32 { return s.order })
}

// allLinesOf lists the lines of an order, and of each AWB that it shares the first MostSharedLines. The list is valid
// until the next call of it or of linesOf.
func (m *matching) allLinesOf(order int32) []int32 {
	m.scratch = m.scratch[:0]
	for i := m.claims[order].first; i != noLine; i = m.next[i] {
		m.scratch = append(m.scratch, i)
	}
	if m.claims[order].has(markShared) {
		for _, s := range m.sharesOf(order) {
			p := &m.sharedParcels[s.parcel]
			for _, l := range m.shared[p.from:min(p.from+MostSharedLines, p.to)] {
				m.scratch = append(m.scratch, l.line)
			}
		}
	}
	return m.scratch
}

// sharesNothing says whether an order has no other lines than those of shared AWBs and
// repeats of these, and nothing of what they paid.
func (m *matching) sharesNothing(c *claim) bool {
	for i := c.first; i != noLine; i = m.next[i] {
		if m.repeats.marks[i].counts() {
			return false
		}
	}
	return c.has(markShared) && c.remitted <= 0
}

// owes is the order's storefront due: what it owes by the storefront's columns alone, by
// the rules 1, 2, 5 and 7 of guide: verdict 2.
func (o *Order) owes() domain.Paise {
	if !o.paysCOD() || o.calledOff() {
		return 0
	}
	return o.owesIfCollected()
}

// owesIfCollected is the same for an order on which the courier has collected, though it may be prepaid or called off.
func (o *Order) owesIfCollected() domain.Paise {
	if o.partPaid() {
		return max(o.Outstanding, 0)
	}
	return max(o.Total, 0)
}
