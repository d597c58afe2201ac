package domain

import (
	"bytes"
	"slices"
)

// claim is what the courier's file says of one order: the lines that belong to
// it, summed. Lines of one parcel are summed because split payouts and
// reversals are normal (decisions, section 1).
type claim struct {
	first       int32 // the latest line linked; none is noLine
	lines       int32 // repeats among them
	collected   Paise
	remitted    Paise
	deliveredOn Day   // the latest
	remittedOn  Day   // the latest on which money moved
	details     int32 // place among the details; 0: it has one line at most, which says all
	other       int32 // the order that markContradiction speaks of
	holder      int32 // the order that markHeld or markNamed speaks of
	marks       claimMarks
}

// claimMarks are facts about a claim.
type claimMarks uint16

const (
	markByAWB         claimMarks = 1 << iota // matched on an AWB
	markListed                               // by a line of its own, or one that bears its AWB or its name
	markReturned                             // the courier marks the order returned
	markLeft                                 // some line does not say that the parcel never left
	markRounded                              // the AWB of a line was rounded
	markContradiction                        // a line names another order: see other
	markHeld                                 // a line that bears its AWB is another order's: see holder
	markNamed                                // a line that names it is another order's by its AWB: see holder
	markNamesake                             // a line that names it and another order of its name was given to one of them
	markSum                                  // paid by an exact sum
	markCounted                              // repeats count after all
	markNamesShared                          // scratch: a line of the shared AWB names the order
)

func (c *claim) has(marks claimMarks) bool { return c.marks&marks == marks }

// matching says which lines of the courier's file belong to which order: by
// AWB if some line bears one of the order's, else by order id; a line belongs to
// one order only, and AWBs go first (decisions, section 3).
type matching struct {
	orders   *Orders
	lines    []Remittance
	claims   []claim // one per order, and one more for the lines nobody claims
	next     []int32 // per line: the line linked before it to the same claim
	details  []details
	shared   []sharedLine
	scratch  []int32
	rounding rounding
	repeats  repeatFinder
	parcels  parcelFinder
}

const noLine = -1

func (m *matching) match(orders *Orders, remittances *Remittances) {
	m.orders, m.lines = orders, remittances.list
	n := orders.Len()
	m.claims = slices.Grow(m.claims[:0], n+1)[:n+1]
	for i := range m.claims {
		m.claims[i] = claim{first: noLine}
	}
	m.next = slices.Grow(m.next[:0], len(m.lines))[:len(m.lines)]
	m.details = append(m.details[:0], details{})
	m.repeats.reset(len(m.lines))

	orders.indexAWBs()
	m.rounding.mark(orders, remittances)
	m.claimByAWB()
	m.claimShared()
	m.claimByOrderID()
	for i := range m.claims {
		if m.claims[i].lines > 1 {
			m.sumDetails(&m.claims[i], i < n)
		}
	}
}

// claimByAWB gives each line to the order that bears its AWB, puts aside those
// whose AWB several orders bear, and leaves the rest unclaimed.
func (m *matching) claimByAWB() {
	unclaimed := int32(len(m.claims) - 1)
	m.shared = m.shared[:0]
	for i := range m.lines {
		line := &m.lines[i]
		owner := unclaimed
		if !line.AWBRounded {
			if at := m.orders.awbs.find(line.AWB); at >= 0 {
				if o := &m.orders.noted[at]; o.shared {
					m.shared = append(m.shared, sharedLine{awb: int32(at), line: int32(i)})
					m.next[i] = noLine
					continue
				} else if !o.rounded {
					owner = o.order
					m.claims[owner].marks |= markByAWB
					m.noteContradiction(owner, line)
				}
			}
		}
		m.link(owner, int32(i))
	}
}

// noteContradiction notes that a line that is an order's by its AWB names
// another one.
func (m *matching) noteContradiction(owner int32, line *Remittance) {
	if named := m.findContradicted(owner, line); named != noLine {
		m.claims[owner].noteContradicted(named)
		m.claims[named].noteNamedElsewhere(owner)
	}
}

// contradicts gives the order that a line names, if that has another name than the
// one whose line it is; else noLine.
func (m *matching) findContradicted(owner int32, line *Remittance) int32 {
	key := m.orders.names.keys[owner]
	if len(line.OrderID) == 0 || bytes.Equal(line.OrderID, key) {
		return noLine
	}
	named := m.orders.Find(line.OrderID)
	if named < 0 || sameKey(m.orders.names.keys[named], key) {
		return noLine
	}
	return int32(named)
}

// contradict notes that a line of the claim names another order, of several the
// first.
func (c *claim) noteContradicted(named int32) {
	if !c.has(markContradiction) || named < c.other {
		c.other = named
	}
	c.marks |= markContradiction
}

// named notes that a line that names the order is another one's by its AWB, of
// several the first's.
func (c *claim) noteNamedElsewhere(owner int32) {
	if !c.has(markHeld) && (!c.has(markNamed) || owner < c.holder) {
		c.holder = owner
	}
	c.marks |= markNamed
}

// claimByOrderID gives the lines that no AWB has claimed to the orders they
// name, if those were not matched by AWB.
func (m *matching) claimByOrderID() {
	unclaimed := int32(len(m.claims) - 1)
	rest := m.claims[unclaimed].first
	m.claims[unclaimed] = claim{first: noLine}
	for rest != noLine {
		i := rest
		rest = m.next[i]
		owner := unclaimed
		if named := m.orders.Find(m.lines[i].OrderID); named >= 0 {
			if at := m.amongNamesakes(int32(named), &m.lines[i]); at != noLine {
				owner = at
			}
		}
		m.link(owner, i)
	}
}

// amongNamesakes chooses among the orders of one name that were not matched by
// AWB: the only one whose total the line has, else the first. The others count
// as listed. It is noLine if there is none.
func (m *matching) amongNamesakes(named int32, line *Remittance) int32 {
	list := m.orders.list
	if list[named].namesake == 0 {
		if m.claims[named].has(markByAWB) {
			return noLine
		}
		return named
	}
	chosen := m.chooseNamesake(named, line, func(at int32) bool { return !m.claims[at].has(markByAWB) })
	for at := named; ; at = list[at].namesake {
		if c := &m.claims[at]; chosen != noLine && !c.has(markByAWB) {
			c.marks |= markListed | markNamesake
		}
		if list[at].namesake == 0 {
			return chosen
		}
	}
}

// chooseNamesake finds, among the orders of one name that may have a line, the
// only one whose total the line has, else the first; noLine if there is none.
func (m *matching) chooseNamesake(named int32, line *Remittance, may func(at int32) bool) int32 {
	first, equal, equals := int32(noLine), int32(noLine), 0
	for at := named; ; {
		o := &m.orders.list[at]
		if may(at) {
			if first == noLine {
				first = at
			}
			if o.HasTotal && o.Total == line.amount() {
				equal = at
				equals++
			}
		}
		if at = o.namesake; at == 0 {
			break
		}
	}
	if equals == 1 {
		return equal
	}
	return first
}

// amount is what a line lists: its cod_amount, else its remitted_amount.
func (r *Remittance) amount() Paise {
	switch {
	case r.Listed != 0:
		return r.Listed
	case r.Stated != 0:
		return r.Stated
	}
	return r.Collected
}

// link adds a line to a claim.
func (m *matching) link(owner, i int32) {
	c, line := &m.claims[owner], &m.lines[i]
	m.next[i], c.first = c.first, i
	c.lines++
	c.collected += line.Collected
	c.remitted += line.Remitted
	c.marks |= markListed
	c.learn(line)
}

// learn adds what a line says besides money.
func (c *claim) learn(line *Remittance) {
	c.deliveredOn = max(c.deliveredOn, line.DeliveredOn)
	if line.Remitted != 0 {
		c.remittedOn = max(c.remittedOn, line.RemittedOn)
	}
	if line.HasStatus && line.Returned { // of several lines it is found out later
		c.marks |= markReturned
	}
	if !line.NeverLeft || line.Remitted != 0 {
		c.marks |= markLeft
	}
	if line.AWBRounded {
		c.marks |= markRounded
	}
}

// linesOf lists the lines of a claim from the top of the report. It is good until
// the next call.
func (m *matching) linesOf(c *claim) []int32 {
	m.scratch = m.scratch[:0]
	for i := c.first; i != noLine; i = m.next[i] {
		m.scratch = append(m.scratch, i)
	}
	if len(m.scratch) > 1 && m.scratch[0] > m.scratch[1] { // linked one after the other, in either direction
		slices.Reverse(m.scratch)
	}
	if !slices.IsSorted(m.scratch) {
		slices.Sort(m.scratch)
	}
	return m.scratch
}
