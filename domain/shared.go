package domain

import (
	"cmp"
	"slices"
)

// Several orders may have the same AWB, for example if they were sent in one parcel.
// This file decides which of them a line with that AWB belongs to (decisions, section
// 3).

// sharedLine is a line with an AWB that several orders have.
type sharedLine struct{ awb, line int32 }

// claimShared gives the lines with a shared AWB to the orders that have it.
func (m *matching) claimShared() {
	slices.SortFunc(m.shared, func(a, b sharedLine) int { return cmp.Or(cmp.Compare(a.awb, b.awb), cmp.Compare(a.line, b.line)) })
	for from := 0; from < len(m.shared); {
		to := from + 1
		for to < len(m.shared) && m.shared[to].awb == m.shared[from].awb {
			to++
		}
		m.claimOneShared(m.shared[from].awb, m.shared[from:to])
		from = to
	}
}

// claimOneShared gives the lines with one AWB to the orders that have it. A line
// that names one of these orders belongs to that order. The other lines are divided
// among the orders that no line names, if they pay exactly what these owe together;
// else they belong to the first order. Orders without a line of their own count as
// listed.
func (m *matching) claimOneShared(awb int32, lines []sharedLine) {
	sharers := m.orders.sharersOf(awb)
	rest := m.scratch[:0]
	for _, s := range lines {
		if named := m.namedSharer(sharers, &m.lines[s.line]); named != noLine {
			m.claims[named].marks |= markByAWB | markNamesShared
			m.link(named, s.line)
		} else {
			rest = append(rest, s.line)
		}
	}
	m.scratch = rest
	holder := m.firstNamed(sharers)
	switch {
	case len(rest) == 0:
	case m.shareSum(sharers, rest):
		holder = noLine
	default:
		holder = sharers[0].order
		m.claims[holder].marks |= markByAWB
		for _, i := range rest {
			m.noteContradiction(holder, &m.lines[i])
			m.link(holder, i)
		}
	}
	for _, s := range sharers {
		c := &m.claims[s.order]
		if holder != noLine && s.order != holder && (!c.has(markHeld) || holder < c.holder) {
			c.holder = holder
			c.marks |= markHeld
		}
		c.marks = (c.marks | markListed) &^ markNamesShared
	}
}

// namedSharer returns the order that a line names if that order has the AWB; else
// noLine.
func (m *matching) namedSharer(sharers []sharer, line *Remittance) int32 {
	named := m.orders.Find(line.OrderID)
	if named < 0 {
		return noLine
	}
	return m.chooseNamesake(int32(named), line, func(at int32) bool {
		_, shares := slices.BinarySearchFunc(sharers, at, func(s sharer, at int32) int { return cmp.Compare(s.order, at) })
		return shares
	})
}

// firstNamed returns the first order that a line with the shared AWB names, or
// noLine.
func (m *matching) firstNamed(sharers []sharer) int32 {
	for _, s := range sharers {
		if m.claims[s.order].has(markNamesShared) {
			return s.order
		}
	}
	return noLine
}

// shareSum pays each order that no line names what it owes, if the other lines
// remit exactly that sum. It says whether they do.
func (m *matching) shareSum(sharers []sharer, rest []int32) bool {
	m.repeats.find(rest, m.lines)
	var remitted, owed Paise
	for _, i := range rest {
		if m.repeats.marks[i]&leftOut == 0 {
			remitted += m.lines[i].Remitted
		}
	}
	first := int32(noLine)
	for _, s := range sharers {
		if !m.claims[s.order].has(markNamesShared) {
			owes, _ := m.orders.list[s.order].owes()
			owed += owes
			if first == noLine {
				first = s.order
			}
		}
	}
	if remitted <= 0 || remitted != owed {
		return false
	}
	learned := m.learnRest(first, rest)
	for _, s := range sharers {
		c := &m.claims[s.order]
		if c.has(markNamesShared) {
			continue
		}
		owes, _ := m.orders.list[s.order].owes()
		c.collected += owes
		c.remitted += owes
		c.deliveredOn = max(c.deliveredOn, learned.deliveredOn)
		c.remittedOn = max(c.remittedOn, learned.remittedOn)
		c.marks |= markByAWB | markSum | learned.marks&(markLeft|markRounded)
		if learned.has(markContradiction) {
			c.noteContradicted(learned.other)
		}
	}
	return true
}

// learnRest collects what the lines that pay several orders say besides amounts.
// They say the same of each order, so this is done once, for the first one.
func (m *matching) learnRest(first int32, rest []int32) claim {
	var learned claim
	for _, i := range rest {
		line := &m.lines[i]
		learned.learn(line)
		if named := m.findContradicted(first, line); named != noLine {
			learned.noteContradicted(named)
			m.claims[named].noteNamedElsewhere(first)
		}
	}
	return learned
}

// owes is what an order owes by the storefront's columns alone, by the rules 1, 2,
// 5 and 7 of section 2. If it is 0, the cause says why.
func (o *Order) owes() (Paise, Cause) {
	switch {
	case !o.paysCOD():
		return 0, CausePrepaid
	case o.calledOff():
		return 0, o.calledOffCause()
	case o.partPaid():
		return max(o.Outstanding, 0), CauseNothingOutstanding
	}
	return max(o.Total, 0), CauseTotalZero
}
