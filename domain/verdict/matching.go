package verdict

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"milaan/domain"
)

// claim is what the report says about one order: the sums of the lines that
// belong to the order. Several lines of one parcel are added up, because payouts in
// parts and reversals are normal (guide: verdict 1).
type claim struct {
	first       int32 // the line that was linked last; noLine: there is none
	lines       int32 // how many lines were linked or are shared, with repeats
	collected   domain.Paise
	remitted    domain.Paise
	deliveredOn domain.Day // the latest day of delivery
	remittedOn  domain.Day // the latest day on which money was paid or taken back
	details     int32      // place in matching.details; 0: the claim has at most one line, which says everything
	other       int32      // the order of markContradiction
	holder      int32      // the order of markNamed
	marks       claimMarks
}

type claimMarks uint32

const (
	markByAWB         claimMarks = 1 << iota // the order was matched by an AWB
	markListed                               // a line belongs to the order, or is shared with it, or has its name
	markReturned                             // the courier says that the order came back
	markLeft                                 // not all lines say that the parcel never left the shop
	markRounded                              // the AWB of a line was rounded
	markContradiction                        // one of its lines names another order: see other
	markNamed                                // a line that names it belongs, by its AWB, to another order: see holder
	markNamesake                             // several orders have its name, and a line with that name was given to one of them
	markShared                               // it shares an AWB with other orders: see matching.shares
	markCounted                              // its repeats count after all: they are parcels of their own
	markPaid                                 // something above 0 was remitted on one of its lines
	// the courier says that the order is still on its way back, and that no parcel of it was delivered
	markOnWayBack
	markBeside   // beside lines with its AWB it has some that name it: see matching.beside
	markReplaced // one of these is of a parcel that replaces those before it
	markRefused  // a line that names it stays unclaimed
	markIdle     // the same, and nothing is remitted on that line
	// lines with its AWB, or that name it, are corrected by a later report: see corrections.corrected
	markCorrected
	markListedAgain // another report has a line of it again: see corrections.again
)

func (c *claim) has(marks claimMarks) bool { return c.marks&marks == marks }

// matching decides which order each line of the report belongs to. First the AWBs
// decide; orders with the same AWB share its lines. Then lines that are left go to the
// order that they name if no line has its AWB, and at last some of them to the other
// orders too (guide: verdict 3). Every line but the shared ones belongs to one order
// at most.
type matching struct {
	orders        *Orders
	lines         []Remittance // those of remittances
	remittances   *Remittances
	claims        []claim // one per order, and a last one for the unclaimed lines
	next          []int32 // for each line: the line that was linked before it to the same claim
	owners        []int32 // for each line: the order with its AWB, see foundOwners
	found         [2]foundOwners
	details       []details
	shared        []sharedLine // sorted by AWB
	sharedParcels []sharedParcel
	shares        []share              // sorted by order
	sharedAlike   map[sharedLook]int32 // made when it is needed
	left          []lineLeft
	beside        []besideLine // sorted by order
	soFar         soFar
	idle          int // lines of besideIdle, repeats aside
	refused       int // lines of besideRefused, repeats aside
	scratch       []int32
	rounding      rounding
	repeats       repeatFinder
	parcels       parcelFinder
	corrections   corrections
	told          map[int32][]byte // by line: see Remittances.told
	paidTwice     bool             // see paysTwice, of the lines of one order
}

const noLine = -1

func (m *matching) match(orders *Orders, remittances *Remittances) {
	m.orders, m.remittances, m.lines = orders, remittances, remittances.list
	m.corrections.forget()
	m.told = maps.Clone(remittances.told)
	m.tellRepeats()
	m.repeats.moved = m.repeats.moved[:0]
	if orders.Len() >= worthAnotherCore {
		AtOnce(orders.indexAWBs, 1, func(int) { orders.indexNames() })
	}
	orders.indexAWBs() // unless it is done
	m.rounding.mark(orders, remittances)
	m.claimAll()
	if again := m.findByRuns(); m.mayCorrect() && m.correct() || again {
		m.repeats.moveBack(m.lines)
		m.claimAll()
	}
}

// claimAll decides about all lines but those that a later report corrects.
func (m *matching) claimAll() {
	n := m.orders.Len()
	m.claims = slices.Grow(m.claims[:0], n+1)[:n+1]
	inHalves(m, n+1, (*matching).resetClaims)
	m.next = slices.Grow(m.next[:0], len(m.lines))[:len(m.lines)]
	m.details = append(m.details[:0], details{})
	m.repeats.reset(len(m.lines))
	m.sharedAlike = nil
	m.corrections.mark(m)
	m.claimByAWB()
	m.claimShared()
	m.claimByOrderID()
	m.claimBeside()
	several := len(m.remittances.all()) > 1
	m.paidTwice = false
	for i := range m.claims {
		switch c := &m.claims[i]; {
		case c.lines > 1:
			if several && !m.paidTwice && i < n {
				m.paidTwice = m.paysTwice(m.linesOf(c))
			}
			if c.details == 0 {
				m.sumDetails(int32(i))
			}
		case c.lines == 1 && c.has(markReturned) && c.details == 0 && m.lines[c.first].notCollected():
			c.collected -= m.lines[c.first].Collected
			c.marks |= markOnWayBack
		}
	}
}

func (m *matching) resetClaims(_, from, to int) {
	for i := from; i < to; i++ {
		m.claims[i] = claim{first: noLine}
	}
}

// claimByAWB gives each line to the order that bears its AWB. It puts the lines
// with a shared AWB into m.shared, and leaves all others unclaimed. Most of the time is waiting for memory, so of a long report
// first the owners of its lines are found in two halves, and then the lines are linked in two halves of the orders.
func (m *matching) claimByAWB() {
	m.owners = slices.Grow(m.owners[:0], len(m.lines))[:len(m.lines)]
	for i := range m.found {
		m.found[i] = foundOwners{shared: m.found[i].shared[:0], disagreeing: m.found[i].disagreeing[:0]}
	}
	inHalves(m, len(m.lines), (*matching).findOwners)
	inHalves(m, len(m.claims), (*matching).linkLinesOf)
	m.shared = m.shared[:0]
	for i := range m.found {
		m.shared = append(m.shared, m.found[i].shared...)
		for _, line := range m.found[i].disagreeing {
			m.noteContradiction(m.owners[line], &m.lines[line])
		}
	}
}

// foundOwners is what was noticed while the owners of some lines were found.
type foundOwners struct {
	shared      []sharedLine
	disagreeing []int32 // lines that name another order than the one with their AWB
}

// findOwners puts into owners, for the lines from a place to another, the order with the line's AWB. It is noLine for a line that
// is shared or that a later report corrects. It takes each step for several lines before the next one.
func (m *matching) findOwners(half, from, to int) {
	f, index := &m.found[half], m.orders.awbs
	index.fold = nil // scratch memory
	var awbs, names [keysAtOnce][]byte
	var alike [keysAtOnce]bool
	unclaimed := int32(len(m.claims) - 1)
	for ; from < to; from += keysAtOnce {
		lines := m.lines[from:min(from+keysAtOnce, to)]
		owners := m.owners[from:]
		for i := range lines {
			awbs[i] = lines[i].AWB
		}
		index.findAll(awbs[:len(lines)], owners)
		for i := range lines {
			found, at := owners[i], int32(from+i)
			owners[i], names[i] = unclaimed, lines[i].OrderID
			switch {
			case m.repeats.marks[at]&corrected != 0:
				owners[i], m.next[at] = noLine, noLine
			case found < 0 || lines[i].AWBRounded:
			case m.orders.noted[found].shared:
				f.shared = append(f.shared, sharedLine{awb: found, line: at})
				owners[i], m.next[at] = noLine, noLine
			case !m.orders.noted[found].rounded:
				owners[i] = m.orders.noted[found].order
				names[i] = m.orders.names.key(owners[i])
			}
		}
		for i := range lines {
			alike[i] = endAlike(lines[i].OrderID, names[i])
		}
		for i := range lines {
			if id := lines[i].OrderID; len(id) > 0 && (!alike[i] || !bytes.Equal(id, names[i])) {
				f.disagreeing = append(f.disagreeing, int32(from+i))
			}
		}
	}
}

// linkLinesOf links the lines of the owners from one to another. Several are chained before their amounts are added up, so that the
// processor can wait for the memory of several claims at the same time.
func (m *matching) linkLinesOf(_, from, to int) {
	unclaimed := int32(len(m.claims) - 1)
	var own [keysAtOnce]int32
	for at := 0; at < len(m.owners); at += keysAtOnce {
		n := 0
		for i, owner := range m.owners[at:min(at+keysAtOnce, len(m.owners))] {
			own[n] = int32(at + i)
			if uint32(owner)-uint32(from) < uint32(to-from) { // one condition, which becomes no branch: nothing could foresee it
				n++
			}
		}
		for _, i := range own[:n] {
			m.chain(m.owners[i], i)
		}
		for _, i := range own[:n] {
			owner := m.owners[i]
			m.addUp(owner, i)
			if owner != unclaimed {
				m.claims[owner].marks |= markByAWB
			}
		}
	}
}

// noteContradiction records on both orders that a line, which belongs to owner by
// its AWB, names another order.
func (m *matching) noteContradiction(owner int32, line *Remittance) {
	if named := m.findContradicted(owner, line); named != noLine {
		m.claims[owner].noteContradicted(named)
		m.claims[named].noteNamedElsewhere(owner)
	}
}

// findContradicted returns the order that a line names, if its name differs from
// that of owner; else noLine.
func (m *matching) findContradicted(owner int32, line *Remittance) int32 {
	key := m.orders.names.key(owner)
	if len(line.OrderID) == 0 || bytes.Equal(line.OrderID, key) {
		return noLine
	}
	named := m.orders.Find(line.OrderID)
	if named < 0 || sameKey(m.orders.names.key(int32(named)), key) {
		return noLine
	}
	return int32(named)
}

// noteContradicted records that a line of the claim names another order. Of several
// such orders it keeps the first of the export.
func (c *claim) noteContradicted(named int32) {
	if !c.has(markContradiction) || named < c.other {
		c.other = named
	}
	c.marks |= markContradiction
}

// noteNamedElsewhere records that a line that names this order belongs to owner by
// its AWB. Of several owners it keeps the first of the export.
func (c *claim) noteNamedElsewhere(owner int32) {
	if !c.has(markNamed) || owner < c.holder {
		c.holder = owner
	}
	c.marks |= markNamed
}

// claimByOrderID gives the lines that no AWB has claimed to the orders that they
// name. It puts those that name an order which was matched by AWB into m.beside.
func (m *matching) claimByOrderID() {
	unclaimed := int32(len(m.claims) - 1)
	rest := m.claims[unclaimed].first
	m.claims[unclaimed] = claim{first: noLine}
	m.beside, m.idle, m.refused = m.beside[:0], 0, 0
	var lines, found [keysAtOnce]int32
	var ids [keysAtOnce][]byte
	for rest != noLine {
		n := 0
		for ; n < keysAtOnce && rest != noLine; rest = m.next[rest] {
			lines[n], ids[n] = rest, m.orderIDOf(rest)
			n++
		}
		m.orders.indexNames()
		m.orders.names.findAll(ids[:n], found[:])
		for k, i := range lines[:n] {
			named := found[k]
			if named < 0 {
				named = int32(m.orders.findOriginal(ids[k]))
			}
			if named < 0 {
				m.link(unclaimed, i)
				continue
			}
			if at := m.amongNamesakes(named, &m.lines[i]); at != noLine {
				m.link(at, i)
				continue
			}
			at, _ := m.chooseNamesake(named, &m.lines[i], anyOrder)
			m.beside = append(m.beside, besideLine{order: at, line: i})
		}
	}
}

// orderIDOf is the order id of a line, or else that of a line for which it stands.
func (m *matching) orderIDOf(i int32) []byte {
	if id := m.lines[i].OrderID; len(id) > 0 || len(m.told) == 0 {
		return id
	}
	return m.told[i]
}

// amongNamesakes chooses one of the orders with a name: the only one whose total is the
// line's amount, or else the first that was not matched by AWB. The other ones count as
// listed. It returns noLine if what it would choose was matched by AWB.
func (m *matching) amongNamesakes(named int32, line *Remittance) int32 {
	list := m.orders.list
	if list[named].namesake == 0 {
		if m.claims[named].has(markByAWB) {
			return noLine
		}
		return named
	}
	byName := func(at int32) bool { return !m.claims[at].has(markByAWB) }
	chosen, isOnly := m.chooseNamesake(named, line, anyOrder)
	if !isOnly {
		chosen, _ = m.chooseNamesake(named, line, byName)
	} else if !byName(chosen) {
		chosen = noLine
	}
	for at := named; ; at = list[at].namesake {
		if byName(at) {
			m.claims[at].marks |= markListed | markNamesake
		}
		if list[at].namesake == 0 {
			return chosen
		}
	}
}

// chooseNamesake chooses one of the orders with a name for which may returns true:
// the only one whose total is the line's amount, or else the first. It returns noLine
// if there is none, and says whether it is the only one.
func (m *matching) chooseNamesake(named int32, line *Remittance, may func(at int32) bool) (chosen int32, isOnly bool) {
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
		return equal, true
	}
	return first, false
}

func anyOrder(int32) bool { return true }

// amount is the amount with which a line is compared: its cod_amount, or else its
// remitted_amount.
func (r *Remittance) amount() domain.Paise { return cmp.Or(r.Listed, r.Stated, r.Collected) }

// link adds the i-th line to the claim of owner: it chains it, and adds up what it says.
func (m *matching) link(owner, i int32) {
	m.chain(owner, i)
	m.addUp(owner, i)
}

func (m *matching) chain(owner, i int32) {
	c := &m.claims[owner]
	m.next[i], c.first = c.first, i
}

func (m *matching) addUp(owner, i int32) {
	c, line := &m.claims[owner], &m.lines[i]
	c.lines++
	c.collected += line.Collected
	c.remitted += line.Remitted
	c.marks |= markListed
	c.learn(line)
}

// learn records what a line says besides amounts.
func (c *claim) learn(line *Remittance) {
	c.deliveredOn = max(c.deliveredOn, line.DeliveredOn)
	if line.Remitted != 0 {
		c.remittedOn = max(c.remittedOn, line.RemittedOn)
	}
	if line.HasStatus && line.Returned { // for a claim of several lines, sumParcels decides
		c.marks |= markReturned
	}
	if !line.NeverLeft || line.Remitted > 0 {
		c.marks |= markLeft
	}
	if line.Remitted > 0 {
		c.marks |= markPaid
	}
	if line.AWBRounded {
		c.marks |= markRounded
	}
}

// linesOf lists the lines of a claim in the order of the report. The list is valid
// until the next call.
func (m *matching) linesOf(c *claim) []int32 {
	m.scratch = m.scratch[:0]
	for i := c.first; i != noLine; i = m.next[i] {
		m.scratch = append(m.scratch, i)
	}
	if len(m.scratch) > 1 && m.scratch[0] > m.scratch[1] { // lines are linked from the top or from the bottom
		slices.Reverse(m.scratch)
	}
	if !slices.IsSorted(m.scratch) {
		slices.Sort(m.scratch)
	}
	return m.scratch
}
