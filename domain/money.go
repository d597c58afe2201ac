package domain

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Paise is an amount of money: a hundredth of a rupee. Money is never a float.
type Paise int64

// Rupee is 100 paise.
const Rupee Paise = 100

// maxRupees bounds one cell, so that the sum of a whole file of them cannot
// overflow.
const maxRupees = 10_000_000_000

// Reading is what became of a cell.
type Reading uint8

// The outcomes of reading a cell.
const (
	Given      Reading = iota // the cell has a value
	Blank                     // the cell says that there is none
	Unreadable                // the cell is neither: nothing is guessed
)

// ReadPaise reads an amount as couriers and shops write it (decisions,
// section 1): an optional ₹, ₨, Rs, Re or INR, with or without a point or a colon,
// /- at its end, digits of India's or Europe's script grouped the Indian or the
// western way or not at all, a plus, a minus before or after it, or parentheses for
// a negative amount. More than two decimals are rounded half away from zero. One
// vendor's `%!f(string=123.)` is read as the 123 that it means.
func ReadPaise(cell []byte) (Paise, Reading) {
	if p, ok := readPlainPaise(cell); ok {
		return p, Given
	}
	return readSpelledPaise(cell)
}

// readPlainPaise reads what nine of ten cells hold, such as 1299, 1299.5 and
// 1299.50, and leaves everything else to readSpelledPaise.
func readPlainPaise(cell []byte) (Paise, bool) {
	var rupees Paise
	i := 0
	for ; i < len(cell) && cell[i]-'0' <= 9; i++ {
		rupees = rupees*10 + Paise(cell[i]-'0')
	}
	if i == 0 || i > 10 {
		return 0, false
	}
	switch rest := cell[i:]; len(rest) {
	case 0:
		return rupees * Rupee, true
	case 2:
		if rest[0] == '.' && rest[1]-'0' <= 9 {
			return rupees*Rupee + Paise(rest[1]-'0')*10, true
		}
	case 3:
		if rest[0] == '.' && rest[1]-'0' <= 9 && rest[2]-'0' <= 9 {
			return rupees*Rupee + Paise(rest[1]-'0')*10 + Paise(rest[2]-'0'), true
		}
	}
	return 0, false
}

func readSpelledPaise(cell []byte) (Paise, Reading) {
	s := Unwrapped(cell)
	if saysNone(s) {
		return 0, Blank
	}
	if inner, ok := cutEnclosing(s, "%!f(string=", ")"); ok {
		s = inner
	}
	if rest, named := cutCurrency(s); named && saysDash(rest) && bytes.HasSuffix(s, rest) {
		return 0, Blank // ₹ - is how spreadsheets show nothing in a column of money
	}
	// A sign stands before the currency or after it: -₹12, ₹-12, (₹12), ₹(12).
	s, outer := cutSign(cutSlash(s))
	s, _ = cutCurrency(s)
	s, inner := cutSign(cutSlash(s))
	if outer != unsigned && inner != unsigned {
		return 0, Unreadable
	}
	var digits [longestAmount]byte
	p, ok := readDigits(toEuropeanDigits(digits[:0], s))
	switch {
	case !ok:
		return 0, Unreadable
	case outer == minus || inner == minus:
		return -p, Given
	}
	return p, Given
}

// longestAmount is up to how many bytes an amount of Devanagari digits is read: 20
// of them and as many commas and decimals. No cash on delivery has more.
const longestAmount = 64

// toEuropeanDigits gives s with 0 to 9 for the digits of Devanagari. The text is s
// itself if it has none of them, and else built on dst, cut where dst is full.
func toEuropeanDigits(dst, s []byte) []byte {
	const zero, nine, size = '०', '९', len("०")
	if bytes.IndexByte(s, "०"[0]) < 0 {
		return s
	}
	for len(s) > 0 {
		if len(dst) == cap(dst) {
			return nil
		}
		if r, n := utf8.DecodeRune(s); n == size && zero <= r && r <= nine {
			dst, s = append(dst, byte('0'+r-zero)), s[size:]
			continue
		}
		dst, s = append(dst, s[0]), s[1:]
	}
	return dst
}

// readDigits reads digits, grouped or not, with or without decimals.
func readDigits(s []byte) (Paise, bool) {
	whole, decimals, _ := bytes.Cut(s, []byte("."))
	if len(whole) == 0 && len(decimals) == 0 || !wellGrouped(whole) {
		return 0, false
	}
	var rupees Paise
	for _, c := range whole {
		if c == ',' {
			continue
		}
		if rupees = rupees*10 + Paise(c-'0'); rupees > maxRupees {
			return 0, false
		}
	}
	var hundredths Paise
	for i, c := range decimals {
		if c-'0' > 9 {
			return 0, false
		}
		switch {
		case i == 0:
			hundredths = Paise(c-'0') * 10
		case i == 1:
			hundredths += Paise(c - '0')
		case i == 2 && c >= '5':
			hundredths++
		}
	}
	return rupees*Rupee + hundredths, true
}

// wellGrouped says whether s is digits without commas, or with commas in the
// western places (129,999) or the Indian ones (1,29,999). A comma anywhere
// else might be a decimal sign, so it is not read at all.
func wellGrouped(s []byte) bool {
	western, indian := true, true
	group, groups := 0, 1
	for _, c := range s {
		switch {
		case c-'0' <= 9:
			group++
			continue
		case c != ',':
			return false
		case groups == 1:
			western, indian = 1 <= group && group <= 3, 1 <= group && group <= 2
		default:
			western, indian = western && group == 3, indian && group == 2
		}
		group, groups = 0, groups+1
	}
	return groups == 1 || (western || indian) && group == 3
}

// sign is what stands around an amount.
type sign uint8

const (
	unsigned sign = iota
	plus
	minus
)

// cutSign takes off a plus, a minus on either side, or the parentheses that stand
// for one.
func cutSign(s []byte) ([]byte, sign) {
	if inner, ok := cutEnclosing(s, "(", ")"); ok {
		return trimmed(cutSlash(trimmed(inner))), minus
	}
	if rest, ok := bytes.CutPrefix(s, []byte("+")); ok {
		return trimmed(rest), plus
	}
	for _, dash := range [...]string{"-", "−"} {
		if rest, ok := bytes.CutPrefix(s, []byte(dash)); ok {
			return trimmed(rest), minus
		}
		if rest, ok := bytes.CutSuffix(s, []byte(dash)); ok && !bytes.HasSuffix(trimmed(rest), []byte("/-")) {
			return trimmed(rest), minus
		}
	}
	return s, unsigned
}

// cutSlash takes off the /- that says of an amount that no paise follow.
func cutSlash(s []byte) []byte {
	if rest, ok := bytes.CutSuffix(s, []byte("/-")); ok {
		return trimmed(rest)
	}
	return s
}

func saysDash(s []byte) bool {
	switch string(s) {
	case "-", "–", "—":
		return true
	}
	return false
}

// rupeeSigns are what stands for rupees; a point or a colon may follow a word.
var rupeeSigns = [...]string{"₹", "₨", "rs", "re", "inr"}

// IsRupees says that a currency is that of India, or not told.
func IsRupees(currency []byte) bool {
	s := Unwrapped(currency)
	if IsBlank(s) {
		return true
	}
	s = bytes.TrimSuffix(s, []byte("."))
	return slices.ContainsFunc(rupeeSigns[:], func(sign string) bool { return sign != "re" && equalFold(s, sign) })
}

// cutCurrency takes one sign of the rupee from either end.
func cutCurrency(s []byte) (rest []byte, named bool) {
	for _, sign := range rupeeSigns {
		if len(s) >= len(sign) && equalFold(s[:len(sign)], sign) {
			rest = s[len(sign):]
			if len(rest) > 0 && sign[0] < utf8.RuneSelf && (rest[0] == '.' || rest[0] == ':') {
				rest = rest[1:]
			}
			return trimmed(rest), true
		}
		if cut := len(s) - len(sign); cut > 0 && equalFold(s[cut:], sign) {
			return trimmed(s[:cut]), true
		}
		if cut := len(s) - len(sign) - 1; cut > 0 && s[len(s)-1] == '.' && sign[0] < utf8.RuneSelf && equalFold(s[cut:len(s)-1], sign) {
			return trimmed(s[:cut]), true
		}
	}
	return s, false
}

func cutEnclosing(s []byte, open, shut string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(s, []byte(open))
	if !ok {
		return s, false
	}
	return bytes.CutSuffix(rest, []byte(shut))
}

// AppendRupees appends the amount as a JSON number of rupees with at most two
// decimals: 1299, 1299.5, 1299.05, -0.5.
func (p Paise) AppendRupees(dst []byte) []byte {
	if p < 0 {
		dst = append(dst, '-')
	}
	whole, rest := p.split()
	dst = appendWhole(dst, whole)
	switch {
	case rest == 0:
		return dst
	case rest%10 == 0:
		return append(dst, '.', byte('0'+rest/10))
	}
	return append(dst, '.', byte('0'+rest/10), byte('0'+rest%10))
}

// AppendText appends the amount as people in India read it: ₹1,29,999.50, and
// ₹500 without the decimals that it does not need.
func (p Paise) AppendText(dst []byte) []byte {
	if p < 0 {
		dst = append(dst, '-')
	}
	whole, rest := p.split()
	dst = append(dst, "₹"...)
	switch {
	case whole < 1000:
		dst = appendWhole(dst, whole)
	case whole < 100_000:
		dst = appendThree(append(appendWhole(dst, whole/1000), ','), whole%1000)
	default:
		dst = appendIndian(dst, whole)
	}
	if rest == 0 {
		return dst
	}
	return append(dst, '.', byte('0'+rest/10), byte('0'+rest%10))
}

// String is what AppendText appends.
func (p Paise) String() string { return string(p.AppendText(nil)) }

// split gives the magnitude's rupees and the paise beyond them.
func (p Paise) split() (rupees, paise uint64) {
	n := uint64(p)
	if p < 0 {
		n = -n
	}
	return n / 100, n % 100
}

// appendWhole is strconv.AppendUint, but faster for what parcels cost.
func appendWhole(dst []byte, n uint64) []byte {
	switch {
	case n < 10:
		return append(dst, byte('0'+n))
	case n < 100:
		return append(dst, byte('0'+n/10), byte('0'+n%10))
	case n < 1000:
		return appendThree(dst, n)
	case n < 10_000:
		return appendThree(append(dst, byte('0'+n/1000)), n%1000)
	}
	return strconv.AppendUint(dst, n, 10)
}

// appendThree appends three digits.
func appendThree(dst []byte, n uint64) []byte {
	return append(dst, byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
}

// appendIndian groups the last three digits, and those before them in twos.
func appendIndian(dst []byte, n uint64) []byte {
	var digits [20]byte
	d := strconv.AppendUint(digits[:0], n, 10)
	for i, c := range d {
		if left := len(d) - i; i > 0 && left >= 3 && left%2 == 1 {
			dst = append(dst, ',')
		}
		dst = append(dst, c)
	}
	return dst
}
