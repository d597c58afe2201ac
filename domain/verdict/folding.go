package verdict

import (
	"bytes"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file compares texts without regard to the case of letters.

// foldedRune returns the first character of a text in the form that it shares with
// its other cases, and how many bytes the character has in the text.
func foldedRune(s []byte) (rune, int) {
	r, n := utf8.DecodeRune(s)
	return smallestFold(r), n
}

// Upper returns a small ASCII letter as a capital, and any other ASCII character
// unchanged.
func Upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// appendFolded appends a text in the one form that all its spellings in either case
// share. That form is never longer than the text.
func appendFolded(dst, text []byte) []byte {
	var folds []uint16
	for len(text) > 0 {
		if text[0] < utf8.RuneSelf {
			dst = append(dst, Upper(text[0]))
			text = text[1:]
			continue
		}
		if folds == nil {
			folds = basicFolds()
		}
		if len(text) > 1 && 0xC2 <= text[0] && text[0] < 0xE0 && text[1]&0xC0 == 0x80 { // a character of two bytes, the most frequent kind
			if fold := folds[rune(text[0]&0x1F)<<6|rune(text[1]&0x3F)]; 0x80 <= fold && fold < 0x800 {
				dst = append(dst, 0xC0|byte(fold>>6), 0x80|byte(fold&0x3F))
			} else {
				dst = utf8.AppendRune(dst, rune(fold))
			}
			text = text[2:]
			continue
		}
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, text[0]) // no valid character: only the same byte equals it
		} else if int(r) < len(folds) && folds[r] == uint16(r) {
			dst = append(dst, text[:n]...)
		} else {
			dst = utf8.AppendRune(dst, smallestFold(r))
		}
		text = text[n:]
	}
	return dst
}

// smallestFold returns the smallest of the characters that differ from r in case only.
func smallestFold(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(Upper(byte(r))) // the others that fold to it, such as the Kelvin sign, are greater
	}
	if int(r) < len(basicFolds()) {
		return rune(basicFolds()[r])
	}
	return searchSmallestFold(r)
}

// basicFolds is a table of smallestFold for the characters up to U+FFFF, because
// searching Unicode's own tables for each character takes many times longer. It is
// made when the first key that is not ASCII comes.
var basicFolds = sync.OnceValue(func() []uint16 {
	folds := make([]uint16, 1<<16)
	for r := range folds {
		folds[r] = uint16(searchSmallestFold(rune(r)))
	}
	return folds
})

func searchSmallestFold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// sameKey says whether two keys are equal but for the case of their letters.
func sameKey(a, b []byte) bool { return bytes.Equal(a, b) || bytes.EqualFold(a, b) }
