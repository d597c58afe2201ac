package sheet

import (
	"bytes"
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

// plainTextLength is plainLength, and says whether the text is blank nowhere but singly between other characters. It may deny that
// of a text that is.
func plainTextLength(b []byte) (length int, spaced bool) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	before, doubled := uint64(0x80), uint64(0) // the byte before is blank; two blanks in a row
	for i := 0; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		commaOrTag := x | 0x10*ones ^ '<'*ones // as in plainLength
		quoteOrEntity := x | 0x04*ones ^ '&'*ones
		blank := x ^ ' '*ones
		blank = (blank - ones) &^ blank & tops
		found := ((commaOrTag-ones)&^commaOrTag | (quoteOrEntity-ones)&^quoteOrEntity | (x-' '*ones)&^x | x) & tops
		if found == 0 {
			doubled |= blank & (blank<<8 | before)
			before = blank >> 56
			continue
		}
		n := bits.TrailingZeros64(found) / 8
		blank &= 1<<(8*n) - 1
		last := (blank<<8 | before) >> (8 * n) & 0x80 // a blank before the end
		doubled |= blank & (blank<<8 | before)
		return i + n, doubled|last == 0
	}
	n := plainLength(b)
	return n, isSpaced(b[:n])
}

// beforeQuote is how many bytes stand before the first quotation mark; -1 if there is none. It is bytes.IndexByte for
// what has few.
func beforeQuote(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b) && i < 32; i += 8 {
		x := binary.LittleEndian.Uint64(b[i:]) ^ '"'*ones
		if found := (x - ones) &^ x & tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	if n := bytes.IndexByte(b[i:], '"'); n >= 0 {
		return i + n
	}
	return -1
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
