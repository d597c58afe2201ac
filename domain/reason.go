package domain

// Reason is why an order has its flag: all values of which the sentence is made.
// The catalogue of each language in adapters/wording has the words. The texts in it
// are cells of the two files as they stand there, and are valid as long as the
// memory of the files is.
type Reason struct {
	Flag      Flag
	Cause     Cause
	Notes     Notes
	Due       Paise
	Remitted  Paise
	Shortfall Paise
	MinorGap  Paise // the largest shortfall that is tolerated

	RemittedOn  Day    // the latest day on which money was paid or taken back; NoDay: not known
	DueBy       Day    // the last day of the window; NoDay: the order has no date
	WindowDays  int    // length of the window
	CountedFrom Day    // the day from which the window is counted; NoDay: the order has no date
	CountedBy   Event  // what happened on that day
	AsOf        Day    // batch_as_of
	DataThrough Day    // how far the report reaches; NoDay: it has no dates
	Behind      Behind // of CauseNotCovered: the courier that reaches no further, if there are several
	Reports     int    // how many reports the run has
	// BehindIsOther says that the order's courier is known, and is not the one that reaches no further.
	BehindIsOther bool

	Gap            Gap    // of CausePayoutGap
	Carrier        []byte // of CauseOtherCourier: whoever carries the parcel, as the export says; blank: it does not say
	Method         []byte // payment method of an order with CausePrepaid, NotePrepaidCollected or NotePartPrepaid; blank: not known
	CourierStatus  []byte // shipment status of an unpaid order that the courier lists, of a returned one, or with CauseNeverLeft; blank: none
	MoneyStatus    []byte // remittance status of such an order; blank: none
	Other          []byte // name of the other order of NoteContradiction or NoteNamedOnOther; blank: none
	Parcels        int    // how many parcels the order's lines list
	ReturnedParcel int    // how many of these came back
	ReturnedAmount Paise  // the amount of NoteReturnedDeducted
	TakenBack      Paise  // the amount of NoteRefund, positive
	// of NoteCollected, CauseCourierCollected and NotePrepaidCollected: at most MostListings, the largest first; valid until the next call
	Listings       []Listing
	ListedLines    int            // how many lines list a COD amount
	Charges        []StatedCharge // of NoteCharges; valid until the next call
	Charged        Paise          // the sum of Charges
	Accepted       Paise          // charges that count as paid
	Unexplained    Paise          // what of Shortfall no charge explains
	Repeats        int            // the number of lines of NoteRepeats or NoteRepeatsCounted
	HintID         []byte         // the AWB or order id, on the line of NoteHint, that looks like the order's
	HintAmount     Paise          // the amount of that line, which is what is due
	PartlyRefunded bool           // of NoteRefunded: the refund is of a part
	RaisedOn       Day            // when it was disputed first, by the ledger's mark, of which the courier is reminded; NoDay: not said
	ForCourier     bool           // the courier reads the sentence, so it does not advise the shop
	Shared         Shared         // of NoteSharedAWB
	OwnAWB         []byte         // of NoteOtherAWB: the first one of the export
	UTR            []byte         // of NoteOneUTR
	Payments       int            // how many payments have it
	Beside         Beside         // of NoteBeside or NoteReplaced
	Refused        Beside         // of NoteRefused
	Idle           Beside         // of NoteIdle
	LineAWB        []byte         // of NoteOtherAWB: the first one of the order's lines
	Corrected      Corrected      // of NoteCorrected
	LedgerNamesake bool           // of NoteNamesake: the export has no more than one of these orders
	FoundOn        Day            // of CauseFoundMissing: batch_as_of of the run that flagged it first
	Advance        Paise          // of NoteAdvance
	Reversed       Reversed       // of NoteReversed
	Remembered     Paise          // of NoteRemembered: what is remitted on these lines; 0 too if that is not known
}

// Quotes says whether the sentence may repeat texts of the two files.
func (r *Reason) Quotes() bool {
	return len(r.Charges)+len(r.Carrier)+len(r.Method)+len(r.CourierStatus)+len(r.MoneyStatus)+len(r.Other)+len(r.HintID)+len(r.Shared.AWB)+
		len(r.OwnAWB)+len(r.UTR)+len(r.Reversed.Status)+len(r.Beside.AWB)+len(r.Refused.AWB)+len(r.Idle.AWB) > 0
}

// Shared is what a reason says of an AWB that the order shares with others. Of several
// such AWBs it is about the first of the export.
type Shared struct {
	AWB      []byte
	Others   []Sharer // at most MostNamed of the other orders; valid until the next call
	More     int      // how many other orders there are besides
	MoreAWBs int      // how many further AWBs the order shares
	Lines    int      // of the AWB, repeats aside
	Remitted Paise    // on these lines, on balance
	// what was taken back on them, as a positive amount
	TakenBack   Paise
	Part        Paise    // of Remitted, for this order
	DeliveredOn Day      // the latest day of delivery on these lines; NoDay: not known
	UTRs        [][]byte // under which money moved on these lines; empty: not known, or there are too many lines; valid until the next call
	Paid        bool     // money moved on this AWB, or on a further one that the order shares
}

// Corrected is what a reason says of lines that a later report corrects. It is about those of the
// first such report.
type Corrected struct {
	Report, By int // the report of the lines, and the one that lists their payout again; from 1
	Remitted   Paise
}

// Reversed is what a reason says of lines whose remittance status says that money went back or did not
// arrive. Nothing is taken off for them.
type Reversed struct {
	Status []byte // of the latest of them
	On     Day    // its remittance date; NoDay: it has none
	Amount Paise  // of what counts as remitted, as much as these lines list
}

// MostNamed is how many of the orders that share an AWB a reason names.
const MostNamed = 3

// Sharer is an order that shares an AWB, and what of that AWB's money counts for it.
type Sharer struct {
	Name     []byte
	Remitted Paise
}

// Beside is what a reason says of lines that name the order and have no AWB, or one that
// no order has.
type Beside struct {
	Lines    int
	Remitted Paise  // on the first of them
	AWB      []byte // of the first of them; blank: it has none that is reliable
}

// Listing is how many lines of an order list the same COD amount.
type Listing struct {
	Amount Paise // above 0
	Lines  int
}

// MostListings is how many different COD amounts a reason names.
const MostListings = 3

// Event is from what a window is counted.
type Event uint8

// The events: the first that is known counts (guide: verdict 4, window).
const (
	EventDelivery Event = iota
	EventDispatch
	EventOrder
)

// Gap is a span in which a payout of a regular series seems to be absent.
type Gap struct {
	After, Before Day    // the payouts around it; NoDay for After: it is before the first one
	Every         int    // the usual days between two payouts
	Courier       string // id of the courier that pays so; blank: not known
}

// Cause is what decided on the flag, if the flag alone does not say so.
type Cause uint8

// The causes.
const (
	CauseNone Cause = iota

	// Why nothing is due.

	CausePrepaid
	CauseCancelled          // and the courier has no line for it
	CauseRestocked          // and the courier has no line for it
	CauseNeverLeft          // cancelled or restocked, and the courier says that the parcel never left the shop
	CauseNotShipped         // and the window is over
	CauseReturned           // the parcel came back and nothing was collected
	CauseOnWayBack          // the parcel is on its way back, so nothing was collected
	CauseNothingOutstanding // part-paid, and the balance is 0
	CauseTotalZero
	CauseNoAmount       // in neither file
	CauseReturnedAmount // all that was due was to be collected for parcels that came back

	// How we know that cash was collected for a returned parcel.

	CauseCourierCollected // the courier lists it as collected
	CauseMarkedPaid       // the storefront says paid

	// Why an unpaid order is OVERDUE.

	CauseListed        // the courier lists it
	CauseNotCovered    // no line lists it, and the file does not reach far enough to cover its window
	CauseOutsideReport // no line lists it, and few of its neighbours are listed: an earlier or later report may list it
	CauseOtherCourier  // no line lists it, and none of its courier's orders is listed: another courier's report may list it; see Carrier
	CausePayoutGap     // no line lists it, and the payout that would list it seems to be absent: see Gap
	CauseMayBeRounded  // no line lists it, but an unclaimed line with a rounded AWB may be its own
	CauseListedByOther // a line names it, but belongs to another order of that name
	CauseLedgerAlone   // no line lists it, and only a ledger has it, so that it has no neighbours
	CauseWasNotShipped // the same, and it was not shipped when an export last had it

	// Why an unpaid order is MISSING, besides its window.

	CauseFoundMissing // an earlier run found it MISSING, and no line has listed it since: see FoundOn
)

// Notes are what else affects the finding. The sentence has a part for each.
type Notes uint32

// The notes.
const (
	NoteCollected        Notes = 1 << iota // what was collected differs from what was remitted, or from what is due: see Listings
	NoteReturnedParcel                     // some parcels of several came back: see Parcels, ReturnedParcel
	NoteReturnedDeducted                   // what was to be collected for them is not due: see ReturnedAmount
	NoteRefund                             // the courier took money back: see TakenBack
	NoteRepeats                            // lines that repeat another one count once: see Repeats
	// lines that repeat another one count each, because their order id alone tells what they are about: see Repeats
	NoteRepeatsCounted
	NoteOwnAWBRounded    // the storefront's AWB was rounded, so no line could be found by it
	NoteLineAWBRounded   // the AWB of the courier's line was rounded, so it was matched by order id
	NotePrepaidCollected // a prepaid order on which the courier collected cash: see Method
	NoteContradiction    // the line's order id names another order, but the AWB decides: see Other
	NoteSharedAWB        // other orders have its AWB too, and share what is remitted on it: see Shared
	NoteOtherAWB         // it was matched by order id, and its line has another AWB than the export: see OwnAWB, LineAWB
	NoteBeside           // lines without its AWB that name it count too: see Beside
	NoteReplaced         // the same, and one of them is of a parcel that replaces those before it
	NoteIdle             // lines that name it say nothing of its money, because nothing is remitted on them: see Idle
	NoteOneUTR           // all its payments have one UTR: see UTR, Payments
	NoteNamesake         // several orders have this name
	NoteNamedOnOther     // a line that names the order belongs, by its AWB, to another one: see Other
	NoteRefunded         // the storefront has refunded the order, whole or in part: see PartlyRefunded
	NoteAdvance          // a ledger says that a part of the total was not to be collected, and the export does not any more: see Advance
	NotePerhapsAdvance   // it is marked paid, and the courier has paid all that it lists: the shop may have been paid the rest before
	NoteCharges          // the report states charges for the order: see Charges, Unexplained
	NoteCorrected        // a later report corrects the payout in which lines of it are: see Corrected
	NoteRemembered       // lines that a ledger remembers are among the order's: see Remembered
	NoteReversed         // money counts as remitted, though a line says that it was reversed: see Reversed
	NotePartPrepaid      // by its method a part was prepaid, and no line says what was to be collected: see Method
	NoteRefused          // unclaimed lines name it, which would pay more than is due: see Refused
	NoteHint             // one unclaimed line looks like the order's own: see HintID, HintAmount
)

// Has says whether all of some notes are among these.
func (n Notes) Has(some Notes) bool { return n&some == some }

// StatedCharge is what reports say was deducted for an order under one name.
type StatedCharge struct {
	Name   string // of the column
	Amount Paise  // above 0
}

// Note adds notes if they apply.
func (r *Reason) Note(some Notes, apply bool) {
	if apply {
		r.Notes |= some
	}
}
