package sheet

import (
	"encoding/binary"
	"math/bits"
)

// plainLength is how many bytes at the beginning of markup are text that stands in a cell of CSV as it is: up
// to a comma, a quotation mark, a control character, what is no ASCII, or where the markup goes on with < or &.
// It looks at eight bytes at once, and finds the first that is one of these.
func plainLength(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		commaOrTag := x | 0x10*ones ^ '<'*ones    // , and < differ in one bit,
		quoteOrEntity := x | 0x04*ones ^ '&'*ones // and so do " and &
		found := (commaOrTag-ones)&^commaOrTag | (quoteOrEntity-ones)&^quoteOrEntity | (x-' '*ones)&^x | x
		if found &= tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b) && isPlainText(b[i]); i++ {
	}
	return i
}

// isPlainText says so of one byte for plainLength.
func isPlainText(c byte) bool {
	return ' ' <= c && c < 0x80 && c != ',' && c != '"' && c != '<' && c != '&'
}

// isLine says that a text is of ASCII, and has no control characters.
func isLine(text []byte) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		if x := binary.LittleEndian.Uint64(text); ((x-' '*ones)|x)&tops != 0 {
			return false
		}
	}
	for _, c := range text {
		if c < ' ' || c >= 0x80 {
			return false
		}
	}
	return true
}
