package domain

import "slices"

// Include says what an answer has beyond the contract's fields (guide: verdict 8).
type Include uint8

// What may be included.
const (
	IncludePayouts   Include = 1 << iota // control totals of reports, and payouts
	IncludeUnclaimed                     // the unclaimed lines
	IncludeOrders                        // more about each order
	IncludeLines                         // the courier's lines of each order
	IncludeOpenItems                     // open items and what has moved since the run before
)

// Inclusions lists the names of what may be included, in the order of the constants.
func Inclusions() []string { return []string{"payouts", "unclaimed", "orders", "lines", "open_items"} }

// ParseInclude reads names of Inclusions. It returns the first that is none of them.
func ParseInclude(names []string) (all Include, unknown string) {
	known := Inclusions()
	for _, name := range names {
		at := slices.Index(known, name)
		if at < 0 {
			return all, name
		}
		all |= 1 << at
	}
	return all, ""
}

// Has says whether all of others are included.
func (i Include) Has(others Include) bool { return i&others == others }
