package verdict

import (
	"slices"

	"milaan/domain"
)

// A courier that pays in a regular rhythm and did not pay once has most likely paid in a
// report that was not given. An order whose payout would have been that one is not MISSING
// (guide: verdict 4, absent payouts), and neither is one whose payout
// would have been before the first one.

const (
	fewestDated    = 8 // lines of the courier with a remittance date
	fewestPayouts  = 3 // different remittance dates
	shortestRhythm = 5 // days between payouts; more frequent ones show no gap
	rhythmSlack    = 2 // days by which payouts come earlier or later
	mostGaps       = 1 << 10
)

// payoutGap is a Gap and the orders that it keeps from being MISSING.
type payoutGap struct {
	domain.Gap
	kept ItemSum
}

// payoutSeries finds the gaps in the payouts of one courier after another. It computes
// them when the first order asks.
type payoutSeries struct {
	gaps  []payoutGap // of all couriers
	from  int         // the first gap of this courier
	known bool        // they have been computed
	lag   domain.Day  // the usual days from dispatch to payout
	first domain.Day  // the first payout of a regular series; NoDay: the payouts are not regular
	every int         // days between its payouts

	before uint16 // the gap before the first payout, counted from 1; 0: no order has asked

	dates   daySet
	counted map[int32]bool // lines that several orders share
	spans   []domain.Day
	lags    []domain.Day
	reports []bool   // by report: it lists an order of this courier
	dated   []daySet // by report: the remittance dates of its lines
	read    []bool   // by report: dated has them
}

func (s *payoutSeries) reset() { s.gaps, s.read = s.gaps[:0], s.read[:0] }

func (s *payoutSeries) begin() {
	s.from, s.known, s.first, s.before = len(s.gaps), false, domain.NoDay, 0
}

// lacking returns the gap in which an order of the courier would have been paid, counted
// from 1; 0: there is none. members are all concerned orders of the courier.
func (s *payoutSeries) lacking(r *Reconciliation, members []int32, dispatched domain.Day) uint16 {
	if dispatched == domain.NoDay {
		return 0
	}
	if !s.known {
		s.known = true
		s.find(r, members)
	}
	payout := dispatched + s.lag
	if s.first != domain.NoDay && payout < s.first {
		if s.before == 0 && len(s.gaps) < mostGaps {
			s.gaps = append(s.gaps, payoutGap{Gap: domain.Gap{Before: s.first, Every: s.every, Courier: s.courier(r)}})
			s.before = uint16(len(s.gaps))
		}
		return s.before
	}
	for i := s.from; i < len(s.gaps); i++ {
		if g := &s.gaps[i]; g.After < payout && payout < g.Before {
			return uint16(i + 1)
		}
	}
	return 0
}

// find finds the gaps of a courier, if its payouts are regular.
func (s *payoutSeries) find(r *Reconciliation, members []int32) {
	lines := 0
	s.dates.reset()
	clear(s.counted)
	if s.counted == nil {
		s.counted = map[int32]bool{}
	}
	for _, i := range members {
		c := &r.matching.claims[i]
		shares := c.has(markShared)
		if !shares && c.lines == 1 && c.remittedOn != domain.NoDay { // nine orders in ten: the claim knows the day of its line
			lines++
			s.dates.add(c.remittedOn)
			continue
		}
		for _, line := range r.matching.allLinesOf(i) {
			if !r.matching.isDated(line) || shares && s.counted[line] {
				continue
			}
			if shares {
				s.counted[line] = true
			}
			lines++
			s.dates.add(r.remittances.list[line].RemittedOn)
		}
	}
	if lines < fewestDated {
		return
	}
	s.spans = s.spans[:0]
	for day := s.dates.next(domain.NoDay); ; {
		next := s.dates.next(day)
		if next == domain.NoDay {
			break
		}
		s.spans = append(s.spans, next-day)
		day = next
	}
	if len(s.spans)+1 < fewestPayouts {
		return
	}
	slices.Sort(s.spans)
	every := lowerMedian(s.spans)
	if every < shortestRhythm || s.spans[0] < every-rhythmSlack {
		return
	}
	s.learn(r, members)
	s.first, s.every = s.dates.next(domain.NoDay), int(every)
	for day := s.dates.next(domain.NoDay); ; {
		next := s.dates.next(day)
		switch span := next - day; {
		case next == domain.NoDay:
			return
		case span <= every+rhythmSlack:
		case span < every*7/4 || s.paysBetween(r, day, next) || len(s.gaps) == mostGaps:
			s.gaps, s.first = s.gaps[:s.from], domain.NoDay // the payouts are not regular
			return
		default:
			s.gaps = append(s.gaps, payoutGap{Gap: domain.Gap{After: day, Before: next, Every: int(every), Courier: s.courier(r)}})
		}
		day = next
	}
}

// learn finds the reports that list the courier's orders, and how long after the dispatch
// these are usually paid.
func (s *payoutSeries) learn(r *Reconciliation, members []int32) {
	count := len(r.remittances.all())
	s.reports = slices.Grow(s.reports[:0], count)[:count]
	clear(s.reports)
	s.lags = s.lags[:0]
	for _, i := range members {
		paid := domain.NoDay
		for _, k := range r.matching.allLinesOf(i) {
			if line := &r.remittances.list[k]; r.matching.isDated(k) {
				s.reports[line.Report] = true
				paid = max(paid, line.RemittedOn)
			}
		}
		if sent := r.neighbours.couriers.sent[i]; sent != domain.NoDay && paid != domain.NoDay {
			s.lags = append(s.lags, paid-sent)
		}
	}
	s.lag = 0
	if len(s.lags) > 0 {
		slices.Sort(s.lags)
		s.lag = lowerMedian(s.lags)
	}
}

// lowerMedian returns the middle one of sorted days, the lower one of two.
func lowerMedian(sorted []domain.Day) domain.Day { return sorted[(len(sorted)-1)/2] }

// paysBetween says whether a line of the reports that list the courier's orders is dated
// between two days.
func (s *payoutSeries) paysBetween(r *Reconciliation, after, before domain.Day) bool {
	reports := r.remittances.all()
	if len(s.read) == 0 {
		s.read = append(s.read, make([]bool, len(reports))...)
		s.dated = slices.Grow(s.dated[:0], len(reports))[:len(reports)]
	}
	for k, lists := range s.reports {
		if !lists {
			continue
		}
		if !s.read[k] {
			s.read[k] = true
			s.dated[k].reset()
			from, lines := reports[k].before.lines, r.remittances.linesOf(k)
			if k < r.remittances.remembered {
				from, lines = 0, r.remittances.list[:r.remittances.Remembered()]
			}
			for i := range lines {
				if line := &lines[i]; int(line.Report) == k && r.matching.repeats.marks[from+i]&corrected == 0 {
					s.dated[k].add(line.RemittedOn)
				}
			}
		}
		if next := s.dated[k].next(after); next != domain.NoDay && next < before {
			return true
		}
	}
	return false
}

// courier returns the id of the courier whose reports list the orders; blank: they are of
// several, or it is not known.
func (s *payoutSeries) courier(r *Reconciliation) string {
	id, reports := "", r.remittances.all()
	for k, lists := range s.reports {
		switch {
		case !lists:
		case !isKnown(reports[k].Courier) || id != "" && id != reports[k].Courier:
			return ""
		default:
			id = reports[k].Courier
		}
	}
	return id
}

// isDated says whether a line has a remittance date, and repeats no other one.
func (m *matching) isDated(i int32) bool {
	return m.lines[i].RemittedOn != domain.NoDay && m.repeats.marks[i].counts()
}
