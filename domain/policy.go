package domain

// This file is the decision table of decisions.md, sections 2 and 4, in its
// order. It sees values only: reading is elsewhere, and so are words.

// policy is what decides besides the order itself.
type policy struct {
	terms        Terms
	guidance     Guidance
	shopFulfils  bool // some order of the export is fulfilled: the shop keeps that column
	coverageDays Day
	matching     *matching
}

// decision is what the policy says of one order.
type decision struct {
	due       Paise
	shortfall Paise
	lastDay   Day // the last day of the remittance window; NoDay if nothing dates the order
	flag      Flag
	cause     Cause
}

// decide gives an order its one flag: the first rule that holds. MISSING is to be
// reviewed once all orders have one, because it hangs on the neighbours too.
func (p *policy) decide(o *Order, c *claim) decision {
	d := decision{lastDay: p.lastDay(o, c)}
	due, why, _ := p.due(o, c, d.lastDay)
	d.due = due
	p.countAside(c, due)

	shortfall := due - c.remitted
	unpaid := c.remitted == 0
	collected, proof := evidenceOfCollection(o, c)
	switch {
	case unpaid && due == 0:
		d.flag, d.cause = Reconciled, why
	case unpaid && c.has(markReturned) && collected:
		d.flag, d.shortfall, d.cause = RTOAnomaly, due, proof
	case !unpaid && shortfall == 0:
		d.flag = Reconciled
	case !unpaid && shortfall < 0:
		d.flag, d.shortfall = Overpaid, shortfall
	case !unpaid && shortfall <= p.terms.MinorGap:
		d.flag, d.shortfall = MinorDiff, shortfall
	case !unpaid:
		d.flag, d.shortfall = ShortPaid, shortfall
	case p.windowOpen(d.lastDay):
		d.flag = AwaitingNextCycle
	case c.has(markListed):
		d.flag, d.shortfall, d.cause = Overdue, due, c.listedCause()
	case p.covers(d.lastDay):
		d.flag, d.shortfall = Missing, due
	default:
		d.flag, d.shortfall, d.cause = Overdue, due, CauseNotCovered
	}
	if due == 0 && d.flag != Overdue && d.flag != Missing {
		d.cause = why
	}
	return d
}

func (c *claim) listedCause() Cause {
	if c.lines == 0 {
		return CauseListedByOther
	}
	return CauseListed
}

// due is the cash that the courier owes for an order, and where that is
// nothing, why (decisions, section 2). It is never negative. deducted is what it
// would be more, had no parcel come back.
func (p *policy) due(o *Order, c *claim, lastDay Day) (due Paise, why Cause, deducted Paise) {
	collected, _ := evidenceOfCollection(o, c)
	switch {
	case c.has(markSum):
		due, why = o.owes()
		return due, why, 0
	case !o.paysCOD() && c.collected <= 0 && (o.Financial != FinancialPending || p.matching.detailsOf(c).toCollect <= 0):
		return 0, CausePrepaid, 0
	case o.calledOff() && c.lines == 0:
		return 0, o.calledOffCause(), 0
	case o.calledOff() && !c.has(markLeft):
		return 0, CauseNeverLeft, 0
	case !o.shipped() && !o.tracked() && c.lines == 0 && p.shopFulfils && !p.windowOpen(lastDay):
		return 0, CauseNotShipped, 0
	case c.has(markReturned) && !collected:
		return 0, CauseReturned, 0
	}
	due, why = p.agreed(o, c)
	if c.details == 0 {
		return due, why, 0
	}
	if d := &p.matching.details[c.details]; 0 < d.returned && d.returned < d.parcels && 0 < d.returnedListed && 0 < due {
		deducted = min(d.returnedListed, due)
		return due - deducted, CauseReturnedAmount, deducted
	}
	return due, why, 0
}

// agreed is what the customer was to pay at the door: the rules 5 to 7.
func (p *policy) agreed(o *Order, c *claim) (Paise, Cause) {
	if o.partPaid() {
		return max(o.Outstanding, 0), CauseNothingOutstanding
	}
	partPrepaid := o.PartPrepaid && o.Outstanding == 0
	if !partPrepaid && o.HasTotal {
		return max(o.Total, 0), CauseTotalZero
	}
	listed := p.matching.detailsOf(c).listed
	switch {
	case partPrepaid && 0 < listed && listed < o.Total:
		return listed, CauseNone
	case o.HasTotal:
		return max(o.Total, 0), CauseTotalZero
	}
	return max(listed, 0), CauseNoAmount
}

// partPaid says that the outstanding balance is what is due (rule 5).
func (o *Order) partPaid() bool {
	return o.HasOutstanding && (o.Financial == FinancialPartlyPaid || 0 < o.Outstanding && o.Outstanding < o.Total)
}

func (o *Order) calledOffCause() Cause {
	if o.Cancelled || o.Financial == FinancialVoided {
		return CauseCancelled
	}
	return CauseRestocked
}

// countAside counts the repeats told by their order id alone after all, all
// together, if that pays what is due exactly, and nothing else does: then they
// were parcels of their own (decisions, section 1).
func (p *policy) countAside(c *claim, due Paise) {
	if c.details == 0 {
		return
	}
	d := &p.matching.details[c.details]
	if d.aside == 0 || c.remitted == due || c.remitted+d.asideRemitted != due {
		return
	}
	c.remitted += d.asideRemitted
	c.collected += d.asideCollected
	c.marks |= markCounted
	for i := c.first; i != noLine; i = p.matching.next[i] {
		p.matching.repeats.marks[i] &^= setAside
	}
}

// evidenceOfCollection says whether cash changed hands at the door: the courier
// lists a collected amount, or the storefront has marked a cash order paid.
func evidenceOfCollection(o *Order, c *claim) (bool, Cause) {
	switch {
	case c.collected > 0:
		return true, CauseCourierCollected
	case o.Financial == FinancialPaid && o.paysCOD():
		return true, CauseMarkedPaid
	}
	return false, CauseNone
}

// lastDay is the last day of an order's remittance window, which starts at the
// delivery; where nobody has told us that, at the dispatch or at the order.
func (p *policy) lastDay(o *Order, c *claim) Day {
	start := c.deliveredOn
	if start == NoDay {
		start = o.FulfilledOn
	}
	if start == NoDay {
		start = o.OrderedOn()
	}
	if start == NoDay {
		return NoDay
	}
	return start + Day(p.terms.OffsetDays)
}

// windowOpen says that the money may still come in the ordinary course. An
// order that nothing dates waits until coverage is complete.
func (p *policy) windowOpen(lastDay Day) bool {
	if p.guidance.CoverageComplete {
		return false
	}
	return lastDay == NoDay || p.guidance.BatchAsOf <= lastDay
}

// covers says that the courier's file reaches far enough past the order to
// prove that its money is not there.
func (p *policy) covers(lastDay Day) bool {
	if lastDay == NoDay {
		return p.guidance.CoverageComplete
	}
	start := lastDay - Day(p.terms.OffsetDays)
	return p.guidance.DataThrough != NoDay && p.guidance.DataThrough >= start+p.coverageDays
}

// daysOverdue counts from the window's last day to the batch's reference day,
// and is at least 1; it is 0 for an order that is neither OVERDUE nor MISSING.
func (p *policy) daysOverdue(d *decision) int {
	switch {
	case d.flag != Overdue && d.flag != Missing:
		return 0
	case d.lastDay == NoDay:
		return 1
	}
	return max(int(p.guidance.BatchAsOf-d.lastDay), 1)
}
