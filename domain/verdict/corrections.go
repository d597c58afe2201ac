package verdict

import (
	"bytes"
	"cmp"
	"slices"

	"milaan/domain"
)

// A courier may send the report of a payout again, with other amounts. The lines of the
// earlier report then count nowhere, and those of the later one stand (guide: verdict 1,
// corrections). What only looks like that counts as it stands, and a warning says so: money
// must not vanish because parts of a payout look like a correction of it.

// corrections finds the payouts that a later report corrects. It looks at each line once
// unless two reports list one payout.
type corrections struct {
	payouts   []listedPayout
	utrs      keyIndex
	byUTR     []int32 // the payouts, at the positions of utrs
	byDay     map[payoutDay]int32
	groups    []int32 // by report: the first report of the same courier
	lines     []listedLine
	parcels   []listedParcel         // of one payout
	lists     []payoutListing        // of one payout
	shared    map[int32]domain.Paise // by the place of a shared AWB: what its orders owe
	hasher    textHasher
	found     []relisted
	pairs     map[pairOfReports]int // their places in found
	otherUTRs map[otherUTR]struct{}
	corrected []correctedLine    // sorted by order
	gone      map[int32]struct{} // their lines
	payments  payments
	again     []lineAgain // sorted by order and line
	standing  []standsFor
}

// payoutDay tells payouts without a UTR apart.
type payoutDay struct {
	group int32
	on    domain.Day
}

// listedPayout is a payout that some report lists.
type listedPayout struct {
	line    int32  // the first of its lines
	report  uint16 // the last report that lists it
	several bool   // others do too
}

// listedLine is a line of a payout that several reports list.
type listedLine struct {
	parcel, hash uint64 // of what tells its parcel; equal for lines that repeat each other
	payout, line int32
	report       uint16
	elsewhere    bool // it has a UTR, so that it is of another payout, which may be the same one
}

// relisted are payouts that one report lists, and a later one again.
type relisted struct {
	pairOfReports

	payouts int
	lines   []int32 // the first line of each of the first of these payouts
	sum     LineSum // of the earlier report
}

// pairOfReports says which reports list a payout twice.
type pairOfReports struct {
	report, by uint16
	doubtful   bool // it only looks like a correction, so both count
}

// correctedLine is a line that counts nowhere, because its payout is corrected.
type correctedLine struct {
	order, line int32  // order is noLine if the export has none for it
	by          uint16 // the report that corrects it
}

// partsWithin is by how much two parts of what is due may be more than that together, because
// each of them was rounded.
const partsWithin = domain.Rupee

// correct finds the lines that a later report corrects, and says whether there are any. If the order of a line is learned from them, all
// is compared again with what is due for it, and what is corrected stays so.
func (m *matching) correct() bool {
	c := &m.corrections
	c.payouts, c.byUTR, c.groups = c.payouts[:0], c.byUTR[:0], m.remittances.firsts(c.groups[:0])
	c.utrs.reset(new(arena))
	clear(c.byDay)
	clear(c.shared)
	if c.byDay == nil {
		c.byDay, c.shared = map[payoutDay]int32{}, map[int32]domain.Paise{}
	}
	learned := false
	if c.listedTwice(m) {
		c.collect(m)
		unlike := c.compareAll(m)
		for rounds := fewLines; rounds > 0 && m.learnOrders(c.standing); rounds-- {
			learned = true
			c.again = slices.DeleteFunc(c.again, func(l lineAgain) bool { return !l.byRuns })
			unlike = c.compareAll(m)
		}
		for _, l := range c.corrected {
			m.repeats.marks[l.line] |= listedAgain // not corrected: that tells the lines of a ledger that are given again
		}
		for _, l := range c.again {
			m.repeats.marks[l.line] |= listedAgain
		}
		for _, lines := range unlike {
			c.doubtPayout(m, lines)
		}
	}
	c.payments = payments{}
	c.utrs.reset(nil) // it must not hold the texts of the reports
	return learned || len(c.corrected)+len(c.again) > 0
}

// compareAll compares all payouts that several reports list, and returns the lines of those that two reports list unlike.
func (c *corrections) compareAll(m *matching) (unlike [][]listedLine) {
	c.payments = payments{at: map[uint64]int32{}, alike: map[alikePayments]struct{}{}}
	for lines := range sections(c.lines, func(l *listedLine) int32 { return l.payout }) {
		if c.comparePayout(m, lines) {
			unlike = append(unlike, lines)
		}
	}
	c.gone = make(map[int32]struct{}, len(c.corrected))
	for _, l := range c.corrected {
		c.gone[l.line] = struct{}{}
	}
	for _, lines := range unlike {
		c.findPayments(m, lines)
	}
	slices.SortFunc(c.corrected, func(a, b correctedLine) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.line, b.line))
	})
	c.leaveOutAgain(m)
	return unlike
}

// forget removes what was found in the reports of another run.
func (c *corrections) forget() {
	clear(c.pairs)
	clear(c.otherUTRs)
	c.gone = nil
	c.found, c.corrected, c.again, c.standing = c.found[:0], c.corrected[:0], c.again[:0], c.standing[:0]
}

// mark marks the lines that count nowhere: also those of a ledger that are given again.
func (c *corrections) mark(m *matching) {
	for _, line := range m.remittances.again {
		m.repeats.marks[line] |= corrected
	}
	for i := range c.corrected {
		r := &c.corrected[i]
		m.repeats.marks[r.line] |= corrected
		if r.order != noLine {
			m.claims[r.order].marks |= markCorrected
		}
	}
	c.markAgain(m)
}

// mayCorrect says whether an order is paid by lines of one payout in several reports. Without one
// nothing is corrected, so that hardly any run looks at all its payouts.
func (m *matching) mayCorrect() bool {
	if m.paidTwice || len(m.remittances.all()) < 2 {
		return m.paidTwice
	}
	for i := range m.sharedParcels {
		p := &m.sharedParcels[i]
		m.scratch = m.scratch[:0]
		for _, l := range m.shared[p.from:p.to] {
			m.scratch = append(m.scratch, l.line)
		}
		if m.paysTwice(m.scratch) {
			return true
		}
	}
	for of := range sections(m.beside, (*besideLine).ofOrder) {
		lines := m.linesOf(&m.claims[of[0].order])
		for i := range of {
			lines = append(lines, of[i].line)
		}
		if m.scratch = lines; m.paysTwice(lines) {
			return true
		}
	}
	return false
}

// paysTwice says whether two of some lines pay or take back in one payout and stand in two reports. Many lines
// are not compared: it may be so.
func (m *matching) paysTwice(lines []int32) bool {
	if len(lines) > fewLines {
		return true
	}
	for i, k := range lines {
		a := &m.lines[k]
		for _, l := range lines[:i] {
			b := &m.lines[l]
			if a.Report != b.Report && a.movesLike(b) && a.inPayoutOf(b) {
				return true
			}
		}
	}
	return false
}

// listedTwice notes the payouts of all lines, and says whether several reports list one.
func (c *corrections) listedTwice(m *matching) (twice bool) {
	c.eachPaidOut(m, func(at, line int32) {
		p, report := &c.payouts[at], m.lines[line].Report
		if p.report != report {
			p.report, p.several, twice = report, true, true
		}
	})
	c.eachWithUTR(m, func(at, line int32) {
		if p := &c.payouts[at]; p.report != m.lines[line].Report {
			p.several, twice = true, true
		}
	})
	return twice
}

// eachWithUTR calls a function with each line that has a UTR, and with the place of the payout
// without one of its courier and day, if there is one: the UTR may be known only later.
func (c *corrections) eachWithUTR(m *matching, do func(payout, line int32)) {
	if len(c.byDay) == 0 || len(c.byUTR) == 0 {
		return
	}
	for i := range m.lines {
		line := &m.lines[i]
		if len(line.UTR) == 0 || line.RemittedOn == domain.NoDay || !m.remittances.isPaidOut(line) {
			continue
		}
		if at, known := c.byDay[payoutDay{c.groups[line.Report], line.RemittedOn}]; known {
			do(at, int32(i))
		}
	}
}

// eachPaidOut calls a function with each line of a payout, and with the place of that payout.
func (c *corrections) eachPaidOut(m *matching, do func(payout, line int32)) {
	at, before := int32(noLine), &Remittance{}
	for i := range m.lines {
		line := &m.lines[i]
		if !m.remittances.isPaidOut(line) {
			continue
		}
		if at == noLine || line.Report != before.Report || !bytes.Equal(line.UTR, before.UTR) ||
			len(line.UTR) == 0 && line.RemittedOn != before.RemittedOn {
			at, before = c.payoutOf(line, int32(i)), line
		}
		do(at, int32(i))
	}
}

// payoutOf returns the place of a line's payout, which is new if no line has had it before.
func (c *corrections) payoutOf(line *Remittance, i int32) int32 {
	next := int32(len(c.payouts))
	if len(line.UTR) > 0 {
		key := line.UTR
		if !isPlainUTR(key) {
			key = appendUTRKey(nil, key)
		}
		at, isNew := c.utrs.add(key)
		if !isNew {
			return c.byUTR[at]
		}
		c.utrs.keys[at] = c.utrs.texts.put(key)
		c.byUTR = append(c.byUTR, next)
	} else {
		day := payoutDay{c.groups[line.Report], line.RemittedOn}
		if at, known := c.byDay[day]; known {
			return at
		}
		c.byDay[day] = next
	}
	c.payouts = append(c.payouts, listedPayout{line: i, report: line.Report})
	return next
}

// collect collects the lines of payouts that several reports list, sorted by payout, report
// and parcel, but for those for which others of a ledger stand.
func (c *corrections) collect(m *matching) {
	c.lines = c.lines[:0]
	add := func(at, i int32, elsewhere bool) {
		if !c.payouts[at].several || m.repeats.marks[i]&listedAgain != 0 {
			return
		}
		line := &m.lines[i]
		l := listedLine{payout: at, line: i, report: line.Report, elsewhere: elsewhere}
		switch {
		case line.tellsParcel():
			l.parcel, l.hash = c.hasher.id(line.AWB), c.hasher.line(line)
		case line.repeatable():
			l.parcel, l.hash = ^c.hasher.id(line.OrderID), c.hasher.line(line)
		default: // which parcel it is cannot be told, so it is one of its own
			l.parcel, l.hash = uint64(i), uint64(i)
		}
		c.lines = append(c.lines, l)
	}
	c.eachPaidOut(m, func(at, i int32) { add(at, i, false) })
	c.eachWithUTR(m, func(at, i int32) { add(at, i, true) })
	slices.SortFunc(c.lines, func(a, b listedLine) int {
		return cmp.Or(cmp.Compare(a.payout, b.payout), cmp.Compare(a.report, b.report), cmp.Compare(a.parcel, b.parcel),
			cmp.Compare(a.hash, b.hash), cmp.Compare(a.line, b.line))
	})
}

// list puts what each report lists of one payout into lists, and says whether the payout is known: else it may be two that look like one.
func (c *corrections) list(m *matching, lines []listedLine) (known bool) {
	c.parcels, c.lists = c.parcels[:0], c.lists[:0]
	c.parcels = slices.Grow(c.parcels, len(lines)) // the lists have parts of it
	for own := range sections(lines, func(l *listedLine) uint16 { return l.report }) {
		first, elsewhere := len(c.parcels), false
		for at := range own {
			c.addLine(m, own, at)
			elsewhere = elsewhere || own[at].elsewhere
		}
		for i := range c.parcels[first:] {
			p := &c.parcels[first+i]
			p.due, p.order = c.dueOf(m, p.first)
		}
		c.lists = append(c.lists, payoutListing{report: own[0].report, lines: own, parcels: c.parcels[first:], elsewhere: elsewhere})
	}
	first := &m.lines[c.payouts[lines[0].payout].line]
	return len(first.UTR) > 0 || first.RemittedOn != domain.NoDay
}

// comparePayout compares what the reports list of one payout, each with the later ones: which are corrected. It says whether two reports
// list it unlike. All are compared as they are, so that what is found hangs on no order but that of a report and the one that corrects it.
func (c *corrections) comparePayout(m *matching, lines []listedLine) (unlike bool) {
	known := c.list(m, lines)
	counts := func(l listedLine) bool { _, is := c.gone[l.line]; return !is }
	for i := range c.lists {
		earlier := &c.lists[i]
		stands := slices.ContainsFunc(earlier.lines, counts)
		for k := i + 1; k < len(c.lists); k++ {
			later := &c.lists[k]
			again := m.compareListings(earlier, later, nil)
			unlike = unlike || again.differs
			if stands && known && !earlier.elsewhere && c.groups[earlier.report] == c.groups[later.report] && again.corrects() {
				c.leaveOut(m, earlier, later)
				stands = false
			}
		}
	}
	return unlike
}

// findPayments finds which payments of one payout are alike, when it is known what is corrected.
func (c *corrections) findPayments(m *matching, lines []listedLine) {
	if !c.list(m, lines) {
		return
	}
	for i := range c.lists {
		for k := i + 1; k < len(c.lists); k++ {
			c.payments.find(m, &c.lists[i], &c.lists[k])
		}
	}
}

// doubtPayout notes which reports seem to list a payout twice, when it is known which lines count.
func (c *corrections) doubtPayout(m *matching, lines []listedLine) {
	known := c.list(m, lines)
	for i := range c.lists {
		earlier := &c.lists[i]
		for k := i + 1; k < len(c.lists); k++ {
			later := &c.lists[k]
			settled := func(x, y *listedParcel) bool { return c.payments.settle(m, earlier, later, x, y) }
			if again := m.compareListings(earlier, later, settled); again.isDoubtful(known) {
				c.note(m, earlier, pairOfReports{earlier.report, later.report, true})
				break
			}
		}
	}
}

// addLine adds a line to the parcels of its report. A line that repeats another one of the
// report counts once.
func (c *corrections) addLine(m *matching, lines []listedLine, at int) {
	l, line := &lines[at], &m.lines[lines[at].line]
	isNew := at == 0 || lines[at-1].parcel != l.parcel
	if isNew {
		c.parcels = append(c.parcels, listedParcel{parcel: l.parcel, first: l.line, from: at, elsewhere: true})
	}
	p := &c.parcels[len(c.parcels)-1]
	p.elsewhere = p.elsewhere && l.elsewhere
	if p.to = at + 1; !isNew && lines[at-1].hash == l.hash {
		return
	}
	p.first = min(p.first, l.line)
	p.hash += l.hash
	p.remitted += line.Remitted
	p.listed += line.Listed
	p.largest = max(p.largest, line.Listed)
	p.charged += m.remittances.charged(line)
}

// dueOf returns what is due for the order that a line belongs to by its AWB or its order id, by
// the storefront, and that order, or noLine if several have the AWB; 0: it is not known. The line
// is paid, so cash was collected, whatever the storefront has as prepaid or called off.
func (c *corrections) dueOf(m *matching, i int32) (due domain.Paise, order int32) {
	line, at := &m.lines[i], -1
	if !line.AWBRounded {
		at = m.orders.awbs.find(line.AWB)
	}
	switch {
	case at >= 0 && !m.orders.noted[at].shared:
		order = m.orders.noted[at].order
		return m.orders.list[order].owesIfCollected(), order
	case at < 0:
		if named := m.orders.Find(m.orderIDOf(i)); named >= 0 && m.orders.list[named].namesake == 0 {
			return m.orders.list[named].owesIfCollected(), int32(named)
		}
		return 0, noLine
	}
	due, known := c.shared[int32(at)]
	if !known {
		ifCollected := domain.Paise(0)
		for _, s := range m.orders.sharersOf(int32(at)) {
			due += m.orders.list[s.order].owes()
			ifCollected += m.orders.list[s.order].owesIfCollected()
		}
		due = cmp.Or(due, ifCollected)
		c.shared[int32(at)] = due
	}
	return due, noLine
}

// ownerOf returns the order with a line's AWB, of several the first; else the one that the line
// names; else noLine.
func (m *matching) ownerOf(i int32) int32 {
	if line := &m.lines[i]; !line.AWBRounded {
		if at := m.orders.awbs.find(line.AWB); at >= 0 {
			if m.orders.noted[at].shared {
				return m.orders.sharersOf(int32(at))[0].order
			}
			return m.orders.noted[at].order
		}
	}
	return int32(m.orders.Find(m.orderIDOf(i)))
}

// leaveOut notes that the lines of a listing count nowhere.
func (c *corrections) leaveOut(m *matching, of, by *payoutListing) {
	c.note(m, of, pairOfReports{of.report, by.report, false})
	for i := range of.lines {
		line := of.lines[i].line
		c.corrected = append(c.corrected, correctedLine{order: m.ownerOf(line), line: line, by: by.report})
	}
	for x, y := range inBoth(of, by) {
		if lines, standing := of.linesOf(x), by.linesOf(y); len(lines) <= fewLines && len(standing) <= fewLines {
			for i := range lines {
				for k := range standing {
					c.standFor(m, standing[k].line, lines[i].line)
				}
			}
		}
	}
}

// note adds a payout to those of the same two reports.
func (c *corrections) note(m *matching, of *payoutListing, pair pairOfReports) {
	r := c.relistedBy(pair)
	if r.payouts++; len(r.lines) < mostExamples {
		r.lines = append(r.lines, c.payouts[of.lines[0].payout].line)
	}
	for i := range of.lines {
		r.sum.add(m.lines[of.lines[i].line].Remitted)
	}
}

// relistedBy is where the payouts of two reports are noted.
func (c *corrections) relistedBy(pair pairOfReports) *relisted {
	at, known := c.pairs[pair]
	if !known {
		if at = len(c.found); c.pairs == nil {
			c.pairs = map[pairOfReports]int{}
		}
		c.pairs[pair] = at
		c.found = append(c.found, relisted{pairOfReports: pair})
	}
	return &c.found[at]
}
