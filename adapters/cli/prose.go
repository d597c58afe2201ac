package cli

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// columns is how many columns of a terminal a text takes.
func columns(text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		n, i = n+columnsOfRune(r), i+size
	}
	return n
}

func columnsOfRune(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) { // stands on the character before it
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// cutLine cuts the first line of at most so many columns off a text, after a word
// if there is one that fits. Every character is in a line, but for the blanks
// between two of them.
func cutLine(text []byte, most int) (line, rest []byte) {
	used, blank := 0, -1 // where the last blank begins
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
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
		most = max(most, columns(word))
	}
	return most
}

// printable replaces what would move the cursor or colour the terminal: the
// texts come from files that others wrote.
func printable(text []byte) []byte {
	for i := 0; i < len(text); {
		if ' ' <= text[i] && text[i] <= '~' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return bytes.Map(func(r rune) rune {
				if unicode.IsPrint(r) {
					return r
				}
				return '·'
			}, text)
		}
		i += size
	}
	return text
}

// shown is printable for a string.
func shown(text string) string { return string(printable([]byte(text))) }
