package domain

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// exactDigits is up to how many digits Excel shows a number as it is; of a longer
	// one it shows 1.49E+13, and saves that.
	exactDigits = 10
	// longestLiteral is how many characters a text in a formula may have in Excel.
	longestLiteral = 255
)

// SpreadsheetID returns an id for a CSV file in a form that a spreadsheet leaves as it
// is. What Excel would take for a number, a date or a truth value is written ="…", which
// it shows as the text between the quotation marks; Unwrap removes it.
func SpreadsheetID(id []byte) string {
	if keepsAsIs(id) || len(id) > longestLiteral || bytes.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == '"' }) {
		return SpreadsheetText(string(id))
	}
	return `="` + string(id) + `"`
}

// SpreadsheetMark is SpreadsheetID for tables that programs read more often than people: an apostrophe in front, which people
// see, is read faster than a formula.
func SpreadsheetMark(id []byte) string {
	if keepsAsIs(id) {
		return SpreadsheetText(string(id))
	}
	return "'" + string(id)
}

// keepsAsIs says whether a spreadsheet shows an id as it is: a number of few digits, or a
// text that does not begin like a number or a date. It is also true of a formula, which
// SpreadsheetText takes care of.
func keepsAsIs(id []byte) bool {
	switch {
	case len(id) == 0 || isFormula(string(id)):
		return true
	case '0' <= id[0] && id[0] <= '9':
		return len(id) <= exactDigits && (id[0] != '0' || len(id) == 1) && len(bytes.Trim(id, "0123456789")) == 0
	case id[0] == '.' || id[0] == '(' || id[0] == '$' || bytes.HasPrefix(id, []byte("₹")) || bytes.HasPrefix(id, []byte("Rs")):
		return false
	}
	start := strings.ToLower(string(id[:min(len(id), len("jan"))]))
	switch start {
	case "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "tru", "fal":
		return false
	}
	return true
}

// ByteOrderMark has Excel read a CSV file that begins with it as UTF-8.
const ByteOrderMark = "\ufeff"

// SpreadsheetText returns a text for a CSV file in a form that no spreadsheet runs as a
// formula: an apostrophe in front makes it text.
func SpreadsheetText(s string) string {
	if isFormula(s) {
		return "'" + s
	}
	return s
}

// isFormula says whether a spreadsheet may run a text as a formula. Some spreadsheets
// accept full-width signs too.
func isFormula(s string) bool {
	start, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	return strings.ContainsRune("=+-@＝＋－＠", start) || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r")
}
