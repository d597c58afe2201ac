package domain

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Unwrap removes what spreadsheets put around a value to keep it as text: blanks
// of every kind at both ends, a leading ' and an ="…" wrapper. It removes them until
// there are none, so that a text that is written and read again stays as it is.
func Unwrap(cell []byte) []byte {
	for s := Trim(cell); ; s = Trim(s) {
		switch {
		case len(s) == 0 || s[0] != '\'' && s[0] != '=':
			return s
		case s[0] == '\'':
			s = s[1:]
			continue
		}
		inner, wrapped := cutEnclosing(s, `="`, `"`)
		if !wrapped {
			return s
		}
		s = inner
	}
}

// longestText is how many bytes Lasting keeps: an id has a few dozen, and a cell of a workbook may have 32,767 characters.
const longestText = 10_000

// Lasting brings a text to a form that no file changes: without a wrapper, with a blank in place of line ends and of what is no
// character of a text, and not too long for a cell of a workbook. It returns the text itself if it has that form.
func Lasting(text []byte) []byte {
	s := Unwrap(CutText(text, longestText))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRune(s[i:])
		if brittle(r, n) {
			return Unwrap(withoutBrittle(s, i))
		}
		i += n
	}
	return s
}

// brittle says whether a character of so many bytes is none that XML and CSV have as it is.
func brittle(r rune, bytes int) bool {
	return unicode.IsControl(r) || r == 0xfffe || r == 0xffff || r == utf8.RuneError && bytes == 1
}

// withoutBrittle returns a copy of a text with one blank for all brittle characters that stand together, from a place on.
func withoutBrittle(s []byte, from int) []byte {
	kept, before := bytes.Clone(s[:from]), false
	for i := from; i < len(s); {
		r, n := utf8.DecodeRune(s[i:])
		is := brittle(r, n)
		switch {
		case !is:
			kept = append(kept, s[i:i+n]...)
		case !before:
			kept = append(kept, ' ')
		}
		before = is
		i += n
	}
	return kept
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
