package domain

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Paise is an amount of money in hundredths of a rupee. Money is never a float.
type Paise int64

// Rupee is 100 paise.
const Rupee Paise = 100

// MaxRupees is the largest amount of one cell, so that the sum of a whole file of
// cells cannot overflow.
const MaxRupees = 10_000_000_000

// Reading is the result of reading a cell.
type Reading uint8

// The results of reading a cell.
const (
	Given      Reading = iota // the cell has a value
	Blank                     // the cell says that there is none
	Unreadable                // neither; the value is never guessed
)

// ReadPaise reads an amount as couriers and shops write it (guide: verdict 1).
// It accepts ₹, ₨, Rs, Re or INR, also with a point or a colon; /- at the end;
// digits of India's or Europe's script, grouped the Indian way, the western way or
// not at all; a plus; and for a negative amount, a minus before or after it, or
// parentheses. More than two decimals are rounded half away from zero. One vendor
// writes `%!f(string=123.)`, which is read as 123.
func ReadPaise(cell []byte) (Paise, Reading) {
	if p, ok := readPlainPaise(cell); ok {
		return p, Given
	}
	return readSpelledPaise(cell)
}

// IsTooLarge says whether a cell is an amount in all but its size, so that ReadPaise does not read it.
func IsTooLarge(cell []byte) bool {
	smallest := bytes.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9':
			return '0'
		case '०' <= r && r <= '९':
			return '०'
		}
		return r
	}, cell)
	_, reading := ReadPaise(cell)
	_, reduced := ReadPaise(smallest)
	return reading == Unreadable && reduced == Given
}

// readPlainPaise reads 1299, 1299.5 and 1299.50, the forms of nine cells in ten. It
// returns false for any other form, which readSpelledPaise reads.
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

// readSpelledPaise reads an amount in any of the forms that ReadPaise lists.
func readSpelledPaise(cell []byte) (Paise, Reading) {
	s := Unwrap(cell)
	if SaysNone(s) {
		return 0, Blank
	}
	if inner, ok := cutEnclosing(s, "%!f(string=", ")"); ok {
		s = inner
	}
	if rest, named := cutCurrency(s); named && saysDash(rest) && bytes.HasSuffix(s, rest) {
		return 0, Blank // ₹ - is how spreadsheets show nothing in a column of money
	}
	// A sign may stand before the currency or after it: -₹12, ₹-12, (₹12), ₹(12).
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

// longestAmount is the number of bytes up to which an amount in Devanagari digits
// is read: 20 digits, and as many commas and decimals. No cash on delivery has
// more.
const longestAmount = 64

// toEuropeanDigits replaces the digits of Devanagari by 0 to 9. It returns s itself
// if s has none of them. Otherwise it builds the text on dst, and returns nil if
// the text does not fit into dst.
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
		if rupees = rupees*10 + Paise(c-'0'); rupees > MaxRupees {
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

// wellGrouped says whether s is digits without commas, or digits with commas in the
// western places (129,999) or the Indian ones (1,29,999). A comma in another place
// may be a decimal sign, so such an amount is not read at all.
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

// sign is the sign of an amount as the cell writes it.
type sign uint8

const (
	unsigned sign = iota
	plus
	minus
)

// cutSign removes a plus, a minus from either end, or the parentheses that stand
// for a minus.
func cutSign(s []byte) ([]byte, sign) {
	if inner, ok := cutEnclosing(s, "(", ")"); ok {
		return Trim(cutSlash(Trim(inner))), minus
	}
	if rest, ok := bytes.CutPrefix(s, []byte("+")); ok {
		return Trim(rest), plus
	}
	for _, dash := range [...]string{"-", "−"} {
		if rest, ok := bytes.CutPrefix(s, []byte(dash)); ok {
			return Trim(rest), minus
		}
		if rest, ok := bytes.CutSuffix(s, []byte(dash)); ok && !bytes.HasSuffix(Trim(rest), []byte("/-")) {
			return Trim(rest), minus
		}
	}
	return s, unsigned
}

// cutSlash removes the /- at the end of an amount, which means that there are no
// paise.
func cutSlash(s []byte) []byte {
	if rest, ok := bytes.CutSuffix(s, []byte("/-")); ok {
		return Trim(rest)
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

// rupeeSigns are the signs and words for the rupee. A point or a colon may follow a
// word.
var rupeeSigns = [...]string{"₹", "₨", "rs", "re", "inr"}

// IsRupees says whether a currency is that of India, or not stated.
func IsRupees(currency []byte) bool {
	s := Unwrap(currency)
	if IsBlank(s) {
		return true
	}
	s = bytes.TrimSuffix(s, []byte("."))
	return slices.ContainsFunc(rupeeSigns[:], func(sign string) bool { return sign != "re" && EqualFold(s, sign) })
}

// cutCurrency removes one sign or word for the rupee from either end. named says
// whether there was one.
func cutCurrency(s []byte) (rest []byte, named bool) {
	for _, sign := range rupeeSigns {
		if len(s) >= len(sign) && EqualFold(s[:len(sign)], sign) {
			rest = s[len(sign):]
			if len(rest) > 0 && sign[0] < utf8.RuneSelf && (rest[0] == '.' || rest[0] == ':') {
				rest = rest[1:]
			}
			return Trim(rest), true
		}
		if cut := len(s) - len(sign); cut > 0 && EqualFold(s[cut:], sign) {
			return Trim(s[:cut]), true
		}
		if cut := len(s) - len(sign) - 1; cut > 0 && s[len(s)-1] == '.' && sign[0] < utf8.RuneSelf && EqualFold(s[cut:len(s)-1], sign) {
			return Trim(s[:cut]), true
		}
	}
	return s, false
}

// cutEnclosing returns the text between open and shut, and whether s begins and
// ends with them.
func cutEnclosing(s []byte, open, shut string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(s, []byte(open))
	if !ok {
		return s, false
	}
	return bytes.CutSuffix(rest, []byte(shut))
}

// AppendRupees appends the amount as a JSON number in rupees with at most two
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

// AppendText appends the amount as people in India write it: ₹1,29,999.50, and ₹500
// without decimals if it has no paise.
func (p Paise) AppendText(dst []byte) []byte {
	if p < 0 {
		dst = append(dst, '-')
	}
	whole, rest := p.split()
	dst = append(dst, "₹"...)
	switch {
	case whole < 1000:
		dst = appendWhole(dst, whole)
	case whole < 10_000:
		dst = append(dst, byte('0'+whole/1000), ',', byte('0'+whole/100%10), byte('0'+whole/10%10), byte('0'+whole%10))
	default:
		dst = appendIndian(dst, whole)
	}
	if rest == 0 {
		return dst
	}
	return append(dst, '.', byte('0'+rest/10), byte('0'+rest%10))
}

// AppendExact appends the amount as AppendText does, but always with paise: ₹500.00. Tables and
// sums have it, so that figures stand below figures; sentences do not.
func (p Paise) AppendExact(dst []byte) []byte {
	if dst = p.AppendText(dst); p%Rupee == 0 {
		dst = append(dst, ".00"...)
	}
	return dst
}

// Exact returns the text of AppendExact.
func (p Paise) Exact() string { return string(p.AppendExact(nil)) }

// String returns the text of AppendText.
func (p Paise) String() string { return string(p.AppendText(nil)) }

// split returns the rupees of the amount without its sign, and the paise beyond
// them.
func (p Paise) split() (rupees, paise uint64) {
	n := uint64(p)
	if p < 0 {
		n = -n
	}
	return n / 100, n % 100
}

// appendWhole does what strconv.AppendUint does, and is faster for the prices of
// usual parcels.
func appendWhole(dst []byte, n uint64) []byte {
	switch {
	case n < 10:
		return append(dst, byte('0'+n))
	case n < 100:
		return append(dst, byte('0'+n/10), byte('0'+n%10))
	case n < 1000:
		return append(dst, byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
	case n < 10_000:
		return append(dst, byte('0'+n/1000), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
	}
	return strconv.AppendUint(dst, n, 10)
}

// AppendGrouped appends a number with commas as in India: 1,23,456.
func AppendGrouped(dst []byte, n int) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	return appendIndian(dst, uint64(n))
}

// appendIndian appends n with a comma before the last three digits, and before each
// two digits further left.
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

// Abs returns an amount without its sign.
func (p Paise) Abs() Paise { return max(p, -p) }
