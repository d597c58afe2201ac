package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A text of the two files is repeated up to longest characters; if it is longer, the last
// one is an ellipsis. At most inspected of its bytes are looked at, because a cell may
// have a million bytes and be repeated in thousands of reasons.
const (
	longest   = 40
	inspected = 8 * longest
	ellipsis  = "…"
)

// appendQuoted appends a text of a file in quotation marks.
func (c *Catalogue) appendQuoted(dst, text []byte) []byte {
	return append(appendHarmless(append(dst, c.Quotes[0]...), text), c.Quotes[1]...)
}

// appendName appends the name of an order or an AWB. It gets quotation marks only if the
// part that is repeated has other characters than letters, digits and the signs of names.
// The rest is not looked at, because a name may have a million bytes and be repeated in
// thousands of reasons.
func (c *Catalogue) appendName(dst, name []byte) []byte {
	for _, b := range name[:min(len(name), longest)] {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '#', b == '-', b == '_', b == '/', b == '.':
		default:
			return c.appendQuoted(dst, name)
		}
	}
	if len(name) > longest {
		return append(append(dst, name[:longest-1]...), ellipsis...)
	}
	return append(dst, name...)
}

// appendHarmless appends a text of the two files as one line that does no harm on a
// terminal or a page. Control characters, and those that change the direction of the text,
// become blanks; several blanks become one; quotation marks become apostrophes; and bytes
// that are not UTF-8 become U+FFFD.
func appendHarmless(dst, text []byte) []byte {
	if plain(text) {
		return append(dst, text...)
	}
	cut := len(text) > inspected
	if cut {
		text = text[:inspected]
	}
	start, runes, almost, blank := len(dst), 0, 0, false
	for len(text) > 0 && (!cut || utf8.FullRune(text)) {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch {
		case isBlank(r):
			blank = runes > 0
			continue
		case isQuote(r):
			r = '\''
		}
		if blank {
			if runes++; runes == longest {
				almost = len(dst)
			}
			dst, blank = append(dst, ' '), false
		}
		if runes++; runes == longest {
			almost = len(dst)
		}
		if runes > longest {
			cut = true
			break
		}
		dst = utf8.AppendRune(dst, r)
	}
	if !cut {
		return dst
	}
	if runes >= longest {
		dst = dst[:almost]
	}
	for len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return append(dst, ellipsis...)
}

// plain says whether a text can be repeated as it is, as nearly all can.
func plain(text []byte) bool {
	if len(text) == 0 || len(text) > longest || text[0] == ' ' || text[len(text)-1] == ' ' {
		return false
	}
	last := byte(0)
	for _, b := range text {
		if b < ' ' || b >= 0x7f || b == '"' || b == '`' || b == ' ' && last == ' ' {
			return false
		}
		last = b
	}
	return true
}

// saysNothing says whether appendHarmless would append nothing.
func saysNothing(text []byte) bool {
	if len(text) > inspected {
		return false // it has at least an ellipsis
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if !isBlank(r) {
			return false
		}
		text = text[n:]
	}
	return true
}

// isBlank says whether a character is a blank, a control character or one without a width.
// The two that join letters of Indian scripts are none of these.
func isBlank(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if r < 0x7f {
		return r <= ' '
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != nonJoiner && r != joiner
}

func isQuote(r rune) bool { return strings.ContainsRune("\"`“”„‟″＂", r) }
