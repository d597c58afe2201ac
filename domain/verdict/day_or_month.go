package verdict

import (
	"slices"

	"milaan/domain"
)

// ReadDates is how the dates of a column of a report were read.
type ReadDates struct {
	Column   string // its name; blank: there is no such column
	First    domain.First
	Shown    bool // some date of it can be read in that way alone
	Open     bool // each can be read both ways, and the report's other column of dates does not show how
	Doubtful bool // a person should look at one of them
}

// SetDates stores how the dates of the report that is being read were read: those of the
// remittances, and those of the deliveries.
func (r *Remittances) SetDates(remitted, delivered ReadDates) {
	r.current().Dates = [2]ReadDates{remitted, delivered}
}

// settleDates reads the dates of reports the other way, day or month first, where a report
// alone leaves it open, and reports like it or the orders of their lines show it.
func (r *Remittances) settleDates(orders *Orders) {
	reports := r.Reports()
	for i := range reports {
		like := &reports[i]
		isSettled := func(before ReadReport) bool { return before.hasOpenDates() && before.isLike(like) }
		if !like.hasOpenDates() || slices.ContainsFunc(reports[:i], isSettled) {
			continue
		}
		first := r.firstIn(like, orders)
		for k := i; k < len(reports) && first != domain.UnknownFirst; k++ {
			if reports[k].isLike(like) {
				r.readDates(k, first)
			}
		}
	}
}

func (r *ReadReport) hasOpenDates() bool { return r.Dates[0].Open || r.Dates[1].Open }

// isLike says whether two reports are of one courier and have the same header: then one
// program has written their dates.
func (r *ReadReport) isLike(other *ReadReport) bool {
	return r == other || r.Header == other.Header && r.together(other)
}

// listsOrdersAfter is how many days after the first known order a report may be that lists
// no known order: a later one would list that order.
const listsOrdersAfter = 14

// firstIn says what comes first in the dates of the reports that are like one of them. If
// some dates can be read in one way only, that is so in all. Else it is what puts more of
// them into the time after the order of their line. If no line's order is known, the
// reports are of earlier orders, and they can only show that the day comes first
// (guide: verdict 1).
func (r *Remittances) firstIn(like *ReadReport, orders *Orders) domain.First {
	reports := r.Reports()
	var shown [domain.MonthFirst + 1]bool
	for i := range reports {
		for _, column := range reports[i].Dates {
			shown[column.First] = shown[column.First] || column.Shown && reports[i].isLike(like)
		}
	}
	switch {
	case shown[domain.DayFirst] && shown[domain.MonthFirst]:
		return domain.UnknownFirst
	case shown[domain.DayFirst]:
		return domain.DayFirst
	case shown[domain.MonthFirst]:
		return domain.MonthFirst
	}
	orders.indexAWBs()
	firstOrder, _ := orders.Span()
	known := false
	var own, early [domain.MonthFirst + 1]int // how many dates are in time for their own order, or early, if they are read so
	for i := range reports {
		if !reports[i].isLike(like) {
			continue
		}
		lines := r.linesOf(r.remembered + i)
		for at := range lines {
			orderedOn := orders.orderedOn(&lines[at])
			known = known || orderedOn != domain.NoDay
			for d, column := range reports[i].Dates {
				day := *lines[at].date(d)
				if !column.Open || day == domain.NoDay {
					continue
				}
				for _, first := range [...]domain.First{column.First, column.First.Other()} {
					if orderedOn != domain.NoDay && orderedOn <= day && day <= orderedOn+domain.AfterOrders {
						own[first]++
					}
					if firstOrder-domain.AfterOrders <= day && day <= firstOrder+listsOrdersAfter {
						early[first]++
					}
					day = day.Turned()
				}
			}
		}
	}
	switch {
	case own[domain.DayFirst] > own[domain.MonthFirst], !known && early[domain.DayFirst] > early[domain.MonthFirst]:
		return domain.DayFirst
	case own[domain.MonthFirst] > own[domain.DayFirst]:
		return domain.MonthFirst
	}
	return domain.UnknownFirst
}

// orderedOn returns the order date of the order that has the AWB of a line, or else of the
// one that the line names; NoDay: it is not known.
func (o *Orders) orderedOn(line *Remittance) domain.Day {
	if at := o.awbs.find(line.AWB); at >= 0 {
		return o.list[o.noted[at].order].OrderedOn()
	}
	if at := o.Find(line.OrderID); at >= 0 {
		return o.list[at].OrderedOn()
	}
	return domain.NoDay
}

// readDates reads the open dates of the i-th report in a way that is now known.
func (r *Remittances) readDates(i int, first domain.First) {
	report, lines := &r.Reports()[i], r.linesOf(r.remembered+i)
	for d := range report.Dates {
		column := &report.Dates[d]
		if !column.Open {
			continue
		}
		for at := range lines {
			if day := lines[at].date(d); column.First != first && *day != domain.NoDay {
				*day = day.Turned()
			}
		}
		column.First, column.Doubtful = first, first == domain.MonthFirst
	}
	report.Through = domain.NoDay
	for at := range lines {
		report.Through = max(report.Through, lines[at].RemittedOn, lines[at].DeliveredOn)
	}
}

// date is the day of the remittance, or that of the delivery.
func (r *Remittance) date(d int) *domain.Day {
	if d == 0 {
		return &r.RemittedOn
	}
	return &r.DeliveredOn
}
