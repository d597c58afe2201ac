package body

import (
	"bytes"
	"unicode/utf8"
)

// The fields; the two texts come first.
const (
	other = iota
	shopify
	courier
	courierName
	brand
	fieldColumns
	overdueDays
	minorGap
	fieldCount

	textCount = courier + 1
)

var names = [fieldCount]string{shopify: "shopify", courier: "courier", courierName: "courierName", brand: "brand",
	fieldColumns: "columns", overdueDays: "overdue_threshold_days", minorGap: "minor_gap_threshold"}

// longString is how many bytes of any other string go into the skeleton: twenty
// times what the longest field may have, each character escaped.
const longString = 8 << 10

// scanner goes once through a body, as far as it has come. Where it stands it
// remembers by index, for the body may move to a larger buffer. It keeps only as
// much of the grammar as it takes to know which strings are the two texts in a
// body that is valid. In one that is not, all up to the first fault is copied or
// is a valid string replaced by another, so that encoding/json finds the fault.
type scanner struct {
	at       int // where to go on
	inside   place
	skeleton []byte
	from     int                   // what follows is still to be copied to the skeleton
	texts    [textCount]unescaping // the last ones met
	cuts     []cut

	depth  int
	name   int  // which text the name before the value stands for
	inName bool // the next string of depth 1 is a name
	begin  int  // of the string that the scanner stands in, its quote
	text   unescaping
	isRest bool // the fault is in the rest of a long string

	tooLarge bool // the two texts are more than MaxTexts
}

// place is what a scanner stands in.
type place uint8

const (
	between place = iota // strings
	inString
	inText
	inRest  // of a string of which the skeleton has enough
	inFault // of a text or a rest: nothing after it counts
)

// cut remembers for the positions of errors that skeleton[at:] was buf[was:].
// Only the first few are kept: there are two texts in a sensible body.
type cut struct{ at, was int }

const maxCuts = 16

// scan goes on as far as the body has come, or to something of which more must
// come first. whole says that this is all.
func (s *scanner) scan(buf []byte, whole bool) {
	for s.at < len(buf) {
		switch s.inside {
		case between:
			s.sign(buf)
		case inString:
			if !s.shortString(buf, whole) {
				return
			}
		case inText, inRest:
			var end ending
			if s.at, end = s.text.goOn(buf, s.at, whole); end == cutOff {
				return
			} else if end == faulty {
				s.isRest, s.inside = s.inside == inRest, inFault
				return
			}
			if s.inside == inRest {
				s.skeleton = append(s.skeleton, '"')
			} else {
				s.keep(buf)
				s.skeleton = append(s.skeleton, `""`...)
			}
			s.inside, s.from = between, s.at
			s.cut(s.at)
		case inFault:
			return
		}
	}
}

// keep ends one of the texts. Of all that have its name, the last one counts.
func (s *scanner) keep(buf []byte) {
	s.texts[s.name] = s.text
	if s.texts[shopify].size()+s.texts[courier].size() > MaxTexts {
		s.tooLarge = true
		return
	}
	s.texts[s.name].repair(buf)
}

// shortString goes on with a string that is none of the texts. It is false where
// more of it must come first.
func (s *scanner) shortString(buf []byte, whole bool) bool {
	limit := s.begin + longString
	var closed bool
	if s.at, closed = skipString(buf[:min(limit, len(buf))], s.at); closed {
		s.endString(buf)
		return true
	}
	if s.at < limit {
		return true // it is at the end of buf
	}
	if limit+longestEscape > len(buf) { // an escape may not be whole yet
		if !whole {
			return false
		}
		if s.at, closed = skipString(buf, s.at); closed {
			s.endString(buf)
		}
		return true
	}
	s.at = wholeUntil(buf, s.begin+1, limit)
	s.skeleton = append(s.skeleton, buf[s.from:s.at]...)
	s.inside, s.text, s.from = inRest, unescapingFrom(s.at), s.at
	if s.depth == 1 && s.inName {
		s.name = other
	}
	return true
}

// endString looks at a short string that has ended.
func (s *scanner) endString(buf []byte) {
	s.inside = between
	if s.depth != 1 || !s.inName {
		return
	}
	if s.name = fieldOf(buf[s.begin:s.at]); s.name >= textCount {
		s.name = other
	}
}

// wholeUntil is the last position up to limit where no escape of the string that
// goes on at i is cut apart.
func wholeUntil(buf []byte, i, limit int) int {
	for i < limit {
		n := 1
		if buf[i] == '\\' {
			if n = 2; buf[i+1] == 'u' {
				n = len(`\u0000`)
			}
		}
		if i+n > limit {
			break
		}
		i += n
	}
	return i
}

// sign looks at one byte between strings.
func (s *scanner) sign(buf []byte) {
	switch buf[s.at] {
	case '{', '[':
		s.depth++
		s.inName = s.depth == 1
	case '}', ']':
		s.depth--
	case ',':
		if s.depth == 1 {
			s.inName, s.name = true, other
		}
	case ':':
		if s.depth == 1 {
			s.inName = false
		}
	case '"':
		s.inside, s.begin = inString, s.at
		if s.depth == 1 && !s.inName && s.name != other {
			s.inside, s.text = inText, unescapingFrom(s.at+1)
			s.skeleton = append(s.skeleton, buf[s.from:s.at]...)
		}
	}
	s.at++
}

// finish scans the rest of a body, and completes the skeleton. Where a text is
// not valid the skeleton ends with the fault, for encoding/json to name.
func (s *scanner) finish(buf []byte) {
	s.scan(buf, true)
	if s.inside != inText && s.inside != inRest && s.inside != inFault {
		s.skeleton = append(s.skeleton, buf[s.from:]...)
		return
	}
	if !s.isRest && s.inside != inRest {
		s.skeleton = append(s.skeleton, '"')
	}
	s.cut(s.at)
	s.skeleton = append(s.skeleton, buf[s.at:min(s.at+faultSize, len(buf))]...)
}

// faultSize is the longest piece that shows what is wrong in a string: \uXXXX.
const faultSize = 6

// cut notes that the skeleton goes on with buf[was:].
func (s *scanner) cut(was int) {
	if len(s.cuts) < maxCuts {
		s.cuts = append(s.cuts, cut{at: len(s.skeleton), was: was})
	}
}

// origin is where a position in the skeleton was in the body.
func (s *scanner) origin(offset int64) int64 {
	for i := len(s.cuts) - 1; i >= 0; i-- {
		if c := s.cuts[i]; offset >= int64(c.at) {
			return offset - int64(c.at) + int64(c.was)
		}
	}
	return offset
}

// skipString goes to the end of a string, and returns the index after its
// closing quote, or else where to go on when more of it has come: that can be
// one beyond buf.
func skipString(buf []byte, i int) (at int, closed bool) {
	for i < len(buf) {
		switch buf[i] {
		case '"':
			return i + 1, true
		case '\\':
			i += 2
		default:
			i++
		}
	}
	return i, false
}

// longestName is what the longest spelling of a name takes, each character
// escaped as \uXXXX, with its quotes.
const longestName = len(`\u0000`)*len("overdue_threshold_days") + 2

// fieldOf says which field a name is, as it stands with its quotes, or other.
func fieldOf(quoted []byte) int {
	if len(quoted) > longestName || len(quoted) < 2 {
		return other
	}
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		var room [longestName]byte
		plain := room[:0]
		for len(name) > 0 {
			n, r := 1, rune(name[0])
			if r == '\\' {
				if n, r = escape(name); n == 0 {
					return other
				}
				plain = utf8.AppendRune(plain, r)
			} else {
				plain = append(plain, name[0])
			}
			name = name[n:]
		}
		name = plain
	}
	for i := shopify; i < fieldCount; i++ {
		if string(name) == names[i] {
			return i
		}
	}
	return other
}
