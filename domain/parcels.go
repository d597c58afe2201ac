package domain

import (
	"cmp"
	"slices"
)

// A parcel is an AWB of an order's lines, or all of them that have none that can
// be relied on (decisions, section 4).

// details are what several lines say of one order. For a single line they follow
// from it.
type details struct {
	listed         Paise // cod_amount as listed
	toCollect      Paise // of it, what was to be collected
	returnedListed Paise // of that, for the parcels that came back
	takenBack      Paise // above 0
	asideRemitted  Paise // on repeats told by their order id alone
	asideCollected Paise
	parcels        int32
	returned       int32 // parcels that came back
	repeats        int32 // lines that count once with another one
	aside          int32 // of them, those told by their order id alone
}

// parcel is what lines say of one parcel.
type parcel struct {
	first   int32 // its first line
	speaks  int32 // the latest-dated line with a status, or noLine
	summed  Paise // cod_amount as listed where it is summed
	largest Paise // where it is repeated on each payout

	summedToCollect  Paise // the same two of what was to be collected
	largestToCollect Paise

	hasLargest, hasLargestToCollect bool
}

// parcelFinder tells the parcels of an order apart.
type parcelFinder struct {
	parcels []parcel
	noAWB   int32 // the parcel of the lines without one, or noLine
}

// of finds the parcel of a line, or begins it.
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

// add adds a line's amounts to its parcel. Where the report has a
// remitted_amount too, each payout of a parcel repeats its cod_amount.
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

// listed is the cod_amount that a line lists; where the report has none, what it
// says of collected money.
func (r *Remittance) listed() Paise {
	if r.Listed != 0 {
		return r.Listed
	}
	return r.Collected
}

// detail takes money that is listed twice out of a claim of several lines, and
// looks at its parcels. What a repeated line says of days still counts.
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

// addMany adds the lines of a claim to their parcels, where there are too many to
// compare each with each. Their hashes are those that finding repeats has made.
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

// addToParcel adds a line to one of the parcels of a claim.
func (m *matching) addToParcel(c *claim, d *details, at, i int32) {
	line, mark, p := &m.lines[i], m.repeats.marks[i], &m.parcels.parcels[at]
	if mark&silent == 0 && line.HasStatus && (p.speaks == noLine || later(m.lines, i, p.speaks)) {
		p.speaks = i
	}
	if mark&silent == 0 && !line.NeverLeft || line.Remitted != 0 {
		c.marks |= markLeft
	}
	if mark&(leftOut|setAside) == 0 {
		p.add(line)
		d.takenBack += max(-line.Remitted, 0)
	}
}

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

// sumParcels counts the parcels and those that came back. The courier marks the
// order returned if at least one parcel has a status, and all such say so.
func (m *matching) sumParcels(c *claim, d *details) {
	spoken := int32(0)
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
	}
	if spoken > 0 && d.returned == spoken {
		c.marks |= markReturned
	}
}

// countsOf are the details of a claim but for what was listed: for a single line no
// look at it is needed.
func (m *matching) countsOf(c *claim) details {
	if c.details != 0 || c.first == noLine || c.has(markSum) {
		return m.detailsOf(c)
	}
	d := details{takenBack: max(-c.remitted, 0), parcels: 1}
	if c.has(markReturned) {
		d.returned = 1
	}
	return d
}

// detailsOf are the details of a claim, of however many lines.
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
