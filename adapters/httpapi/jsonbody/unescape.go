package jsonbody

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// Masks for eight bytes at a time.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// unescaping decodes a JSON string in place: the decoded text is written behind the place
// that is being read.
type unescaping struct {
	begin, end int    // of the decoded text so far
	invalid    int    // how many of its bytes are not UTF-8
	repaired   []byte // the whole text with U+FFFD for each of these; nil: there are none
}

// size returns how many bytes the text has once U+FFFD stands for each invalid byte.
func (u *unescaping) size() int { return u.end - u.begin + u.invalid*(len("\ufffd")-1) }

func unescapingFrom(begin int) unescaping { return unescaping{begin: begin, end: begin} }

// in returns the decoded text.
func (u *unescaping) in(buf []byte) []byte {
	if u.repaired != nil {
		return u.repaired
	}
	return buf[u.begin:u.end:u.end]
}

// ending says how goOn has ended.
type ending uint8

const (
	cutOff ending = iota // more of the string must arrive
	closed               // the closing quote was read
	faulty
)

// goOn decodes the string from index i on. It returns the index at which to go on, the one
// after the closing quote, or the one of the fault. whole says that buf is the whole body;
// else an escape or a character at its end may be incomplete, and is left for later.
func (u *unescaping) goOn(buf []byte, i int, whole bool) (at int, end ending) {
	if !whole {
		buf = buf[:len(buf)-halfCharacter(buf[i:])]
	}
	for w := u.end; ; {
		w, i = u.goOnFast(buf, w, i)
		w, i = shortEscapes(buf, w, i)
		stop, invalid := run(buf, i)
		u.invalid += invalid
		if w != i {
			copy(buf[w:], buf[i:stop])
		}
		w += stop - i
		i, u.end = stop, w
		switch {
		case !whole && i+longestEscape > len(buf) && (i == len(buf) || buf[i] == '\\'):
			return i, cutOff
		case i >= len(buf) || buf[i] < ' ':
			return i, faulty
		case buf[i] == '"':
			return i + 1, closed
		}
		n, r := escape(buf[i:])
		if n == 0 {
			return i, faulty
		}
		if r < utf8.RuneSelf {
			buf[w] = byte(r)
			w++
		} else {
			// The shortest escape of such a character is longer than its UTF-8.
			w += utf8.EncodeRune(buf[w:i+n], r)
		}
		i += n
	}
}

// shortEscapes decodes to w the escapes of one letter from i on, with up to three plain
// characters before each. A text with quoted cells and line ends may consist of little
// else, and to call run for each of them would be slow.
func shortEscapes(buf []byte, w, i int) (int, int) {
	for i+4 <= len(buf) {
		at := i
		for n := 0; n < 3 && plainByte[buf[at]]; n++ {
			at++
		}
		if buf[at] != '\\' || at+1 == len(buf) || short[buf[at+1]] == 0 {
			return w, i
		}
		for ; i < at; i++ {
			buf[w] = buf[i]
			w++
		}
		buf[w] = short[buf[at+1]]
		w, i = w+1, at+2
	}
	return w, i
}

// plainByte says which ASCII characters stand for themselves in a string.
var plainByte = func() (plain [256]bool) {
	for b := ' '; b < utf8.RuneSelf; b++ {
		plain[b] = b != '"' && b != '\\'
	}
	return plain
}()

// halfCharacter returns how many bytes at the end of buf are an incomplete character.
func halfCharacter(buf []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(buf); n++ {
		if tail := buf[len(buf)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// repair makes a copy of the text in which U+FFFD replaces each byte that is not UTF-8, as
// encoding/json does. It does nothing if there is none. An escape is decoded to complete
// UTF-8, so the bytes around it are as valid after unescaping as before.
func (u *unescaping) repair(buf []byte) {
	if u.invalid == 0 {
		return
	}
	out := make([]byte, 0, u.size())
	for text := buf[u.begin:u.end]; len(text) > 0; {
		if text[0] < utf8.RuneSelf {
			out, text = append(out, text[0]), text[1:]
			continue
		}
		r, n := utf8.DecodeRune(text)
		out, text = utf8.AppendRune(out, r), text[n:]
	}
	u.repaired = out
}

// run returns the index of the first byte from i on that ends a run of plain characters: a
// quote, a backslash or a control character. invalid is how many bytes before it are not
// UTF-8. Characters beyond ASCII are few, so they are checked one by one.
func run(buf []byte, i int) (stop, invalid int) {
	for i < len(buf) {
		for i+16 <= len(buf) {
			a, b := binary.LittleEndian.Uint64(buf[i:]), binary.LittleEndian.Uint64(buf[i+8:])
			if special(a)|special(b)|(a|b)&highs == 0 {
				i += 16
				continue
			}
			if n, found := plainLength(a, b); found {
				return i + n, invalid
			}
			break
		}
		// Sixteen bytes with a character beyond ASCII in them, or the last few.
		for end := min(i+16, len(buf)); i < end; {
			c := buf[i]
			if c < ' ' || c == '"' || c == '\\' {
				return i, invalid
			}
			if c < utf8.RuneSelf {
				i++
				continue
			}
			stop, n := beyondASCII(buf, i)
			i, invalid = stop, invalid+n
		}
	}
	return i, invalid
}

// beyondASCII returns the index of the first ASCII character from i on. invalid is as of run.
func beyondASCII(buf []byte, i int) (stop, invalid int) {
	for i < len(buf) && buf[i] >= utf8.RuneSelf {
		c := buf[i]
		if 0xc2 <= c && c < 0xe0 && i+1 < len(buf) && buf[i+1]&0xc0 == 0x80 {
			i += 2 // every character that begins with such a byte has two
			continue
		}
		if c&0xf0 == 0xe0 && i+2 < len(buf) && buf[i+1]&0xc0 == 0x80 && buf[i+2]&0xc0 == 0x80 && (c != 0xe0 || buf[i+1] >= 0xa0) &&
			(c != 0xed || buf[i+1] < 0xa0) {
			i += 3 // it is neither an overlong form nor a surrogate
			continue
		}
		r, n := utf8.DecodeRune(buf[i:])
		if r == utf8.RuneError && n == 1 {
			invalid++
		}
		i += n
	}
	return i, invalid
}

// plainLength counts the plain ASCII characters of two words, of eight bytes each, before
// the first special one. found is false if there is no special one, or if characters beyond
// ASCII stand before it.
func plainLength(a, b uint64) (n int, found bool) {
	for _, v := range [...]uint64{a, b} {
		m := special(v)
		switch {
		case m != 0 && v&highs&(m&-m-1) == 0:
			return n + bits.TrailingZeros64(m)/8, true
		case m != 0 || v&highs != 0:
			return 0, false
		}
		n += 8
	}
	return 0, false
}

// special sets the high bit of the first, that is the lowest, of eight bytes that is a
// quote, a backslash or a control character. Bits above that one mean nothing, because the
// subtraction borrows from there. The result is 0 if there is no such byte; bytes from 0x80
// on are none.
func special(v uint64) uint64 {
	quote, slash := v^('"'*ones), v^('\\'*ones)
	return ((v - ' '*ones) | (quote - ones) | (slash - ones)) & ^v & highs
}

// longestEscape is the length of the longest escape, a pair of surrogates.
const longestEscape = len(`\ud83d\ude00`)

// short has the characters of the escapes of one letter.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape decodes the escape at the beginning of buf. It returns the length of the escape,
// which is 0 if it is not valid, and its character. A surrogate without its other half is
// decoded to U+FFFD.
func escape(buf []byte) (n int, r rune) {
	if len(buf) < 2 {
		return 0, 0
	}
	if buf[1] != 'u' {
		if r = rune(short[buf[1]]); r == 0 {
			return 0, 0
		}
		return 2, r
	}
	r, ok := hex(buf)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hex(buf[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return 12, pair
			}
		}
		return 6, utf8.RuneError
	}
	return 6, r
}

// hex decodes \uXXXX, without regard to surrogates.
func hex(buf []byte) (r rune, ok bool) {
	if len(buf) < 6 || buf[0] != '\\' || buf[1] != 'u' {
		return 0, false
	}
	for _, c := range buf[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
