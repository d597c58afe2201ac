package wording

import (
	"math/bits"

	"milaan/domain"
)

// phrase is one of the phrases with which reasons begin (guide: verdict 4).
type phrase int

const (
	nothingDue phrase = iota
	fullyRemitted
	overpaid
	withinTolerance
	shortfallDetected
	returnedButCollected
	awaiting
	notRemitted
	notInWindow
	phraseCount
)

// figure says which part with amounts and dates a reason has.
type figure int

const (
	figuresAlone              figure = iota // due and remitted are ₹0, and there is no cause to say
	paidInFull                              // all that is due
	paidTooMuch                             // more than is due
	paidThoughNothingDue                    // the same, where nothing is due
	paidTooLittle                           // less than is due
	takenBackMore                           // more was taken back than remitted
	takenBackThoughNothingDue               // the same, where nothing is due
	keptByCourier                           // of a returned parcel
	windowOpen                              // the window is open
	pastWindow                              // batch_as_of is past the window
	reportPastWindow                        // it is not, but the report reaches past the window
	reportCoversExport                      // neither is, but the report covers the whole export
	undatedOrder                            // nothing dates the order, and the report covers the whole export
	windowEndAlone                          // the window's end alone
	figureCount
)

// The texts of a MISSING order. How far the report reaches is left out if the figures
// say it already.
const (
	withReach = iota
	withoutReach
)

// The tables of words are indexed by the domain's own values, notes by their bit.
const (
	causeCount = int(domain.CauseFoundMissing) + 1
	noteCount  = 32
	flagCount  = int(domain.AwaitingNextCycle) + 1
)

// What the parts of reasons are called in english.json, by their numbers.
var (
	phraseNames = []string{"nothing_due", "fully_remitted", "overpaid", "within_tolerance", "shortfall_detected", "returned_but_collected",
		"awaiting", "not_remitted", "not_in_window"}
	figureNames = []string{"figures_alone", "paid_in_full", "paid_too_much", "paid_though_nothing_due", "paid_too_little", "taken_back_more",
		"taken_back_though_nothing_due", "kept_by_courier", "window_open", "past_window", "report_past_window", "report_covers_export",
		"undated_order", "window_end_alone"}
	unlistedNames = []string{"with_reach", "without_reach"}
	causeNames    = []string{"", "prepaid", "cancelled", "restocked", "never_left", "not_shipped", "returned", "on_way_back",
		"nothing_outstanding", "total_zero", "no_amount", "returned_amount", "courier_collected", "marked_paid", "listed", "not_covered",
		"outside_report", "other_courier", "payout_gap", "may_be_rounded", "listed_by_other", "ledger_alone", "was_not_shipped",
		"found_missing"}
	noteNames = []string{"collected", "returned_parcel", "returned_deducted", "refund", "repeats", "repeats_counted", "own_awb_rounded",
		"line_awb_rounded", "prepaid_collected", "contradiction", "shared_awb", "other_awb", "beside", "replaced", "idle", "one_utr",
		"namesake", "named_on_other", "refunded", "advance", "perhaps_advance", "charges", "corrected",
		"remembered", "reversed", "part_prepaid", "refused", "hint"}
)

func flagNames() (names []string) {
	for _, f := range domain.Flags() {
		names = append(names, f.String())
	}
	return names
}

// sentence is a reason that is being written: the contract's phrase, a colon, and parts.
type sentence struct {
	*Catalogue
	dst    []byte
	reason *domain.Reason
	begun  bool // there is a part
}

// add appends a part. It returns false, and appends nothing, if the part needs a value
// that the reason does not have.
func (s *sentence) add(part clause[domain.Reason]) bool {
	if part == nil {
		return false
	}
	separator := s.Colon
	if s.begun {
		separator = s.Separator
	}
	start := len(s.dst)
	dst, known := part.append(s.Catalogue, append(s.dst, separator...), s.reason)
	if !known {
		s.dst = dst[:start]
		return false
	}
	s.dst, s.begun = dst, true
	return true
}

// explain appends the cause in brackets, after the part before it.
func (s *sentence) explain(cause clause[domain.Reason]) {
	start := len(s.dst)
	dst, known := cause.append(s.Catalogue, append(s.dst, s.Brackets[0]...), s.reason)
	if !known {
		s.dst = dst[:start]
		return
	}
	s.dst = append(dst, s.Brackets[1]...)
}

func (s *sentence) addNotes(notes domain.Notes) {
	for ; notes != 0; notes &= notes - 1 {
		s.add(s.notes[bits.TrailingZeros32(uint32(notes))])
	}
}

// AppendReason appends the flag's phrase, then the figures and the cause, a part for each
// note, and what to do (guide: verdict 4). The hint is last. What a courier reads is in
// other words. Nine of ten orders are paid in full, and nothing else is said about them:
// that reason is one clause.
func (c *Catalogue) AppendReason(dst []byte, r *domain.Reason) []byte {
	if r.Flag == domain.Reconciled && r.Notes == 0 && r.Due != 0 {
		if words, known := c.paid.append(c, dst, r); known {
			return words
		}
	}
	return c.appendReason(dst, r)
}

func (c *Catalogue) appendReason(dst []byte, r *domain.Reason) []byte {
	if r.ForCourier && int(r.Flag) < flagCount && c.desk().flags[r.Flag] != nil {
		return c.appendForDesk(dst, r)
	}
	phrase, figure := finding(r)
	cause := c.cause(r)
	s := sentence{Catalogue: c, dst: append(dst, c.phrases[phrase]...), reason: r}
	switch figure {
	case figuresAlone:
		if !s.add(cause) {
			s.add(c.figures[figure])
		}
	case paidThoughNothingDue, takenBackThoughNothingDue:
		s.add(c.figures[figure])
		s.explain(cause)
	default:
		s.add(c.figures[figure])
		if r.Flag == domain.Missing {
			s.add(c.unlisted[unlistedAfter(figure)])
		}
		s.add(cause)
	}
	notes := r.Notes &^ alreadySaid(r, figure)
	const hints = domain.NoteHint | domain.NoteRefused
	s.addNotes(notes &^ hints)
	if int(r.Flag) < flagCount {
		s.add(c.advice[r.Flag])
	}
	s.addNotes(notes & hints)
	return s.dst
}

// appendForDesk appends what the shop says to the courier's desk: sentences in which the
// courier is addressed.
func (c *Catalogue) appendForDesk(dst []byte, r *domain.Reason) []byte {
	desk := c.desk()
	dst, _ = desk.reminder.append(c, dst, r)
	dst, _ = desk.flags[r.Flag].append(c, dst, r)
	notes := r.Notes
	if r.Cause == domain.CauseCourierCollected || undone(r) != 0 {
		notes &^= domain.NoteCollected
	}
	if r.Remitted < 0 || (undone(r) != 0 || r.Shared.Paid) && !undoneElsewhere(r) {
		notes &^= domain.NoteRefund
	}
	for ; notes != 0; notes &= notes - 1 {
		if note := desk.notes[bits.TrailingZeros32(uint32(notes))]; note != nil {
			if longer, known := note.append(c, append(dst, ' '), r); known {
				dst = longer
			}
		}
	}
	return dst
}

func finding(r *domain.Reason) (phrase, figure) {
	switch r.Flag {
	case domain.Reconciled:
		if r.Due == 0 && r.Remitted == 0 {
			return nothingDue, figuresAlone
		}
		return fullyRemitted, paidInFull
	case domain.Overpaid:
		if r.Due == 0 {
			return overpaid, paidThoughNothingDue
		}
		return overpaid, paidTooMuch
	case domain.MinorDiff:
		return withinTolerance, shortFigure(r)
	case domain.ShortPaid:
		return shortfallDetected, shortFigure(r)
	case domain.RTOAnomaly:
		return returnedButCollected, keptByCourier
	case domain.AwaitingNextCycle:
		return awaiting, windowOpen
	case domain.Missing:
		return notRemitted, lateFigure(r)
	}
	return notInWindow, lateFigure(r)
}

func shortFigure(r *domain.Reason) figure {
	switch {
	case r.Remitted >= 0:
		return paidTooLittle
	case r.Due > 0:
		return takenBackMore
	}
	return takenBackThoughNothingDue
}

// lateFigure returns the figures that say why the money should have come. days_overdue
// alone does not say it, because it is at least 1.
func lateFigure(r *domain.Reason) figure {
	switch {
	case r.DueBy == domain.NoDay:
		return undatedOrder
	case r.AsOf > r.DueBy:
		return pastWindow
	case r.Cause == domain.CauseNotCovered:
		return windowEndAlone // the cause tells how far the report reaches
	case r.DataThrough > r.DueBy:
		return reportPastWindow
	}
	return reportCoversExport
}

// unlistedAfter returns which text of a MISSING order goes with these figures.
func unlistedAfter(f figure) int {
	if f == pastWindow {
		return withReach
	}
	return withoutReach
}

// cause returns the part that says what decided on the flag; nil if there is nothing to
// say, or if the flag needs no cause.
func (c *Catalogue) cause(r *domain.Reason) clause[domain.Reason] {
	if cause := causeOf(r); int(cause) < causeCount {
		return c.causes[cause]
	}
	return nil
}

// causeOf returns the cause that a reason says; CauseNone if it says none.
func causeOf(r *domain.Reason) domain.Cause {
	switch {
	case r.Due == 0 && r.Flag != domain.Missing && r.Flag != domain.Overdue && r.Flag != domain.AwaitingNextCycle:
	case r.Flag == domain.RTOAnomaly, r.Flag == domain.Overdue, returnedAtALoss(r):
	case r.Flag != domain.AwaitingNextCycle && r.Flag != domain.Missing:
		return domain.CauseNone // paid, whole or in part
	case r.Cause == domain.CauseNone && !(saysNothing(r.CourierStatus) && saysNothing(r.MoneyStatus)):
		return domain.CauseListed
	}
	return r.Cause
}

// alreadySaid returns the notes that the figures or the cause say too.
func alreadySaid(r *domain.Reason, f figure) (notes domain.Notes) {
	if causeOf(r) == domain.CauseCourierCollected || r.Notes.Has(domain.NotePrepaidCollected) {
		notes |= domain.NoteCollected
	}
	if r.Cause == domain.CauseReturnedAmount {
		notes |= domain.NoteReturnedDeducted
	}
	if r.Cause == domain.CauseListedByOther {
		notes |= domain.NoteNamesake
	}
	if (f == takenBackMore || f == takenBackThoughNothingDue) && r.TakenBack == -r.Remitted {
		notes |= domain.NoteRefund
	}
	listed := causeOf(r) == domain.CauseListed
	if listed && (r.Shared.Paid || undone(r) == 0) && len(r.Listings) > 0 {
		notes |= domain.NoteCollected
	}
	if listed && undone(r) != 0 && !undoneElsewhere(r) {
		notes |= domain.NoteRefund
	}
	return notes
}
