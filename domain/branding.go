package domain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Branding is how documents are marked as an account's own (white label).
type Branding struct {
	Name   string
	Logo   []byte // PNG, re-encoded by us; nil: none
	Colour Colour
	Footer string // one line
}

// IsEmpty says that a branding has nothing.
func (b Branding) IsEmpty() bool {
	return b.Name == "" && len(b.Logo) == 0 && b.Colour == Colour{} && b.Footer == ""
}

// MaxFooter is how many characters the footer of a branding may have.
const MaxFooter = 200

// The limits of a logo.
const (
	MaxLogoBytes  = 256 << 10
	MaxLogoPixels = 4_000_000
)

// CheckBranding returns the faults of a branding's name and footer. A logo is checked as it
// is decoded.
func CheckBranding(b Branding) (faults Faults) {
	faults.Add(!GoodLabel(b.Name), Fault{Field: FieldBrandingName, Rule: RuleLabel, Max: MaxLabel})
	faults.Add(utf8.RuneCountInString(b.Footer) > MaxFooter || strings.ContainsFunc(b.Footer, breaksLine),
		Fault{Field: FieldBrandingFooter, Rule: RuleLine, Max: MaxFooter})
	return faults
}

// breaksLine says whether a character ends a line or is another control character.
func breaksLine(r rune) bool { return IsControl(r) || r == '\u2028' || r == '\u2029' }

// Colour is red, green and blue. The zero Colour stands for Milaan's own.
type Colour [3]uint8

// String writes the colour as #1A4F8B.
func (c Colour) String() string { return fmt.Sprintf("#%02X%02X%02X", c[0], c[1], c[2]) }

// ParseColour reads a colour such as #1A4F8B. The fault has no rule if nothing is wrong with
// it: it must be dark enough to be read on white paper. Black, which would be the zero
// Colour, becomes the next lighter colour.
func ParseColour(s string) (c Colour, fault Fault) {
	fault.Field = FieldBrandingColour
	digits, found := strings.CutPrefix(strings.TrimSpace(s), "#")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !found || err != nil || len(digits) != len("1A4F8B") {
		fault.Rule = RuleColour
		return Colour{}, fault
	}
	c = Colour{uint8(n >> 16), uint8(n >> 8), uint8(n)}
	if !c.isDark() {
		fault.Rule, fault.Value = RuleContrast, c.String()
		return Colour{}, fault
	}
	if c == (Colour{}) {
		c = Colour{1, 1, 1}
	}
	return c, fault
}

// isDark says whether the contrast with white is at least 4.5 to 1 (WCAG 2, success criterion
// 1.4.3): the luminance is at most 1.05/4.5 - 0.05. Luminances are counted in units of 1/one.
func (c Colour) isDark() bool {
	luminance := (2126*linear(c[0]) + 7152*linear(c[1]) + 722*linear(c[2])) / 10_000
	return luminance <= (one+one/20)*10/45-one/20
}

// one stands for 1 in linear and isDark.
const one = 1 << 30

// linear returns how much light a component of sRGB stands for, from 0 to one: for dark ones
// c/12.92, or else ((c+0.055)/1.055) to the power of 2.4, where c is 1 at most. It uses whole
// numbers, because this package has no floats.
func linear(component uint8) uint64 {
	c := uint64(component)
	if c <= 10 {
		return c * one * 100 / (255 * 1292)
	}
	x := (c*1000 + 14_025) * one / 269_025
	square := x * x / one
	return square * fifthRoot(square) / one
}

// fifthRoot returns the greatest number whose fifth power is at most x, in units of 1/one.
func fifthRoot(x uint64) uint64 {
	low, high := uint64(0), uint64(one)
	for low < high {
		mid := (low + high + 1) / 2
		square := mid * mid / one
		if square*square/one*mid/one <= x {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// Format is the format of a document.
type Format string

// The formats.
const (
	FormatXLSX    Format = "xlsx"    // one workbook
	FormatCSV     Format = "csv"     // a file for each sheet of the workbook
	FormatPDF     Format = "pdf"     // one report for people
	FormatDispute Format = "dispute" // for each courier a workbook and a covering letter
	FormatTally   Format = "tally"   // vouchers for TallyPrime
	FormatJournal Format = "journal" // vouchers as a CSV file, for Zoho Books and QuickBooks
)

// Formats lists the formats.
func Formats() []Format {
	return []Format{FormatXLSX, FormatCSV, FormatPDF, FormatDispute, FormatTally, FormatJournal}
}
