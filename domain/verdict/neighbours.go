package verdict

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"milaan/domain"
)

// Couriers send one report per payout, and none about the parcels of another courier. So
// if no line lists an order, this proves that its money is missing only if its neighbours
// are listed. The neighbours are the orders of the same courier that were dispatched
// around the same day (guide: verdict 4, neighbours). An order is
// concerned if it is listed or something is due for it.

const (
	fewestNeighbours = 20 // with fewer, all orders of the courier are looked at
	fewestOnASide    = 6  // of these, dispatched before an order, or after it
	listedOneIn      = 5  // of fewer neighbours at least one in this many must be listed
)

// dayCount counts orders.
type dayCount struct{ concerned, listed int32 }

// dayGroup counts the orders of one courier by day of dispatch. It is used in steps: reset, add every order, sum, then reported.
type dayGroup struct {
	added   map[domain.Day]*dayCount
	last    domain.Day   // to which an order was added; most are sorted by day
	ofLast  *dayCount    // of that day; nil: none yet
	days    []domain.Day // on which something was dispatched, sorted
	counts  []dayCount   // of the orders of the first so many days
	undated dayCount
	within  []judged // by day: whether the report is from its time
}

// judged is what is known about a day: nothing yet, or whether the report is from its time.
type judged uint8

const (
	notKnown judged = iota
	isWithin
	isOutside
)

func (n *dayGroup) reset() {
	n.added, n.ofLast, n.undated = map[domain.Day]*dayCount{}, nil, dayCount{}
}

// rank is how many of the days come before a day.
func (n *dayGroup) rank(day domain.Day) int {
	at, _ := slices.BinarySearch(n.days, day)
	return at
}

// add counts a concerned order.
func (n *dayGroup) add(dispatched domain.Day, listed bool) {
	if dispatched == domain.NoDay {
		n.undated.add(listed)
		return
	}
	if n.ofLast == nil || dispatched != n.last {
		if n.added[dispatched] == nil {
			n.added[dispatched] = new(dayCount)
		}
		n.last, n.ofLast = dispatched, n.added[dispatched]
	}
	n.ofLast.add(listed)
}

func (c *dayCount) add(listed bool) {
	c.concerned++
	if listed {
		c.listed++
	}
}

// sum adds up the days. No order is added after it.
func (n *dayGroup) sum() {
	n.days, n.counts = slices.AppendSeq(n.days[:0], maps.Keys(n.added)), append(n.counts[:0], dayCount{})
	slices.Sort(n.days)
	var sum dayCount
	for _, day := range n.days {
		sum.concerned += n.added[day].concerned
		sum.listed += n.added[day].listed
		n.counts = append(n.counts, sum)
	}
	n.within = make([]judged, len(n.days))
}

func (n *dayGroup) all() dayCount {
	dated := n.counts[len(n.days)]
	return dayCount{concerned: dated.concerned + n.undated.concerned, listed: dated.listed + n.undated.listed}
}

// around counts the orders dispatched from this many days before a day to as many
// days after it.
func (n *dayGroup) around(day, days domain.Day) dayCount {
	from, to := n.counts[n.rank(day-days)], n.counts[n.rank(day+days+1)]
	return dayCount{concerned: to.concerned - from.concerned, listed: to.listed - from.listed}
}

// reported says whether the reports are from the time of the dispatch of an order that is
// not listed. If the courier has enough orders, days are added on both sides of the
// dispatch at once until they have enough, and more than half of these must be listed. For
// an order without a date, all orders of the courier are looked at. The same must hold for
// the nearest orders on each side alone: at the end of a payout that is absent, half of the
// neighbours are in the next one.
func (n *dayGroup) reported(dispatched domain.Day) bool {
	all := n.all()
	switch {
	case all.concerned < fewestNeighbours:
		return all.listed*listedOneIn >= all.concerned
	case dispatched == domain.NoDay:
		return all.mostListed()
	}
	known := &n.within[n.rank(dispatched)]
	if *known == notKnown {
		*known = isOutside
		if n.nearest(dispatched).mostListed() && n.side(dispatched, true).mostListed() && n.side(dispatched, false).mostListed() {
			*known = isWithin
		}
	}
	return *known == isWithin
}

// mostListed says whether more than half are listed. It holds for none.
func (c dayCount) mostListed() bool { return c.listed*2 > c.concerned || c.concerned == 0 }

// side counts the nearest orders that were dispatched on a day or before it, or after it,
// without one order of that day that is not listed.
func (n *dayGroup) side(day domain.Day, before bool) dayCount {
	at := n.rank(day)
	count := func(days int) dayCount { // of the nearest days
		from, to := at, at+days
		if before {
			from, to = at+1-days, at+1
		}
		first, last := n.counts[from], n.counts[to]
		return dayCount{concerned: last.concerned - first.concerned - 1, listed: last.listed - first.listed}
	}
	most := len(n.days) - at
	if before {
		most = at + 1
	}
	days := 1 + sort.Search(most-1, func(more int) bool { return count(more+1).concerned >= fewestOnASide })
	return count(days)
}

// nearest counts the neighbours of a day.
func (n *dayGroup) nearest(day domain.Day) dayCount {
	widest := int(n.days[len(n.days)-1]) // days on each side
	days := sort.Search(widest+1, func(days int) bool { return n.around(day, domain.Day(days)).concerned >= fewestNeighbours })
	if days > widest {
		return n.all()
	}
	return n.around(day, domain.Day(days))
}

// question is an unlisted order that is MISSING unless its neighbours keep it from that.
type question struct {
	kind         groupKind
	group, order int32
}

// neighbours judges which orders are not MISSING because of their neighbours.
type neighbours struct {
	couriers  couriersOf
	days      dayGroup
	series    payoutSeries
	questions []question
}

// judge changes the cause and the flag of orders that are not proven to be MISSING.
func (n *neighbours) judge(r *Reconciliation) {
	n.questions = n.questions[:0]
	if r.doubts.listed == 0 {
		return
	}
	for _, i := range r.unlisted {
		if d := &r.decisions[i]; d.flag != domain.Missing || d.cause == domain.CauseFoundMissing {
			continue
		}
		if len(n.questions) == 0 {
			n.couriers.group(r)
		}
		kind, group := n.couriers.courierOf(i)
		n.questions = append(n.questions, question{kind: kind, group: group, order: i})
	}
	slices.SortFunc(n.questions, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.group, b.group), cmp.Compare(a.order, b.order))
	})
	for same := range sections(n.questions, func(q *question) question { return question{kind: q.kind, group: q.group} }) {
		n.judgeOf(r, n.couriers.membersOf(same[0].kind, same[0].group), same)
	}
	if len(n.questions) > 0 {
		n.judgeShown(r)
	}
}

// judgeShown judges the orders once more that are still MISSING by neighbours of several couriers, perhaps: if lines show whose
// the beginnings of their AWBs are, the orders with beginnings of this courier must prove it alone as well.
func (n *neighbours) judgeShown(r *Reconciliation) {
	r.groupReports()
	if !r.couriersAsked.severalCouriers() {
		return
	}
	g := &n.couriers
	byShown := map[int32][]question{}
	for _, q := range n.questions {
		if told := q.kind == byCarrier || q.kind == byBeginning; told || r.decisions[q.order].flag != domain.Missing {
			continue
		}
		g.show(r, r.couriersAsked.first)
		if report := g.shownTo(q.order); report > 0 {
			byShown[report] = append(byShown[report], q)
		}
	}
	for _, report := range slices.Sorted(maps.Keys(byShown)) {
		var members []int32
		for _, order := range g.all {
			if g.shownTo(order) == report {
				members = append(members, order)
			}
		}
		n.judgeOf(r, members, byShown[report])
	}
}

// isGiven says whether the run has a report of the carrier of an order, or one that lists parcels with AWBs like its own.
func (n *neighbours) isGiven(r *Reconciliation, q question) bool {
	g := &n.couriers
	r.groupReports()
	g.show(r, r.couriersAsked.first)
	if q.kind == byCarrier {
		of := r.reportOfCarrier(r.orders.Text(r.orders.list[q.order].Carrier))
		return of > 0 && of <= len(r.remittances.Reports())
	}
	if shown := &g.shown[byBeginning][g.of[byBeginning][q.order]]; shown.report > 0 || q.kind == byBeginning {
		return shown.own
	}
	return g.shown[byForm][g.of[byForm][q.order]].own
}

// judgeOf judges orders of one courier. members are all concerned orders of that courier.
func (n *neighbours) judgeOf(r *Reconciliation, members []int32, questions []question) {
	n.count(r, members)
	anyListed := n.days.all().listed > 0
	n.series.begin()
	for _, q := range questions {
		sent, d := n.couriers.sent[q.order], &r.decisions[q.order]
		if n.days.reported(sent) {
			if gap := n.series.lacking(r, members, sent); gap != 0 {
				d.flag, d.cause, d.gap = domain.Overdue, domain.CausePayoutGap, gap
				n.series.gaps[gap-1].kept.add(d.due)
			}
			continue
		}
		d.flag, d.cause = domain.Overdue, domain.CauseOutsideReport
		if !anyListed && !n.isGiven(r, q) {
			d.cause = domain.CauseOtherCourier
		}
		r.doubts.outside++
		r.doubts.outsideDue += d.due
	}
}

// count counts the orders of a courier by day.
func (n *neighbours) count(r *Reconciliation, members []int32) {
	n.days.reset()
	for _, i := range members {
		day := n.couriers.sent[i]
		if len(members) < fewestNeighbours { // then their days do not matter
			day = domain.NoDay
		}
		n.days.add(day, r.matching.claims[i].has(markListed))
	}
	n.days.sum()
}
