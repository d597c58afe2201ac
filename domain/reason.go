package domain

import "strconv"

// appendReason says in words why an order bears its flag: the contract's
// phrase, and after a colon the figures and dates that a person can act on
// (decisions, section 4).
func (p *policy) appendReason(dst []byte, d *decision, o *Order, c *claim) []byte {
	dst = p.appendFinding(dst, d, c)
	if d.flag != Reconciled {
		dst = o.appendRounded(dst, c)
	}
	return dst
}

func (p *policy) appendFinding(dst []byte, d *decision, c *claim) []byte {
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
		dst = d.appendShortfall(append(dst, "Within tolerance: "...), c)
		dst = p.terms.MinorGap.AppendText(append(dst, ", up to "...))
		return append(dst, " is tolerated"...)
	case ShortPaid:
		dst = d.appendShortfall(append(dst, "Shortfall detected: "...), c)
		return append(dst, "; dispute the difference"...)
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

// appendShortfall says what is short. A courier that has taken back more than it
// had remitted owes that as well as all that is due.
func (d *decision) appendShortfall(dst []byte, c *claim) []byte {
	if c.remitted >= 0 {
		dst = d.shortfall.AppendText(dst)
		dst = d.due.AppendText(append(dst, " of "...))
		return append(dst, " not remitted"...)
	}
	if d.due > 0 {
		dst = append(d.due.AppendText(dst), " not remitted and "...)
	}
	dst = append((-c.remitted).AppendText(dst), " taken back"...)
	if d.due == 0 {
		dst = append(dst, ", with nothing due"...)
	}
	return dst
}

// appendRounded says so if an order found no line, and its AWB could not find
// one: no other AWB is known, and a spreadsheet has rounded this one.
func (o *Order) appendRounded(dst []byte, c *claim) []byte {
	if c.lines > 0 || o.knowsAWB() {
		return dst
	}
	rounded := false
	EachAWB(o.tracking, func(_ []byte, reliable bool) bool {
		rounded = rounded || !reliable
		return !rounded
	})
	if rounded {
		dst = append(dst, "; its AWB was rounded by a spreadsheet: export it as text"...)
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
	case causeTotalZero:
		return "the order's total is ₹0"
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
