package domain

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Unwrap removes what spreadsheets put around a value to keep it as text: blanks
// of every kind at both ends, a leading ' and an ="…" wrapper.
func Unwrap(cell []byte) []byte {
	s := Trim(cell)
	if len(s) == 0 || s[0] != '\'' && s[0] != '=' {
		return s
	}
	if s[0] == '\'' {
		return Trim(s[1:])
	}
	if inner, ok := cutEnclosing(s, `="`, `"`); ok {
		return Trim(inner)
	}
	return s
}

// IsBlank says whether a trimmed cell has no value. It has none if it is empty,
// consists only of separators such as ----, or says NA, N/A, nan or null.
func IsBlank(s []byte) bool {
	switch {
	case len(s) == 0:
		return true
	case s[0] == 'n' || s[0] == 'N':
		for _, word := range []string{"na", "n/a", "nan", "null"} {
			if EqualFold(s, word) {
				return true
			}
		}
		return false
	}
	return IsSeparator(s)
}

// SaysNone says whether a trimmed cell of an amount or a date has no value: it is
// blank, a dash of any length, or the word nil or none.
func SaysNone(s []byte) bool {
	if len(s) == 0 {
		return true
	}
	switch s[0] {
	case 'n', 'N':
		return EqualFold(s, "nil") || EqualFold(s, "none") || IsBlank(s)
	case "–"[0]:
		return string(s) == "–" || string(s) == "—"
	}
	return IsSeparator(s)
}

// shortText is the number of letters and digits up to which a text is compared with
// phrases.
const shortText = 48

// Phrase holds a text in the form in which phrases are compared.
type Phrase [shortText]byte

// Of returns the letters and digits of a text: those of ASCII in lower case, all
// others unchanged. It does not allocate. It returns nil if they are more than
// shortText bytes.
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

// EqualFold says whether a cell is this word, in upper or lower case. It does not
// allocate.
func EqualFold(cell []byte, word string) bool {
	return len(cell) == len(word) && bytes.EqualFold(cell, []byte(word))
}

// IsSeparator says whether a trimmed cell holds only the characters with which
// reports draw lines (guide: verdict 1).
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

// Trim removes blanks from both ends, including blanks beyond ASCII and the byte
// order mark.
func Trim(s []byte) []byte {
	for len(s) > 0 && (s[0] <= ' ' || s[0] >= utf8.RuneSelf) {
		if s[0] <= ' ' {
			s = s[1:]
			continue
		}
		r, n := utf8.DecodeRune(s)
		if !IsBlankRune(r) {
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
		if !IsBlankRune(r) {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}

// IsBlankRune says whether a character is a blank: white space, a no-break space,
// the byte order mark, or a zero-width space that came with copied text.
func IsBlankRune(r rune) bool {
	return unicode.IsSpace(r) || r == '\u202f' || r == '\ufeff' || r == '\u200b'
}

// CutText returns at most this many bytes of a text, and does not cut inside a
// character.
func CutText[T string | []byte](text T, most int) T {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func isDigit(b byte) bool { return b-'0' <= 9 }
