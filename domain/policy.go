package domain

// This file is the decision table of decisions.md, sections 2 and 4, in its
// order. It sees values only: reading is elsewhere, and so are words (reason.go).

// policy is what decides besides the order itself.
type policy struct {
	terms        Terms
	guidance     Guidance
	shopFulfils  bool // some order of the export is fulfilled: the shop keeps that column
	coverageDays Day
}

// decision is what the policy says of one order.
type decision struct {
	due       Paise
	shortfall Paise
	lastDay   Day // the last day of the remittance window; NoDay if nothing dates the order
	overdue   int32
	flag      Flag
	cause     Cause
}

// decide gives an order its one flag: the first rule that holds.
func (p *policy) decide(o *Order, c *claim) decision {
	d := decision{lastDay: p.lastDay(o, c)}
	due, why := p.due(o, c, d.lastDay)
	d.due = due

	shortfall := due - c.remitted
	unpaid := c.remitted == 0
	collected, proof := evidenceOfCollection(o, c)
	switch {
	case unpaid && due == 0:
		d.flag, d.cause = Reconciled, why
	case unpaid && c.returned && collected:
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
	case c.lines > 0:
		d.flag, d.shortfall, d.cause = Overdue, due, CauseListed
	case p.covers(d.lastDay):
		d.flag, d.shortfall = Missing, due
	default:
		d.flag, d.shortfall, d.cause = Overdue, due, CauseNotCovered
	}
	if d.flag == Overdue || d.flag == Missing {
		d.overdue = p.daysOverdue(d.lastDay)
	}
	return d
}

// due is the cash that the courier owes for an order, and where that is
// nothing, why (decisions, section 2). It is never negative.
func (p *policy) due(o *Order, c *claim, lastDay Day) (Paise, Cause) {
	collected, _ := evidenceOfCollection(o, c)
	switch {
	case !o.paysCOD() && c.collected <= 0:
		return 0, CausePrepaid
	case (o.Cancelled || o.Financial == FinancialVoided) && c.lines == 0:
		return 0, CauseCancelled
	case o.Fulfilment == "restocked" && c.lines == 0:
		return 0, CauseRestocked
	case !o.shipped() && !o.tracked() && c.lines == 0 && p.shopFulfils && !p.windowOpen(lastDay):
		return 0, CauseNotShipped
	case c.returned && !collected:
		return 0, CauseReturned
	case o.HasOutstanding && (o.Financial == FinancialPartlyPaid || 0 < o.Outstanding && o.Outstanding < o.Total):
		return max(o.Outstanding, 0), CauseNothingOutstanding
	case (o.PartPrepaid || o.Financial == FinancialPartlyPaid) && o.Outstanding == 0 && 0 < c.collected && c.collected < o.Total:
		return c.collected, CauseNone
	case o.HasTotal:
		return max(o.Total, 0), CauseTotalZero
	}
	return max(c.collected, 0), CauseNoAmount
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
	if p.guidance.CoverageComplete {
		return true
	}
	start := lastDay - Day(p.terms.OffsetDays)
	return lastDay != NoDay && p.guidance.DataThrough != NoDay && p.guidance.DataThrough >= start+p.coverageDays
}

// daysOverdue counts from the window's last day to the batch's reference day,
// and is at least 1.
func (p *policy) daysOverdue(lastDay Day) int32 {
	if lastDay == NoDay {
		return 1
	}
	return max(int32(p.guidance.BatchAsOf-lastDay), 1)
}
