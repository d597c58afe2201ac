package sheet

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// segments reads the bytes of a record and of those that continue it. A text may
// continue in any of them, which then begins with a byte that says anew whether
// characters have one byte or two.
type segments struct {
	now    []byte
	stream *recordStream
	at     int // of the next record in the stream; 0: there is none
	end    int // where the records must end
}

// fill makes now the next segment if all of it is read. It returns false at the end.
func (s *segments) fill() bool {
	for len(s.now) == 0 {
		if s.at == 0 {
			return false
		}
		kind, data, next := s.stream.record(s.at, s.end)
		if s.now, s.at = data, next; kind != recContinue {
			s.now, s.at = nil, 0
		}
	}
	return true
}

func (s *segments) byte() (byte, bool) {
	if !s.fill() {
		return 0, false
	}
	b := s.now[0]
	s.now = s.now[1:]
	return b, true
}

func (s *segments) uint16() (uint16, bool) {
	low, _ := s.byte()
	high, ok := s.byte()
	return uint16(high)<<8 | uint16(low), ok
}

func (s *segments) uint32() (uint32, bool) {
	low, _ := s.uint16()
	high, ok := s.uint16()
	return uint32(high)<<16 | uint32(low), ok
}

// skip passes n bytes over, and returns false if there are fewer.
func (s *segments) skip(n int) bool {
	for n > 0 {
		if !s.fill() {
			return false
		}
		passed := min(n, len(s.now))
		s.now, n = s.now[passed:], n-passed
	}
	return true
}

// shortestText is how many bytes a text has that is empty.
const shortestText = 3

// What the byte before a text's characters says.
const (
	textWide     = 1
	textPhonetic = 4
	textRich     = 8
)

// text appends a text of BIFF8 in UTF-8, of which the number of characters has been
// read. It passes over the places of fonts and the phonetic text after it.
func (s *segments) text(dst []byte, chars int) ([]byte, bool) {
	flags, ok := s.byte()
	if !ok {
		return dst, false
	}
	after := 0
	if flags&textRich != 0 {
		runs, _ := s.uint16()
		after = 4 * int(runs)
	}
	if flags&textPhonetic != 0 {
		size, _ := s.uint32()
		after += int(size)
	}
	dst, ok = s.characters(dst, chars, flags&textWide != 0)
	return dst, ok && s.skip(after)
}

func (s *segments) characters(dst []byte, chars int, wide bool) ([]byte, bool) {
	pending := rune(0) // the first half of a character of two
	for chars > 0 {
		if len(s.now) == 0 {
			if !s.fill() {
				return dst, false
			}
			wide, s.now = s.now[0]&textWide != 0, s.now[1:]
		}
		if !wide {
			n := min(chars, len(s.now))
			if isASCII(s.now[:n]) {
				dst = append(dst, s.now[:n]...)
			} else {
				for _, c := range s.now[:n] {
					dst = utf8.AppendRune(dst, rune(c))
				}
			}
			s.now, chars = s.now[n:], chars-n
			continue
		}
		n := min(chars, len(s.now)/2)
		if n == 0 && len(s.now) > 0 {
			return dst, false // half a character
		}
		for i := range n {
			c := rune(binary.LittleEndian.Uint16(s.now[2*i:]))
			switch {
			case pending != 0:
				dst = utf8.AppendRune(dst, utf16.DecodeRune(pending, c))
				pending = 0
			case utf16.IsSurrogate(c):
				pending = c
			default:
				dst = utf8.AppendRune(dst, c)
			}
		}
		s.now, chars = s.now[2*n:], chars-n
	}
	if pending != 0 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst, true
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// left returns how many bytes there are still, as their records state it.
func (s *segments) left() (n int) {
	for rest := *s; rest.fill(); rest.now = nil {
		n += len(rest.now)
	}
	return n
}

// readTexts reads the table of texts. Programs state a wrong number of them; what
// counts is how many there are.
func (b *xlsBook) readTexts(s *segments) bool {
	s.skip(4)
	stated, ok := s.uint32()
	if !ok {
		return false
	}
	size := s.left() // most texts have a byte for each character, and three before them
	b.texts, b.ends = make([]byte, 0, size), make([]uint32, 0, min(stated, uint32(size/shortestText)))
	for s.fill() {
		n, ok := s.uint16()
		text, sound := b.texts, false
		if ok {
			text, sound = s.text(text, int(n))
		}
		if !sound {
			return len(b.ends) >= int(stated)
		}
		from := len(b.texts)
		text = text[:from+len(inOneLine(text[from:]))] // once, because cells that share a text must not change it
		b.texts = text
		b.ends = append(b.ends, uint32(len(text)))
	}
	return true
}
