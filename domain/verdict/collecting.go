package verdict

import (
	"bytes"
	"cmp"
	"slices"

	"milaan/domain"
)

// This file says what of a line's cod_amount counts as collected in its payout. Couriers repeat the amount on each part in which a
// parcel is paid, and on the line that takes it back, but it was collected once (guide: verdict 8).

// collection is what counts as collected on a line, and what charges may explain of it.
type collection struct{ counted, difference domain.Paise }

// collected is a parcel's COD, as far as the lines before have told.
type collected struct {
	orderID []byte
	known   bool         // a line has said that it was collected
	counts  bool         // and none has taken it back since
	alone   bool         // only a line has that takes back just what it lists, and no payment
	paid    domain.Paise // of it, on balance
	charged domain.Paise // what was posted of charges
	later   []laterPart
}

// laterPart is what a parcel was paid after its first part.
type laterPart struct {
	paid domain.Paise
	collection
}

// mostTogether is how many lines of a parcel are held against each other: one with more is none that was paid in parts.
const mostTogether = 1000

// CollectedOn returns what counts as collected on a line: its cod_amount but once of a parcel that is paid in parts, and less than nothing
// if the line takes back what was paid.
func (r *Reconciliation) CollectedOn(line *Remittance) domain.Paise {
	if c, apart := r.collections()[line]; apart {
		return c.counted
	}
	return line.Collected
}

// differenceOn returns by how much less was remitted on a line than counts as collected. Of parts it is what is left of the
// parcel after the lines before.
func (r *Reconciliation) differenceOn(line *Remittance) domain.Paise {
	if c, apart := r.collections()[line]; apart {
		return c.difference
	}
	return line.Collected - line.Remitted
}

// collections returns the lines of which another amount counts than their own. It is computed when it is first asked for. The days
// decide which of several lines is the first, and then what they say, so that a parcel counts in the same payout whatever else
// is in the run.
func (r *Reconciliation) collections() map[*Remittance]collection {
	t, list := r.tieOut(), r.remittances.list
	if t.collections != nil {
		return t.collections
	}
	t.collections = map[*Remittance]collection{}
	var lines []int32
	for i := range list {
		line := &list[i]
		if line.cod() != 0 && (line.tellsParcel() || len(line.OrderID) > 0) && t.fates[i] < fateRepeated &&
			r.remittances.reports[line.Report].bothAmounts() && r.remittances.isPaidOut(line) {
			lines = append(lines, int32(i))
		}
	}
	slices.SortFunc(lines, func(a, b int32) int {
		return cmp.Or(compareParcels(&list[a], &list[b]), compareInTime(&list[a], &list[b]), cmp.Compare(a, b))
	})
	var known []collected
	begun := 0
	for at, i := range lines {
		if at-begun == mostTogether || at > 0 && compareParcels(&list[lines[at-1]], &list[i]) != 0 {
			known, begun = known[:0], at
		}
		known = r.collect(&list[i], known)
	}
	return t.collections
}

// cod is the amount of which a line says that it was collected, or taken back. A column of what was to be collected counts as collected
// only where something was paid.
func (r *Remittance) cod() domain.Paise {
	if r.Collected == 0 && r.Remitted < 0 {
		return r.Listed.Abs()
	}
	return r.Collected.Abs()
}

// compareParcels is 0 for lines that may be about one parcel, with one cod_amount.
func compareParcels(a, b *Remittance) int {
	id := func(l *Remittance) (byAWB int, id []byte) {
		if l.tellsParcel() {
			return 1, l.AWB
		}
		return 0, l.OrderID
	}
	aByAWB, aID := id(a)
	bByAWB, bID := id(b)
	return cmp.Or(cmp.Compare(aByAWB, bByAWB), bytes.Compare(aID, bID), cmp.Compare(a.cod(), b.cod()))
}

// compareInTime orders the lines of a parcel. What takes back comes after what was paid on the same day, and last if it has no day.
func compareInTime(a, b *Remittance) int {
	undated := func(l *Remittance) bool { return l.RemittedOn == domain.NoDay && l.Remitted < 0 }
	if last := undated(a); last != undated(b) {
		if last {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(a.RemittedOn, b.RemittedOn), cmp.Compare(b.Remitted, a.Remitted), bytes.Compare(a.UTR, b.UTR))
}

// collect notes what counts of a line, after those of its parcel before it.
func (r *Reconciliation) collect(line *Remittance, known []collected) []collected {
	cod := line.cod()
	of := parcelOf(line, cod, known)
	if of < 0 {
		if again := sentAgain(line, known); again != nil {
			r.tie.collections[line] = *again
			return known
		}
		of, known = len(known), append(known, collected{orderID: line.OrderID})
	}
	p := &known[of]
	if len(p.orderID) == 0 {
		p.orderID = line.OrderID
	}
	before := p.paid
	p.paid += line.Remitted
	c := collection{difference: -line.Remitted}
	switch {
	case line.Remitted < 0 && p.known:
		if p.counts && (p.paid <= 0 || -line.Remitted+explainedWithin >= cod) {
			c.counted, p.counts, p.paid = -cod, false, 0
		}
	case line.Remitted < 0:
		// What was paid is not in the run. Charges are seldom as much as half of the COD, and what is taken back of it seldom less.
		if line.Collected < 0 || -p.paid > cod/2 {
			c.counted, p.known, p.paid, p.alone = -cod, true, 0, line.Collected == line.Remitted
		}
	case line.Collected < 0:
		c.counted, p.known, p.counts, p.paid = -cod, true, false, 0
	case p.counts:
		c.difference = cod - before - p.charged - line.Remitted
	default:
		c.counted, p.known, p.counts, p.alone, p.paid, p.charged = cod, true, true, false, line.Remitted, 0
	}
	if c.counted != 0 {
		c.difference = c.counted - line.Remitted
	}
	for _, charge := range r.deducted(line, c.difference) {
		p.charged += charge
	}
	if line.Remitted > 0 && c.counted == 0 {
		p.later = append(p.later, laterPart{line.Remitted, c})
	}
	if c != (collection{line.Collected, line.Collected - line.Remitted}) {
		r.tie.collections[line] = c
	}
	return known
}

// sentAgain returns what counted of a later part that a line beyond the COD pays once more, as when the bank has returned it; nil: it
// pays none.
func sentAgain(line *Remittance, known []collected) *collection {
	for i := range known {
		for k := range known[i].later {
			if part := &known[i].later[k]; known[i].isOf(line) && part.paid == line.Remitted {
				return &part.collection
			}
		}
	}
	return nil
}

// isOf says whether a line may be about the same order.
func (c *collected) isOf(line *Remittance) bool {
	return len(c.orderID) == 0 || len(line.OrderID) == 0 || bytes.Equal(c.orderID, line.OrderID)
}

// parcelOf returns which of those that are known a line is about; -1: none. What is paid beyond the COD is another payment, for which the
// COD counts again: the bank may have returned the first. What is taken back is the payment that it undoes, else the last one. Lines that
// take back what they list, and no payment lists as much, are each a part of their own.
func parcelOf(line *Remittance, cod domain.Paise, known []collected) (best int) {
	best = -1
	for i := range known {
		p := &known[i]
		switch {
		case !p.isOf(line), p.alone && line.Collected < 0 && line.Collected == line.Remitted:
		case line.Remitted < 0:
			undoes := func(p *collected) bool { return p.counts && p.paid == -line.Remitted }
			if best < 0 || !undoes(&known[best]) && (p.counts || !known[best].counts) {
				best = i
			}
		case !p.counts || p.paid+line.Remitted <= cod+explainedWithin:
			return i
		}
	}
	return best
}
