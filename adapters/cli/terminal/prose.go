package terminal

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Columns returns how many columns of a terminal a text takes.
func Columns(text []byte) int {
	n := 0
	for _, r := range string(text) { // which copies nothing
		n += columnsOfRune(r)
	}
	return n
}

func columnsOfRune(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) { // stands on the character before it, or is none of its own
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// CutLine cuts the first line of at most the given number of columns off a text, after a word
// if there is one that fits. Every character is in a line, but for the blanks
// between two of them.
func CutLine(text []byte, most int) (line, rest []byte) {
	used, blank := 0, -1 // where the last blank begins
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == ' ' {
			blank = i
		}
		if used += columnsOfRune(r); used > most && r != ' ' {
			switch {
			case blank > 0:
				i = blank
			case i == 0:
				i = size // wider than the line
			}
			return bytes.TrimRight(text[:i], " "), bytes.TrimLeft(text[i:], " ")
		}
		i += size
	}
	return bytes.TrimRight(text, " "), nil
}

// longestWord is how many columns the longest word of a text takes.
func longestWord(text []byte) (most int) {
	for word := range bytes.FieldsSeq(text) {
		most = max(most, Columns(word))
	}
	return most
}

// Printable replaces what would move the cursor or colour the terminal: the
// texts come from files that others wrote. The joiners of Indian scripts are kept
// where they are between two letters.
func Printable(text []byte) []byte {
	var replaced []byte // text up to i, once something of it was replaced
	before := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		invalid := r == utf8.RuneError && size == 1 // it is shown as U+FFFD
		kept := !invalid && (unicode.IsPrint(r) || isJoiner(before, r, text[i+size:]))
		if !kept && replaced == nil {
			replaced = append(make([]byte, 0, len(text)+len(text)/2), text[:i]...)
		}
		if !kept && !invalid {
			r = '·'
		}
		if replaced != nil {
			replaced = utf8.AppendRune(replaced, r)
		}
		before, i = r, i+size
	}
	if replaced != nil {
		return replaced
	}
	return text
}

// isJoiner says whether r is a joiner or a non-joiner between two letters, the first of
// which may have marks.
func isJoiner(before, r rune, after []byte) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if r != nonJoiner && r != joiner || !unicode.In(before, unicode.L, unicode.M) {
		return false
	}
	next, _ := utf8.DecodeRune(after)
	return unicode.IsLetter(next)
}

// PrintableText is printable for a string.
func PrintableText(text string) string { return string(Printable([]byte(text))) }
