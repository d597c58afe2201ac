package verdict

import (
	"cmp"

	"milaan/domain"
)

// The lines of an order that have the same AWB are one parcel. All its lines without
// a reliable AWB together are one parcel as well (guide: verdict 4).

// details are what several lines together say about one order. For a single line
// they are computed from it when they are needed.
type details struct {
	listed         domain.Paise // the order's cod_amount as the report lists it
	toCollect      domain.Paise // the part of listed that was to be collected
	returnedListed domain.Paise // the part of toCollect for parcels that came back
	takenBack      domain.Paise // what the courier took back, as a positive amount
	asideRemitted  domain.Paise // remitted on repeats that are set aside
	asideCollected domain.Paise
	explained      domain.Paise // of an order that shares an AWB: what charges explain, while the AWBs are shared
	parcels        int32
	spoken         int32 // parcels that have a status
	returned       int32 // parcels that came back
	onWayBack      int32 // those of them that are still on their way and were not delivered
	repeats        int32 // lines that repeat another one
	aside          int32 // those of the repeats that are set aside
}

type parcel struct {
	first   int32        // the first line
	speaks  int32        // the line with the latest date that has a status, or noLine
	summed  domain.Paise // the sum of the cod_amounts that are added up
	largest domain.Paise // the largest of the cod_amounts that each payout repeats

	summedToCollect  domain.Paise // the same two amounts for what was to be collected
	largestToCollect domain.Paise

	hasLargest, hasLargestToCollect bool

	collected domain.Paise
	delivered bool // one of its lines has a day of delivery
}

// notCollected says whether the courier cannot have collected anything yet: the parcel is
// on its way back and was not delivered (guide: verdict 4, rule 2).
func (r *Remittance) notCollected() bool { return r.OnWayBack && r.DeliveredOn == domain.NoDay }

type parcelFinder struct {
	parcels []parcel
	noAWB   int32            // the parcel of the lines without a reliable AWB, or noLine
	many    map[uint64]int32 // the parcels by a hash of their AWB; nil while there are few
	hasher  textHasher
}

func (f *parcelFinder) reset() { f.parcels, f.noAWB, f.many = f.parcels[:0], noLine, nil }

// find returns the parcel of a line. It begins a new parcel for a new AWB.
func (f *parcelFinder) find(list []Remittance, i int32) int32 {
	switch {
	case !list[i].tellsParcel():
		if f.noAWB == noLine {
			f.noAWB = f.begin(i)
		}
		return f.noAWB
	case f.many != nil || len(f.parcels) > fewLines:
		return f.findAmongMany(list, i)
	}
	for k := range f.parcels {
		if int32(k) != f.noAWB && sameKey(list[f.parcels[k].first].AWB, list[i].AWB) {
			return int32(k)
		}
	}
	return f.begin(i)
}

// findAmongMany is find for more parcels than a line is compared with one by one.
func (f *parcelFinder) findAmongMany(list []Remittance, i int32) int32 {
	if f.many == nil {
		f.many = make(map[uint64]int32, 2*len(f.parcels))
		for k := range f.parcels {
			if int32(k) != f.noAWB {
				f.many[f.hasher.id(list[f.parcels[k].first].AWB)] = int32(k)
			}
		}
	}
	hash := f.hasher.id(list[i].AWB)
	at, known := f.many[hash]
	if !known {
		at = f.begin(i)
		f.many[hash] = at
	}
	return at
}

func (f *parcelFinder) begin(first int32) int32 {
	f.parcels = append(f.parcels, parcel{first: first, speaks: noLine})
	return int32(len(f.parcels) - 1)
}

// hear lets a line give the parcel its status, if it is dated later than the one that
// does.
func (p *parcel) hear(list []Remittance, mark lineMark, i int32) {
	if mark&silent == 0 && list[i].HasStatus && (p.speaks == noLine || later(list, i, p.speaks)) {
		p.speaks = i
	}
}

// add adds a line's amounts to its parcel. If the report has a remitted_amount too,
// each payout of a parcel repeats the parcel's whole cod_amount, so the largest one
// counts instead of the sum.
func (p *parcel) add(line *Remittance) {
	largest := func(into *domain.Paise, has *bool) {
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
func (r *Remittance) listed() domain.Paise { return cmp.Or(r.Listed, r.Collected) }

// sumDetails computes the details of a claim of several lines, and the claim's sums
// without the money that is listed twice; the days of a repeated line still count. For
// the unclaimed lines, parcels are not looked for.
func (m *matching) sumDetails(owner int32) {
	c := &m.claims[owner]
	lines := m.linesOf(c)
	beside := c.has(markBeside) // claimBeside has marked the repeats
	if !beside {
		m.repeats.find(lines, m.lines)
	}
	c.details = int32(len(m.details))
	m.details = append(m.details, details{})
	d := &m.details[c.details]
	if beside || m.repeats.found {
		m.sumLines(c, d, lines)
	}
	if int(owner) == len(m.claims)-1 {
		return
	}
	c.marks &^= markReturned | markLeft
	m.parcels.reset()
	for _, i := range lines {
		m.addToParcel(owner, d, i)
	}
	m.sumParcels(c, d)
	if c.has(markShared) {
		shares := m.sharesOf(owner)
		for i := range shares {
			m.addShare(c, d, &shares[i])
		}
	}
	c.settle(d)
}

// sumLines adds up the lines of a claim of which not all count. It adds up in d the money
// of the repeats that are set aside.
func (m *matching) sumLines(c *claim, d *details, lines []int32) {
	c.collected, c.remitted, c.deliveredOn = 0, 0, domain.NoDay
	for _, i := range lines {
		line, mark := &m.lines[i], m.repeats.marks[i]
		collected := line.Collected
		if mark&replaced != 0 {
			collected = 0
		} else if !mark.apart(line) {
			c.deliveredOn = max(c.deliveredOn, line.DeliveredOn)
		}
		if mark.counts() {
			c.collected += collected
			c.remitted += line.Remitted
			continue
		}
		d.repeats++
		if mark.mayCount() {
			d.aside++
			d.asideCollected += collected
			d.asideRemitted += line.Remitted
		}
	}
}

func (m *matching) addToParcel(owner int32, d *details, i int32) {
	c, line, mark := &m.claims[owner], &m.lines[i], m.repeats.marks[i]
	counts := mark.counts()
	if counts {
		d.takenBack += max(-line.Remitted, 0)
	}
	if mark&silent == 0 && !line.NeverLeft && mark&replaced == 0 || line.Remitted > 0 {
		c.marks |= markLeft
	}
	if mark&replaced != 0 || mark.apart(line) {
		return
	}
	p := &m.parcels.parcels[m.parcels.find(m.lines, m.parcelOf(owner, i))]
	p.hear(m.lines, mark, i)
	p.delivered = p.delivered || line.DeliveredOn != domain.NoDay
	if counts {
		p.collected += line.Collected
		p.add(line)
	}
}

// sumParcels adds up the parcels of an order and counts those that came back.
func (m *matching) sumParcels(c *claim, d *details) {
	for k := range m.parcels.parcels {
		p := &m.parcels.parcels[k]
		d.parcels++
		d.listed += p.summed + p.largest
		d.toCollect += p.summedToCollect + p.largestToCollect
		if p.speaks == noLine {
			continue
		}
		d.spoken++
		if m.lines[p.speaks].Returned {
			d.returned++
			d.returnedListed += p.summedToCollect + p.largestToCollect
		}
		if m.lines[p.speaks].OnWayBack && !p.delivered {
			c.collected -= p.collected
			d.onWayBack++
		}
	}
}

// settle marks the order as returned if at least one of its parcels has a status, and
// every parcel with a status came back.
func (c *claim) settle(d *details) {
	c.marks &^= markReturned | markOnWayBack
	if d.spoken > 0 && d.returned == d.spoken {
		c.marks |= markReturned
		if d.onWayBack > 0 {
			c.marks |= markOnWayBack
		}
	}
}

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
