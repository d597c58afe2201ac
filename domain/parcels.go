package domain

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
	awbs    keyIndex // of many
	places  []int32  // per AWB: its parcel
	noAWB   int32    // the parcel of the lines without one, or noLine
}

// of finds the parcel of a line, or begins it. many says that there are too many
// lines to compare each with each.
func (f *parcelFinder) of(list []Remittance, i int32, many bool) *parcel {
	line := &list[i]
	switch {
	case !line.tellsParcel():
		if f.noAWB == noLine {
			f.noAWB = f.begin(i)
		}
		return &f.parcels[f.noAWB]
	case many:
		at, isNew := f.awbs.add(line.AWB)
		if isNew {
			f.places = append(f.places, f.begin(i))
		}
		return &f.parcels[f.places[at]]
	}
	for k := range f.parcels {
		if p := &f.parcels[k]; int32(k) != f.noAWB && sameKey(list[p.first].AWB, line.AWB) {
			return p
		}
	}
	return &f.parcels[f.begin(i)]
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
func (m *matching) detail(c *claim, ofOrder bool) {
	lines := m.linesOf(c)
	m.repeats.find(lines, m.lines)
	c.details = int32(len(m.details))
	m.details = append(m.details, details{})
	d := &m.details[c.details]
	if m.repeats.found {
		m.dropRepeats(c, d, lines)
	}
	if !ofOrder {
		return
	}
	f := &m.parcels
	f.parcels, f.noAWB = f.parcels[:0], noLine
	many := len(lines) > fewLines
	if many {
		f.awbs.reset()
		f.places = f.places[:0]
	}
	c.marks &^= markReturned | markLeft
	for _, i := range lines {
		line, mark := &m.lines[i], m.repeats.marks[i]
		p := f.of(m.lines, i, many)
		if mark&silent == 0 && line.HasStatus && (p.speaks == noLine || later(m.lines, i, p.speaks)) {
			p.speaks = i
		}
		if mark&silent == 0 && !line.NeverLeft || line.Remitted != 0 {
			c.marks |= markLeft
		}
		if mark&(dropped|setAside) == 0 {
			p.add(line)
			d.takenBack += max(-line.Remitted, 0)
		}
	}
	m.sumParcels(c, d)
}

func (m *matching) dropRepeats(c *claim, d *details, lines []int32) {
	for _, i := range lines {
		mark := m.repeats.marks[i]
		if mark&(dropped|setAside) == 0 {
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
