package verdict

import (
	"cmp"
	"slices"

	"milaan/domain"
)

// Reason is why the i-th order has its flag. Its texts are valid until the next
// call.
func (r *Reconciliation) Reason(i int) domain.Reason {
	var reason domain.Reason
	r.Explain(i, &reason)
	return reason
}

// Explain is Reason for callers that go through many orders: it writes the reason
// where the caller says.
func (r *Reconciliation) Explain(i int, reason *domain.Reason) {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decided[i]
	*reason = domain.Reason{}
	reason.Flag, reason.Cause = d.flag, d.cause
	reason.Due, reason.Remitted, reason.Shortfall = d.due, c.remitted, d.shortfall
	reason.RemittedOn, reason.DueBy = c.remittedOn, d.lastDay
	reason.MinorGap, reason.AsOf, reason.DataThrough = r.policy.terms.MinorGap, r.policy.guidance.BatchAsOf, r.policy.guidance.DataThrough
	reason.Reports, reason.WindowDays = len(r.remittances.reports)-r.remittances.remembered, r.policy.terms.OffsetDays
	reason.CountedFrom, reason.CountedBy = windowStart(o, c)
	switch d.cause {
	case domain.CauseNotCovered:
		if reason.Behind = r.policy.guidance.Behind; reason.Behind.Report > 0 {
			of := r.CourierReport(i)
			reason.BehindIsOther = of > 0 && !r.isBehind(of)
		}
	case domain.CauseOtherCourier:
		reason.Carrier = r.orders.Text(o.Carrier)
	case domain.CauseFoundMissing:
		reason.FoundOn = r.orders.foundOn(o.at).Since
	case domain.CausePayoutGap:
		reason.Gap = r.neighbours.series.gaps[d.gap-1].Gap
	}
	remembered := c.lines > 0 && r.remittances.Remembered() > 0
	if d.flag == domain.Reconciled && c.marks&markUnusual == 0 && c.details == 0 && !remembered && o.advance == 0 &&
		c.remitted == c.collected && o.paysCOD() && d.cause != domain.CauseNeverLeft &&
		(c.has(markByAWB) || !o.knowsAWB()) {
		return // nine orders in ten: there is nothing else to say
	}
	reason.RaisedOn = r.MarkOf(i).RaisedOn
	if remembered {
		r.noteRemembered(reason, i)
	}
	details := r.matching.detailsOf(c)
	r.noteMoney(reason, i, &details)
	r.noteParcels(reason, o, c, &details)
	r.noteMatching(reason, o, c)
	if unpaid := c.remitted == 0 || d.saysCollected(); c.lines > 0 && (unpaid && d.due > 0 || d.cause == domain.CauseNeverLeft) {
		reason.CourierStatus, reason.MoneyStatus = r.matching.statuses(o.at, r.remittances)
	}
	if c.lines == 0 && d.flag.IsFlagged() {
		r.noteHint(reason, o)
	}
	if refunded := o.Financial == domain.FinancialRefunded; d.flag.IsFlagged() && (refunded || o.Financial == domain.FinancialPartlyRefunded) {
		reason.Notes |= domain.NoteRefunded
		reason.PartlyRefunded = !refunded
	}
}

const markUnusual = markRounded | markContradiction | markNamed | markNamesake | markShared | markCounted | markRefused | markIdle |
	markCorrected | markListedAgain

// noteRemembered notes what of an order's money a ledger says.
func (r *Reconciliation) noteRemembered(reason *domain.Reason, i int) {
	for _, l := range r.matching.allLinesOf(int32(i)) {
		if !r.isGiven(l) && r.matching.repeats.marks[l].counts() {
			reason.Notes |= domain.NoteRemembered
			reason.Remembered += r.remittances.list[l].Remitted
		}
	}
	if r.matching.claims[i].has(markShared) {
		reason.Remembered = 0 // a part of these lines is of other orders
	}
}

func (r *Reconciliation) noteMoney(reason *domain.Reason, i int, details *details) {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decided[i]
	reason.Note(domain.NoteCollected, c.collected > 0 && (c.collected != c.remitted ||
		c.collected != reason.Due && r.matching.listsAmount(o.at)))
	if reason.Notes.Has(domain.NoteCollected) || d.cause == domain.CauseCourierCollected || !o.paysCOD() && c.collected > 0 {
		reason.Listings, reason.ListedLines = r.listings(i)
		if len(reason.Listings) == 0 { // those of a shared AWB list what several orders share
			reason.Notes &^= domain.NoteCollected
		}
	}
	if r.policy.keepsAdvance(o, c) {
		reason.Advance = o.advance
		reason.Notes |= domain.NoteAdvance
	}
	reason.Note(domain.NotePerhapsAdvance, d.flag == domain.ShortPaid && d.due == o.Total && o.Financial == domain.FinancialPaid &&
		o.paidOff() && c.remitted+d.accepted == details.listed && r.matching.listsAmount(o.at))
	if of, is := r.reversed[o.at]; is {
		reason.Reversed = of
		reason.Notes |= domain.NoteReversed
	}
	if o.PartPrepaid && o.Outstanding == 0 && !o.partPaid() && c.remitted == 0 && d.due > 0 && details.listed <= 0 && details.takenBack == 0 {
		reason.Method = r.orders.Text(o.Method)
		reason.Notes |= domain.NotePartPrepaid
	}
	reason.TakenBack = details.takenBack
	reason.Note(domain.NoteRefund, details.takenBack > 0)
	if c.has(markCounted) {
		reason.Repeats = int(details.aside)
		reason.Notes |= domain.NoteRepeatsCounted
	} else if details.repeats > 0 {
		reason.Repeats = int(details.repeats)
		reason.Notes |= domain.NoteRepeats
	}
	if c.has(markListedAgain) && !c.has(markCounted) {
		reason.Repeats += len(sectionOf(r.matching.corrections.again, o.at, func(l lineAgain) int32 { return l.order }))
		reason.Notes |= domain.NoteRepeats
	}
	if !o.paysCOD() {
		reason.Method = r.orders.Text(o.Method)
		reason.Note(domain.NotePrepaidCollected, c.collected > 0 || reason.Due > 0) // by rule 1 nothing would be due otherwise
	}
	if reason.Flag != domain.Reconciled {
		r.noteUTR(reason, c)
	}
	if d.shortfall > 0 || d.accepted != 0 {
		var sums chargeSums
		reason.Charges, sums = r.statedCharges(i)
		reason.Charged, reason.Accepted, reason.Unexplained = sums.stated, d.accepted, sums.leave(d)
		reason.Note(domain.NoteCharges, sums.stated > 0)
	}
}

// noteUTR notes several payments of the order if all have one UTR.
func (r *Reconciliation) noteUTR(reason *domain.Reason, c *claim) {
	payments, first := 0, int32(noLine)
	for i := c.first; i != noLine; i = r.matching.next[i] {
		line := &r.remittances.list[i]
		if line.Remitted <= 0 || !r.matching.repeats.marks[i].counts() {
			continue
		}
		if first == noLine {
			first = i
		}
		if len(line.UTR) == 0 || !sameUTR(line.UTR, r.remittances.list[first].UTR) {
			return
		}
		payments++
	}
	if payments > 1 {
		reason.Notes |= domain.NoteOneUTR
		reason.UTR, reason.Payments = r.remittances.list[first].UTR, payments
	}
}

func (r *Reconciliation) noteParcels(reason *domain.Reason, o *Order, c *claim, details *details) {
	reason.Parcels, reason.ReturnedParcel = int(details.parcels), int(details.returned)
	if 0 < details.returned && details.returned < details.parcels {
		reason.Notes |= domain.NoteReturnedParcel
		_, _, reason.ReturnedAmount = r.policy.due(o, c, r.policy.lastDay(o, c))
		reason.Note(domain.NoteReturnedDeducted, reason.ReturnedAmount > 0)
	}
}

func (r *Reconciliation) noteMatching(reason *domain.Reason, o *Order, c *claim) {
	reason.Note(domain.NoteOwnAWBRounded, o.rounded && !o.knowsAWB() && c.lines == 0)
	reason.Note(domain.NoteLineAWBRounded, c.has(markRounded))
	reason.Note(domain.NoteNamesake, c.has(markNamesake))
	reason.LedgerNamesake = c.has(markNamesake) && r.orders.exportedNamesakes(o) < 2
	other := int32(noLine)
	switch {
	case c.has(markContradiction):
		other = c.other
		reason.Notes |= domain.NoteContradiction
	case c.lines > 0:
	case c.has(markNamed):
		other = c.holder
		reason.Notes |= domain.NoteNamedOnOther
	}
	if other != noLine {
		reason.Other = r.orders.list[other].Name
	}
	if !c.has(markByAWB) && o.knowsAWB() {
		r.noteOtherAWB(reason, o, c)
	}
	if c.has(markShared) {
		reason.Notes |= domain.NoteSharedAWB
		r.describeShared(&reason.Shared, o.at)
	}
	if c.marks&(markBeside|markRefused|markIdle) != 0 {
		r.noteBeside(reason, o, c)
	}
	if c.has(markCorrected) {
		reason.Notes |= domain.NoteCorrected
		reason.Corrected = r.correctedOf(o.at)
	}
}

// correctedOf adds up the lines of an order that a later report corrects, but for those of further
// reports.
func (r *Reconciliation) correctedOf(order int32) (sum domain.Corrected) {
	lines := sectionOf(r.matching.corrections.corrected, order, func(l correctedLine) int32 { return l.order })
	for i := range lines {
		line := &r.remittances.list[lines[i].line]
		if sum.Report == 0 {
			sum.Report, sum.By = r.remittances.number(line.Report), r.remittances.number(lines[i].by)
		}
		if sum.Report == r.remittances.number(line.Report) {
			sum.Remitted += line.Remitted
		}
	}
	return sum
}

// noteOtherAWB notes that the first of an order's lines with an AWB has another one than
// the export.
func (r *Reconciliation) noteOtherAWB(reason *domain.Reason, o *Order, c *claim) {
	first := int32(noLine)
	for i := c.first; i != noLine; i = r.matching.next[i] {
		if r.remittances.list[i].tellsParcel() && (first == noLine || i < first) {
			first = i
		}
	}
	if first != noLine {
		reason.Notes |= domain.NoteOtherAWB
		reason.OwnAWB, reason.LineAWB = r.orders.awb(o.first), r.remittances.list[first].AWB
	}
}

// describeShared tells of the first AWB that an order shares.
func (r *Reconciliation) describeShared(shared *domain.Shared, order int32) {
	m := &r.matching
	shares := m.sharesOf(order)
	own := &shares[0]
	p := &m.sharedParcels[own.parcel]
	*shared = domain.Shared{AWB: r.orders.awb(p.awb), MoreAWBs: len(shares) - 1, Lines: int(p.lines), Remitted: p.remitted,
		TakenBack: p.takenBack, Part: own.remitted, DeliveredOn: p.deliveredOn, UTRs: r.sharedUTRs(p)}
	for _, s := range shares {
		also := &m.sharedParcels[s.parcel]
		shared.Paid = shared.Paid || also.remitted != 0 || also.takenBack != 0
	}
	r.scratch.sharers = r.scratch.sharers[:0]
	sharers := r.orders.sharersOf(p.awb)
	for _, s := range sharers[:min(len(sharers), domain.MostNamed+1)] {
		if s.order == order || len(r.scratch.sharers) == domain.MostNamed {
			continue
		}
		theirs := m.sharesOf(s.order)
		at, _ := slices.BinarySearchFunc(theirs, own.parcel, func(s share, parcel int32) int { return cmp.Compare(s.parcel, parcel) })
		r.scratch.sharers = append(r.scratch.sharers, domain.Sharer{Name: r.orders.list[s.order].Name, Remitted: theirs[at].remitted})
	}
	shared.Others, shared.More = r.scratch.sharers, len(sharers)-1-len(r.scratch.sharers)
}

// sharedUTRs are the UTRs under which money moved on a shared AWB, if it has few enough lines. The list
// is valid until the next call.
func (r *Reconciliation) sharedUTRs(p *sharedParcel) [][]byte {
	if p.to-p.from > MostSharedLines {
		return nil
	}
	utrs := distinctUTRs{all: r.scratch.utrs[:0]}
	for _, l := range r.matching.shared[p.from:p.to] {
		if line := &r.remittances.list[l.line]; line.Remitted != 0 {
			utrs.add(line.UTR)
		}
	}
	r.scratch.utrs = utrs.all
	return utrs.all
}

// noteBeside notes the lines that name the order and have no AWB, or one that no order has.
func (r *Reconciliation) noteBeside(reason *domain.Reason, o *Order, c *claim) {
	for _, b := range r.matching.besideOf(o.at) {
		if r.matching.repeats.marks[b.line]&(leftOut|setAside|replaced) != 0 {
			continue // the number of repeats is said, and that parcels are replaced
		}
		of, note := &reason.Beside, domain.NoteBeside
		switch {
		case b.fate == besideIdle:
			of, note = &reason.Idle, domain.NoteIdle
		case b.fate == besideRefused:
			of, note = &reason.Refused, domain.NoteRefused
		case c.has(markReplaced):
			note = domain.NoteReplaced
		}
		reason.Notes |= note
		addBeside(of, &r.remittances.list[b.line])
	}
}

func addBeside(b *domain.Beside, line *Remittance) {
	if b.Lines++; b.Lines > 1 {
		return
	}
	b.Remitted = line.Remitted
	if line.tellsParcel() {
		b.AWB = line.AWB
	}
}

// listings counts the lines of an order by their COD amounts, the largest first, but for
// those of shared AWBs and reversals. The list is valid until the next call.
func (r *Reconciliation) listings(order int) (listings []domain.Listing, lines int) {
	listings = r.scratch.listed[:0]
	for _, i := range r.matching.linesOf(&r.matching.claims[order]) {
		amount := r.remittances.list[i].Listed
		if amount <= 0 || !r.matching.repeats.marks[i].counts() {
			continue
		}
		lines++
		at, found := slices.BinarySearchFunc(listings, amount,
			func(l domain.Listing, amount domain.Paise) int { return cmp.Compare(amount, l.Amount) })
		if found {
			listings[at].Lines++
			continue
		}
		listings = slices.Insert(listings, at, domain.Listing{Amount: amount, Lines: 1})
		listings = listings[:min(len(listings), domain.MostListings)]
	}
	r.scratch.listed = listings
	return listings, lines
}

func (m *matching) listsAmount(order int32) bool {
	c := &m.claims[order]
	for i := c.first; i != noLine; i = m.next[i] {
		if m.lines[i].Listed != 0 {
			return true
		}
	}
	return slices.ContainsFunc(m.sharesOf(order), func(s share) bool { return m.sharedParcels[s.parcel].states })
}

// statuses returns the courier's latest statuses for an order: of the shipment and
// of the money.
func (m *matching) statuses(order int32, remittances *Remittances) (shipment, money []byte) {
	spoken, paid := int32(noLine), int32(noLine)
	hear := func(into *int32, i int32) {
		if *into == noLine || later(m.lines, i, *into) {
			*into = i
		}
	}
	for i := m.claims[order].first; i != noLine; i = m.next[i] {
		line, mark := &m.lines[i], m.repeats.marks[i]
		if line.Status != 0 && mark&(silent|replaced) == 0 && !mark.apart(line) {
			hear(&spoken, i)
		}
		if line.MoneyStatus != 0 && mark&replaced == 0 {
			hear(&paid, i)
		}
	}
	for _, s := range m.sharesOf(order) {
		if p := &m.sharedParcels[s.parcel]; !m.claims[order].has(markReplaced) {
			if p.speaks != noLine {
				hear(&spoken, p.speaks)
			}
			if p.pays != noLine {
				hear(&paid, p.pays)
			}
		}
	}
	if spoken != noLine {
		shipment = remittances.Status(m.lines[spoken].Status).Text
	}
	if paid != noLine {
		money = remittances.Status(m.lines[paid].MoneyStatus).Text
	}
	return shipment, money
}

func (r *Reconciliation) noteHint(reason *domain.Reason, o *Order) {
	at, kind := r.hints.find(r, o, reason.Due)
	if at == noLine {
		return
	}
	line := &r.remittances.list[at]
	reason.Notes |= domain.NoteHint
	reason.HintID, reason.HintAmount = line.OrderID, reason.Due // with which it was found
	if kind == looksByAWB {
		reason.HintID = line.AWB
	}
}
