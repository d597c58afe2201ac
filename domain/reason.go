package domain

import "strconv"

// appendReason says in words why an order bears its flag: the contract's
// phrase, and after a colon the figures and dates that a person can act on
// (decisions, section 4).
func (p *policy) appendReason(dst []byte, d *decision, c *claim) []byte {
	switch d.flag {
	case Reconciled:
		if d.due == 0 && c.remitted == 0 {
			return append(append(dst, "Nothing due: "...), d.cause.words()...)
		}
		dst = d.due.AppendText(append(dst, "Fully remitted: "...))
		return appendOn(dst, " by ", c.remittedOn)
	case Overpaid:
		dst = (-d.shortfall).AppendText(append(dst, "Overpaid: "...))
		dst = d.due.AppendText(append(dst, " more than the "...))
		return append(dst, " due; check it against the bank statement"...)
	case MinorDiff:
		dst = d.shortfall.AppendText(append(dst, "Within tolerance: "...))
		dst = d.due.AppendText(append(dst, " of "...))
		dst = p.terms.MinorGap.AppendText(append(dst, " not remitted, up to "...))
		return append(dst, " is tolerated"...)
	case ShortPaid:
		dst = d.shortfall.AppendText(append(dst, "Shortfall detected: "...))
		dst = d.due.AppendText(append(dst, " of "...))
		return append(dst, " not remitted; dispute the difference"...)
	case RTOAnomaly:
		dst = d.due.AppendText(append(dst, "Returned but COD collected: "...))
		return append(append(dst, " not remitted; "...), d.cause.words()...)
	case AwaitingNextCycle:
		dst = d.due.AppendText(append(dst, "Awaiting next remittance cycle: "...))
		return appendOn(append(dst, " expected"...), " by ", d.lastDay)
	case Missing:
		dst = d.due.AppendText(append(dst, "Not remitted: "...))
		dst = p.guidance.DataThrough.AppendTo(append(dst, " in no line of the courier file, which reaches "...))
		return d.appendLate(dst)
	case Overdue:
		dst = d.due.AppendText(append(dst, "Not remitted within the courier's window: "...))
		return d.appendLate(append(append(dst, ' '), d.cause.words()...))
	}
	return dst
}

func appendOn(dst []byte, word string, day Day) []byte {
	if day == NoDay {
		return dst
	}
	return day.AppendTo(append(dst, word...))
}

// appendLate says since when the money is late.
func (d *decision) appendLate(dst []byte) []byte {
	if d.lastDay == NoDay {
		return append(dst, "; the order has no date"...)
	}
	dst = strconv.AppendInt(append(dst, "; "...), int64(d.overdue), 10)
	if d.overdue == 1 {
		dst = append(dst, " day late, due by "...)
	} else {
		dst = append(dst, " days late, due by "...)
	}
	return d.lastDay.AppendTo(dst)
}

func (c cause) words() string {
	switch c {
	case causePrepaid:
		return "prepaid order"
	case causeCancelled:
		return "cancelled order, no parcel"
	case causeRestocked:
		return "restocked, no parcel"
	case causeNotShipped:
		return "never shipped"
	case causeReturned:
		return "returned, nothing collected"
	case causeNothingOutstanding:
		return "nothing outstanding"
	case causeNoAmount:
		return "no amount in either file"
	case causeCourierCollected:
		return "the courier lists it as collected: ask for proof of delivery"
	case causeMarkedPaid:
		return "the shop has it marked paid: ask for proof of delivery"
	case causeListed:
		return "listed by the courier, but unpaid"
	case causeNotListed:
		return "not listed by the courier yet"
	}
	return ""
}
