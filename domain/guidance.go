package domain

// minCoverageDays is how far the courier's file must at least reach past the
// last order (contract, section 8).
const minCoverageDays = 14

// OffsetSource says where the days of a remittance window came from.
type OffsetSource string

// The sources of the contract (section 2.4). A request's own threshold is
// explicit as well (decisions, section 4).
const (
	OffsetExplicit OffsetSource = "explicit"
	OffsetDefault  OffsetSource = "default"
)

// Terms are the rules of one run: how long a courier may keep the money, and
// which gap is too small to dispute.
type Terms struct {
	OffsetDays   int // days of the remittance window
	OffsetSource OffsetSource
	MinorGap     Paise // inclusive; 0 switches MINOR_DIFF off
}

// TermsFor settles the terms of a run: the request's figures first, then the
// account's, then Milaan's. nil and 0 stand for "not given".
func TermsFor(overdueDays *int, accountDays int, minorGap *int) Terms {
	t := Terms{OffsetDays: DefaultOverdueDays, OffsetSource: OffsetDefault, MinorGap: DefaultMinorGap * Rupee}
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

// Guidance tells the caller how far the courier's file reaches: the contract's
// cycle_guidance (section 2.4).
type Guidance struct {
	OffsetDays             int
	OffsetSource           OffsetSource
	BatchAsOf              Day // the latest order date of the export
	CoverageComplete       bool
	DataThrough            Day // the latest date in the courier file; NoDay if it has none
	GuaranteedCoverageDays int
	AwaitingNextCycle      int // orders that still wait
}

// guide works out the guidance of a run, but for the orders that wait, which
// only the decisions can count.
func guide(t Terms, asOf, through Day) Guidance {
	g := Guidance{OffsetDays: t.OffsetDays, OffsetSource: t.OffsetSource, BatchAsOf: asOf, DataThrough: through,
		GuaranteedCoverageDays: max(minCoverageDays, t.OffsetDays)}
	g.CoverageComplete = through != NoDay && through >= asOf+Day(g.GuaranteedCoverageDays)
	return g
}
