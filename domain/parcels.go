package domain

import (
	"cmp"
	"slices"
)

// The lines of an order that have the same AWB are one parcel. All its lines without
// a reliable AWB together are one parcel as well (decisions, section 4).

// details are what several lines together say about one order. For a single line
// they are computed from it when they are needed.
type details struct {
	listed         Paise // the order's cod_amount as the report lists it
	toCollect      Paise // the part of listed that was to be collected
	returnedListed Paise // the part of toCollect for parcels that came back
	takenBack      Paise // what the courier took back, as a positive amount
	asideRemitted  Paise // remitted on repeats that are set aside
	asideCollected Paise
	parcels        int32
	returned       int32 // parcels that came back
	repeats        int32 // lines that repeat another one
	aside          int32 // those of the repeats that are set aside
}

// parcel is what the lines of one parcel say.
type parcel struct {
	first   int32 // the first line
	speaks  int32 // the line with the latest date that has a status, or noLine
	summed  Paise // the sum of the cod_amounts that are added up
	largest Paise // the largest of the cod_amounts that each payout repeats

	summedToCollect  Paise // the same two amounts for what was to be collected
	largestToCollect Paise

	hasLargest, hasLargestToCollect bool

	collected Paise
	delivered bool // one of its lines has a day of delivery
}

// notCollected says whether the courier cannot have collected anything yet: the parcel is
// on its way back and was not delivered (decisions, section 4, rule 2).
func (r *Remittance) notCollected() bool { return r.OnWayBack && r.DeliveredOn == NoDay }

// parcelFinder finds the parcels of one order.
type parcelFinder struct {
	parcels []parcel
	noAWB   int32 // the parcel of the lines without a reliable AWB, or noLine
}

// find returns the parcel of a line. It begins a new parcel for a new AWB.
func (f *parcelFinder) find(list []Remittance, i int32) int32 {
	if !list[i].tellsParcel() {
		return f.withoutAWB(i)
	}
	for k := range f.parcels {
		if int32(k) != f.noAWB && sameKey(list[f.parcels[k].first].AWB, list[i].AWB) {
			return int32(k)
		}
	}
	return f.begin(i)
}

func (f *parcelFinder) withoutAWB(i int32) int32 {
	if f.noAWB == noLine {
		f.noAWB = f.begin(i)
	}
	return f.noAWB
}

func (f *parcelFinder) begin(first int32) int32 {
	f.parcels = append(f.parcels, parcel{first: first, speaks: noLine})
	return int32(len(f.parcels) - 1)
}

// add adds a line's amounts to its parcel. If the report has a remitted_amount too,
// each payout of a parcel repeats the parcel's whole cod_amount, so the largest one
// counts instead of the sum.
func (p *parcel) add(line *Remittance) {
	largest := func(into *Paise, has *bool) {
		if !*has || line.Listed > *into {
			*into, *has = line.Listed, true
		}
	}
	if line.HasRemitted && (line.Listed != 0 || line.Collected == 0) {
		largest(&p.largest, &p.hasLargest)
		if line.ToBeCollected {
			largest(&p.largestToCollect, &p.hasLargestToCollect)
		}
		return
	}
	p.summed += line.listed()
	if line.ToBeCollected {
		p.summedToCollect += line.listed()
	}
}

// listed is the cod_amount of a line; if the report has no such column, it is what
// the line says was collected.
func (r *Remittance) listed() Paise {
	return cmp.Or(r.Listed, r.Collected)
}

// sumDetails computes the details of a claim of several lines. It subtracts the
// money that is listed twice from the claim; the days of a repeated line still
// count. For the unclaimed lines, ofOrder is false and parcels are not looked for.
func (m *matching) sumDetails(c *claim, ofOrder bool) {
	lines := m.linesOf(c)
	m.repeats.find(lines, m.lines)
	c.details = int32(len(m.details))
	m.details = append(m.details, details{})
	d := &m.details[c.details]
	if m.repeats.found {
		m.leaveOutRepeats(c, d, lines)
	}
	if !ofOrder {
		return
	}
	c.marks &^= markReturned | markLeft
	f := &m.parcels
	f.parcels, f.noAWB = f.parcels[:0], noLine
	if len(lines) <= fewLines {
		for _, i := range lines {
			m.addToParcel(c, d, f.find(m.lines, i), i)
		}
	} else {
		m.addMany(c, d, lines)
	}
	m.sumParcels(c, d)
}

// addMany adds the lines of a claim to their parcels. It is for claims with too
// many lines to compare each with each. It uses the hashes that were made to find
// repeats.
func (m *matching) addMany(c *claim, d *details, lines []int32) {
	f := &m.parcels
	for _, i := range lines {
		if !m.lines[i].tellsParcel() {
			m.addToParcel(c, d, f.withoutAWB(i), i)
		}
	}
	hashed := m.repeats.hashed
	slices.SortFunc(hashed, func(a, b hashedLine) int { return cmp.Or(cmp.Compare(a.awb, b.awb), cmp.Compare(a.line, b.line)) })
	last := int32(noLine)
	for k, h := range hashed {
		if !m.lines[h.line].tellsParcel() {
			continue
		}
		if last == noLine || hashed[k-1].awb != h.awb {
			last = f.begin(h.line)
		}
		m.addToParcel(c, d, last, h.line)
	}
}

// addToParcel adds the i-th line to the parcel at a place.
func (m *matching) addToParcel(c *claim, d *details, at, i int32) {
	line, mark, p := &m.lines[i], m.repeats.marks[i], &m.parcels.parcels[at]
	if mark&silent == 0 && line.HasStatus && (p.speaks == noLine || later(m.lines, i, p.speaks)) {
		p.speaks = i
	}
	if mark&silent == 0 && !line.NeverLeft || line.Remitted > 0 {
		c.marks |= markLeft
	}
	p.delivered = p.delivered || line.DeliveredOn != NoDay
	if mark&(leftOut|setAside) == 0 {
		p.collected += line.Collected
		p.add(line)
		d.takenBack += max(-line.Remitted, 0)
	}
}

// leaveOutRepeats subtracts the money of repeats from a claim, and adds up in d the
// money of those that are set aside.
func (m *matching) leaveOutRepeats(c *claim, d *details, lines []int32) {
	for _, i := range lines {
		mark := m.repeats.marks[i]
		if mark&(leftOut|setAside) == 0 {
			continue
		}
		line := &m.lines[i]
		c.collected -= line.Collected
		c.remitted -= line.Remitted
		d.repeats++
		if mark&setAside != 0 {
			d.aside++
			d.asideCollected += line.Collected
			d.asideRemitted += line.Remitted
		}
	}
}

// sumParcels adds up the parcels of an order and counts those that came back. The
// order counts as returned if at least one of its parcels has a status, and every
// parcel with a status came back.
func (m *matching) sumParcels(c *claim, d *details) {
	spoken, onWayBack := int32(0), false
	for k := range m.parcels.parcels {
		p := &m.parcels.parcels[k]
		d.parcels++
		d.listed += p.summed + p.largest
		d.toCollect += p.summedToCollect + p.largestToCollect
		if p.speaks == noLine {
			continue
		}
		spoken++
		if m.lines[p.speaks].Returned {
			d.returned++
			d.returnedListed += p.summedToCollect + p.largestToCollect
		}
		if m.lines[p.speaks].OnWayBack && !p.delivered {
			c.collected -= p.collected
			onWayBack = true
		}
	}
	if spoken > 0 && d.returned == spoken {
		c.marks |= markReturned
		if onWayBack {
			c.marks |= markOnWayBack
		}
	}
}

// detailsOf returns the details of a claim with any number of lines.
func (m *matching) detailsOf(c *claim) details {
	if c.details != 0 {
		return m.details[c.details]
	}
	if c.first == noLine {
		return details{}
	}
	line := &m.lines[c.first]
	d := details{listed: line.listed(), takenBack: max(-line.Remitted, 0), parcels: 1}
	if line.ToBeCollected {
		d.toCollect = line.listed()
	}
	if c.has(markReturned) {
		d.returned, d.returnedListed = 1, d.toCollect
	}
	return d
}
