package verdict

import (
	"bytes"
	"cmp"
	"slices"

	"milaan/domain"
)

// payments finds which lines of several reports are one payment, though some of them do not say all of it (guide: verdict 1, repeats).
// All pairs of reports are compared first, as they are. Then payments that are alike are put together, those first that say the most. So
// the order of the reports decides nothing but which of them corrects which.
type payments struct {
	at    map[uint64]int32 // by the hash of a line: its payment
	list  []payment
	alike map[alikePayments]struct{}
	back  []takenBackAgain
	lines []paymentLine // sorted by payment and line
}

// takenBackAgain are two lines of an order that may be one by which money was taken back.
type takenBackAgain struct {
	alikePayments

	order int32
	lines [2]listedLine
}

// payment is what lines say of it that repeat each other.
type payment struct {
	line     int32 // one of them
	rank     int32 // among all, by how much they say
	from, to int   // places in payments.lines
	stands   bool  // not all of them are corrected
	head     int32 // of the payments that are one with it, the one that says the most, and counts

	joined  []int32  // of a head: all that are one
	reports []uint64 // of a head, a bit for each report: whether it lists one of these
}

type alikePayments struct{ one, other int32 }

type paymentLine struct {
	payment, line int32
	report, by    int // by is the report that corrects it; notCorrected: none
}

const notCorrected = -1

// find finds the payments of two listings of one payout that are alike.
func (p *payments) find(m *matching, earlier, later *payoutListing) {
	for x, y := range inBoth(earlier, later) {
		in, inLater := m.stillCounting(earlier.linesOf(x)), m.stillCounting(later.linesOf(y))
		if x.hash == y.hash || len(in) > fewLines || len(inLater) > fewLines {
			continue
		}
		tooMuch := m.payTooMuch(in, inLater, x, y)
		for _, a := range in {
			if a.isIn(inLater) {
				continue
			}
			for _, b := range inLater {
				takesBack := m.lines[a.line].Remitted < 0
				if b.isIn(in) || !tooMuch && !takesBack || !m.sameMoney(a.line, b.line) {
					continue
				}
				if pair := (alikePayments{p.paymentOf(a), p.paymentOf(b)}); takesBack {
					p.back = append(p.back, takenBackAgain{pair, x.orderWith(y), [2]listedLine{a, b}})
				} else {
					p.alike[pair] = struct{}{}
				}
			}
		}
	}
}

// findTakenBack finds the lines that take money back and are alike, when it is known which payments are one: both together take back more
// than was paid for the parcel. It says whether there are any.
func (p *payments) findTakenBack(m *matching) (found bool) {
	for _, again := range p.back {
		of, paid, lines := &m.lines[again.lines[0].line], domain.Paise(0), m.linesWith(again.order, nil, nil)
		for i, l := range lines {
			line := &m.lines[l.line]
			otherParcel := of.tellsParcel() && line.tellsParcel() && !sameKey(of.AWB, line.AWB)
			if !otherParcel && !slices.ContainsFunc(lines[:i], func(before listedLine) bool { return p.areOne(before, l) }) {
				paid += max(line.Remitted, 0)
			}
		}
		if paid > 0 && paid+m.remittedOn(again.lines[:]) < -partsWithin {
			p.alike[again.alikePayments], found = struct{}{}, true
		}
	}
	return found
}

// linesOf are the lines of a parcel of the listing.
func (l *payoutListing) linesOf(x *listedParcel) []listedLine { return l.lines[x.from:x.to] }

// isIn says whether a line repeats one of some lines of its parcel.
func (l listedLine) isIn(lines []listedLine) bool {
	return slices.ContainsFunc(lines, func(other listedLine) bool { return l.hash == other.hash })
}

// stillCounting are some lines but for those of a ledger that are given again.
func (m *matching) stillCounting(lines []listedLine) []listedLine {
	gone := func(l listedLine) bool { return m.repeats.marks[l.line]&corrected != 0 }
	if !slices.ContainsFunc(lines, gone) {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), gone)
}

// payTooMuch says whether what two listings have of a parcel is more than is due, or with it all that the reports have of its order. Where
// an order has several parcels, what is due for one is what is listed for it. Of many lines nothing is said.
func (m *matching) payTooMuch(in, inLater []listedLine, x, y *listedParcel) bool {
	if len(in) > fewLines || len(inLater) > fewLines {
		return false
	}
	lines := make([]listedLine, 0, 4*fewLines)
	for _, some := range [...][]listedLine{in, inLater} {
		for _, l := range some {
			if !l.isIn(lines) {
				lines = append(lines, l)
			}
		}
	}
	both := m.remittedOn(lines)
	due := max(x.due, y.due)
	listed := x.largest > 0 && y.largest > 0
	if due > 0 || listed {
		due = max(due, x.largest, y.largest)
	}
	if due <= 0 || both > due+partsWithin {
		return due > 0
	}
	order := x.orderWith(y)
	lines = m.linesWith(order, lines, m.corrections.gone)
	return len(lines) > 0 && (m.remittedOn(lines) > due+partsWithin ||
		listed && both > max(x.largest, y.largest)+partsWithin && m.hasOtherParcel(order, &m.lines[x.first], lines))
}

func (m *matching) remittedOn(lines []listedLine) (sum domain.Paise) {
	for _, l := range lines {
		sum += m.lines[l.line].Remitted
	}
	return sum
}

// orderWith is the order that two listings have the parcel of; noLine: it is not known, or not of one alone.
func (p *listedParcel) orderWith(other *listedParcel) int32 {
	switch {
	case p.order == noLine:
		return other.order
	case other.order == noLine || other.order == p.order:
		return p.order
	}
	return noLine
}

// linesWith adds to some lines the others of an order, each once, but for those of without: what has its AWBs, or else what names it. It
// returns nil if no order is known or has many lines.
func (m *matching) linesWith(order int32, lines []listedLine, without map[int32]struct{}) []listedLine {
	if order == noLine {
		return nil
	}
	c, n := &m.claims[order], 0
	for i := c.first; i != noLine; i = m.next[i] {
		if n++; n > 2*fewLines {
			return nil
		}
		_, left := without[i]
		if left || m.repeats.marks[i]&corrected != 0 || c.has(markByAWB) && m.owners[i] != order {
			continue
		}
		l := listedLine{line: i, hash: m.corrections.hasher.line(&m.lines[i])}
		if at := slices.IndexFunc(lines, func(other listedLine) bool { return other.hash == l.hash }); at < 0 {
			lines = append(lines, l)
		} else if m.lines[lines[at].line].Remitted == 0 { // it is paid if one of both is
			lines[at] = l
		}
	}
	return lines
}

// hasOtherParcel says whether an order has another parcel than that of a line, by the export or by its lines.
func (m *matching) hasOtherParcel(order int32, of *Remittance, lines []listedLine) bool {
	if !of.tellsParcel() {
		return false
	}
	for at := range m.orders.awbsOf(&m.orders.list[order]) {
		if awb := m.orders.awb(at); !sameKey(awb, of.AWB) && !m.orders.noted[m.orders.awbs.find(awb)].rounded {
			return true
		}
	}
	return slices.ContainsFunc(lines, func(l listedLine) bool {
		line := &m.lines[l.line]
		return line.tellsParcel() && !sameKey(line.AWB, of.AWB)
	})
}

func (p *payments) paymentOf(l listedLine) int32 {
	at, known := p.at[l.hash]
	if !known {
		at = int32(len(p.list))
		p.at[l.hash] = at
		p.list = append(p.list, payment{line: l.line, head: at, joined: []int32{at}})
	}
	return at
}

// compareSaid orders lines by how much they say of their payments. Where two say as much, any order does that the reports do not decide.
func compareSaid(a, b *Remittance) int {
	return cmp.Or(cmp.Compare(a.says(), b.says()), cmp.Compare(a.Stated, b.Stated), cmp.Compare(a.Listed, b.Listed),
		cmp.Compare(a.RemittedOn, b.RemittedOn), bytes.Compare(a.OrderID, b.OrderID), bytes.Compare(a.UTR, b.UTR))
}

// leaveOutAgain finds the lines that count nowhere because others that are the same payment stand for them.
func (c *corrections) leaveOutAgain(m *matching) {
	p := &c.payments
	if len(p.alike)+len(p.back) == 0 {
		return
	}
	by := make(map[int32]int, len(c.corrected))
	for _, l := range c.corrected {
		by[l.line] = int(l.by)
	}
	p.addLines(m, by)
	p.join(m)
	if p.findTakenBack(m) {
		p.join(m)
	}
	for i := range p.list {
		if of := &p.list[i]; len(of.joined) > 1 {
			p.leaveOut(m, of.joined)
		}
	}
	c.sortAgain()
}

// addLines finds the lines of the payments, those of payouts that one report lists alone too: what repeats a line goes with it.
func (p *payments) addLines(m *matching, by map[int32]int) {
	for i := range m.lines {
		line := &m.lines[i]
		if !line.repeatable() || m.repeats.marks[i]&corrected != 0 || !m.remittances.isPaidOut(line) {
			continue
		}
		if at, is := p.at[m.corrections.hasher.line(line)]; is {
			corrector, is := by[int32(i)]
			if !is {
				corrector = notCorrected
			}
			p.lines = append(p.lines, paymentLine{payment: at, line: int32(i), report: int(line.Report), by: corrector})
		}
	}
	slices.SortStableFunc(p.lines, func(a, b paymentLine) int { return cmp.Compare(a.payment, b.payment) })
	const bits = 64
	words := len(m.remittances.all())/bits + 1
	for i, l := range p.lines {
		of := &p.list[l.payment]
		if of.reports == nil {
			of.from, of.reports = i, make([]uint64, words)
		}
		of.to, of.stands = i+1, of.stands || l.by == notCorrected
		of.reports[l.report/bits] |= 1 << (l.report % bits)
	}
}

// join puts payments together that are alike. Those that count are looked at before those that are corrected.
func (p *payments) join(m *matching) {
	ranked := make([]int32, len(p.list))
	for i := range ranked {
		ranked[i] = int32(i)
	}
	slices.SortFunc(ranked, func(a, b int32) int { return compareSaid(&m.lines[p.list[a].line], &m.lines[p.list[b].line]) })
	for rank, i := range ranked {
		p.list[i].rank = int32(rank)
		if p.list[i].stands {
			p.list[i].rank += int32(len(ranked))
		}
	}
	pairs := make([][2]int32, 0, len(p.alike)) // of ranks, the higher one first
	for of := range p.alike {
		one, other := p.list[of.one].rank, p.list[of.other].rank
		pairs = append(pairs, [2]int32{max(one, other), min(one, other)})
	}
	n := int32(len(ranked))
	slices.SortFunc(pairs, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(b[0], a[0]), cmp.Compare(b[1], a[1])) })
	for _, pair := range pairs {
		head, other := p.list[ranked[pair[0]%n]].head, p.list[ranked[pair[1]%n]].head
		if p.list[head].rank < p.list[other].rank {
			head, other = other, head
		}
		if head != other && p.mayBeOne(m, head, other) {
			p.joinGroups(head, other)
		}
	}
}

// mayBeOne says whether payments that are one in each of two groups may all be one: none of the other group says otherwise than the head,
// and no report lists two of them.
func (p *payments) mayBeOne(m *matching, head, other int32) bool {
	for i, reports := range p.list[other].reports {
		if reports&p.list[head].reports[i] != 0 {
			return false
		}
	}
	says := &m.lines[p.list[head].line]
	return !slices.ContainsFunc(p.list[other].joined, func(at int32) bool { return !says.agreesWith(&m.lines[p.list[at].line]) })
}

func (p *payments) joinGroups(head, other int32) {
	into, from := &p.list[head], &p.list[other]
	for _, at := range from.joined {
		p.list[at].head = head
	}
	for i, reports := range from.reports {
		into.reports[i] |= reports
	}
	into.joined, from.joined = append(into.joined, from.joined...), nil
}

// leaveOut adds the lines of some payments that are one, but for those of the one that says the most. What says less than a corrected
// line is corrected with it if the correction comes later than both: then none of them may count.
func (p *payments) leaveOut(m *matching, joined []int32) {
	var lines, gone []paymentLine
	for _, at := range joined {
		for _, l := range p.lines[p.list[at].from:p.list[at].to] {
			if l.by == notCorrected {
				lines = append(lines, l)
			} else {
				gone = append(gone, l)
			}
		}
	}
	says := func(l paymentLine) int { return m.lines[l.line].says() }
	// Of many equal rows one is enough, or a report of such rows would be compared with another one row by row.
	unlike := slices.CompactFunc(slices.Clone(gone), func(a, b paymentLine) bool { return a.payment == b.payment && a.by == b.by })
	goneWith := func(l paymentLine) func(paymentLine) bool {
		return func(other paymentLine) bool { return l.report < other.by && says(l) < says(other) }
	}
	kept := paymentLine{payment: noLine}
	for _, l := range lines {
		if !slices.ContainsFunc(unlike, goneWith(l)) && (kept.payment == noLine || p.list[l.payment].rank > p.list[kept.payment].rank) {
			kept = l
		}
	}
	if kept.payment == noLine && len(gone) > 0 {
		kept = gone[0]
	}
	c := &m.corrections
	for _, l := range lines {
		if l.payment != kept.payment {
			c.again = append(c.again, lineAgain{order: m.ownerOf(l.line), line: l.line, kept: kept.line})
		}
	}
	if all := append(lines, gone...); len(all) <= fewLines*fewLines {
		for _, l := range all {
			for _, k := range all {
				if k.payment == kept.payment && l.payment != kept.payment {
					c.standFor(m, k.line, l.line)
				}
			}
		}
	}
}

// settle says whether what two listings have of a parcel needs no doubt: in one of them no line counts, or each is a payment of the other.
func (p *payments) settle(m *matching, earlier, later *payoutListing, x, y *listedParcel) bool {
	in, inLater := m.stillCounting(earlier.linesOf(x)), m.stillCounting(later.linesOf(y))
	counts := func(l listedLine) bool { return m.repeats.marks[l.line]&listedAgain == 0 }
	if len(in) > 0 && !slices.ContainsFunc(in, counts) || len(inLater) > 0 && !slices.ContainsFunc(inLater, counts) {
		return true
	}
	among := func(lines, others []listedLine) bool {
		return !slices.ContainsFunc(lines, func(l listedLine) bool {
			return counts(l) && !slices.ContainsFunc(others, func(other listedLine) bool { return p.areOne(l, other) })
		})
	}
	return x.hash != y.hash && m.payTooMuch(in, inLater, x, y) && (among(in, inLater) || among(inLater, in))
}

func (p *payments) areOne(l, other listedLine) bool {
	at, is := p.at[l.hash]
	of, isToo := p.at[other.hash]
	return l.hash == other.hash || is && isToo && p.list[at].head == p.list[of].head
}
