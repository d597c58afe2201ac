package domain

import "unicode"

// Bounds and defaults of what a request may ask (contract, sections 2.1 and 8).
const (
	DefaultOverdueDays = 7 // days
	MinOverdueDays     = 1
	MaxOverdueDays     = 30
	DefaultMinorGap    = 2 // rupees
	MinMinorGap        = 0
	MaxMinorGap        = 10
)

// DefaultBrand labels a run whose request names no brand.
const DefaultBrand = "default"

// MaxLabel is how many characters brand and courierName may have.
const MaxLabel = 100

// GoodLabel says that a brand or courierName is one that a history page can
// show.
func GoodLabel(s string) bool {
	n := 0
	for _, r := range s {
		if n++; n > MaxLabel || unicode.IsControl(r) {
			return false
		}
	}
	return true
}

// GoodOverdueDays says that a window may be of this many days.
func GoodOverdueDays(days int) bool { return MinOverdueDays <= days && days <= MaxOverdueDays }

// GoodMinorGap says that a shortfall of this many rupees may be tolerated.
func GoodMinorGap(rupees int) bool { return MinMinorGap <= rupees && rupees <= MaxMinorGap }

// CheckTerms is what is wrong with the terms that a request names; nil stands for
// those that it leaves.
func CheckTerms(overdueDays, minorGap *int) (faults Faults) {
	faults.Add(overdueDays != nil && !GoodOverdueDays(*overdueDays), OutOfBounds(FieldOverdueDays))
	faults.Add(minorGap != nil && !GoodMinorGap(*minorGap), OutOfBounds(FieldMinorGap))
	return faults
}
