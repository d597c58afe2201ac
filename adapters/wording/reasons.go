package wording

import (
	"strconv"

	"milaan/domain"
)

// English is the catalogue in English. It fills ports.Wording.
type English struct{}

// New makes the catalogue.
func New() English { return English{} }

// AppendReason fills ports.Wording: the contract's phrase, and after a colon the
// figures and dates that a person can act on (decisions, section 4).
func (English) AppendReason(dst []byte, r *domain.Reason) []byte {
	switch r.Flag {
	case domain.Reconciled:
		if r.Due == 0 && r.Remitted == 0 {
			return append(append(dst, "Nothing due: "...), causes[r.Cause]...)
		}
		dst = r.Due.AppendText(append(dst, "Fully remitted: "...))
		return appendOn(dst, " by ", r.RemittedOn)
	case domain.Overpaid:
		dst = (-r.Shortfall).AppendText(append(dst, "Overpaid: "...))
		dst = r.Due.AppendText(append(dst, " more than the "...))
		return append(dst, " due; check it against the bank statement"...)
	case domain.MinorDiff:
		dst = appendShortfall(append(dst, "Within tolerance: "...), r)
		dst = r.MinorGap.AppendText(append(dst, ", up to "...))
		return append(dst, " is tolerated"...)
	case domain.ShortPaid:
		dst = appendShortfall(append(dst, "Shortfall detected: "...), r)
		return append(dst, "; dispute the difference"...)
	case domain.RTOAnomaly:
		dst = r.Due.AppendText(append(dst, "Returned but COD collected: "...))
		return append(append(dst, " not remitted; "...), causes[r.Cause]...)
	case domain.AwaitingNextCycle:
		dst = r.Due.AppendText(append(dst, "Awaiting next remittance cycle: "...))
		return appendOn(append(dst, " expected"...), " by ", r.DueBy)
	case domain.Missing:
		dst = r.Due.AppendText(append(dst, "Not remitted: "...))
		dst = r.DataThrough.AppendTo(append(dst, " in no line of the courier file, which reaches "...))
		return appendLate(dst, r)
	case domain.Overdue:
		dst = r.Due.AppendText(append(dst, "Not remitted within the courier's window: "...))
		return appendLate(append(append(dst, ' '), causes[r.Cause]...), r)
	}
	return dst
}

// appendShortfall says what is short. A courier that has taken back more than it
// had remitted owes that as well as all that is due.
func appendShortfall(dst []byte, r *domain.Reason) []byte {
	if r.Remitted >= 0 {
		dst = r.Shortfall.AppendText(dst)
		dst = r.Due.AppendText(append(dst, " of "...))
		return append(dst, " not remitted"...)
	}
	if r.Due > 0 {
		dst = append(r.Due.AppendText(dst), " not remitted and "...)
	}
	dst = append((-r.Remitted).AppendText(dst), " taken back"...)
	if r.Due == 0 {
		dst = append(dst, ", with nothing due"...)
	}
	return dst
}

func appendOn(dst []byte, word string, day domain.Day) []byte {
	if day == domain.NoDay {
		return dst
	}
	return day.AppendTo(append(dst, word...))
}

// appendLate says since when the money is late.
func appendLate(dst []byte, r *domain.Reason) []byte {
	if r.DueBy == domain.NoDay {
		return append(dst, "; the order has no date"...)
	}
	dst = strconv.AppendInt(append(dst, "; "...), int64(r.DaysOverdue), 10)
	if r.DaysOverdue == 1 {
		dst = append(dst, " day late, due by "...)
	} else {
		dst = append(dst, " days late, due by "...)
	}
	return r.DueBy.AppendTo(dst)
}

// causes are the parts of sentences that say what a flag hangs on.
var causes = [...]string{
	domain.CausePrepaid:            "prepaid order",
	domain.CauseCancelled:          "cancelled order, no parcel",
	domain.CauseRestocked:          "restocked, no parcel",
	domain.CauseNotShipped:         "never shipped",
	domain.CauseReturned:           "returned, nothing collected",
	domain.CauseNothingOutstanding: "nothing outstanding",
	domain.CauseTotalZero:          "the order's total is ₹0",
	domain.CauseNoAmount:           "no amount in either file",
	domain.CauseCourierCollected:   "the courier lists it as collected: ask for proof of delivery",
	domain.CauseMarkedPaid:         "the shop has it marked paid: ask for proof of delivery",
	domain.CauseListed:             "listed by the courier, but unpaid",
	domain.CauseNotCovered:         "not listed by the courier yet",
	domain.CauseListedByOther:      "",
}
