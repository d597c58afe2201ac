package domain

// Flag is the finding on one order. Every order has exactly one (guide:
// verdict 4).
type Flag uint8

// The flags in the order in which summaries list them.
const (
	Missing Flag = iota
	ShortPaid
	Overdue
	RTOAnomaly
	MinorDiff
	Overpaid
	Reconciled
	AwaitingNextCycle
	flagCount
)

var flagNames = [flagCount]string{
	Missing:           "MISSING",
	ShortPaid:         "SHORT_PAID",
	Overdue:           "OVERDUE",
	RTOAnomaly:        "RTO_ANOMALY",
	MinorDiff:         "MINOR_DIFF",
	Overpaid:          "OVERPAID",
	Reconciled:        "RECONCILED",
	AwaitingNextCycle: "AWAITING_NEXT_CYCLE",
}

func (f Flag) String() string { return flagNames[f] }

// Flags lists every flag in the order in which summaries list them.
func Flags() []Flag {
	all := make([]Flag, flagCount)
	for i := range all {
		all[i] = Flag(i)
	}
	return all
}

// IsFlagged says whether somebody has to look at the order. Nobody has to if it is
// RECONCILED, or if it is AWAITING_NEXT_CYCLE: then its money may still come in time.
func (f Flag) IsFlagged() bool { return f != Reconciled && f != AwaitingNextCycle }

// FlagCounts is the number of orders with each flag.
type FlagCounts [flagCount]int

// Flagged is the number of flagged orders.
func (c FlagCounts) Flagged() int {
	n := 0
	for f, k := range c {
		if Flag(f).IsFlagged() {
			n += k
		}
	}
	return n
}
