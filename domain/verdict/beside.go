package verdict

import (
	"cmp"
	"slices"

	"milaan/domain"
)

// A line may name an order that was matched by AWB, and have no AWB itself, or one that
// no order of the export has: a rest that was paid by order id, a debit, the parcel that
// replaces one that came back. This file decides whether such a line is the order's too
// (guide: verdict 3).

type besideLine struct {
	order, line int32
	alike       int32 // with besideAlike the line of the order that it repeats; noLine: that line is shared
	fate        besideFate
}

func (b *besideLine) ofOrder() int32 { return b.order }

// besideFate says what becomes of a line beside those by AWB.
type besideFate uint8

const (
	besideRefused besideFate = iota // it stays unclaimed
	besideIdle                      // it stays unclaimed, and the reason has it: nothing is remitted on it
	besideTaken                     // it is the order's
	besideAlike                     // the same, and it repeats another line of the order in all but the AWB
)

func (f besideFate) isTaken() bool { return f >= besideTaken }

const (
	// With fewer orders, the lines of another shop are told by their amounts alone.
	otherShopFrom  = 5
	otherShopOneIn = 10
)

// claimBeside decides on the lines beside those by AWB, in the order of the reports.
func (m *matching) claimBeside() {
	if len(m.beside) == 0 {
		return
	}
	slices.SortFunc(m.beside, func(a, b besideLine) int { return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.line, b.line)) })
	otherShop := m.hasOtherShop()
	m.repeats.told = true
	for lines := range sections(m.beside, (*besideLine).ofOrder) {
		m.claimBesideOf(lines, otherShop)
	}
	m.repeats.told = false
}

// hasOtherShop says whether another shop with the same numbers is in the reports: too many
// of the orders that were matched by AWB are named by lines with the AWB of no order.
func (m *matching) hasOtherShop() bool {
	named, last := 0, int32(noLine)
	for i := range m.beside {
		if b := &m.beside[i]; b.order != last && m.lines[b.line].tellsParcel() {
			named++
			last = b.order
		}
	}
	if named < otherShopFrom {
		return false
	}
	matched := 0
	for i := range m.claims {
		if m.claims[i].has(markByAWB) {
			matched++
		}
	}
	return named*otherShopOneIn > matched
}

// soFar is what an order has while its lines beside are decided on, one after another.
type soFar struct {
	order    int32
	remitted domain.Paise
	out      int                  // parcels that neither came back nor stayed in the shop
	lines    []int32              // but for those of parcels that are replaced
	alike    alikeFinder          // the lines that count
	unpaid   map[domain.Paise]int // what lines that stay unclaimed have paid; nil: none
}

func (s *soFar) reset(order int32) {
	s.order, s.remitted, s.out, s.lines, s.unpaid = order, 0, 0, s.lines[:0], nil
	s.alike.reset()
}

func (m *matching) claimBesideOf(lines []besideLine, otherShop bool) {
	order := lines[0].order
	c := &m.claims[order]
	own := len(m.linesOf(c))
	for i := range lines {
		m.scratch = append(m.scratch, lines[i].line)
	}
	m.repeats.find(m.scratch, m.lines)
	slices.SortFunc(m.repeats.groups, func(a, b grouped) int { return cmp.Compare(a.line, b.line) })
	m.soFar.reset(order)
	m.parcels.reset()
	for _, i := range m.scratch[:own] {
		m.addSoFar(i)
		m.hearSoFar(i, i)
	}
	m.addSharesSoFar()
	for i := range lines {
		b := &lines[i]
		if b.fate, b.alike = besideRefused, noLine; m.repeats.marks[b.line].counts() {
			m.decideBeside(b, otherShop)
		}
	}
	for i := range lines {
		m.linkBeside(c, lines, i)
	}
	if c.has(markBeside) {
		c.details = 0 // computed anew, with these lines
	}
}

// groupOf returns the repeats that a line is one of.
func (m *matching) groupOf(line int32) grouped {
	groups := m.repeats.groups
	at, found := slices.BinarySearchFunc(groups, line, func(g grouped, line int32) int { return cmp.Compare(g.line, line) })
	if !found {
		return grouped{line: line, kept: line, speaks: line}
	}
	return groups[at]
}

func (m *matching) decideBeside(b *besideLine, otherShop bool) {
	s, line := &m.soFar, &m.lines[b.line]
	status := line
	if speaks := m.groupOf(b.line).speaks; speaks != noLine {
		status = &m.lines[speaks]
	}
	switch {
	case otherShop && line.tellsParcel():
		s.refuse(line)
		return
	case line.Remitted == 0 && (!status.HasStatus || status.cameToNothing()):
		b.fate = besideIdle
		return
	}
	if line.Remitted != 0 || !line.tellsParcel() { // else it has no money that could be listed twice, and is another parcel
		if b.alike = s.alike.find(m, line); b.alike != noLine {
			m.setBesideAside(b)
			return
		}
		if m.repeatsShared(b.order, line) {
			b.fate = besideAlike
			m.repeats.marks[b.line] |= setAside | replaced
			return
		}
	}
	switch {
	case line.Remitted < 0 && s.unpaid[-line.Remitted] > 0:
		s.unpaid[-line.Remitted]--
		return
	case line.Remitted < 0:
	case s.out == 0:
		m.replaceSoFar(line)
	case s.remitted+line.Remitted > m.orders.list[b.order].owes():
		s.refuse(line)
		return
	}
	b.fate = besideTaken
	m.addSoFar(b.line)
	if line.Remitted >= 0 || status.HasStatus { // a debit without a status is no parcel
		m.hearBeside(b.line)
	}
}

// hearBeside lets the statuses of a line beside and of its repeats count.
func (m *matching) hearBeside(i int32) {
	m.hearSoFar(i, i)
	if speaks := m.groupOf(i).speaks; speaks != noLine && speaks != i {
		m.hearSoFar(i, speaks)
	}
}

// cameToNothing says whether by its status the parcel came back or never left the shop.
func (r *Remittance) cameToNothing() bool { return r.HasStatus && (r.Returned || r.NeverLeft) }

// refuse remembers what a line has paid that stays unclaimed, for the line that takes it
// back stays unclaimed with it.
func (s *soFar) refuse(line *Remittance) {
	if line.Remitted <= 0 {
		return
	}
	if s.unpaid == nil {
		s.unpaid = map[domain.Paise]int{}
	}
	s.unpaid[line.Remitted]++
}

func (m *matching) addSoFar(i int32) {
	s := &m.soFar
	s.lines = append(s.lines, i)
	if m.repeats.marks[i].counts() {
		s.remitted += m.lines[i].Remitted
		s.alike.add(m, i)
	}
}

// hearSoFar lets the status of the i-th line count for the parcel of another one.
func (m *matching) hearSoFar(of, i int32) {
	before := len(m.parcels.parcels)
	p := &m.parcels.parcels[m.parcels.find(m.lines, of)]
	out := func() int {
		if p.speaks != noLine && m.lines[p.speaks].cameToNothing() {
			return 0
		}
		return 1
	}
	if before == len(m.parcels.parcels) {
		m.soFar.out -= out()
	}
	p.hear(m.lines, m.repeats.marks[i], i)
	m.soFar.out += out()
}

// addSharesSoFar adds what the order has of shared AWBs.
func (m *matching) addSharesSoFar() {
	if !m.claims[m.soFar.order].has(markShared) {
		return
	}
	for _, s := range m.sharesOf(m.soFar.order) {
		m.soFar.remitted += s.remitted
		if speaks := m.sharedParcels[s.parcel].speaks; speaks == noLine || !m.lines[speaks].cameToNothing() {
			m.soFar.out++
		}
	}
}

// replaceSoFar lets a line be that of a parcel which replaces those before it. What is known of this parcel itself stays, such
// as a debit that the report lists above the payment.
func (m *matching) replaceSoFar(by *Remittance) {
	s := &m.soFar
	before := s.lines
	s.lines = s.lines[:0]
	m.claims[s.order].marks |= markReplaced
	m.parcels.reset()
	for _, i := range before {
		if line := &m.lines[i]; by.tellsParcel() && line.tellsParcel() && sameKey(line.AWB, by.AWB) {
			s.lines = append(s.lines, i)
			m.hearBeside(i)
		} else {
			m.repeats.marks[i] |= replaced
		}
	}
}

// setBesideAside sets a line aside that repeats one of the order. If it is paid and the
// other is not, it counts instead of that one.
func (m *matching) setBesideAside(b *besideLine) {
	b.fate = besideAlike
	marks, at := m.repeats.marks, b.alike
	marks[b.line] |= marks[at] & replaced
	if m.lines[b.line].Remitted == 0 || m.lines[at].Remitted != 0 {
		marks[b.line] |= setAside
	} else {
		marks[at] |= setAside
		m.soFar.remitted += m.lines[b.line].Remitted
		m.soFar.alike.replace(m, at, b.line)
	}
	if marks[b.line]&replaced != 0 || marks[b.line].apart(&m.lines[b.line]) {
		return
	}
	m.soFar.lines = append(m.soFar.lines, b.line)
	if m.lines[b.line].tellsParcel() {
		m.hearSoFar(b.line, b.line)
		return
	}
	m.silenceUpper(at, b.line)
	if speaks := m.groupOf(b.line).speaks; speaks != noLine {
		m.hearSoFar(at, speaks)
	}
}

// silenceUpper lets, of two lines of one parcel that repeat each other, the lower one that
// has a status give the status of both, and the latest delivery.
func (m *matching) silenceUpper(at, i int32) {
	speaks, silenced := m.groupOf(i).speaks, m.groupOf(at).speaks
	has := func(i int32) bool { return i != noLine && m.lines[i].HasStatus }
	if !has(speaks) || has(silenced) && silenced > speaks {
		speaks, silenced = silenced, speaks
		at = i
	}
	if !has(speaks) {
		return
	}
	m.repeats.marks[at] |= silent
	if silenced != noLine {
		m.repeats.marks[silenced] |= silent
		m.repeats.moveBeside(m.lines, speaks, max(m.lines[speaks].DeliveredOn, m.lines[silenced].DeliveredOn))
	}
}

// repeatsShared says whether a line repeats one of a shared AWB of the order in all but
// the AWB. A line that is paid repeats none that is not.
func (m *matching) repeatsShared(order int32, line *Remittance) bool {
	if !m.claims[order].has(markShared) {
		return false
	}
	if m.sharedAlike == nil {
		m.sharedAlike = map[sharedLook]int32{}
		for _, s := range m.shared {
			if m.repeats.marks[s.line]&leftOut == 0 {
				m.sharedAlike[sharedLook{m.repeats.hasher.sameButAWB(&m.lines[s.line]), s.awb}] = s.line
			}
		}
	}
	hash := m.repeats.hasher.sameButAWB(line)
	for _, s := range m.sharesOf(order) {
		at, known := m.sharedAlike[sharedLook{hash, m.sharedParcels[s.parcel].awb}]
		if known && (line.Remitted == 0 || m.lines[at].Remitted != 0) {
			return true
		}
	}
	return false
}

// sharedLook is a hash of what a line of a shared AWB is but for the AWB, and the AWB's
// place in Orders.noted.
type sharedLook struct {
	hash uint64
	awb  int32
}

// linkBeside gives a line to the order, or leaves it unclaimed, as was decided. A line
// that repeats another one goes where that one goes.
func (m *matching) linkBeside(c *claim, lines []besideLine, i int) {
	b := &lines[i]
	kept := m.groupOf(b.line).kept
	if kept != b.line {
		at, _ := slices.BinarySearchFunc(lines, kept, func(b besideLine, line int32) int { return cmp.Compare(b.line, line) })
		b.fate, b.alike = lines[at].fate, lines[at].alike
		m.repeats.marks[b.line] |= m.repeats.marks[kept] & (replaced | setAside)
		if b.fate == besideAlike && !m.lines[b.line].HasStatus {
			m.repeats.marks[b.line] |= silent
		}
	}
	if b.fate.isTaken() {
		c.marks |= markBeside
		m.link(b.order, b.line)
		return
	}
	m.link(int32(len(m.claims)-1), b.line)
	switch {
	case kept != b.line || int(b.line) < m.remittances.Remembered():
	case b.fate == besideIdle:
		c.marks |= markIdle
		m.idle++
	default:
		c.marks |= markRefused
		m.refused++
	}
}

// besideOf returns the lines beside those by AWB of an order, in the order of the reports.
func (m *matching) besideOf(order int32) []besideLine {
	return sectionOf(m.beside, order, func(b besideLine) int32 { return b.order })
}

// parcelOf returns the line whose AWB is that of a line's parcel: its own, unless it
// repeats one beside it and has no reliable AWB.
func (m *matching) parcelOf(order, i int32) int32 {
	if !m.claims[order].has(markBeside) || m.lines[i].tellsParcel() {
		return i
	}
	at, found := slices.BinarySearchFunc(m.beside, besideLine{order: order, line: i}, func(a, b besideLine) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.line, b.line))
	})
	if !found || m.beside[at].fate != besideAlike || m.beside[at].alike == noLine {
		return i
	}
	return m.beside[at].alike
}

// alikeFinder finds, among lines, one that is like another one in all but the AWB.
type alikeFinder struct {
	lines []int32          // nil while there are many
	many  map[uint64]int32 // by a hash of what they have in common; nil while there are few
}

func (f *alikeFinder) reset() { f.lines, f.many = f.lines[:0], nil }

// find returns the line that is like another one, or noLine.
func (f *alikeFinder) find(m *matching, line *Remittance) int32 {
	if f.many != nil {
		if at, known := f.many[m.repeats.hasher.sameButAWB(line)]; known {
			return at
		}
		return noLine
	}
	for _, at := range f.lines {
		if m.lines[at].repeatsButAWB(line) {
			return at
		}
	}
	return noLine
}

// add adds the i-th line, unless one that is like it was added before.
func (f *alikeFinder) add(m *matching, i int32) {
	if f.find(m, &m.lines[i]) != noLine {
		return
	}
	if f.many == nil {
		if f.lines = append(f.lines, i); len(f.lines) <= fewLines {
			return
		}
		f.many = make(map[uint64]int32, 2*len(f.lines))
		for _, at := range f.lines {
			f.many[m.repeats.hasher.sameButAWB(&m.lines[at])] = at
		}
		return
	}
	f.many[m.repeats.hasher.sameButAWB(&m.lines[i])] = i
}

// replace puts a line in the place of one that it is like.
func (f *alikeFinder) replace(m *matching, old, i int32) {
	if f.many != nil {
		f.many[m.repeats.hasher.sameButAWB(&m.lines[i])] = i
		return
	}
	f.lines[slices.Index(f.lines, old)] = i
}
