package verdict

import (
	"milaan/domain"
)

// This file is the decision table of the guide: verdict 2 and 4, with the rules in
// the same order. It works on values only. Other files read the cells, and
// adapters/wording writes the sentences.

// policy is everything that decides about an order besides the order and its lines.
type policy struct {
	terms        domain.Terms
	guidance     domain.Guidance
	shopFulfils  bool // some order of the export is fulfilled, so the shop fills in that column
	coverageDays domain.Day
	matching     *matching
}

type decision struct {
	due       domain.Paise
	accepted  domain.Paise // charges that count as paid
	shortfall domain.Paise
	lastDay   domain.Day // the last day of the remittance window; NoDay if the order has no date
	flag      domain.Flag
	cause     domain.Cause
	gap       uint16 // of CausePayoutGap: the gap, counted from 1
}

// decide gives an order its flag by the first rule that applies. reviewMissing
// looks at a MISSING order once more when all orders have a flag, because MISSING
// depends on the order's neighbours too.
func (p *policy) decide(o *Order, c *claim) decision {
	d := decision{lastDay: p.lastDay(o, c)}
	due, why, _ := p.due(o, c, d.lastDay)
	d.due = due
	p.countAside(o, c, due)
	d.accepted = p.accepted(o.at, c)

	shortfall := due - c.remitted - d.accepted
	unpaid := c.remitted == 0
	collected, proof := evidenceOfCollection(o, c)
	switch {
	case unpaid && due == 0:
		d.flag, d.cause = domain.Reconciled, why
	case unpaid && c.has(markReturned) && collected:
		d.flag, d.shortfall, d.cause = domain.RTOAnomaly, due, proof
	case !unpaid && shortfall == 0:
		d.flag = domain.Reconciled
	case !unpaid && shortfall < 0:
		d.flag, d.shortfall = domain.Overpaid, shortfall
	case !unpaid && shortfall <= p.terms.MinorGap:
		d.flag, d.shortfall = domain.MinorDiff, shortfall
	case !unpaid:
		d.flag, d.shortfall = domain.ShortPaid, shortfall
	case p.windowOpen(d.lastDay):
		d.flag = domain.AwaitingNextCycle
	case c.has(markListed):
		d.flag, d.shortfall, d.cause = domain.Overdue, due, c.listedCause()
	case p.covers(d.lastDay):
		d.flag, d.shortfall = domain.Missing, due
	default:
		d.flag, d.shortfall, d.cause = domain.Overdue, due, domain.CauseNotCovered
	}
	switch {
	case due == 0 && d.flag != domain.Overdue && d.flag != domain.Missing:
		d.cause = why
	case c.remitted < 0 && c.has(markReturned) && collected:
		d.cause = proof // a charge was taken back, so it is no RTO_ANOMALY, but the proof is as weak
	}
	return d
}

// saysCollected says whether the cause is how we know that cash was collected for a returned parcel.
func (d *decision) saysCollected() bool {
	return d.cause == domain.CauseCourierCollected || d.cause == domain.CauseMarkedPaid
}

func (c *claim) listedCause() domain.Cause {
	if c.lines == 0 {
		return domain.CauseListedByOther
	}
	return domain.CauseListed
}

// due is the cash that the courier owes for an order, never negative. If it is 0,
// why says why (guide: verdict 2). deducted is the amount by which parcels that
// came back reduce it.
func (p *policy) due(o *Order, c *claim, lastDay domain.Day) (due domain.Paise, why domain.Cause, deducted domain.Paise) {
	collected, _ := evidenceOfCollection(o, c)
	switch {
	case !o.paysCOD() && c.collected <= 0 && (o.Financial != domain.FinancialPending || p.matching.detailsOf(c).toCollect <= 0):
		return 0, domain.CausePrepaid, 0
	case o.calledOff() && (c.lines == 0 || p.matching.sharesNothing(c)):
		return 0, o.calledOffCause(), 0
	case o.calledOff() && !c.has(markLeft):
		return 0, domain.CauseNeverLeft, 0
	case !o.shipped() && !o.tracked() && c.lines == 0 && p.wouldSayShipped(o) && !p.windowOpen(lastDay):
		return 0, domain.CauseNotShipped, 0
	case c.has(markReturned) && !c.has(markPaid) && !collected:
		return 0, c.returnedCause(), 0
	}
	due, why = p.agreed(o, c)
	if c.details == 0 {
		return due, why, 0
	}
	if d := &p.matching.details[c.details]; 0 < d.returned && d.returned < d.parcels && 0 < d.returnedListed && 0 < due {
		deducted = min(d.returnedListed, due)
		return due - deducted, domain.CauseReturnedAmount, deducted
	}
	return due, why, 0
}

// wouldSayShipped says whether the shop would have said so by now if the order had left. Of an order that only a ledger has, the shop
// says nothing any more: one that was still owed may have left since.
func (p *policy) wouldSayShipped(o *Order) bool {
	if int(o.at) < p.matching.orders.Exported() {
		return p.shopFulfils
	}
	return p.matching.orders.foundOn(o.at).Due == 0
}

func (c *claim) returnedCause() domain.Cause {
	if c.has(markOnWayBack) {
		return domain.CauseOnWayBack
	}
	return domain.CauseReturned
}

// agreed is what the customer was to pay at the door, by the rules 5 to 7.
func (p *policy) agreed(o *Order, c *claim) (domain.Paise, domain.Cause) {
	if p.keepsAdvance(o, c) {
		return o.Total - o.advance, domain.CauseNothingOutstanding
	}
	if o.partPaid() {
		return max(o.Outstanding, 0), domain.CauseNothingOutstanding
	}
	partPrepaid := o.PartPrepaid && o.Outstanding == 0
	if !partPrepaid && o.HasTotal {
		return max(o.Total, 0), domain.CauseTotalZero
	}
	listed := p.matching.detailsOf(c).listed
	switch {
	case partPrepaid && 0 < listed && listed < o.Total:
		return listed, domain.CauseNone
	case o.HasTotal:
		return max(o.Total, 0), domain.CauseTotalZero
	}
	return max(listed, 0), domain.CauseNoAmount
}

// partPaid says whether the outstanding balance is what is due (rule 5).
func (o *Order) partPaid() bool {
	return o.HasOutstanding && (o.Financial == domain.FinancialPartlyPaid || 0 < o.Outstanding && o.Outstanding < o.Total)
}

// keepsAdvance says whether what was not to be collected by a ledger is still not due. The courier must say the same: it lists the balance,
// no more and no less, and has not paid more. Else the balance may be what a payment had left that the shop had booked; and so may one
// of half the total, because it is as much as was booked. What orders share is shared by their totals.
func (p *policy) keepsAdvance(o *Order, c *claim) bool {
	balance := o.Total - o.advance
	return o.advance > 0 && balance != o.advance && !c.has(markShared) && c.remitted <= balance &&
		p.matching.detailsOf(c).listed == balance
}

// paidOff says whether nothing is left to pay for the order by the storefront; it may have given money back since.
func (o *Order) paidOff() bool {
	switch o.Financial {
	case domain.FinancialPaid, domain.FinancialRefunded, domain.FinancialPartlyRefunded:
		return o.Outstanding <= 0
	}
	return false
}

func (o *Order) calledOffCause() domain.Cause {
	if o.Cancelled || o.Financial == domain.FinancialVoided {
		return domain.CauseCancelled
	}
	return domain.CauseRestocked
}

// accepted returns what counts as paid of a claim though it was deducted.
func (p *policy) accepted(order int32, c *claim) domain.Paise {
	if !p.terms.AcceptCharges || c.remitted == 0 {
		return 0
	}
	return p.matching.explained(order)
}

// countAside counts all repeats that are set aside after all, if the order is paid
// exactly what is due with all of them and not without them. In that case they were
// parcels of their own (guide: verdict 1). Charges that are accepted count as paid.
func (p *policy) countAside(o *Order, c *claim, due domain.Paise) {
	if c.details == 0 {
		return
	}
	d := &p.matching.details[c.details]
	if d.aside == 0 || c.remitted+p.accepted(o.at, c) == due {
		return
	}
	with := c.remitted + d.asideRemitted
	if p.terms.AcceptCharges && with != 0 {
		with += p.matching.explained(o.at) + p.matching.explainedAlone(c, lineMark.mayCount)
	}
	if with != due {
		return
	}
	c.remitted += d.asideRemitted
	c.collected += d.asideCollected
	c.marks |= markCounted
	for i := c.first; i != noLine; i = p.matching.next[i] {
		p.matching.repeats.marks[i] &^= setAside
	}
}

// evidenceOfCollection says whether cash was collected at the door, and what proves
// it: the courier lists a collected amount, or the storefront marks a cash order as
// paid.
func evidenceOfCollection(o *Order, c *claim) (bool, domain.Cause) {
	switch {
	case c.collected > 0:
		return true, domain.CauseCourierCollected
	case o.Financial == domain.FinancialPaid && o.paysCOD():
		return true, domain.CauseMarkedPaid
	}
	return false, domain.CauseNone
}

// lastDay is the last day of an order's remittance window. The window starts at the
// delivery; if its day is not known, at the dispatch, or else at the day of the order.
func (p *policy) lastDay(o *Order, c *claim) domain.Day {
	start, _ := windowStart(o, c)
	if start == domain.NoDay {
		return domain.NoDay
	}
	return start + domain.Day(p.terms.OffsetDays)
}

func windowStart(o *Order, c *claim) (domain.Day, domain.Event) {
	switch {
	case c.deliveredOn != domain.NoDay:
		return c.deliveredOn, domain.EventDelivery
	case o.FulfilledOn != domain.NoDay:
		return o.FulfilledOn, domain.EventDispatch
	}
	return o.OrderedOn(), domain.EventOrder
}

// windowOpen says whether the money may still come in time. An order without any
// date waits until coverage is complete.
func (p *policy) windowOpen(lastDay domain.Day) bool {
	if p.guidance.CoverageComplete {
		return false
	}
	return lastDay == domain.NoDay || p.guidance.BatchAsOf <= lastDay
}

// covers says whether the report reaches far enough past the order to prove
// that the order's money is not in it.
func (p *policy) covers(lastDay domain.Day) bool {
	if lastDay == domain.NoDay {
		return p.guidance.CoverageComplete
	}
	start := lastDay - domain.Day(p.terms.OffsetDays)
	return p.guidance.DataThrough != domain.NoDay && p.guidance.DataThrough >= start+p.coverageDays
}

// daysOverdue counts the days from the end of the window to the latest order date
// of the export (batch_as_of), and at least 1. It is 0 for an order that is neither
// OVERDUE nor MISSING.
func (p *policy) daysOverdue(d *decision) int {
	switch {
	case d.flag != domain.Overdue && d.flag != domain.Missing:
		return 0
	case d.lastDay == domain.NoDay:
		return 1
	}
	return max(int(p.guidance.BatchAsOf-d.lastDay), 1)
}
