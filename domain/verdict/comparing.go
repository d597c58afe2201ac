package verdict

import (
	"iter"

	"milaan/domain"
)

// What two reports list of one payout, parcel by parcel, and what follows from it.

type payoutListing struct {
	report  uint16
	lines   []listedLine
	parcels []listedParcel // sorted

	elsewhere bool // a line has a UTR, in a payout of those without
}

// listedParcel is what one report lists of one parcel in a payout, repeats aside.
type listedParcel struct {
	parcel, hash uint64       // hash is equal if another report lists the same lines
	remitted     domain.Paise // added up, like listed and charged
	listed       domain.Paise
	charged      domain.Paise
	largest      domain.Paise // cod_amount of a line
	due          domain.Paise // what is due for its order by the storefront; 0: not known
	order        int32        // that order; noLine: not known, or several
	first        int32        // its first line
	from, to     int          // places of its lines in the listing
	elsewhere    bool         // all its lines are: see listedLine
}

// comparison is what comparing two listings of one payout has shown.
type comparison struct {
	parcels  int  // of the later report
	shared   int  // parcels that both list
	lacking  int  // parcels that the later one does not list
	differs  bool // not all of what both list are the same lines
	alike    bool // of the parcels that both list, the same is collected
	over     int  // parcels for which both together have paid more than is due
	parts    int  // parcels of which both together have paid what is due
	less     int  // parcels for which both together have paid less
	likely   int  // parcels for which the later one pays at least half of what the earlier one does
	stateCOD bool // both state what was collected
}

// compareListings compares what two reports list of one payout, but for the parcels that are settled.
func (m *matching) compareListings(earlier, later *payoutListing, settled func(x, y *listedParcel) bool) (c comparison) {
	reports := m.remittances.reports
	statesCOD := func(l *payoutListing) bool { return reports[l.report].Mapping[domain.RoleCODAmount] != "" }
	c = comparison{parcels: len(later.parcels), alike: true, stateCOD: statesCOD(earlier) && statesCOD(later)}
	for x, y := range inBoth(earlier, later) {
		c.shared++
		if !(x.elsewhere && y.elsewhere) && (settled == nil || !settled(x, y)) { // each of a payout with a UTR of its own
			c.add(x, y)
		}
	}
	c.lacking = len(earlier.parcels) - c.shared
	return c
}

// inBoth yields the parcels that two reports list in one payout, as each of them has it.
func inBoth(earlier, later *payoutListing) iter.Seq2[*listedParcel, *listedParcel] {
	return func(yield func(x, y *listedParcel) bool) {
		next := later.parcels
		for i := range earlier.parcels {
			x := &earlier.parcels[i]
			for len(next) > 0 && next[0].parcel < x.parcel {
				next = next[1:]
			}
			if len(next) > 0 && next[0].parcel == x.parcel && !yield(x, &next[0]) {
				return
			}
		}
	}
}

// add adds a parcel that both reports list. Which of them pay what is known only of orders of
// the export: what a line lists as collected may be that of a part.
func (c *comparison) add(x, y *listedParcel) {
	c.differs = c.differs || x.hash != y.hash || x.charged != y.charged
	c.alike = c.alike && x.listed == y.listed
	if 2*y.remitted >= x.remitted {
		c.likely++
	}
	if x.remitted <= 0 || y.remitted <= 0 || x.due <= 0 || y.due <= 0 {
		return
	}
	switch left := max(x.due, x.largest, y.largest) - x.remitted - y.remitted; {
	case left < -partsWithin:
		c.over++
	case left <= partsWithin:
		c.parts++
	default:
		c.less++
	}
}

// corrects says whether the later report lists the whole payout again, so that its amounts
// stand in place of the earlier ones. Neither a few lines that add something to a payout, nor
// small amounts for each of its parcels, nor parts of it, which are not more than is due, do that.
func (c *comparison) corrects() bool {
	return c.lacking == 0 && c.differs && c.over > c.parts+c.less && 2*c.shared >= c.parcels && 2*c.likely > c.shared &&
		(c.shared > 1 || c.stateCOD && c.alike)
}

// isDoubtful says whether the later report may be a correction. known says that both surely
// speak of one payout.
func (c *comparison) isDoubtful(known bool) bool {
	return c.differs && (c.over > c.parts+c.less || known && c.lacking == 0 && c.shared > 1 && c.less > c.over+c.parts)
}
