package domain

import "cmp"

// OffsetSource says who decided how many days the remittance window has.
type OffsetSource string

// The sources of the contract. A window that the request sets counts
// as explicit too (guide: verdict 4).
const (
	OffsetExplicit OffsetSource = "explicit"
	OffsetDefault  OffsetSource = "default"
)

// Terms are the rules of one run: how long a courier may keep the money, and which
// shortfall is too small to dispute.
type Terms struct {
	OffsetDays   int // length of the remittance window in days
	OffsetSource OffsetSource
	MinorGap     Paise // the largest shortfall that is MINOR_DIFF; 0: no order is MINOR_DIFF

	AcceptCharges bool // charges that explain a line count as paid
}

// TermsFor chooses the terms of a run: the value of the request if it has one, else
// that of the account, or else the default. nil, 0 and blank mean that no value is given.
// minorGap is in rupees, and of charges the first that are given count.
func TermsFor(overdueDays *int, accountDays int, minorGap *int, charges ...Charges) Terms {
	t := Terms{OffsetDays: DefaultOverdueDays, OffsetSource: OffsetDefault, MinorGap: DefaultMinorGap * Rupee,
		AcceptCharges: cmp.Or(charges...) == AcceptCharges}
	switch {
	case overdueDays != nil:
		t.OffsetDays, t.OffsetSource = *overdueDays, OffsetExplicit
	case accountDays != 0:
		t.OffsetDays, t.OffsetSource = accountDays, OffsetExplicit
	}
	if minorGap != nil {
		t.MinorGap = Paise(*minorGap) * Rupee
	}
	return t
}

// Guidance tells the caller how far the reports reach. It is the
// contract's cycle_guidance.
type Guidance struct {
	OffsetDays       int
	OffsetSource     OffsetSource
	BatchAsOf        Day // the latest order date of the export
	CoverageComplete bool
	// the latest date of the courier's reports, of several couriers the earliest such date; NoDay: those of one courier have no dates
	DataThrough            Day
	GuaranteedCoverageDays int
	AwaitingNextCycle      int // orders whose money may still come

	// Behind is the courier because of which DataThrough is no later, if the run has the
	// reports of several couriers.
	Behind Behind
}

// Behind is the courier whose reports end first of all, or have no dates.
type Behind struct {
	Report  int    // its report that reaches furthest, from 1; 0: all reports are of one courier, or no report has come of some courier
	Courier string // id; blank: not known
}
