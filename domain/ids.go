package domain

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// OrderKey reduces an order id to what two files can be compared by: blanks,
// a text wrapper, one leading #, and a trailing .0 are taken off, and no-break
// spaces anywhere (decisions, section 1). Letters keep their case: compare
// with sameKey. A cell without an id, such as a separator or a footer's
// "Grand Total :", gives nothing.
func OrderKey(cell []byte) []byte {
	s := cell
	if len(s) > 1 && s[0] == '#' {
		s = s[1:]
	}
	if len(s) > 0 && isDigit(s[0]) && plainToken(s) {
		return s // as nearly all are
	}
	if s = idText(cell); len(s) > 0 && s[0] == '#' {
		s = trimmed(s[1:])
	}
	return cutPointZero(s)
}

// AWBKey reduces a tracking number in the same way, but for the #. reliable is
// false for a number that a spreadsheet has rounded (1.90408E+12): it names no
// parcel. One whose digits are all there (1.904076086893E+12) is restored.
func AWBKey(cell []byte) (key []byte, reliable bool) {
	if len(cell) > 0 && isDigit(cell[0]) && plainToken(cell) {
		return cell, true // as nearly all are
	}
	s := cutPointZero(idText(cell))
	if bytes.IndexByte(s, '+') < 0 && bytes.IndexByte(s, '.') < 0 {
		return s, true
	}
	return restoreExponent(s)
}

// idText takes off what does not belong to an id.
func idText(cell []byte) []byte {
	s := cell
	if len(s) > 0 && (needsUnwrapping(s[0]) || needsUnwrapping(s[len(s)-1])) {
		s = Unwrapped(s)
	}
	if len(s) == 0 || isDigit(s[0]) && isASCII(s) {
		return s
	}
	if !isASCII(s) && (bytes.Contains(s, []byte("\u00a0")) || bytes.Contains(s, []byte("\u202f"))) {
		s = removeNoBreakSpaces(s)
	}
	if IsBlank(s) || !HasDigit(s) && IsTotal(s) {
		return nil
	}
	return s
}

// removeNoBreakSpaces copies a text without its no-break spaces, of which it may have
// millions.
func removeNoBreakSpaces(s []byte) []byte {
	kept := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch {
		case s[i] == "\u00a0"[0] && i+1 < len(s) && s[i+1] == "\u00a0"[1]:
			i += len("\u00a0")
		case s[i] == "\u202f"[0] && i+2 < len(s) && s[i+1] == "\u202f"[1] && s[i+2] == "\u202f"[2]:
			i += len("\u202f")
		default:
			kept = append(kept, s[i])
			i++
		}
	}
	return kept
}

func needsUnwrapping(b byte) bool {
	return b <= ' ' || b >= utf8.RuneSelf || b == '\'' || b == '=' || b == '"'
}

func isDigit(b byte) bool { return b-'0' <= 9 }

func isASCII(s []byte) bool {
	for _, b := range s {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// HasDigit says that a cell has a digit in it, of any script. An id cell without
// one is a note, unless the export bears it (decisions, section 1).
func HasDigit(cell []byte) bool {
	for i := 0; i < len(cell); {
		if !leadsDigit[cell[i]] {
			i++ // of a longer character, what follows leads no digit either
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

// basicDigits has a bit for each digit of the basic plane: a search in tables for
// each character takes many times longer.
var basicDigits = func() (digits [1 << 10]uint64) {
	for _, span := range unicode.Digit.R16 {
		for r := int(span.Lo); r <= int(span.Hi); r += int(span.Stride) {
			digits[r>>6] |= 1 << (r & 63)
		}
	}
	return digits
}()

// leadsDigit says which bytes the UTF-8 of a digit begins with.
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

// IsTotal says that a cell has the word total, as in `Grand Total :`, `UTR Total`
// and `Total for U2`: in place of an id it makes its line a footer (decisions,
// section 1). Totals, Subtotal and GrandTotal are that word where no digit shows
// that they are part of an id.
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
			if equalFold(word, "total") {
				return true
			}
		case len("totals"), len("subtotal"), len("subtotals"), len("grandtotal"):
			compound = compound || equalFold(word, "totals") || equalFold(word, "subtotal") || equalFold(word, "subtotals") || equalFold(word, "grandtotal")
		}
		at = end
	}
	return compound && !HasDigit(cell)
}

// EndsWord says that a character is part of no word: a sign of ASCII, or a blank.
func EndsWord(r rune) bool {
	return r < utf8.RuneSelf && !InWord(byte(r)) || isBlankRune(r)
}

// InWord says whether a byte is part of a word: a letter or a digit of ASCII.
func InWord(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// cutPointZero takes off the .0 of a number that went through a float.
func cutPointZero(s []byte) []byte {
	if n := len(s); n > 2 && s[n-1] == '0' && s[n-2] == '.' {
		return s[:n-2]
	}
	return s
}

// restoreExponent restores 1.904076086893E+12, and says of anything that only
// looks like it whether its digits can be trusted.
func restoreExponent(s []byte) ([]byte, bool) {
	at := bytes.IndexAny(s, "eE")
	if at < 0 {
		return s, true
	}
	mantissa, exponent := s[:at], s[at+1:]
	exponent = bytes.TrimPrefix(exponent, []byte("+"))
	power, rest := cutNumber(exponent)
	if len(exponent) == 0 || len(rest) > 0 {
		return s, true
	}
	whole, decimals, pointed := bytes.Cut(mantissa, []byte("."))
	if !pointed { // 1,90408E+12, where the comma is the decimal point
		whole, decimals, _ = bytes.Cut(mantissa, []byte(","))
	}
	if len(whole) == 0 || len(bytes.Trim(whole, "0123456789")) > 0 || len(bytes.Trim(decimals, "0123456789")) > 0 {
		return s, true
	}
	if len(whole) != 1 || len(decimals) != power {
		return nil, false
	}
	return append(bytes.Clone(whole), decimals...), true
}

// cutClone takes off the -C that Shiprocket adds to the id of a cloned order.
func cutClone(key []byte) ([]byte, bool) {
	if n := len(key); n > 2 && key[n-2] == '-' && key[n-1]|0x20 == 'c' {
		return key[:n-2], true
	}
	return key, false
}

// EachAWB calls found with every tracking number of a storefront cell, which
// may hold several, separated by comma, semicolon, pipe or blank, until it says
// that this is enough.
func EachAWB(cell []byte, found func(key []byte, reliable bool) (goOn bool)) {
	if len(cell) > 0 && isDigit(cell[0]) && plainToken(cell) {
		found(cell, true)
		return
	}
	if inner := Unwrapped(cell); bytes.IndexByte(inner, '"') < 0 {
		cell = inner // one wrapper around all of them, or none
	}
	for len(cell) > 0 {
		end, separator := awbEnd(cell)
		if end > 0 {
			if key, reliable := AWBKey(cell[:end]); len(key) > 0 || !reliable {
				if !found(key, reliable) {
					return
				}
			}
		}
		cell = cell[end+separator:]
	}
}

// awbEnd is where the first tracking number of several ends, and how many bytes
// the sign takes that separates it from the next.
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

// plainToken says that a cell is one tracking number and nothing else.
func plainToken(s []byte) bool {
	for _, b := range s {
		if !InWord(b) {
			return false
		}
	}
	return true
}
