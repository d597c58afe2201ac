package sheet

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// format is what a number is by its number format.
type format uint8

// The formats.
const (
	plainNumber  format = iota
	dateNumber          // days since the workbook's epoch, with the time of day as the fraction
	timeNumber          // the same, shown without its day
	spanNumber          // hours, minutes and seconds that may be more than a day
	paddedNumber        // shown with zeros before it; the number of digits is added to this
)

// builtIn is the format that the file format itself gives a number, for those that a file
// need not describe. Some of 27 to 36 and 50 to 58 differ from country to country: all
// are dates or times of day.
func builtIn(id int) format {
	switch {
	case id >= 14 && id <= 17, id == 22, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return dateNumber
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id == 55, id == 56:
		return timeNumber
	case id == 46:
		return spanNumber
	}
	return plainNumber
}

// formatOf reads a number format such as `[$-409]dd\-mmm\-yyyy;@`. Only the part for positive
// numbers counts, without what is quoted, escaped or in brackets. The format is that of a date
// or a time if one of the letters d, m, y, h and s is there, and no place for a digit but those
// of a second's fraction. A format of nothing but zeros shows at least as many digits as it has
// zeros, as for an AWB.
func formatOf(code string) format {
	if shown, _, _ := strings.Cut(code, ";"); 1 < len(shown) && len(shown) <= mostDigits && strings.Trim(shown, "0") == "" {
		return paddedNumber + format(len(shown))
	}
	var day, month, hours, span bool
	fraction := false // of a second, whose zeros are no digits of a number
	for i := 0; i < len(code); i++ {
		c := code[i]
		switch c {
		case '"':
			for i++; i < len(code) && code[i] != '"'; i++ {
			}
			continue
		case '\\', '_', '*':
			i++
			continue
		case '[':
			end := bytes.IndexByte([]byte(code[i:min(len(code), i+80)]), ']')
			if end < 0 {
				return plainNumber
			}
			if isSpan(code[i+1 : i+end]) {
				span, fraction = true, true
			}
			i += end
			continue
		case ';':
			i = len(code)
			continue
		case '#', '?':
			return plainNumber
		case '0':
			if !fraction {
				return plainNumber
			}
			continue
		case '.', ',':
			continue
		}
		switch c | 0x20 {
		case 'd', 'y':
			day = true
		case 'm':
			month = true
		case 'h':
			hours = true
		case 's':
			hours, fraction = true, true
			continue
		}
		fraction = false
	}
	switch {
	case day:
		return dateNumber
	case span:
		return spanNumber
	case hours:
		return timeNumber
	case month:
		return dateNumber
	}
	return plainNumber
}

// isSpan says that brackets hold nothing but h, m or s: the hours of a span that may have
// more than 24.
func isSpan(inner string) bool {
	for i := range len(inner) {
		if c := inner[i] | 0x20; c != 'h' && c != 'm' && c != 's' {
			return false
		}
	}
	return inner != ""
}

// mostDigits is how many digits of a number all spreadsheet programs keep.
const mostDigits = 15

// isPlain says that a number is written as appendNumber writes it.
func isPlain(s []byte) bool {
	digits := s
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if n := len(digits); n == 0 || n > mostDigits {
		return false
	}
	point := -1
	for i, c := range digits {
		if c-'0' > 9 {
			if c != '.' || point >= 0 {
				return false
			}
			point = i
		}
	}
	whole := digits
	if point >= 0 {
		if whole = digits[:point]; digits[len(digits)-1]-'1' > 8 {
			return false // it ends in a 0 or in the point
		}
	}
	return len(whole) > 0 && (whole[0] != '0' || len(whole) == 1 && (point >= 0 || len(s) == 1))
}

func readNumber(s []byte) (float64, bool) {
	for _, c := range s {
		if c-'0' > 9 && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false // such as 0x1p-2, Inf and NaN, which ParseFloat reads
		}
	}
	f, err := strconv.ParseFloat(string(s), 64)
	return f, err == nil
}

// appendNumber appends a number with the fewest digits that are the same number, but 15
// at most, as spreadsheet programs show it: 0.1+0.2 is 0.3. One of 15 digits before the
// point has no exponent. One of more has lost digits, and has an exponent and fewer
// digits than that says, so that verdict.AWBKey knows that it names no parcel.
func appendNumber(dst []byte, f float64) []byte {
	switch size := math.Abs(f); {
	case size < 1e-20:
		return append(dst, '0')
	case size >= 1e15:
		return strconv.AppendFloat(dst, f, 'E', mostDigits-1, 64)
	}
	var room [40]byte
	shortest := strconv.AppendFloat(room[:0], math.Abs(f), 'e', -1, 64)
	if mantissa := bytes.IndexByte(shortest, 'e'); mantissa > mostDigits+len(".") {
		if rounded, err := strconv.ParseFloat(string(strconv.AppendFloat(room[:0], f, 'e', mostDigits-1, 64)), 64); err == nil {
			f = rounded
		}
	}
	if math.Abs(f) >= 1e15 {
		return strconv.AppendFloat(dst, f, 'E', mostDigits-1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

const (
	daySeconds = 24 * 60 * 60
	mostDays   = 2_958_465 // 9999-12-31 in the epoch of 1900
)

// appendDate appends a number by its format: a date as 2006-01-02, with its time as
// 2006-01-02 15:04:05 if that is not midnight, and a time alone as 15:04:05, which no
// column takes for a date. A number that is no date in any program is appended as such.
// from1904 says that days count from 1904-01-01.
func appendDate(dst []byte, f float64, is format, from1904 bool) []byte {
	if f < 0 || f > mostDays {
		return appendNumber(dst, f)
	}
	// The fraction of a second is cut, not rounded, so that no day is changed; but half a
	// millisecond belongs to the next second, because 10:00:00 seldom is a sum of halves.
	seconds := int64(math.Floor(f*daySeconds + 0.0005))
	day, second := seconds/daySeconds, seconds%daySeconds
	if is == spanNumber {
		return appendClock(dst, seconds)
	}
	if is == timeNumber && day == 0 {
		return appendClock(dst, second)
	}
	switch {
	case from1904:
		dst = appendDay(dst, 1904, 1+day)
	case day == 60:
		dst = append(dst, "1900-02-29"...) // a day that there was not, and that the epoch of 1900 counts
	case day > 60:
		dst = appendDay(dst, 1900, day-1)
	default:
		dst = appendDay(dst, 1900, day)
	}
	if second > 0 {
		dst = appendClock(append(dst, ' '), second)
	}
	return dst
}

func appendFormatted(dst []byte, f float64, is format, from1904 bool) []byte {
	switch {
	case is == plainNumber:
		return appendNumber(dst, f)
	case is > paddedNumber:
		var room [40]byte
		number := appendNumber(room[:0], f)
		if isDigits(number) {
			dst = appendRepeated(dst, '0', int(is-paddedNumber)-len(number))
		}
		return append(dst, number...)
	}
	return appendDate(dst, f, is, from1904)
}

func isDigits(s []byte) bool { return len(bytes.Trim(s, "0123456789")) == 0 }

// isPadded says that a cell shows a whole number with zeros before it.
func isPadded(shown, number []byte) bool {
	return len(shown) > len(number) && shown[0] == '0' && bytes.Equal(bytes.TrimLeft(shown, "0"), number) && isDigits(number)
}

// appendDay appends the day that is the nth of a year, or after it.
func appendDay(dst []byte, year int, n int64) []byte {
	return time.Date(year, time.January, int(n), 0, 0, 0, 0, time.UTC).AppendFormat(dst, time.DateOnly)
}

// appendClock appends the given number of seconds as 15:04:05.
func appendClock(dst []byte, seconds int64) []byte {
	if seconds < 10*60*60 {
		dst = append(dst, '0')
	}
	dst = strconv.AppendInt(dst, seconds/3600, 10)
	minute, second := seconds/60%60, seconds%60
	return append(dst, ':', byte('0'+minute/10), byte('0'+minute%10), ':', byte('0'+second/10), byte('0'+second%10))
}

// appendISODate appends a date that is written as 2006-01-02T15:04:05.000 in the form of
// appendDate; other texts as they are.
func appendISODate(dst, s []byte) []byte {
	const day = len("2006-01-02")
	text := s
	if dot := bytes.IndexByte(s, '.'); dot > day {
		if zeros := bytes.TrimLeft(s[dot+1:], "0123456789"); len(zeros) == 0 {
			text = s[:dot]
		}
	}
	if len(text) == len("2006-01-02T15:04") {
		text = append(text[:len(text):len(text)], ":00"...)
	}
	if len(text) != len("2006-01-02T15:04:05") || text[day] != 'T' || text[4] != '-' || text[13] != ':' {
		return append(dst, s...)
	}
	dst = append(dst, text[:day]...)
	if clock := text[day+1:]; string(clock) != "00:00:00" {
		dst = append(append(dst, ' '), clock...)
	}
	return dst
}
