package verdict

import (
	"cmp"
	"maps"
	"math/bits"
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

// dayCount counts the orders that were dispatched on a day. After sum it counts
// those of all earlier days as well.
type dayCount struct{ concerned, listed int32 }

// dayGroup counts the orders of one courier by day of dispatch. It is used in steps: mark
// every day, makeRoom, add every order, sum, then reported.
type dayGroup struct {
	marked  daySet     // days on which something was dispatched
	before  []int32    // for each word of marked: how many days are marked before it
	days    []dayCount // memory is used only for marked days, because an export may span two centuries
	undated dayCount
	within  []judged // for each marked day: whether the report is from its time
}

// judged is what is known about a day: nothing yet, or whether the report is from its time.
type judged uint8

const (
	notKnown judged = iota
	isWithin
	isOutside
)

// daySet is a set of days. Its memory is used again after reset.
type daySet struct {
	words []uint64 // a bit per day
	last  domain.Day
}

func (s *daySet) reset() { s.words, s.last = s.words[:0], domain.NoDay }

// add adds a day, unless it is NoDay.
func (s *daySet) add(day domain.Day) {
	if day == domain.NoDay {
		return
	}
	for int(day>>6) >= len(s.words) {
		s.words = append(s.words, 0)
	}
	s.words[day>>6] |= 1 << (day & 63)
	s.last = max(s.last, day)
}

// next returns the first day of the set that is after a day; NoDay: there is none.
func (s *daySet) next(after domain.Day) domain.Day {
	day := after + 1
	for word := int(day >> 6); word < len(s.words); word++ {
		rest := s.words[word]
		if word == int(day>>6) {
			rest &= ^uint64(0) << (day & 63)
		}
		if rest != 0 {
			return domain.Day(word<<6 + bits.TrailingZeros64(rest))
		}
	}
	return domain.NoDay
}

func (n *dayGroup) reset() {
	n.marked.reset()
	n.undated = dayCount{}
}

// makeRoom prepares a counter for each marked day.
func (n *dayGroup) makeRoom() {
	n.before = n.before[:0]
	count := int32(0)
	for _, word := range n.marked.words {
		n.before = append(n.before, count)
		count += int32(bits.OnesCount64(word))
	}
	n.days = slices.Grow(n.days[:0], int(count))[:count]
	n.within = slices.Grow(n.within[:0], int(count))[:count]
	clear(n.days)
	clear(n.within)
}

// rank is how many marked days come before a day.
func (n *dayGroup) rank(day domain.Day) int {
	if day > n.marked.last {
		return len(n.days)
	}
	return int(n.before[day>>6]) + bits.OnesCount64(n.marked.words[day>>6]&(1<<(day&63)-1))
}

// add counts a concerned order.
func (n *dayGroup) add(dispatched domain.Day, listed bool) {
	at := &n.undated
	if dispatched != domain.NoDay {
		at = &n.days[n.rank(dispatched)]
	}
	at.add(listed)
}

func (c *dayCount) add(listed bool) {
	c.concerned++
	if listed {
		c.listed++
	}
}

// sum makes each day's counter include all earlier days. No order is added after
// it.
func (n *dayGroup) sum() {
	for i := 1; i < len(n.days); i++ {
		n.days[i].concerned += n.days[i-1].concerned
		n.days[i].listed += n.days[i-1].listed
	}
}

// until counts the orders of the first marked days, of which there are this many.
func (n *dayGroup) until(days int) dayCount {
	if days == 0 {
		return dayCount{}
	}
	return n.days[days-1]
}

func (n *dayGroup) all() dayCount {
	dated := n.until(len(n.days))
	return dayCount{concerned: dated.concerned + n.undated.concerned, listed: dated.listed + n.undated.listed}
}

// around counts the orders dispatched from this many days before a day to as many
// days after it.
func (n *dayGroup) around(day, days domain.Day) dayCount {
	from, to := n.until(n.rank(max(day-days, 0))), n.until(n.rank(day+days+1))
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
	count := func(days int) dayCount { // of the nearest marked days
		from, to := at, at+days
		if before {
			from, to = at+1-days, at+1
		}
		first, last := n.until(from), n.until(to)
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
	few, enough := domain.Day(-1), n.marked.last+1 // days on each side: too few, and enough
	for few+1 < enough {
		if middle := (few + enough) / 2; n.around(day, middle).concerned >= fewestNeighbours {
			enough = middle
		} else {
			few = middle
		}
	}
	if enough > n.marked.last {
		return n.all()
	}
	return n.around(day, enough)
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
	few := len(members) < fewestNeighbours // then their days do not matter
	if !few {
		for _, i := range members {
			n.days.marked.add(n.couriers.sent[i])
		}
	}
	n.days.makeRoom()
	for _, i := range members {
		day := domain.NoDay
		if !few {
			day = n.couriers.sent[i]
		}
		n.days.add(day, r.matching.claims[i].has(markListed))
	}
	n.days.sum()
}
