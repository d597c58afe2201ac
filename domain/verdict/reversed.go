package verdict

import (
	"cmp"

	"milaan/domain"
)

// A courier may list a payment once more with a remittance status such as Reversed. Such a line is unpaid, so it takes nothing
// off, and the payment counts. This file finds the orders of which that is so, because their verdict hangs on it (guide: verdict 4).

// paidSince is when the first of some lines was paid.
type paidSince struct {
	day           domain.Day
	paid, undated bool
}

func (s *paidSince) add(line *Remittance) {
	switch {
	case line.Remitted <= 0:
		return
	case line.RemittedOn == domain.NoDay:
		s.undated = true
	case s.day == domain.NoDay || line.RemittedOn < s.day:
		s.day = line.RemittedOn
	}
	s.paid = true
}

// join adds when other lines were paid.
func (s *paidSince) join(other *paidSince) {
	s.paid, s.undated = s.paid || other.paid, s.undated || other.undated
	s.day = s.day.Earlier(other.day)
}

// precedes says whether all was paid after a line: a transfer that failed was sent again.
func (s *paidSince) precedes(line *Remittance) bool {
	return !s.paid || !s.undated && line.RemittedOn != domain.NoDay && line.RemittedOn < s.day
}

// reversal is how much some lines say was reversed.
type reversal struct {
	line   int32        // the latest of them; noLine: there is none
	sum    domain.Paise // of those that repeat no other line
	repeat domain.Paise // the largest amount of the others: they may repeat each other
	open   bool         // one of them has no amount
}

func (v *reversal) add(m *matching, i int32) {
	line := &m.lines[i]
	amount := cmp.Or(line.Stated, line.Listed, line.Collected).Abs()
	v.open = v.open || amount == 0
	if !m.repeats.marks[i].counts() {
		v.repeat = max(v.repeat, amount)
	} else {
		v.sum += amount
	}
	v.hear(m, i)
}

func (v *reversal) hear(m *matching, i int32) {
	if v.line == noLine || cmp.Or(cmp.Compare(m.lines[i].RemittedOn, m.lines[v.line].RemittedOn), cmp.Compare(i, v.line)) > 0 {
		v.line = i
	}
}

// of is how much of what counts as remitted the lines are about, less what was taken back.
func (v *reversal) of(remitted, takenBack domain.Paise) domain.Paise {
	if v.open {
		return remitted
	}
	return min(max(v.sum, v.repeat)-takenBack, remitted)
}

// saysReversed says whether a line says that money was reversed, and takes nothing back. One that stands for the same money in a ledger and
// in a report may be paid all the same.
func (r *Remittances) saysReversed(line *Remittance) bool {
	return line.Remitted >= 0 && r.Status(line.MoneyStatus).Reversed
}

// learnReversed takes the status of a line that says of the same money that it was reversed.
func (r *Remittances) learnReversed(paid, from *Remittance) {
	if paid.Remitted > 0 && r.Status(from.MoneyStatus).Reversed {
		paid.MoneyStatus = from.MoneyStatus
	}
}

// findReversed finds the orders on which money counts as remitted though a line says that it was reversed. Most runs have no such line.
func (r *Reconciliation) findReversed() {
	r.reversed = nil
	if !r.remittances.reversed {
		return
	}
	f := reversedFinder{Reconciliation: r}
	f.findParcels()
	for i := range r.decided {
		if r.matching.claims[i].remitted <= 0 {
			continue
		}
		line, amount := f.find(int32(i))
		if line == noLine || amount <= 0 {
			continue
		}
		if r.reversed == nil {
			r.reversed = map[int32]domain.Reversed{}
		}
		of := &r.remittances.list[line]
		r.reversed[int32(i)] = domain.Reversed{Status: r.remittances.Status(of.MoneyStatus).Text, On: of.RemittedOn, Amount: amount}
	}
}

// reversedFinder finds what was reversed of single orders. Of shared AWBs it is found once for all their orders.
type reversedFinder struct {
	*Reconciliation

	parcels []reversal // by the place of the shared parcel
	since   []paidSince
}

func (f *reversedFinder) findParcels() {
	m := &f.matching
	f.parcels, f.since = make([]reversal, len(m.sharedParcels)), make([]paidSince, len(m.sharedParcels))
	for at := range m.sharedParcels {
		p, v, since := &m.sharedParcels[at], &f.parcels[at], &f.since[at]
		v.line = noLine
		for _, s := range m.shared[p.from:p.to] {
			since.add(&m.lines[s.line])
		}
		for _, s := range m.shared[p.from:p.to] {
			f.add(v, since, s.line)
		}
	}
}

// add adds a line, if it says that what was paid was reversed.
func (f *reversedFinder) add(v *reversal, since *paidSince, i int32) {
	if line := &f.matching.lines[i]; f.remittances.saysReversed(line) && !since.precedes(line) {
		v.add(&f.matching, i)
	}
}

// find returns the latest line that says that money of an order was reversed, and how much.
func (f *reversedFinder) find(order int32) (line int32, amount domain.Paise) {
	m := &f.matching
	c := &m.claims[order]
	latest, own, since := reversal{line: noLine}, reversal{line: noLine}, paidSince{}
	remitted, takenBack := c.remitted, m.detailsOf(c).takenBack
	for l := c.first; l != noLine; l = m.next[l] {
		since.add(&m.lines[l])
	}
	if c.has(markShared) {
		for _, s := range m.sharesOf(order) {
			since.join(&f.since[s.parcel])
			if v := &f.parcels[s.parcel]; v.line != noLine && s.remitted > 0 {
				latest.hear(m, v.line)
				amount += v.of(s.remitted, s.takenBack)
			}
			remitted, takenBack = remitted-s.remitted, takenBack-s.takenBack
		}
		if remitted <= 0 { // a line of its own names it, and has not the AWB by which it was paid
			remitted, takenBack = c.remitted-amount, 0
		}
	}
	for l := c.first; l != noLine; l = m.next[l] {
		f.add(&own, &since, l)
	}
	if c.marks&(markIdle|markRefused) != 0 {
		for _, b := range m.besideOf(order) {
			if b.fate == besideIdle || b.fate == besideRefused && !m.lines[b.line].tellsParcel() {
				f.add(&own, &since, b.line)
			}
		}
	}
	if own.line != noLine {
		latest.hear(m, own.line)
		amount += own.of(remitted, takenBack)
	}
	return latest.line, amount
}

// reversedWarning is about the orders that findReversed has found, those too that only a ledger has: these are in no result.
func (r *Reconciliation) reversedWarning() domain.Warning {
	w := domain.Warning{Code: domain.WarnReversedPayments, Count: len(r.reversed), HasAmount: true}
	var e examples
	for i := range r.decided {
		if of, is := r.reversed[int32(i)]; is {
			w.Amount += of.Amount
			e.add(r.orders.list[i].Name)
		}
	}
	w.Examples = e.shown
	return w
}

// reversedRepeats are the statuses by which repeats that are not remembered say that the money was reversed, by what is equal for
// the lines that they repeat.
func (r *Reconciliation) reversedRepeats() map[[FingerprintSize]byte]StatusID {
	statuses := map[[FingerprintSize]byte]StatusID{}
	if !r.remittances.reversed {
		return statuses
	}
	for i, mark := range r.matching.repeats.marks {
		if line := &r.remittances.list[i]; mark&(corrected|leftOut) == leftOut && r.remittances.saysReversed(line) {
			statuses[line.Fingerprint()] = line.MoneyStatus
		}
	}
	return statuses
}
