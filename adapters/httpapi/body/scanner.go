package body

import (
	"bytes"
	"encoding/json"
)

// The two texts.
const (
	other = iota
	shopify
	courier
	textCount
)

var names = [textCount]string{shopify: "shopify", courier: "courier"}

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
}

// place is what a scanner stands in.
type place uint8

const (
	between place = iota // strings
	inString
	inText
	inFault // of a text: nothing after it counts
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
			var closed bool
			if s.at, closed = skipString(buf, s.at); closed {
				s.inside = between
				if s.depth == 1 && s.inName {
					s.name = whichText(buf[s.begin:s.at])
				}
			}
		case inText:
			var end ending
			if s.at, end = s.text.goOn(buf, s.at, whole); end == cutOff {
				return
			} else if end == faulty {
				s.inside = inFault
				return
			}
			s.inside, s.from = between, s.at
			s.texts[s.name] = s.text
			s.skeleton = append(s.skeleton, `""`...)
			s.cut(s.at)
		case inFault:
			return
		}
	}
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
	if s.inside != inText && s.inside != inFault {
		s.skeleton = append(s.skeleton, buf[s.from:]...)
		return
	}
	s.skeleton = append(s.skeleton, '"')
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
const longestName = len(`\u0000`)*len("shopify") + 2

// whichText says for which text a name, as it stands with its quotes, can
// stand: names match whatever their case, as in encoding/json.
func whichText(quoted []byte) int {
	if len(quoted) > longestName || len(quoted) < 2 {
		return other
	}
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		var plain string
		if json.Unmarshal(quoted, &plain) != nil {
			return other
		}
		name = []byte(plain)
	}
	for i, n := range names {
		if bytes.EqualFold(name, []byte(n)) {
			return i
		}
	}
	return other
}
