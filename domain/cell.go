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
	if inner, ok := enclosed(s, `="`, `"`); ok {
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
