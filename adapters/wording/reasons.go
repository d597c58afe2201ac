package wording

import (
	"math/bits"

	"milaan/domain"
)

// phraseOf is which of the contract's phrases a reason begins with (section 2.3).
type phraseOf int

const (
	nothingDue phraseOf = iota
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

// figure is the part of a reason with its amounts and dates.
type figure int

const (
	nothing         figure = iota // due and remitted are ₹0, and no cause is told
	whole                         // all that is due
	tooMuch                       // more than is due
	undueMoney                    // the same, where nothing is due
	tooLittle                     // less than is due
	lessThanNothing               // more was taken back than remitted
	undueLoss                     // the same, where nothing is due
	kept                          // of a returned parcel
	expected                      // the window is open
	late                          // batch_as_of is past the window
	reachedPast                   // it is not, but the report reaches past the window
	covered                       // neither is, but the report covers the whole export
	undated                       // nothing dates the order, and the report covers the whole export
	dated                         // the window's end alone
	figureCount
)

// The tables of words are indexed by the domain's own values, notes by their bit.
const (
	causeCount = int(domain.CauseListedByOther) + 1
	noteCount  = 32
	flagCount  = int(domain.AwaitingNextCycle) + 1
)

// Which text of a MISSING order is used: where the figures tell already how far
// the report reaches, it is not said twice.
const (
	withReach = iota
	withoutReach
)

// sentence is a reason on its way: the contract's phrase, a colon, and parts.
type sentence struct {
	dst   []byte
	begun bool // there is a part
}

func (s *sentence) add(c *Catalogue, w wording, of values) {
	if w == nil {
		return
	}
	if s.begun {
		s.dst = append(s.dst, c.separator...)
	} else {
		s.dst, s.begun = append(s.dst, c.colon...), true
	}
	s.dst = c.append(s.dst, w, of)
}

// AppendReason fills ports.Wording: the contract's phrase, then the figures and
// the cause, a part for each note, and what to do (decisions, section 4). The hint
// is last.
func (c *Catalogue) AppendReason(dst []byte, r *domain.Reason) []byte {
	if r.Flag == domain.Reconciled && r.Notes == 0 && r.Due != 0 && c.settled.ready {
		return c.settled.append(dst, r)
	}
	return c.appendReason(dst, r)
}

func (c *Catalogue) appendReason(dst []byte, r *domain.Reason) []byte {
	of := (*reason)(r)
	phrase, figure := of.finding()
	cause := c.cause(r, of)
	s := sentence{dst: append(dst, c.phrases[phrase]...)}
	switch {
	case figure == nothing && cause != nil:
		s.add(c, cause, of)
	case (figure == undueMoney || figure == undueLoss) && cause != nil:
		s.add(c, c.figures[figure].choose(of), of)
		s.dst = append(s.dst, c.brackets[0]...)
		s.dst = append(c.append(s.dst, cause, of), c.brackets[1]...)
	default:
		s.add(c, c.figures[figure].choose(of), of)
		if r.Flag == domain.Missing {
			s.add(c, c.unlisted[reachToldBy(figure)].choose(of), of)
		}
		s.add(c, cause, of)
	}
	notes := r.Notes &^ of.toldAlready(figure)
	c.addNotes(&s, notes&^domain.NoteHint, of)
	if int(r.Flag) < flagCount {
		s.add(c, c.advice[r.Flag].choose(of), of)
	}
	c.addNotes(&s, notes&domain.NoteHint, of)
	return s.dst
}

func (c *Catalogue) addNotes(s *sentence, notes domain.Notes, of values) {
	for ; notes != 0; notes &= notes - 1 {
		s.add(c, c.notes[bits.TrailingZeros32(uint32(notes))].choose(of), of)
	}
}

// finding is which phrase and which figures a reason has.
func (r *reason) finding() (phraseOf, figure) {
	switch r.Flag {
	case domain.Reconciled:
		if r.Due == 0 && r.Remitted == 0 {
			return nothingDue, nothing
		}
		return fullyRemitted, whole
	case domain.Overpaid:
		if r.Due == 0 {
			return overpaid, undueMoney
		}
		return overpaid, tooMuch
	case domain.MinorDiff:
		return withinTolerance, r.short()
	case domain.ShortPaid:
		return shortfallDetected, r.short()
	case domain.RTOAnomaly:
		return returnedButCollected, kept
	case domain.AwaitingNextCycle:
		return awaiting, expected
	case domain.Missing:
		return notRemitted, r.lateness()
	}
	return notInWindow, r.lateness()
}

func (r *reason) short() figure {
	switch {
	case r.Remitted >= 0:
		return tooLittle
	case r.Due > 0:
		return lessThanNothing
	}
	return undueLoss
}

// lateness is how it is known that the money should have come. days_overdue alone
// does not tell: it is at least 1.
func (r *reason) lateness() figure {
	switch {
	case r.DueBy == domain.NoDay:
		return undated
	case r.AsOf > r.DueBy:
		return late
	case r.Cause == domain.CauseNotCovered:
		return dated // the cause tells how far the report reaches
	case r.DataThrough > r.DueBy:
		return reachedPast
	}
	return covered
}

// reachToldBy says which text of a MISSING order goes with figures.
func reachToldBy(f figure) int {
	if f == late {
		return withReach
	}
	return withoutReach
}

// cause is the part that says what the verdict hangs on; nil if there is nothing
// to say, or where the flag has no use for the cause.
func (c *Catalogue) cause(r *domain.Reason, of *reason) wording {
	cause := r.Cause
	switch {
	case r.Due == 0 && r.Flag != domain.Missing && r.Flag != domain.Overdue && r.Flag != domain.AwaitingNextCycle:
	case r.Flag == domain.RTOAnomaly, r.Flag == domain.Overdue:
	case r.Flag != domain.AwaitingNextCycle && r.Flag != domain.Missing:
		return nil // paid, whole or in part
	case cause == domain.CauseNone && (of.told(status) || of.told(moneyStatus)):
		cause = domain.CauseListed
	}
	if int(cause) >= causeCount {
		return nil
	}
	return c.causes[cause].choose(of)
}

// toldAlready are the notes that the figures or the cause have told.
func (r *reason) toldAlready(f figure) (told domain.Notes) {
	if r.Flag == domain.RTOAnomaly && r.Cause == domain.CauseCourierCollected || r.Notes.Has(domain.NotePrepaidCollected) {
		told |= domain.NoteCollected
	}
	if r.Cause == domain.CauseReturnedAmount {
		told |= domain.NoteReturnedDeducted
	}
	if r.Cause == domain.CauseListedByOther {
		told |= domain.NoteHeldByOther
	}
	if (f == lessThanNothing || f == undueLoss) && r.TakenBack == -r.Remitted {
		told |= domain.NoteRefund
	}
	return told
}
