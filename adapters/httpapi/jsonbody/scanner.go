package jsonbody

import (
	"bytes"
	"unicode/utf8"

	"milaan/domain"
)

// The fields; the texts come first.
const (
	other = iota
	shopify
	courier
	bank
	previous
	courierName
	brand
	fieldReports
	fieldInclude
	fieldColumns
	overdueDays
	minorGap
	charges
	mapping
	fieldCount

	textCount = previous + 1
)

var names = [fieldCount]string{shopify: "shopify", courier: "courier", bank: "bank", previous: "previous",
	courierName: "courierName", brand: "brand",
	fieldReports: "reports", fieldInclude: "include", fieldColumns: "columns", overdueDays: "overdue_threshold_days",
	minorGap: "minor_gap_threshold", charges: "charges", mapping: "mapping"}

// How deep in the body the names of its own fields stand, the reports, and the names of the
// fields of one report.
const (
	depthOfFields = iota + 1
	depthOfReports
	depthOfReport
)

// longString is how many bytes of any other string go into the skeleton. It is several
// times what the longest field may have, with each character escaped.
const longString = 8 << 10

// scanner goes through a body once, as far as it has arrived. It remembers its place by
// index, because the body may be moved to a larger buffer. It knows only as much of the
// grammar as it needs to find the texts in a valid body. In a body that is not valid,
// everything before the first fault is copied into the skeleton, or is a valid string that
// is replaced by another one. So encoding/json finds the fault in the skeleton.
type scanner struct {
	at       int // index at which to go on
	inside   place
	skeleton []byte
	from     int                   // from here on the body is not copied to the skeleton yet
	texts    [textCount]unescaping // of each name the last one
	reports  []unescaping          // the texts of the last array of reports, domain.MaxReports at most
	size     int                   // bytes of texts and reports
	cuts     []cut

	depth     int
	name      int  // which field the name before the value means: a text, the reports, or other
	inName    bool // the next string is a name, of depthOfFields or depthOfReport
	inReports bool // in the array of reports
	report    int  // the number of the report that the scanner is in, from 0
	isCourier bool // the name before the value in a report is courier
	begin     int  // index of the quote of the string that the scanner is in
	text      unescaping
	isRest    bool // the fault is in the rest of a long string

	tooLarge bool // the texts have more than MaxTexts bytes
}

type place uint8

const (
	between place = iota // two strings
	inString
	inText
	inRest  // the rest of a string of which the skeleton has enough
	inFault // a fault of a text or a rest: nothing after it counts
)

// cut says that skeleton[at:] was copied from buf[was:], which errors need for their
// positions. Only maxCuts are kept, which are enough for a body with as many reports as
// there may be.
type cut struct{ at, was int }

const maxCuts = 2 * domain.MaxReports

// scan goes on to the end of what has arrived, or to a place where it needs more bytes.
// whole says that the body has arrived whole.
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

// keep is called at the end of one of the texts. If its name is repeated, the last text
// counts.
func (s *scanner) keep(buf []byte) {
	into := s.keptAt()
	s.size += s.text.size() - into.size()
	*into = s.text
	if s.size > MaxTexts {
		s.tooLarge = true
		return
	}
	into.repair(buf)
}

func (s *scanner) keptAt() *unescaping {
	if !s.inReports {
		return &s.texts[s.name]
	}
	for len(s.reports) <= s.report {
		s.reports = append(s.reports, unescaping{})
	}
	return &s.reports[s.report]
}

// beginReports is called at the beginning of an array of reports. If there are several, the
// last one counts.
func (s *scanner) beginReports() {
	for i := range s.reports {
		s.size -= s.reports[i].size()
	}
	s.inReports, s.report, s.reports = true, 0, s.reports[:0]
}

// shortString goes on with a string that is none of the texts. It returns false if more
// bytes must arrive first.
func (s *scanner) shortString(buf []byte, whole bool) bool {
	limit := s.begin + longString
	var closed bool
	if s.at, closed = skipString(buf[:min(limit, len(buf))], s.at); closed {
		s.endString(buf)
		return true
	}
	if s.at < limit {
		return true // at the end of buf
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
	s.named(other)
	return true
}

// endString notes the name if the string that has ended is one.
func (s *scanner) endString(buf []byte) {
	if s.inside = between; s.inName {
		s.named(fieldOf(buf[s.begin:s.at]))
	}
}

func (s *scanner) named(field int) {
	switch {
	case !s.inName:
	case s.depth == depthOfReport:
		s.isCourier = field == courier
	case field < textCount || field == fieldReports:
		s.name = field
	default:
		s.name = other
	}
}

// isText says whether a string that is a value is one of the texts.
func (s *scanner) isText() bool {
	switch {
	case s.inName:
		return false
	case s.depth == depthOfReport:
		return s.inReports && s.isCourier && s.report < domain.MaxReports
	}
	return s.depth == depthOfFields && s.name != other && s.name < textCount
}

// wholeUntil returns the last index up to limit that is not within an escape. i is an index
// of the same string that is not within one.
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

// sign reads one byte between strings.
func (s *scanner) sign(buf []byte) {
	switch c := buf[s.at]; c {
	case '{', '[':
		s.depth++
		switch s.inName = false; s.depth {
		case depthOfFields:
			s.inName = true
		case depthOfReports:
			if s.name == fieldReports && c == '[' {
				s.beginReports()
			}
		case depthOfReport:
			s.inName, s.isCourier = s.inReports && c == '{', false
		}
	case '}', ']':
		s.depth--
		s.inName = false
		s.inReports = s.inReports && s.depth >= depthOfReports
	case ',':
		switch {
		case s.depth == depthOfFields:
			s.inName, s.name = true, other
		case s.inReports && s.depth == depthOfReports:
			s.report++
		case s.inReports && s.depth == depthOfReport:
			s.inName, s.isCourier = true, false
		}
	case ':':
		if s.depth == depthOfFields || s.depth == depthOfReport {
			s.inName = false
		}
	case '"':
		s.inside, s.begin = inString, s.at
		if s.isText() {
			s.inside, s.text = inText, unescapingFrom(s.at+1)
			s.skeleton = append(s.skeleton, buf[s.from:s.at]...)
		}
	}
	s.at++
}

// finish scans the rest of a body and completes the skeleton. If a text is not valid, the
// skeleton ends with the fault, so that encoding/json names it.
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

// cut notes that buf[was:] is copied to the skeleton next.
func (s *scanner) cut(was int) {
	if len(s.cuts) < maxCuts {
		s.cuts = append(s.cuts, cut{at: len(s.skeleton), was: was})
	}
}

// origin returns the position in the body of a position in the skeleton.
func (s *scanner) origin(offset int64) int64 {
	for i := len(s.cuts) - 1; i >= 0; i-- {
		if c := s.cuts[i]; offset >= int64(c.at) {
			return offset - int64(c.at) + int64(c.was)
		}
	}
	return offset
}

// skipString returns the index after the closing quote of a string. If the string is not
// closed yet, it returns the index at which to go on, which can be one beyond buf.
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

// longestName is the length of the longest spelling of a field's name: each character
// escaped as \uXXXX, and the quotes.
const longestName = len(`\u0000`)*len("overdue_threshold_days") + 2

// fieldOf returns the field of a quoted name; other if it is none.
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
