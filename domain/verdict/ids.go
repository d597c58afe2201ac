package verdict

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"milaan/domain"
)

// OrderKey reduces an order id to the form in which two files are compared. It
// removes blanks and a text wrapper around the id, one leading #, a trailing .0,
// no-break spaces anywhere, and from a whole number what a spreadsheet shows beside
// its digits (guide: verdict 1). It does not change the case of letters: sameKey
// compares without regard to it. A cell without an id, such as a separator or the
// "Grand Total :" of a footer, gives an empty key.
func OrderKey(cell []byte) []byte {
	s := cell
	if len(s) > 1 && s[0] == '#' {
		s = s[1:]
	}
	if len(s) > 0 && isDigit(s[0]) && plainToken(s) {
		return s // nearly every cell
	}
	if s = idText(cell); len(s) > 0 && s[0] == '#' {
		s = s[1:]
	}
	return wholeNumber(unwrapped(cutPointZero(unwrapped(s))), groupsOfOrderID)
}

// AWBKey reduces a tracking number in the same way, except that it keeps a #, and drops
// leading zeros of digits, which spreadsheets drop as well: zeros alone are no AWB. A
// number that a spreadsheet wrote with an exponent and all its digits
// (1.904076086893E+12) is restored. reliable is false for a number that has lost
// digits (1.90408E+12): it names no parcel.
func AWBKey(cell []byte) (key []byte, reliable bool) {
	if isPlainAWB(cell) {
		return cell, true // nearly every cell
	}
	s := wholeNumber(unwrapped(cutPointZero(idText(cell))), groupsOfAWB)
	reliable = true
	if bytes.IndexByte(s, '+') >= 0 || bytes.IndexByte(s, '.') >= 0 {
		s, reliable = restoreExponent(s)
	}
	if len(s) > 0 && s[0] == '0' && isNumber(s) {
		s = bytes.TrimLeft(s, "0")
	}
	return s, reliable
}

// isPlainAWB says whether a cell is one tracking number in the form of AWBKey, as nearly
// every cell is: letters and digits, of which the first is a digit other than 0.
func isPlainAWB(cell []byte) bool { return len(cell) > 0 && cell[0]-'1' <= 8 && plainToken(cell) }

// unwrapped is domain.Unwrap of what seldom has a wrapper.
func unwrapped(s []byte) []byte {
	if len(s) > 0 && (needsUnwrapping(s[0]) || needsUnwrapping(s[len(s)-1])) {
		return domain.Unwrap(s)
	}
	return s
}

// lasting is domain.Lasting, as the next ledger has a text: its fingerprint fits no other. Most texts have that form.
func lasting(s []byte) []byte {
	if s = unwrapped(s); !isPrintable(s) {
		s = domain.Lasting(s)
	}
	return s
}

// idText removes what does not belong to an id. It returns nil if nothing is left.
func idText(cell []byte) []byte {
	s := unwrapped(cell)
	if len(s) == 0 || isDigit(s[0]) && isPrintable(s) {
		return s
	}
	s = lasting(s) // first, as the name of an order is kept: what no-break spaces part may be one blank else
	if !isASCII(s) && (bytes.Contains(s, []byte("\u00a0")) || bytes.Contains(s, []byte("\u202f"))) {
		s = unwrapped([]byte(withoutNoBreakSpaces.Replace(string(s))))
	}
	if domain.IsBlank(s) || !HasDigit(s) && IsTotal(s) {
		return nil
	}
	return s
}

// withoutNoBreakSpaces removes no-break spaces in linear time, because a text may have
// millions of them.
var withoutNoBreakSpaces = strings.NewReplacer("\u00a0", "", "\u202f", "")

func needsUnwrapping(b byte) bool {
	return b <= ' ' || b >= utf8.RuneSelf || b == '\'' || b == '=' || b == '"'
}

func isDigit(b byte) bool { return b-'0' <= 9 }

// shortID is below how many bytes an id surely is short enough for every file.
const shortID = 256

// isPrintable says whether a text is short, and has signs of ASCII alone.
func isPrintable(s []byte) bool {
	for _, b := range s {
		if b-' ' >= 0x7f-' ' {
			return false
		}
	}
	return len(s) < shortID
}

func isASCII(s []byte) bool {
	for _, b := range s {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// HasDigit says whether a cell has a digit of any script. The cell of an id without
// a digit is a note, unless an order of the export has that name (guide:
// verdict 1).
func HasDigit(cell []byte) bool {
	for i := 0; i < len(cell); {
		if !leadsDigit[cell[i]] {
			i++ // the further bytes of a longer character do not begin a digit either
			continue
		}
		r, n := utf8.DecodeRune(cell[i:])
		if r < 1<<16 && basicDigits[r>>6]>>(r&63)&1 != 0 || r >= 1<<16 && unicode.IsDigit(r) {
			return true
		}
		i += n
	}
	return false
}

// basicDigits has a bit for each digit among the characters up to U+FFFF, because
// searching Unicode's own tables for each character takes many times longer.
var basicDigits = func() (digits [1 << 10]uint64) {
	for _, span := range unicode.Digit.R16 {
		for r := int(span.Lo); r <= int(span.Hi); r += int(span.Stride) {
			digits[r>>6] |= 1 << (r & 63)
		}
	}
	return digits
}()

// leadsDigit says for each byte whether the UTF-8 of some digit begins with it.
var leadsDigit = func() (leads [256]bool) {
	mark := func(from, to rune) {
		for b := int(utf8.AppendRune(nil, from)[0]); b <= int(utf8.AppendRune(nil, to)[0]); b++ {
			leads[b] = true
		}
	}
	for _, r := range unicode.Digit.R16 {
		mark(rune(r.Lo), rune(r.Hi))
	}
	for _, r := range unicode.Digit.R32 {
		mark(rune(r.Lo), rune(r.Hi))
	}
	return leads
}()

// IsTotal says whether a cell has the word total or कुल, as in `Grand Total :`, `UTR
// Total` and `Total for U2`. A line with such a cell in place of an id is a footer
// (guide: verdict 1). Totals, Subtotal and GrandTotal count as that word if the
// cell has no digit; with a digit they may be part of an id.
func IsTotal(cell []byte) bool {
	compound := false
	for at := 0; at < len(cell); {
		if !InWord(cell[at]) {
			at++
			continue
		}
		end := at + 1
		for end < len(cell) && InWord(cell[end]) {
			end++
		}
		switch word := cell[at:end]; len(word) {
		case len("total"):
			if domain.EqualFold(word, "total") {
				return true
			}
		case len("totals"), len("subtotal"), len("subtotals"), len("grandtotal"):
			compound = compound || domain.EqualFold(word, "totals") || domain.EqualFold(word, "subtotal") || domain.EqualFold(word, "subtotals") ||
				domain.EqualFold(word, "grandtotal")
		}
		at = end
	}
	return compound && !HasDigit(cell) || hasWord(cell, totalInHindi)
}

// MayHaveTotal says whether a text has one of the words of IsTotal, if only as a part of
// another word. It is fast.
func MayHaveTotal(text []byte) bool {
	const total = "total"
	for i := 0; i+len(total) <= len(text); i++ {
		if text[i]|0x20 == total[0] && bytes.EqualFold(text[i:i+len(total)], []byte(total)) {
			return true
		}
	}
	return bytes.Contains(text, []byte(totalInHindi))
}

const totalInHindi = "कुल"

// hasWord says whether a text has a word that is not of ASCII.
func hasWord(text []byte, word string) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }
	for {
		before, after, found := bytes.Cut(text, []byte(word))
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRune(before)
		next, _ := utf8.DecodeRune(after)
		if !inWord(last) && !inWord(next) {
			return true
		}
		text = after
	}
}

// EndsWord says that a character is part of no word: a sign of ASCII, or a blank.
func EndsWord(r rune) bool { return r < utf8.RuneSelf && !InWord(byte(r)) || domain.IsBlankRune(r) }

// InWord says whether a byte is part of a word: a letter or a digit of ASCII.
func InWord(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// cutPointZero removes the .0 that an integer gets when a program stores it as a
// float.
func cutPointZero(s []byte) []byte {
	if n := len(s); n > 2 && s[n-1] == '0' && s[n-2] == '.' {
		return s[:n-2]
	}
	return s
}

// How many groups of digits an id must have to be one number. Two groups in an AWB cell, such as 101,102, may be two AWBs; three or
// more are a number, because no courier has an AWB of three digits. The cell of an order id has one id.
const (
	groupsOfOrderID = 2
	groupsOfAWB     = 3
)

// wholeNumber returns the digits of a whole number that a spreadsheet shows with decimals of 0, or with commas between its thousands
// or its lakhs: 3001.00, 14,902,603,000,001 or 1,49,02,60,30,00,001.00. A number in groups has at least so many of them. Another
// text is returned unchanged.
func wholeNumber(s []byte, groups int) []byte {
	if len(s) == 0 || !isDigit(s[0]) || len(s) >= shortID {
		return s
	}
	whole := cutPointZero(bytes.TrimSuffix(s, []byte(".00")))
	if isNumber(whole) {
		return whole
	}
	first, rest, _ := bytes.Cut(whole, []byte(","))
	if whole[0] == '0' || len(first) > 3 || !isNumber(first) || bytes.Count(rest, []byte(",")) < groups-2 ||
		!inGroups(rest, 3) && (len(first) > 2 || !inGroups(rest, 2)) {
		return s
	}
	return bytes.ReplaceAll(whole, []byte(","), nil)
}

// inGroups says whether a text is groups of digits with commas between them: three in the last, and size in each of the others.
func inGroups(s []byte, size int) bool {
	for len(s) > size && s[size] == ',' && isNumber(s[:size]) {
		s = s[size+1:]
	}
	return len(s) == 3 && isNumber(s)
}

// restoreExponent turns 1.904076086893E+12 into its digits. It returns false for a
// number with an exponent whose digits are not all there, and returns other texts
// unchanged.
func restoreExponent(s []byte) ([]byte, bool) {
	at := bytes.IndexAny(s, "eE")
	if at < 0 {
		return s, true
	}
	mantissa, exponent := s[:at], s[at+1:]
	exponent = bytes.TrimPrefix(exponent, []byte("+"))
	power, rest := domain.CutNumber(exponent)
	if len(exponent) == 0 || len(rest) > 0 {
		return s, true
	}
	whole, decimals, pointed := bytes.Cut(mantissa, []byte("."))
	if !pointed { // 1,90408E+12: here the comma is the decimal sign
		whole, decimals, _ = bytes.Cut(mantissa, []byte(","))
	}
	if len(whole) == 0 || !isNumber(whole) || !isNumber(decimals) {
		return s, true
	}
	if len(whole) != 1 || len(decimals) != power {
		return nil, false
	}
	return append(bytes.Clone(whole), decimals...), true
}

// cutClone removes the -C that Shiprocket adds to the id of a cloned order. The
// second result says whether there was one.
func cutClone(key []byte) ([]byte, bool) {
	if n := len(key); n > 2 && key[n-2] == '-' && key[n-1]|0x20 == 'c' {
		return key[:n-2], true
	}
	return key, false
}

// EachAWB calls found with every tracking number of a storefront cell, in the form of AWBKey if it is reliable, until found
// returns false. A cell may have several, separated by comma, semicolon, pipe or
// blank. Of a link it is the last part of the path or, if that has no digit, the first value
// of a parameter that has one.
func EachAWB(cell []byte, found func(key []byte, reliable bool) (goOn bool)) {
	if isPlainAWB(cell) {
		found(cell, true)
		return
	}
	if inner := domain.Unwrap(cell); bytes.IndexByte(inner, '"') < 0 {
		cell = wholeNumber(inner, groupsOfAWB) // there is one wrapper around all of them, or none
	}
	for len(cell) > 0 {
		end, separator := awbEnd(cell)
		if end > 0 {
			text := cutLink(cell[:end])
			key, reliable := AWBKey(text)
			if !reliable {
				key = lasting(text)
			}
			if len(key) > 0 && !found(key, reliable) {
				return
			}
		}
		cell = cell[end+separator:]
	}
}

// cutLink returns what a link has as its tracking number; nil if it has none. Another text
// is returned unchanged.
func cutLink(s []byte) []byte {
	_, rest, isLink := bytes.Cut(s, []byte("://"))
	if !isLink {
		if len(s) < len("www.") || !domain.EqualFold(s[:len("www.")], "www.") {
			return s
		}
		rest = s
	}
	rest, _, _ = bytes.Cut(rest, []byte("#"))
	path, parameters, _ := bytes.Cut(rest, []byte("?"))
	path = bytes.TrimRight(path, "/")
	if at := bytes.LastIndexByte(path, '/'); at >= 0 && HasDigit(path[at+1:]) {
		return path[at+1:]
	}
	for parameter := range bytes.SplitSeq(parameters, []byte("&")) {
		if _, value, _ := bytes.Cut(parameter, []byte("=")); HasDigit(value) {
			return value
		}
	}
	return nil
}

// awbEnd returns where the first tracking number of several ends, and how many
// bytes the separator after it has.
func awbEnd(cell []byte) (end, separator int) {
	for end < len(cell) {
		switch c := cell[end]; {
		case c == ',' || c == ';' || c == '|' || c == ' ' || '\t' <= c && c <= '\r':
			return end, 1
		case c < utf8.RuneSelf:
			end++
		default:
			r, n := utf8.DecodeRune(cell[end:])
			if unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f' {
				return end, n
			}
			end += n
		}
	}
	return end, 0
}

// plainToken says whether a cell is short, and has only letters and digits of ASCII, so that it
// is one tracking number.
func plainToken(s []byte) bool {
	for _, b := range s {
		if !InWord(b) {
			return false
		}
	}
	return len(s) < shortID
}
