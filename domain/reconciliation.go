package domain

import (
	"bytes"
	"slices"
)

// MatchMode says how an order found its courier lines.
type MatchMode uint8

// The modes of the contract (section 2.3).
const (
	MatchAWB MatchMode = iota
	MatchOrderID
)

func (m MatchMode) String() string {
	if m == MatchAWB {
		return "awb"
	}
	return "order_id"
}

// Result is what a run says of one order.
type Result struct {
	AWB         []byte // several are joined by ", "
	OrderID     []byte
	Due         Paise // cod_amount
	Remitted    Paise
	Shortfall   Paise
	DaysOverdue int
	Flag        Flag
	Status      string
	MatchMode   MatchMode
	OrderedOn   Day // NoDay: the export does not tell
	DueBy       Day // the last day of the window; NoDay: nothing dates the order
}

// Reconciliation is a run's findings, order by order. It works in flat slices
// that the next run uses again.
type Reconciliation struct {
	Tally    Tally
	Guidance Guidance

	orders      *Orders
	remittances *Remittances
	policy      policy
	matching    matching
	neighbours  neighbours
	rounded     roundedLines
	hints       hints
	doubts      doubts
	decisions   []decision
	unlisted    []int32  // unpaid orders that no line lists and whose window is over
	awbs        [][]byte // scratch
	awb         []byte   // scratch
}

// Decide compares the orders with the remittances. Both must stay as they are
// for as long as results are read. It returns a *FileError for an order in
// another currency than rupees that the courier has to do with. It marks AWBs of
// both that turn out to be rounded.
func (r *Reconciliation) Decide(orders *Orders, remittances *Remittances, terms Terms) error {
	r.orders, r.remittances = orders, remittances
	r.matching.match(orders, remittances)
	r.neighbours.reset()
	latest, fulfils := orders.survey(&r.neighbours)
	r.neighbours.makeRoom()
	r.policy = policy{terms: terms, guidance: guide(terms, latest, remittances.through), shopFulfils: fulfils, matching: &r.matching}
	r.policy.coverageDays = Day(r.policy.guidance.GuaranteedCoverageDays)
	r.doubts = doubts{}
	r.hints.reset()

	n := orders.Len()
	unclaimed := &r.matching.claims[n]
	r.Tally = Tally{StorefrontRows: orders.Rows, CourierRows: remittances.Rows, Orders: n,
		Unclaimed: int(unclaimed.lines - r.matching.detailsOf(unclaimed).repeats), UnclaimedPaid: unclaimed.remitted}
	r.decisions = slices.Grow(r.decisions[:0], n)[:n]
	r.unlisted = r.unlisted[:0]
	for i := range r.decisions {
		o, c := &orders.list[i], &r.matching.claims[i]
		d := r.policy.decide(o, c)
		r.decisions[i] = d
		if o.Currency != 0 && (o.paysCOD() || c.has(markListed)) {
			return orders.foreign(o)
		}
		if listed := c.has(markListed); listed || d.due > 0 {
			r.neighbours.add(o.dispatchedOn(), listed)
		}
		r.doubts.add(&r.policy, o, c, &d)
		if d.flag == Missing || d.cause == CauseNotCovered {
			r.unlisted = append(r.unlisted, int32(i))
			continue
		}
		r.Tally.add(&d, c.remitted)
	}
	r.reviewMissing()
	r.Guidance = r.policy.guidance
	r.Guidance.AwaitingNextCycle = r.Tally.Flags[AwaitingNextCycle]
	return nil
}

// Reset lets go of the two files' texts, and of memory that only odd files take.
func (r *Reconciliation) Reset() {
	clear(r.awbs[:cap(r.awbs)])
	if cap(r.awb) > largeText {
		r.awb = nil
	}
}

// review takes MISSING from orders of which the report proves nothing: those that an
// unclaimed line with a rounded AWB may list, and those that are not from its time,
// unless no order is listed at all. Such a line is what a person must look at first,
// whatever else the report does not prove.
func (r *Reconciliation) reviewMissing() {
	if len(r.unlisted) == 0 {
		return
	}
	r.neighbours.sum()
	noneListed := r.neighbours.all().listed == 0
	r.rounded.reset()
	for i := r.matching.claims[len(r.decisions)].first; i != noLine; i = r.matching.next[i] {
		r.rounded.add(&r.remittances.list[i])
	}
	if r.rounded.any {
		r.orders.sortRounded()
	}
	for _, i := range r.unlisted {
		o, d := &r.orders.list[i], &r.decisions[i]
		switch {
		case r.rounded.couldBe(r.orders, o):
			d.flag, d.cause = Overdue, CauseMayBeRounded
		case d.flag == Missing && !noneListed && !r.neighbours.reported(o.dispatchedOn()):
			d.flag, d.cause = Overdue, CauseOutsideReport
			r.doubts.outside++
			r.doubts.outsideDue += d.due
		}
		r.Tally.add(d, 0)
	}
}

func (t *Tally) add(d *decision, remitted Paise) {
	t.Flags[d.flag]++
	t.Due += d.due
	t.Remitted += remitted
	t.Shortfall += d.shortfall
	if d.flag.IsFlagged() && d.shortfall > 0 {
		t.AtRisk += d.shortfall
	}
}

// Len is how many orders there are.
func (r *Reconciliation) Len() int { return len(r.decisions) }

// Result is the finding on the i-th order, in the export's order. Its AWB is
// good until the next call.
func (r *Reconciliation) Result(i int) Result {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decisions[i]
	mode := MatchOrderID
	if o.knowsAWB() && (c.has(markByAWB) || c.lines == 0) {
		mode = MatchAWB
	}
	return Result{
		AWB:         r.awbOf(o, c),
		OrderID:     o.Name,
		Due:         d.due,
		Remitted:    c.remitted,
		Shortfall:   d.shortfall,
		DaysOverdue: r.policy.daysOverdue(d),
		Flag:        d.flag,
		Status:      o.Status(),
		MatchMode:   mode,
		OrderedOn:   o.OrderedOn(),
		DueBy:       d.lastDay,
	}
}

// awbOf is the tracking number to show: the storefront's where it knows one,
// else the courier's, else whatever stands in the storefront's cell.
func (r *Reconciliation) awbOf(o *Order, c *claim) []byte {
	switch {
	case o.awbs == 1:
		return r.orders.awb(o.first)
	case o.knowsAWB():
		r.awb = r.orders.AWBs(r.awb[:0], o)
		return r.awb
	case c.lines == 1 && r.remittances.list[c.first].tellsParcel():
		return r.remittances.list[c.first].AWB
	case c.lines > 0:
		if awbs := r.listCourierAWBs(c); len(awbs) > 0 {
			room := len(awbs) * len(listSeparator)
			for _, awb := range awbs {
				room += len(awb)
			}
			r.awb = append(slices.Grow(r.awb[:0], room), awbs[0]...)
			for _, awb := range awbs[1:] {
				r.awb = append(append(r.awb, listSeparator...), awb...)
			}
			return r.awb
		}
	}
	return trimmed(o.tracking)
}

// listCourierAWBs lists the AWBs of a claim's lines, each once, sorted so that the
// order of the courier's lines does not show.
func (r *Reconciliation) listCourierAWBs(c *claim) [][]byte {
	awbs := r.awbs[:0]
	for i := c.first; i != noLine; i = r.matching.next[i] {
		if line := &r.remittances.list[i]; line.tellsParcel() {
			awbs = append(awbs, line.AWB)
		}
	}
	r.awbs = awbs
	shared := commonPrefixOfAll(awbs) // else it would be compared again and again
	slices.SortFunc(awbs, func(a, b []byte) int {
		if c := compareFold(a[shared:], b[shared:]); c != 0 {
			return c
		}
		return bytes.Compare(a[shared:], b[shared:])
	})
	return slices.CompactFunc(awbs, func(a, b []byte) bool { return sameKey(a[shared:], b[shared:]) })
}

// commonPrefixOfAll is how many bytes at the beginning are the same in all of some texts.
func commonPrefixOfAll(texts [][]byte) int {
	if len(texts) == 0 {
		return 0
	}
	shared := len(texts[0])
	for _, text := range texts[1:] {
		shared = commonPrefix(texts[0][:shared], text)
	}
	return shared
}
