package domain

// Reason is why an order bears its flag: everything that its sentence is made
// of, as values. The words are elsewhere, one catalogue per language. Texts in
// it are cells of the two files, as they stand there, and good for as long as
// the files' memory is.
type Reason struct {
	Flag      Flag
	Cause     Cause
	Notes     Notes
	Due       Paise
	Remitted  Paise
	Collected Paise // at the door, as the courier's file says it; see NoteCollected
	Shortfall Paise
	MinorGap  Paise // tolerated shortfall

	RemittedOn  Day // the latest on which money moved; NoDay: not told
	DueBy       Day // the last day of the window; NoDay: nothing dates the order
	AsOf        Day // batch_as_of
	DataThrough Day // how far the courier's file reaches; NoDay: it has no dates
	DaysOverdue int // as in the result; at least 1 on OVERDUE and MISSING, even where AsOf is not past DueBy

	Method         []byte // payment method, of an order with CausePrepaid or NotePrepaidCollected; blank: not told
	CourierStatus  []byte // shipment status where the courier lists an unpaid order, or of CauseNeverLeft; blank: none
	MoneyStatus    []byte // remittance status of the same; blank: none
	Other          []byte // the name of the order that CauseListedByOther, NoteHeldByOther, NoteContradiction or NoteNamedOnOther speaks of; blank: not told
	Parcels        int    // AWBs among the order's lines
	ReturnedParcel int    // of them, those that came back
	ReturnedAmount Paise  // of NoteReturnedDeducted
	TakenBack      Paise  // of NoteRefund, above 0
	Repeats        int    // lines of NoteRepeats and NoteRepeatsCounted
	HintID         []byte // of the line of NoteHint: the AWB, or the order id, that looks like the order's
	HintAmount     Paise  // of it: the amount that is due
}

// Quotes says that a sentence may repeat what the two files say.
func (r *Reason) Quotes() bool {
	return len(r.Method)+len(r.CourierStatus)+len(r.MoneyStatus)+len(r.Other)+len(r.HintID) > 0
}

// Cause is what a flag hangs on, where the flag alone does not say it.
type Cause uint8

// The causes.
const (
	CauseNone Cause = iota

	// Why nothing is due.

	CausePrepaid
	CauseCancelled          // no line of the courier's
	CauseRestocked          // no line of the courier's
	CauseNeverLeft          // cancelled or restocked, and the courier says that the parcel never left
	CauseNotShipped         // and its window is over
	CauseReturned           // nothing collected
	CauseNothingOutstanding // part-paid, and the balance is 0
	CauseTotalZero
	CauseNoAmount       // in neither file
	CauseReturnedAmount // what the returned parcels were to collect is all that was due

	// How we know that cash was collected for a returned parcel.

	CauseCourierCollected // the courier lists it as collected
	CauseMarkedPaid       // the storefront says paid

	// Why an unpaid order is OVERDUE.

	CauseListed        // the courier lists it
	CauseNotCovered    // no line lists it, and the file does not cover its window
	CauseOutsideReport // no line lists it, and few of its neighbours are listed: an earlier or later report may
	CauseMayBeRounded  // no line lists it, and an unclaimed line with a rounded AWB could be its own
	CauseListedByOther // a line bears its AWB, and another order has that line: see Other
)

// Notes are what else the verdict hangs on; a sentence has a part for each.
type Notes uint32

// The notes.
const (
	NoteCollected        Notes = 1 << iota // ₹ collected and ₹ remitted differ
	NoteReturnedParcel                     // some parcels of several came back: see Parcels, ReturnedParcel
	NoteReturnedDeducted                   // what they were to collect is not due: see ReturnedAmount
	NoteRefund                             // the courier took money back: see TakenBack
	NoteRepeats                            // lines that the report lists again count once: see Repeats
	NoteRepeatsCounted                     // lines alike, told by their order id alone, count each: see Repeats
	NoteOwnAWBRounded                      // the storefront's AWB was rounded, and could find no line
	NoteLineAWBRounded                     // the AWB on the courier's line was rounded; it was matched by order id
	NotePrepaidCollected                   // a prepaid order on which the courier collected cash: see Method
	NoteContradiction                      // the line's order id names another order; the AWB decides: see Other
	NoteHeldByOther                        // a line with its AWB belongs to another order: see Other
	NoteSharedSum                          // orders that share a line are paid exactly what they owe together
	NoteNamesake                           // two orders have this name
	NoteNamedOnOther                       // a line that names the order belongs to another one by its AWB: see Other
	NoteHint                               // one unclaimed line looks like the order's: see HintID, HintAmount
)

// Has says that all of some notes are among these.
func (n Notes) Has(some Notes) bool { return n&some == some }
