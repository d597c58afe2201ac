package domain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds and defaults of the terms of a request.
const (
	DefaultOverdueDays = 7 // days
	MinOverdueDays     = 1
	MaxOverdueDays     = 30
	DefaultMinorGap    = 2 // rupees
	MinMinorGap        = 0
	MaxMinorGap        = 10
)

// DefaultBrand is the brand of a run whose request names none.
const DefaultBrand = "default"

// CourierSeparator joins the ids under which a run of several couriers is stored. No id
// has it, so the audit history can find each by itself (guide: verdict 7).
const CourierSeparator = "+"

// JoinCouriers returns ids of couriers as a run of all of them is stored: each once, sorted,
// and joined by CourierSeparator.
func JoinCouriers(ids []string) string {
	sorted := slices.Sorted(slices.Values(ids))
	return strings.Join(slices.Compact(sorted), CourierSeparator)
}

// SplitCouriers returns the ids that JoinCouriers has joined; none of a blank text.
func SplitCouriers(joined string) []string { return splitJoined(joined, CourierSeparator) }

func splitJoined(joined, separator string) []string {
	if joined == "" {
		return nil
	}
	return strings.Split(joined, separator)
}

// MaxLabel is how many characters brand and courierName may have.
const MaxLabel = 100

// GoodLabel says whether a text can be a brand or courierName: at most MaxLabel
// characters and no control characters, so that a history page can show it as it is.
func GoodLabel(s string) bool { return isLine(s, MaxLabel) }

// isLine says whether a text has this many characters at most, and no control character.
func isLine(s string, most int) bool {
	n := 0
	for _, r := range s {
		if n++; n > most || IsControl(r) {
			return false
		}
	}
	return true
}

// IsControl says whether a character has no form of its own: a control character, or one that turns the order in which the text
// around it is shown, so that a name looks like another one.
func IsControl(r rune) bool {
	return unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// IsStorable says whether a text can be an id or a label that is stored. Databases refuse
// some of the other texts.
func IsStorable(s string) bool {
	return utf8.RuneCountInString(s) <= MaxLabel && !strings.ContainsFunc(s, unicode.IsControl) && utf8.ValidString(s)
}

// goodOverdueDays says whether a window may have this many days.
func goodOverdueDays(days int) bool { return MinOverdueDays <= days && days <= MaxOverdueDays }

// goodMinorGap says whether a request may tolerate a shortfall of this many rupees.
func goodMinorGap(rupees int) bool { return MinMinorGap <= rupees && rupees <= MaxMinorGap }

// Charges says what the charges are that explain a line of a report (guide: verdict 4). Blank
// stands for none of the two: somebody else chooses.
type Charges string

// What charges may be.
const (
	FlagCharges   Charges = "flag"   // money that was not remitted
	AcceptCharges Charges = "accept" // paid
)

// WrongCharges is the fault of charges that are none of these.
func WrongCharges() Fault {
	return Fault{Field: FieldCharges, Rule: RuleOneOf, Options: []string{string(AcceptCharges), string(FlagCharges)}}
}

// CheckTerms returns the faults of the terms of a request. nil and blank stand for a term that
// the request does not set.
func CheckTerms(overdueDays, minorGap *int, charges Charges) (faults Faults) {
	faults.Add(overdueDays != nil && !goodOverdueDays(*overdueDays), OutOfBounds(FieldOverdueDays))
	faults.Add(minorGap != nil && !goodMinorGap(*minorGap), OutOfBounds(FieldMinorGap))
	faults.Add(charges != "" && charges != FlagCharges && charges != AcceptCharges, WrongCharges())
	return faults
}
