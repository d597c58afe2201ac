package domain

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Unwrapped takes off what spreadsheets put around a value to keep it as text:
// surrounding blanks of every kind, a leading ' and an ="…" wrapper.
func Unwrapped(cell []byte) []byte {
	s := trimmed(cell)
	if len(s) == 0 || s[0] != '\'' && s[0] != '=' {
		return s
	}
	if s[0] == '\'' {
		return trimmed(s[1:])
	}
	if inner, ok := cutEnclosing(s, `="`, `"`); ok {
		return trimmed(inner)
	}
	return s
}

// IsBlank says that a trimmed cell has no value: it is empty, nothing but
// separators such as ----, or says so (NA, N/A, nan, null).
func IsBlank(s []byte) bool {
	switch {
	case len(s) == 0:
		return true
	case s[0] == 'n' || s[0] == 'N':
		for _, word := range []string{"na", "n/a", "nan", "null"} {
			if equalFold(s, word) {
				return true
			}
		}
		return false
	}
	return IsSeparator(s)
}

// saysNone says that a trimmed cell of an amount or a date has none: it is blank,
// a dash of any length, or a word for nothing.
func saysNone(s []byte) bool {
	if len(s) == 0 {
		return true
	}
	switch s[0] {
	case 'n', 'N':
		return equalFold(s, "nil") || equalFold(s, "none") || IsBlank(s)
	case "–"[0]:
		return string(s) == "–" || string(s) == "—"
	}
	return IsSeparator(s)
}

// shortText is how many letters and digits a text may have to be compared with
// phrases.
const shortText = 48

// Phrase is room for a text that is reduced to what phrases are compared by.
type Phrase [shortText]byte

// Of gives the letters and digits of a text, ASCII ones in small letters and the
// others as they are, without an allocation; nothing if they are too many.
func (p *Phrase) Of(s []byte) []byte {
	n := 0
	for _, c := range s {
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z', isDigit(c), c >= utf8.RuneSelf:
		default:
			continue
		}
		if n == len(p) {
			return nil
		}
		p[n] = c
		n++
	}
	return p[:n]
}

// equalFold compares a cell with a word in either case, without a copy.
func equalFold(cell []byte, word string) bool {
	return len(cell) == len(word) && bytes.EqualFold(cell, []byte(word))
}

// IsSeparator says that a trimmed cell holds nothing but the signs with which
// reports draw lines (decisions, section 1).
func IsSeparator(s []byte) bool {
	for _, c := range s {
		switch c {
		case '-', '=', '_', '*', '.':
		default:
			return false
		}
	}
	return true
}

// trimmed takes blanks off both ends, those beyond ASCII and the byte order
// mark among them.
func trimmed(s []byte) []byte {
	for len(s) > 0 && (s[0] <= ' ' || s[0] >= utf8.RuneSelf) {
		if s[0] <= ' ' {
			s = s[1:]
			continue
		}
		r, n := utf8.DecodeRune(s)
		if !isBlankRune(r) {
			break
		}
		s = s[n:]
	}
	for len(s) > 0 {
		last := s[len(s)-1]
		if last <= ' ' {
			s = s[:len(s)-1]
			continue
		}
		if last < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeLastRune(s)
		if !isBlankRune(r) {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}

// isBlankRune knows the blanks that are not plain spaces: no-break spaces, the
// byte order mark and zero-width signs that come along with copied text.
func isBlankRune(r rune) bool {
	return unicode.IsSpace(r) || r == '\u202f' || r == '\ufeff' || r == '\u200b'
}
