package reading

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Amount is a cell of money: paise, and whether the cell states an amount at all.
type Amount struct {
	Paise  int64
	Stated bool
}

// Rupees is a stated amount in whole rupees.
func Rupees(rupees int64) Amount { return Amount{Paise: rupees * 100, Stated: true} }

// day gives the number of an ISO day.
func day(iso string) int {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		panic("not an ISO day: " + iso)
	}
	return int(t.Unix() / (24 * 60 * 60))
}

// later gives the later of two ISO days, either of which may be blank.
func later(a, b string) string { return max(a, b) }

// clean takes from an id what spreadsheets put around it, and blanks cells that
// are separators.
func clean(cell string) string {
	cell = strings.TrimSpace(strings.ReplaceAll(cell, "\u00a0", " "))
	if strings.Trim(cell, "-=_*.") == "" {
		return ""
	}
	if inner, wrapped := strings.CutPrefix(cell, `="`); wrapped {
		cell = strings.TrimSuffix(inner, `"`)
	}
	cell = strings.TrimPrefix(cell, "'")
	return strings.TrimSpace(cell)
}

// orderKey is what order ids are compared by.
func orderKey(cell string) string {
	return number(strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(clean(cell), "#"), ".0")), shownOrderID)
}

// The numbers that a spreadsheet shows with decimals of 0, or with commas between thousands or lakhs. Short AWBs may be a list.
var (
	shownOrderID = regexp.MustCompile(`^([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+|[1-9][0-9]?(,[0-9]{2})*,[0-9]{3})(\.00?)?$`)
	shownAWB     = regexp.MustCompile(`^([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3}){2,}|[1-9][0-9]?(,[0-9]{2})+,[0-9]{3})(\.00?)?$`)
)

// number gives the digits of a cell that shows a number in such a form, and other cells as they are.
func number(cell string, form *regexp.Regexp) string {
	if !form.MatchString(cell) {
		return cell
	}
	whole, _, _ := strings.Cut(cell, ".")
	return strings.ReplaceAll(whole, ",", "")
}

// awbText is an AWB: cleaned, without the leading zeros that spreadsheets drop, and
// restored where a spreadsheet wrote it with all its digits as a power of ten.
func awbText(cell string) string {
	text := number(strings.TrimSuffix(clean(cell), ".0"), shownAWB)
	digits, length, power := powerOfTen(text)
	if power && len(digits) == length {
		return digits
	}
	if isNumber(text) {
		return strings.TrimLeft(text, "0")
	}
	return text
}

var power = regexp.MustCompile(`^([0-9])(?:\.([0-9]+))?[eE]\+?([0-9]+)$`)

// powerOfTen gives the digits and the true length of a number such as 1.90408E+12.
func powerOfTen(text string) (digits string, length int, is bool) {
	parts := power.FindStringSubmatch(text)
	if parts == nil {
		return "", 0, false
	}
	exponent, err := strconv.Atoi(parts[3])
	if err != nil {
		return "", 0, false
	}
	return parts[1] + parts[2], exponent + 1, true
}

// couldBeRounded reports whether an AWB has 11 digits or more and ends in five
// zeros or more, so that a spreadsheet may have rounded it.
func couldBeRounded(awb string) bool {
	return len(awb) >= 11 && isNumber(awb) && strings.HasSuffix(awb, "00000")
}

// leading gives the digits of a rounded AWB that can be trusted, and its length.
func leading(awb string) (digits string, length int) {
	if digits, length, is := powerOfTen(awb); is {
		return digits, length
	}
	return strings.TrimRight(awb, "0"), len(awb)
}

// hasTotal reports whether a cell has the word total.
func hasTotal(cell string) bool { return holds(split(cell), "total", "कुल") }

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// increment adds one to a number of digits.
func increment(digits string) string {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(n+1, 10)
}
