package domain

import "slices"

// Couriers send a file per payout, so an order that nobody lists proves something
// only if its neighbours are listed: the orders dispatched around the same day
// (decisions, section 4, the report's time).

const (
	fewestNeighbours = 20 // orders that are listed or owe something
	listedOneIn      = 5  // so many of them are at least listed, if the report is of their time
)

// dayCount counts the orders that were dispatched on a day or before it.
type dayCount struct {
	concerned int32 // listed, or owing something
	listed    int32
}

// neighbours knows how many orders of each day are listed.
type neighbours struct {
	first   Day // the first day
	days    []dayCount
	undated dayCount
	within  []bool // per day: whether the report is from its time, as far as asked
	asked   []bool
}

// reset begins with the days from first to last, NoDay if no order has one.
func (n *neighbours) reset(first, last Day) {
	size := 0
	if first != NoDay {
		size = int(last-first) + 1
	}
	n.first, n.undated = first, dayCount{}
	n.days = slices.Grow(n.days[:0], size)[:size]
	n.asked = slices.Grow(n.asked[:0], size)[:size]
	n.within = slices.Grow(n.within[:0], size)[:size]
	clear(n.days)
	clear(n.asked)
}

// add counts an order that is listed or owes something.
func (n *neighbours) add(dispatched Day, listed bool) {
	at := &n.undated
	if dispatched != NoDay {
		at = &n.days[dispatched-n.first]
	}
	at.concerned++
	if listed {
		at.listed++
	}
}

// sum adds the days up. Nothing is added after it.
func (n *neighbours) sum() {
	for i := 1; i < len(n.days); i++ {
		n.days[i].concerned += n.days[i-1].concerned
		n.days[i].listed += n.days[i-1].listed
	}
}

// all counts the whole export.
func (n *neighbours) all() dayCount {
	count := n.undated
	if len(n.days) > 0 {
		last := n.days[len(n.days)-1]
		count.concerned += last.concerned
		count.listed += last.listed
	}
	return count
}

// around counts the days from so many before a day to as many after it.
func (n *neighbours) around(at, days int) dayCount {
	count := n.days[min(at+days, len(n.days)-1)]
	if before := at - days - 1; before >= 0 {
		count.concerned -= n.days[before].concerned
		count.listed -= n.days[before].listed
	}
	return count
}

// reported says that the report is from the time of a dispatch: at least one in
// five of its neighbours is listed. Days are added on both sides at once until
// there are enough neighbours; an order without a date is measured by the whole
// export.
func (n *neighbours) reported(dispatched Day) bool {
	if dispatched == NoDay {
		return n.all().reported()
	}
	at := int(dispatched - n.first)
	if n.asked[at] {
		return n.within[at]
	}
	few, enough := -1, len(n.days) // in days on each side
	for few+1 < enough {
		if middle := (few + enough) / 2; n.around(at, middle).concerned >= fewestNeighbours {
			enough = middle
		} else {
			few = middle
		}
	}
	count := n.all()
	if enough < len(n.days) {
		count = n.around(at, enough)
	}
	n.asked[at], n.within[at] = true, count.reported()
	return n.within[at]
}

func (c dayCount) reported() bool { return c.listed*listedOneIn >= c.concerned }
