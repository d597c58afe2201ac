package domain

import (
	"math/bits"
	"slices"
)

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

// neighbours knows how many orders of each day are listed. Only days on which
// something was dispatched take memory: an export may span two centuries.
type neighbours struct {
	marked  []uint64 // a bit per day: something was dispatched
	before  []int32  // per word of marked: how many days are marked before it
	days    []dayCount
	undated dayCount
	last    Day
	within  []verdict // per day: whether the report is from its time
}

// verdict is what has been found out of a day.
type verdict uint8

const (
	notKnown verdict = iota
	isWithin
	isOutside
)

func (n *neighbours) reset() {
	n.marked, n.undated, n.last = n.marked[:0], dayCount{}, NoDay
}

// mark notes a day of dispatch. All are marked before the first order is added.
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

// settle makes room for the days that are marked.
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

// rank is how many days are marked before a day.
func (n *neighbours) rank(day Day) int {
	if day > n.last {
		return len(n.days)
	}
	return int(n.before[day>>6]) + bits.OnesCount64(n.marked[day>>6]&(1<<(day&63)-1))
}

// add counts an order that is listed or owes something.
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

// sum adds the days up. Nothing is added after it.
func (n *neighbours) sum() {
	for i := 1; i < len(n.days); i++ {
		n.days[i].concerned += n.days[i-1].concerned
		n.days[i].listed += n.days[i-1].listed
	}
}

// until counts the marked days before one, of which there are so many.
func (n *neighbours) until(days int) dayCount {
	if days == 0 {
		return dayCount{}
	}
	return n.days[days-1]
}

// all counts the whole export.
func (n *neighbours) all() dayCount {
	dated := n.until(len(n.days))
	return dayCount{concerned: dated.concerned + n.undated.concerned, listed: dated.listed + n.undated.listed}
}

// around counts the orders from so many days before a day to as many after it.
func (n *neighbours) around(day, days Day) dayCount {
	from, to := n.until(n.rank(max(day-days, 0))), n.until(n.rank(day+days+1))
	return dayCount{concerned: to.concerned - from.concerned, listed: to.listed - from.listed}
}

// reported says that the report is from the time of a dispatch: at least one in
// five of its neighbours is listed. Days are added on both sides at once until
// there are enough neighbours; an order without a date is measured by the whole
// export.
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
	few, enough := Day(-1), n.last+1 // so many days on each side
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
