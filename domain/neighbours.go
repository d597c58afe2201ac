package domain

import (
	"math/bits"
	"slices"
)

// Couriers send one file per payout. So if no line lists an order, this proves that
// its money is missing only if its neighbours are listed. The neighbours are the
// orders that were dispatched around the same day (decisions, section 4, the report's
// time).

const (
	fewestNeighbours = 20 // orders that are listed, or for which something is due
	listedOneIn      = 5  // if the report is from their time, at least one in this many is listed
)

// dayCount counts the orders that were dispatched on a day. After sum it counts
// those of all earlier days as well.
type dayCount struct {
	concerned int32 // listed, or something is due
	listed    int32
}

// neighbours counts the listed orders by day of dispatch. It uses memory only for
// days on which something was dispatched, because an export may span two centuries.
// It is used in steps: mark every day, makeRoom, add every order, sum, then
// reported.
type neighbours struct {
	marked  []uint64 // one bit per day: something was dispatched
	before  []int32  // for each word of marked: how many days are marked before it
	days    []dayCount
	undated dayCount
	last    Day
	within  []verdict // for each marked day: whether the report is from its time
}

// verdict is what is known about a day: nothing yet, or whether the report is from
// its time.
type verdict uint8

const (
	notKnown verdict = iota
	isWithin
	isOutside
)

func (n *neighbours) reset() {
	n.marked, n.undated, n.last = n.marked[:0], dayCount{}, NoDay
}

// mark notes that something was dispatched on a day. Every day is marked before the
// first order is added.
func (n *neighbours) mark(day Day) {
	if day == NoDay {
		return
	}
	for int(day>>6) >= len(n.marked) {
		n.marked = append(n.marked, 0)
	}
	n.marked[day>>6] |= 1 << (day & 63)
	n.last = max(n.last, day)
}

// makeRoom prepares a counter for each marked day.
func (n *neighbours) makeRoom() {
	n.before = n.before[:0]
	count := int32(0)
	for _, word := range n.marked {
		n.before = append(n.before, count)
		count += int32(bits.OnesCount64(word))
	}
	n.days = slices.Grow(n.days[:0], int(count))[:count]
	n.within = slices.Grow(n.within[:0], int(count))[:count]
	clear(n.days)
	clear(n.within)
}

// rank is how many marked days come before a day.
func (n *neighbours) rank(day Day) int {
	if day > n.last {
		return len(n.days)
	}
	return int(n.before[day>>6]) + bits.OnesCount64(n.marked[day>>6]&(1<<(day&63)-1))
}

// add counts an order that is listed or for which something is due.
func (n *neighbours) add(dispatched Day, listed bool) {
	at := &n.undated
	if dispatched != NoDay {
		at = &n.days[n.rank(dispatched)]
	}
	at.concerned++
	if listed {
		at.listed++
	}
}

// sum makes each day's counter include all earlier days. No order is added after
// it.
func (n *neighbours) sum() {
	for i := 1; i < len(n.days); i++ {
		n.days[i].concerned += n.days[i-1].concerned
		n.days[i].listed += n.days[i-1].listed
	}
}

// until counts the orders of the first marked days, of which there are this many.
func (n *neighbours) until(days int) dayCount {
	if days == 0 {
		return dayCount{}
	}
	return n.days[days-1]
}

// all counts the orders of the whole export.
func (n *neighbours) all() dayCount {
	dated := n.until(len(n.days))
	return dayCount{concerned: dated.concerned + n.undated.concerned, listed: dated.listed + n.undated.listed}
}

// around counts the orders dispatched from this many days before a day to as many
// days after it.
func (n *neighbours) around(day, days Day) dayCount {
	from, to := n.until(n.rank(max(day-days, 0))), n.until(n.rank(day+days+1))
	return dayCount{concerned: to.concerned - from.concerned, listed: to.listed - from.listed}
}

// reported says whether the report is from the time of a dispatch, which it is if
// at least one in five of the neighbours is listed. Days are added on both sides at
// once until there are enough neighbours. For an order without a date, all orders
// of the export are its neighbours.
func (n *neighbours) reported(dispatched Day) bool {
	if dispatched == NoDay {
		return n.all().reported()
	}
	known := &n.within[n.rank(dispatched)]
	if *known == notKnown {
		*known = isOutside
		if n.nearest(dispatched).reported() {
			*known = isWithin
		}
	}
	return *known == isWithin
}

// nearest counts the neighbours of a day.
func (n *neighbours) nearest(day Day) dayCount {
	few, enough := Day(-1), n.last+1 // days on each side: too few, and enough
	for few+1 < enough {
		if middle := (few + enough) / 2; n.around(day, middle).concerned >= fewestNeighbours {
			enough = middle
		} else {
			few = middle
		}
	}
	if enough > n.last {
		return n.all()
	}
	return n.around(day, enough)
}

func (c dayCount) reported() bool { return c.listed*listedOneIn >= c.concerned }
