package reading

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// dispatch is the day around which an order's neighbours are looked for, or blank.
func (o *order) dispatch() string { return cmp.Or(o.FulfilledAt, o.date) }

// concerned reports whether an order is listed or owes something.
func (o *order) concerned() bool { return o.listed || o.due > 0 }

// carrier is the carrier that the export names, compared like a status; blank: none.
func (o *order) carrier() string { return strings.Join(split(o.Carrier), " ") }

// formOf is the form of an order's first reliable AWB, and its first two characters; blank:
// it has none.
func (r *run) formOf(o *order) (form, first string) {
	for _, awb := range o.awbs {
		if !r.unreliable[awb] {
			return formOfAWB(awb)
		}
	}
	return "", ""
}

func formOfAWB(awb string) (form, first string) {
	form = strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return '#'
		}
		return c
	}, awb)
	return form, awb[:min(2, len(awb))]
}

// shownTo gives the only courier whose lines bear AWBs with the form and the first two characters of an order's; blank: there
// is none, or the reports are all of one courier.
func (r *run) shownTo(o *order) string {
	form, first := r.formOf(o)
	shown := map[string]bool{}
	show := func(l *line, awb string) {
		if f, c := formOfAWB(awb); f == form && c == first {
			shown[r.courierOf(l.report)] = true
		}
	}
	for _, l := range slices.Concat(r.lines, r.corrected) {
		for _, listed := range append([]*line{l}, l.again...) {
			if listed.awb != "" && !r.unreliable[listed.awb] {
				show(listed, listed.awb)
			}
		}
	}
	for _, other := range r.orders {
		if f, c := r.formOf(other); f != form || c != first {
			continue
		}
		for _, l := range other.lines {
			if l.awb == "" || r.unreliable[l.awb] {
				shown[r.courierOf(l.report)] = true
			}
		}
	}
	couriers := map[string]bool{}
	for i := range r.given.Reports {
		couriers[r.courierOf(i)] = true
	}
	if form == "" || len(couriers) < 2 || len(shown) != 1 {
		return ""
	}
	for courier := range shown {
		return courier
	}
	return ""
}

// neighboursOf gives the neighbours of an order, and by what they were told.
func (r *run) neighboursOf(o *order) (neighbours []*order, by string) {
	concerned := r.ordersThat((*order).concerned)
	among := func(are func(*order) bool) []*order {
		return r.ordersThat(func(other *order) bool { return other.concerned() && are(other) })
	}
	if carrier := o.carrier(); carrier != "" {
		return among(func(other *order) bool { return other.carrier() == carrier }), "carrier"
	}
	form, first := r.formOf(o)
	if form != "" {
		same := among(func(other *order) bool {
			otherForm, otherFirst := r.formOf(other)
			return otherForm == form && otherFirst == first
		})
		if len(same) >= 5 {
			return same, "form and first two characters"
		}
	}
	sameForm := among(func(other *order) bool {
		otherForm, _ := r.formOf(other)
		return otherForm == form
	})
	if len(concerned) < 20 && len(sameForm) >= 3 {
		return sameForm, "form, of few"
	}
	bearers := map[string]int{}
	for _, other := range concerned {
		otherForm, _ := r.formOf(other)
		bearers[otherForm]++
	}
	usual := 0
	for _, count := range bearers {
		if count >= 3 {
			usual += count
		}
	}
	if usual*5 >= len(concerned)*4 {
		return sameForm, "form, as four in five have usual ones"
	}
	return concerned, "all"
}

// isFromReportsTime reports whether enough of an order's neighbours are listed, and of those that lines show to be of its
// courier, where the neighbours may be of several.
func (r *run) isFromReportsTime(o *order) bool {
	neighbours, by := r.neighboursOf(o)
	return r.areListed(o, neighbours, by) && r.forShown(o, true, r.areListed)
}

// forShown asks the same of the orders with beginnings that lines show to be of an order's courier, unless its neighbours are
// told by the carrier or the beginning.
func (r *run) forShown(o *order, otherwise bool, ask func(o *order, neighbours []*order, by string) bool) bool {
	_, by := r.neighboursOf(o)
	courier := r.shownTo(o)
	if by == "carrier" || by == "form and first two characters" || courier == "" {
		return otherwise
	}
	return ask(o, r.ordersThat(func(other *order) bool { return other.concerned() && r.shownTo(other) == courier }), "what lines show")
}

func (r *run) areListed(o *order, neighbours []*order, by string) bool {
	if len(neighbours) < 20 {
		is := countListed(neighbours)*5 >= len(neighbours)
		r.hitNeighbours(by+", fewer than 20", is)
		return is
	}
	var dated []*order
	for _, other := range neighbours {
		if other.dispatch() != "" {
			dated = append(dated, other)
		}
	}
	around := neighbours
	how := ", all"
	if o.dispatch() != "" && len(dated) >= 20 {
		how = ", around"
		for days := 0; ; days++ {
			around = nil
			for _, other := range dated {
				if distance(o.dispatch(), other.dispatch()) <= days {
					around = append(around, other)
				}
			}
			if len(around) >= 20 {
				break
			}
		}
	}
	is := countListed(around)*2 > len(around)
	r.hitNeighbours(by+how, is)
	if is && o.dispatch() != "" && !(hasListedSide(o, dated, -1) && hasListedSide(o, dated, 1)) {
		r.hit("neighbours: too few are listed on one side")
		return false
	}
	return is
}

// hasListedSide reports whether more than half of the nearest neighbours on one side of an
// order's dispatch are listed: before, or after it, that day included.
func hasListedSide(o *order, dated []*order, sign int) bool {
	var away []int
	for _, other := range dated {
		if days := (day(other.dispatch()) - day(o.dispatch())) * sign; other != o && days >= 0 {
			away = append(away, days)
		}
	}
	if len(away) == 0 {
		return true
	}
	sort.Ints(away)
	far := away[min(6, len(away))-1]
	side, listed := 0, 0
	for _, other := range dated {
		if days := (day(other.dispatch()) - day(o.dispatch())) * sign; other != o && days >= 0 && days <= far {
			side++
			if other.listed {
				listed++
			}
		}
	}
	return listed*2 > side
}

func (r *run) hitNeighbours(how string, enough bool) {
	if enough {
		r.hit("neighbours by " + how + ": enough are listed")
	} else {
		r.hit("neighbours by " + how + ": too few are listed")
	}
}

func countListed(orders []*order) (listed int) {
	for _, o := range orders {
		if o.listed {
			listed++
		}
	}
	return listed
}

// distance is the number of days between two ISO days.
func distance(a, b string) int {
	between := day(a) - day(b)
	return max(between, -between)
}

// lowerMedian is the middle of sorted numbers, or the lower one of two.
func lowerMedian(numbers []int) int {
	sort.Ints(numbers)
	return numbers[(len(numbers)-1)/2]
}

// payoutLacks reports whether the payout that would list an order seems to be absent in a
// regular series.
func (r *run) payoutLacks(o *order) bool {
	neighbours, by := r.neighboursOf(o)
	return r.payoutLacksOf(o, neighbours, by) || r.forShown(o, false, r.payoutLacksOf)
}

func (r *run) payoutLacksOf(o *order, neighbours []*order, _ string) bool {
	if o.dispatch() == "" {
		return false
	}
	isTheirs := map[*line]bool{}
	inReports := map[int]bool{}
	var lags []int
	for _, other := range neighbours {
		last := ""
		for _, l := range other.lines {
			isTheirs[l] = true
			inReports[l.report] = inReports[l.report] || l.RemittanceDate != ""
			last = later(last, l.RemittanceDate)
		}
		if last != "" && other.dispatch() != "" {
			lags = append(lags, day(last)-day(other.dispatch()))
		}
	}
	for l := range isTheirs {
		for _, repeat := range l.repeats {
			if repeat.cameBack {
				isTheirs[repeat] = true
			}
		}
	}
	dated := 0
	var days []int
	for l := range isTheirs {
		if l.RemittanceDate == "" {
			continue
		}
		dated++
		if d := day(l.RemittanceDate); !slices.Contains(days, d) {
			days = append(days, d)
		}
	}
	if dated < 8 || len(days) < 3 || len(lags) == 0 {
		return false
	}
	sort.Ints(days)
	var spans []int
	for i := range days[1:] {
		spans = append(spans, days[i+1]-days[i])
	}
	m := lowerMedian(slices.Clone(spans))
	if m < 5 {
		r.hit("payouts: too close to be a series")
		return false
	}
	expected := day(o.dispatch()) + lowerMedian(lags)
	falls := expected < days[0]
	if falls {
		r.hit("payouts: before the first of them")
	}
	for i, span := range spans {
		from, to := days[i], days[i+1]
		switch {
		case span >= m-2 && span <= m+2:
			continue
		case span < 7*m/4:
			r.hit("payouts: irregular")
			return false
		}
		for _, l := range r.lines {
			for _, listed := range append([]*line{l}, l.again...) { // a repeat counts once, but its report has it
				if inReports[listed.report] && listed.RemittanceDate != "" && day(listed.RemittanceDate) > from && day(listed.RemittanceDate) < to {
					r.hit("payouts: another line is dated within the gap")
					return false
				}
			}
		}
		r.hit("payouts: a gap")
		if expected > from && expected < to {
			falls = true
		}
	}
	if !falls {
		r.hit("payouts: the order falls in no gap")
	}
	return falls
}
