package verdict

import (
	"bytes"
	"cmp"
	"slices"

	"milaan/domain"
)

// MatchMode says by which id an order was matched with the courier's lines.
type MatchMode uint8

// The match modes of the contract.
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

// Result is the finding of a run on one order.
type Result struct {
	AWB         []byte // several are joined by ", "
	OrderID     []byte
	Due         domain.Paise // cod_amount
	Remitted    domain.Paise
	Accepted    domain.Paise // charges that count as paid
	Shortfall   domain.Paise
	DaysOverdue int
	Flag        domain.Flag
	Status      string
	MatchMode   MatchMode
	OrderedOn   domain.Day // NoDay: the export does not say
	DueBy       domain.Day // the last day of the window; NoDay: the order has no date
}

// Reconciliation is the findings of a run, order by order. It works in flat slices,
// whose memory the next run uses again. The zero value is ready for Decide.
type Reconciliation struct {
	Tally    domain.Tally
	Accepted domain.Paise // charges of all orders that count as paid: Due = Remitted + Accepted + Shortfall + what is awaited
	Guidance domain.Guidance
	Brand    string // of the run, with which a ledger's is compared; blank: not known. Decide makes it blank

	orders        *Orders
	remittances   *Remittances
	policy        policy
	matching      matching
	neighbours    neighbours
	rounded       roundedLines
	hints         hints
	tie           tie
	couriersAsked couriersAsked
	keeping       keeping
	doubts        doubts
	marks         map[int]domain.Mark       // that stand in place of those of the ledger
	chosen        map[int]bool              // the orders that disputes are for; nil: all
	shown         map[int]string            // see shownAWBs
	keptOn        domain.Day                // see KeptOn
	unseenBefore  domain.Day                // the same
	decisions     []decision                // on the orders of the export
	decided       []decision                // decisions, and those on the orders that only a ledger has
	accepts       bool                      // see Accepts
	reversed      map[int32]domain.Reversed // by order; nil: there is none
	unlisted      []int32                   // unpaid orders that no line lists and whose window is over
	halves        [2]someDecided
	scratch       scratch
}

// scratch is memory that answers of a Reconciliation are made in.
type scratch struct {
	stated  []domain.StatedCharge
	listed  []domain.Listing
	awbs    [][]byte
	utrs    [][]byte
	sharers []domain.Sharer
	toActOn []int32
	awb     []byte
}

// Decide compares the orders with the remittances and gives each order its flag.
// The caller must not change either for as long as it reads results. Decide marks
// AWBs of both as rounded if the comparison shows that they are. It returns a
// *FileError for an order in another currency than rupees, if the order is cash on
// delivery or the courier lists it.
func (r *Reconciliation) Decide(orders *Orders, remittances *Remittances, terms domain.Terms) error {
	r.orders, r.remittances = orders, remittances
	remittances.findGivenAgain()
	r.matching.match(orders, remittances)
	orders.sortRounded()
	latest, fulfils := orders.survey()
	through, behind := remittances.reach()
	r.policy = policy{terms: terms, guidance: guide(terms, latest, through, behind), shopFulfils: fulfils, matching: &r.matching}
	r.policy.coverageDays = domain.Day(r.policy.guidance.GuaranteedCoverageDays)
	r.doubts = doubts{}
	r.hints.reset()
	r.neighbours.series.reset()
	r.tie.ready, r.couriersAsked.ready, r.keeping = false, false, keeping{}
	r.couriersAsked.first = r.couriersAsked.first[:0]
	r.neighbours.couriers.grouped, r.neighbours.couriers.shows = false, false
	r.Brand, r.marks, r.chosen, r.shown = "", nil, nil, nil
	r.keptOn, r.unseenBefore = domain.NoDay, domain.NoDay

	n := orders.Exported()
	unclaimed := &r.matching.claims[orders.Len()]
	r.Tally = domain.Tally{StorefrontRows: orders.Rows, CourierRows: remittances.Rows, Orders: n,
		Unclaimed: int(unclaimed.lines - r.matching.detailsOf(unclaimed).repeats), UnclaimedPaid: unclaimed.remitted}
	r.leaveOutRemembered()
	r.decided = slices.Grow(r.decided[:0], orders.Len())[:orders.Len()]
	r.decisions = r.decided[:n]
	for i := range r.halves {
		r.halves[i] = someDecided{unlisted: r.halves[i].unlisted[:0]}
	}
	inHalves(r, n, (*Reconciliation).decideSome)
	r.Accepted, r.accepts, r.unlisted = 0, false, r.unlisted[:0]
	for i := range r.halves {
		if h := &r.halves[i]; h.refused != nil {
			return orders.refuseCurrency(h.refused)
		}
		r.add(&r.halves[i])
	}
	for i := n; i < len(r.decided); i++ {
		r.decided[i] = r.policy.decide(&orders.list[i], &r.matching.claims[i])
		r.reviewRemembered(&r.decided[i], int32(i))
	}
	r.matching.doubtOtherUTRs(r.decided)
	r.reviewMissing()
	r.findReversed()
	r.Guidance = r.policy.guidance
	r.Guidance.AwaitingNextCycle = r.Tally.Flags[domain.AwaitingNextCycle]
	return nil
}

// someDecided is what some of the export's orders add to a Reconciliation.
type someDecided struct {
	tally    domain.Tally
	accepted domain.Paise
	accepts  bool
	doubts   doubts
	unlisted []int32
	refused  *Order // the first in another currency that must be in rupees
}

// decideSome gives the orders from a place to another their flags. It stops at one whose currency is refused.
func (r *Reconciliation) decideSome(half, from, to int) {
	s := &r.halves[half]
	for i := from; i < to; i++ {
		o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decisions[i]
		*d = r.policy.decide(o, c)
		if o.Currency != 0 && (o.paysCOD() || c.has(markListed)) {
			s.refused = o
			return
		}
		s.doubts.add(&r.policy, o, c, d)
		if d.flag == domain.Missing || d.cause == domain.CauseNotCovered {
			s.unlisted = append(s.unlisted, int32(i))
			continue
		}
		addTo(&s.tally, d, c.remitted)
		s.accepted, s.accepts = s.accepted+d.accepted, s.accepts || d.accepted != 0
	}
}

func (r *Reconciliation) add(s *someDecided) {
	r.Tally = r.Tally.Plus(s.tally)
	r.Accepted, r.accepts = r.Accepted+s.accepted, r.accepts || s.accepts
	r.doubts.plus(&s.doubts)
	r.unlisted = append(r.unlisted, s.unlisted...)
}

// Reset releases the texts of the two files, and memory that only unusual files
// need. The caller must not read results after it.
func (r *Reconciliation) Reset() {
	clear(r.scratch.awbs[:cap(r.scratch.awbs)])
	clear(r.scratch.utrs[:cap(r.scratch.utrs)])
	clear(r.scratch.sharers[:cap(r.scratch.sharers)])
	clear(r.scratch.stated[:cap(r.scratch.stated)])
	r.neighbours.couriers.forget()
	if cap(r.scratch.awb) > largeText {
		r.scratch.awb = nil
	}
	if cap(r.tie.utr) > largeText {
		r.tie.utr = nil
	}
}

// reviewMissing looks at the orders that no line lists and whose window is over.
// MISSING becomes OVERDUE if the reports do not prove that the money is missing: an
// unclaimed line with a rounded AWB may be the order's own, which comes first, because a
// person must look at that line before anything else; or its neighbours or the payouts show
// that another report may list it, which is left out if no order of the export is listed.
func (r *Reconciliation) reviewMissing() {
	if len(r.unlisted) == 0 {
		return
	}
	r.rounded.reset()
	for i := r.matching.claims[len(r.decided)].first; i != noLine; i = r.matching.next[i] {
		r.rounded.add(&r.remittances.list[i])
	}
	for _, i := range r.unlisted {
		d := &r.decisions[i]
		if f := r.orders.foundOn(i); f != nil && f.Flag == domain.Missing {
			d.flag, d.cause = domain.Missing, domain.CauseFoundMissing
		}
		if r.rounded.couldBe(r.orders, &r.orders.list[i]) {
			d.flag, d.cause = domain.Overdue, domain.CauseMayBeRounded
		}
	}
	r.neighbours.judge(r)
	for _, i := range r.unlisted {
		addTo(&r.Tally, &r.decisions[i], 0)
	}
}

// addTo counts an order in the tally of a run.
func addTo(t *domain.Tally, d *decision, remitted domain.Paise) {
	t.Flags[d.flag]++
	t.Due += d.due
	t.Remitted += remitted
	t.Shortfall += d.shortfall
	if d.flag.IsFlagged() && d.shortfall > 0 {
		t.AtRisk += d.shortfall
	}
}

// Accepts says whether charges of some order count as paid; their sum may be 0 all the same.
func (r *Reconciliation) Accepts() bool { return r.accepts }

// Another returns the same findings for another goroutine, which may ask for results and reasons
// while r is asked for them as well. It is valid for as long as r is.
func (r *Reconciliation) Another() *Reconciliation {
	if r.Tally.Unclaimed > 0 && !r.hints.ready {
		r.hints.index(r)
	}
	if r.Guidance.Behind.Report > 0 { // reasons ask whose an order is
		r.tieOut()
		r.findCouriersAsked()
	}
	another := *r
	another.policy.matching = &another.matching
	another.matching.scratch, another.hints.key = nil, nil
	another.scratch = scratch{}
	return &another
}

// Len is the number of orders of the export.
func (r *Reconciliation) Len() int { return len(r.decisions) }

// ToActOn returns the orders of the export as a person looks at them: first those with money at risk, the
// largest shortfall first; then those that were paid too much, the largest surplus first;
// then those that are AWAITING_NEXT_CYCLE, and the RECONCILED ones last. Orders that are
// alike stay as in the export. The result is valid until the next call.
func (r *Reconciliation) ToActOn() []int32 { return r.sortToActOn(r.decisions) }

// AllToActOn is ToActOn with the orders that only a ledger has among them.
func (r *Reconciliation) AllToActOn() []int32 { return r.sortToActOn(r.decided) }

func (r *Reconciliation) sortToActOn(decided []decision) []int32 {
	order := slices.Grow(r.scratch.toActOn[:0], len(decided))
	add := func(wanted func(domain.Flag) bool) {
		for i := range decided {
			if wanted(decided[i].flag) {
				order = append(order, int32(i))
			}
		}
	}
	add(domain.Flag.IsFlagged)
	slices.SortFunc(order, func(a, b int32) int {
		x, y := decided[a].shortfall, decided[b].shortfall
		if x < 0 && y < 0 {
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(y, x), int(a-b))
	})
	add(func(f domain.Flag) bool { return f == domain.AwaitingNextCycle })
	add(func(f domain.Flag) bool { return f == domain.Reconciled })
	r.scratch.toActOn = order
	return order
}

// Result is the finding on the i-th order. Those that only a ledger has come after those of the export. Its AWB is valid until the
// next call.
func (r *Reconciliation) Result(i int) Result {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decided[i]
	mode := MatchOrderID
	if o.knowsAWB() && (c.has(markByAWB) || c.lines == 0) {
		mode = MatchAWB
	}
	return Result{
		AWB:         r.awbOf(o, c),
		OrderID:     o.Name,
		Due:         d.due,
		Remitted:    c.remitted,
		Accepted:    d.accepted,
		Shortfall:   d.shortfall,
		DaysOverdue: r.policy.daysOverdue(d),
		Flag:        d.flag,
		Status:      o.Status(),
		MatchMode:   mode,
		OrderedOn:   o.OrderedOn(),
		DueBy:       d.lastDay,
	}
}

// awbOf is the tracking number that a result shows: the storefront's if it has a
// reliable one, or else the courier's, or else the text of the storefront's cell.
func (r *Reconciliation) awbOf(o *Order, c *claim) []byte {
	switch {
	case o.awbs == 1 && o.first == o.tracking-1: // the cell is that AWB and no more
		return r.orders.awb(o.first)
	case o.knowsAWB():
		r.scratch.awb = r.orders.AWBs(r.scratch.awb[:0], o)
		return r.scratch.awb
	case c.lines == 1 && r.remittances.list[c.first].tellsParcel():
		return r.remittances.list[c.first].AWB
	case c.lines > 0:
		if awbs := r.listCourierAWBs(c); len(awbs) > 0 {
			room := len(awbs) * len(listSeparator)
			for _, awb := range awbs {
				room += len(awb)
			}
			r.scratch.awb = append(slices.Grow(r.scratch.awb[:0], room), awbs[0]...)
			for _, awb := range awbs[1:] {
				r.scratch.awb = append(append(r.scratch.awb, listSeparator...), awb...)
			}
			return r.scratch.awb
		}
	}
	return domain.Trim(r.orders.trackingOf(o))
}

// listCourierAWBs lists the AWBs of a claim's lines, each once. They are sorted, so
// that the order of the courier's lines makes no difference.
func (r *Reconciliation) listCourierAWBs(c *claim) [][]byte {
	type spelled struct{ awb, folded []byte } // folded once, because there may be many long ones
	var all []spelled
	for i := c.first; i != noLine; i = r.matching.next[i] {
		if line := &r.remittances.list[i]; line.tellsParcel() {
			all = append(all, spelled{line.AWB, appendFolded(make([]byte, 0, len(line.AWB)), line.AWB)})
		}
	}
	slices.SortFunc(all, func(a, b spelled) int { return cmp.Or(bytes.Compare(a.folded, b.folded), bytes.Compare(a.awb, b.awb)) })
	awbs := r.scratch.awbs[:0]
	for i, of := range all {
		if i == 0 || !bytes.Equal(of.folded, all[i-1].folded) {
			awbs = append(awbs, of.awb)
		}
	}
	r.scratch.awbs = awbs
	return awbs
}

// minCoverageDays is how many days the courier's file must reach past the last
// order at least (guide: verdict 4).
const minCoverageDays = 14

// guide computes the guidance of a run, except AwaitingNextCycle, which is known
// only once every order has its flag.
func guide(t domain.Terms, asOf, through domain.Day, behind domain.Behind) domain.Guidance {
	g := domain.Guidance{OffsetDays: t.OffsetDays, OffsetSource: t.OffsetSource, BatchAsOf: asOf, DataThrough: through,
		GuaranteedCoverageDays: max(minCoverageDays, t.OffsetDays), Behind: behind}
	g.CoverageComplete = through != domain.NoDay && through >= asOf+domain.Day(g.GuaranteedCoverageDays)
	return g
}

// Unpaid returns the orders of a run that are unpaid, wholly or in part, with what is still
// due for them, by the day of the order: those that are flagged with a shortfall, and those
// whose money may still come.
func (r *Reconciliation) Unpaid() map[domain.Day]domain.OrderSum {
	unpaid := map[domain.Day]domain.OrderSum{}
	for i := range r.decisions {
		d, day := &r.decisions[i], r.orders.list[i].OrderedOn()
		open := d.shortfall
		if d.flag == domain.AwaitingNextCycle {
			open = d.due
		}
		if open > 0 && day != domain.NoDay {
			unpaid[day] = unpaid[day].Plus(domain.OrderSum{Orders: 1, Amount: open})
		}
	}
	return unpaid
}
