package domain

import (
	"cmp"
	"slices"
)

// Reason is why the i-th order has its flag. Its texts are valid until the next
// call.
func (r *Reconciliation) Reason(i int) Reason {
	var reason Reason
	r.Explain(i, &reason)
	return reason
}

// Explain is Reason for callers that go through many orders: it writes the reason
// where the caller says.
func (r *Reconciliation) Explain(i int, reason *Reason) {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decisions[i]
	*reason = Reason{}
	reason.Flag, reason.Cause = d.flag, d.cause
	reason.Due, reason.Remitted, reason.Collected, reason.Shortfall = d.due, c.remitted, c.collected, d.shortfall
	reason.RemittedOn, reason.DueBy, reason.DaysOverdue = c.remittedOn, d.lastDay, r.policy.daysOverdue(d)
	reason.MinorGap, reason.AsOf, reason.DataThrough = r.policy.terms.MinorGap, r.policy.guidance.BatchAsOf, r.policy.guidance.DataThrough
	reason.Reports, reason.WindowDays = len(r.remittances.reports), r.policy.terms.OffsetDays
	reason.CountedFrom, reason.CountedBy = windowStart(o, c)
	switch d.cause {
	case CauseNotCovered:
		reason.Behind = r.policy.guidance.Behind
	case CauseOtherCourier:
		reason.Carrier = r.orders.Text(o.Carrier)
	case CausePayoutGap:
		reason.Gap = r.neighbours.series.gaps[d.gap-1].Gap
	}
	if d.flag == Reconciled && c.marks&markUnusual == 0 && c.details == 0 && c.remitted == c.collected && o.paysCOD() && d.cause != CauseNeverLeft {
		return // nine orders in ten: there is nothing else to say
	}
	details := r.matching.detailsOf(c)
	r.noteMoney(reason, i, &details)
	r.noteParcels(reason, o, c, &details)
	r.noteMatching(reason, o, c)
	if unpaid := c.remitted == 0; c.lines > 0 && (unpaid && d.due > 0 || d.cause == CauseNeverLeft) {
		reason.CourierStatus, reason.MoneyStatus = r.matching.statuses(c, r.remittances)
	}
	if c.lines == 0 && d.flag.IsFlagged() {
		r.noteHint(reason, o)
	}
	if refunded := o.Financial == FinancialRefunded; d.flag.IsFlagged() && (refunded || o.Financial == FinancialPartlyRefunded) {
		reason.Notes |= NoteRefunded
		reason.PartlyRefunded = !refunded
	}
}

// markUnusual are the marks that have a note.
const markUnusual = markRounded | markContradiction | markHeld | markNamed | markNamesake | markSum | markCounted

// note adds notes if they apply.
func (r *Reason) note(some Notes, apply bool) {
	if apply {
		r.Notes |= some
	}
}

func (r *Reconciliation) noteMoney(reason *Reason, i int, details *details) {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decisions[i]
	reason.note(NoteCollected, c.collected > 0 && (c.collected != c.remitted || c.collected != reason.Due && r.matching.listsAmount(c)))
	if reason.Notes.Has(NoteCollected) || d.cause == CauseCourierCollected || !o.paysCOD() && c.collected > 0 {
		reason.Listings, reason.ListedLines = r.listings(i)
	}
	reason.TakenBack = details.takenBack
	reason.note(NoteRefund, details.takenBack > 0)
	if c.has(markCounted) {
		reason.Repeats = int(details.aside)
		reason.Notes |= NoteRepeatsCounted
	} else if details.repeats > 0 {
		reason.Repeats = int(details.repeats)
		reason.Notes |= NoteRepeats
	}
	if !o.paysCOD() {
		reason.Method = r.orders.Text(o.Method)
		reason.note(NotePrepaidCollected, c.collected > 0 || reason.Due > 0) // by rule 1 nothing would be due otherwise
	}
	reason.note(NoteSharedSum, c.has(markSum))
	if d.shortfall > 0 || d.accepted != 0 {
		var sums chargeSums
		reason.Charges, sums = r.statedCharges(i)
		reason.Charged, reason.Accepted, reason.Unexplained = sums.stated, d.accepted, sums.leave(d)
		reason.note(NoteCharges, sums.stated > 0)
	}
}

func (r *Reconciliation) noteParcels(reason *Reason, o *Order, c *claim, details *details) {
	reason.Parcels, reason.ReturnedParcel = int(details.parcels), int(details.returned)
	if 0 < details.returned && details.returned < details.parcels {
		reason.Notes |= NoteReturnedParcel
		_, _, reason.ReturnedAmount = r.policy.due(o, c, r.policy.lastDay(o, c))
		reason.note(NoteReturnedDeducted, reason.ReturnedAmount > 0)
	}
}

func (r *Reconciliation) noteMatching(reason *Reason, o *Order, c *claim) {
	reason.note(NoteOwnAWBRounded, o.rounded && !o.knowsAWB() && c.lines == 0)
	reason.note(NoteLineAWBRounded, c.has(markRounded))
	reason.note(NoteNamesake, c.has(markNamesake))
	other := int32(noLine)
	switch {
	case c.has(markContradiction):
		other = c.other
		reason.Notes |= NoteContradiction
	case c.lines > 0 || c.has(markSum):
	case c.has(markHeld):
		other = c.holder
		reason.Notes |= NoteHeldByOther
	case c.has(markNamed):
		other = c.holder
		reason.Notes |= NoteNamedOnOther
	}
	if other != noLine {
		reason.Other = r.orders.list[other].Name
	}
}

// listings counts the lines of an order by their COD amounts, the largest first. The list
// is valid until the next call.
func (r *Reconciliation) listings(order int) (listings []Listing, lines int) {
	listings = r.listed[:0]
	for _, i := range r.indexesOf(order) {
		amount := r.remittances.list[i].listed()
		if amount == 0 || r.matching.repeats.marks[i]&(leftOut|setAside) != 0 {
			continue
		}
		lines++
		at, found := slices.BinarySearchFunc(listings, amount, func(l Listing, amount Paise) int { return cmp.Compare(amount, l.Amount) })
		if found {
			listings[at].Lines++
			continue
		}
		listings = slices.Insert(listings, at, Listing{Amount: amount, Lines: 1})
		listings = listings[:min(len(listings), MostListings)]
	}
	r.listed = listings
	return listings, lines
}

// listsAmount says whether a line of the order has a cod_amount.
func (m *matching) listsAmount(c *claim) bool {
	for i := c.first; i != noLine; i = m.next[i] {
		if m.lines[i].Listed != 0 {
			return true
		}
	}
	return false
}

// statuses returns the courier's latest statuses for an order: of the shipment and
// of the money.
func (m *matching) statuses(c *claim, remittances *Remittances) (shipment, money []byte) {
	spoken, paid := int32(noLine), int32(noLine)
	for i := c.first; i != noLine; i = m.next[i] {
		line := &m.lines[i]
		if line.Status != 0 && m.repeats.marks[i]&silent == 0 && (spoken == noLine || later(m.lines, i, spoken)) {
			spoken = i
		}
		if line.MoneyStatus != 0 && (paid == noLine || later(m.lines, i, paid)) {
			paid = i
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

func (r *Reconciliation) noteHint(reason *Reason, o *Order) {
	at, kind := r.hints.find(r, o, reason.Due)
	if at == noLine {
		return
	}
	line := &r.remittances.list[at]
	reason.Notes |= NoteHint
	reason.HintID, reason.HintAmount = line.OrderID, reason.Due // with which it was found
	if kind == looksByAWB {
		reason.HintID = line.AWB
	}
}
