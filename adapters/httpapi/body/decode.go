// Package body decodes the body of POST /reconcile: a small JSON object around
// two texts of up to 25 MB. It accepts, refuses and decodes exactly what
// encoding/json does with the same fields, at the speed of memory: the two
// texts are unescaped where they lie, and encoding/json sees the rest with
// empty strings in their place. So the grammar, the matching of names and the
// choice among repeated names stay its own.
package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Fields are the fields of the request (contract, section 2.1).
type Fields struct {
	// Shopify and Courier point into the decoded buffer; nil if absent or null.
	Shopify []byte
	Courier []byte
	// CourierName and Brand are blank if absent or null.
	CourierName string
	Brand       string
	Columns     map[string]string
	// OverdueDays and MinorGap are nil if absent or null. They are whole
	// numbers only if the caller has kept to the contract.
	OverdueDays *float64
	MinorGap    *float64
}

// wire is the object as encoding/json sees it. A null sets a pointer back to
// nil, as if the name had not been there.
type wire struct {
	Shopify     *string           `json:"shopify"`
	Courier     *string           `json:"courier"`
	CourierName *string           `json:"courierName"`
	Brand       *string           `json:"brand"`
	Columns     map[string]string `json:"columns"`
	OverdueDays *float64          `json:"overdue_threshold_days"`
	MinorGap    *float64          `json:"minor_gap_threshold"`
}

// Decode reads the JSON object in buf into fields. buf is altered and belongs
// to fields from then on. The errors are those of json.Unmarshal: a
// *json.UnmarshalTypeError for a value of the wrong type, whose Field is blank
// if the body is no object, and a *SyntaxError for what is not JSON. A body of
// null decodes to no fields, as it does there.
//
// Beside buf it allocates as much as the body holds apart from the two texts,
// and the texts themselves again if they are not UTF-8: each invalid byte
// becomes U+FFFD, which takes more room than the byte had.
func Decode(buf []byte, fields *Fields) error {
	s := scanner{buf: buf}
	s.scan()
	var w wire
	if err := json.Unmarshal(s.skeleton, &w); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return &SyntaxError{Offset: s.origin(syntax.Offset), Text: syntax.Error()}
		}
		return err
	}
	*fields = Fields{Columns: w.Columns, OverdueDays: w.OverdueDays, MinorGap: w.MinorGap}
	if w.Shopify != nil {
		fields.Shopify = s.texts[shopify]
	}
	if w.Courier != nil {
		fields.Courier = s.texts[courier]
	}
	if w.CourierName != nil {
		fields.CourierName = *w.CourierName
	}
	if w.Brand != nil {
		fields.Brand = *w.Brand
	}
	return nil
}

// SyntaxError says that a body is not JSON, and where.
type SyntaxError struct {
	Offset int64  // bytes read until it showed
	Text   string // what is wrong, in the words of encoding/json
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (at byte %d)", e.Text, e.Offset) }

// The two texts.
const (
	shopify = iota
	courier
	textCount
	other = textCount
)

var names = [textCount][]byte{[]byte("shopify"), []byte("courier")}

// scanner goes once through a body. It keeps only as much of the grammar as it
// takes to know which strings are the two texts in a body that is valid. In one
// that is not, all up to the first fault is copied or is a valid string
// replaced by another, so that encoding/json finds the fault.
type scanner struct {
	buf      []byte
	skeleton []byte
	texts    [textCount][]byte // the last ones met
	cuts     []cut
}

// cut remembers for the positions of errors that skeleton[at:] was buf[was:].
// Only the first few are kept: there are two texts in a sensible body.
type cut struct{ at, was int }

const maxCuts = 16

func (s *scanner) scan() {
	buf := s.buf
	depth := 0
	name := other   // which text the name before the value stands for
	inName := false // the next string of depth 1 is a name
	from := 0       // buf[from:i] is still to be copied
	for i := 0; i < len(buf); {
		switch buf[i] {
		case '{', '[':
			depth++
			inName = depth == 1
			i++
		case '}', ']':
			depth--
			i++
		case ',':
			if depth == 1 {
				inName, name = true, other
			}
			i++
		case ':':
			if depth == 1 {
				inName = false
			}
			i++
		case '"':
			switch {
			case depth == 1 && !inName && name != other:
				s.skeleton = append(s.skeleton, buf[from:i]...)
				text, end, valid := unescape(buf, i+1)
				if !valid {
					// The skeleton ends with the fault, for encoding/json to name.
					s.skeleton = append(s.skeleton, '"')
					s.cut(end)
					s.skeleton = append(s.skeleton, buf[end:min(end+faultSize, len(buf))]...)
					return
				}
				s.texts[name] = text
				s.skeleton = append(s.skeleton, `""`...)
				s.cut(end)
				i, from = end, end
			default:
				end := skipString(buf, i+1)
				if depth == 1 && inName {
					name = whichText(buf[i:end])
				}
				i = end
			}
		default:
			i++
		}
	}
	s.skeleton = append(s.skeleton, buf[from:]...)
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

// skipString finds the end of the string whose first character is at i: the
// index after its closing quote, or the end of buf.
func skipString(buf []byte, i int) int {
	for i < len(buf) {
		switch buf[i] {
		case '"':
			return i + 1
		case '\\':
			i += 2
		default:
			i++
		}
	}
	return len(buf)
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
		if bytes.EqualFold(name, n) {
			return i
		}
	}
	return other
}

// repaired replaces each byte that is not UTF-8 by U+FFFD, as encoding/json
// does, in memory of its own.
func repaired(text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/2)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		out = utf8.AppendRune(out, r)
		text = text[n:]
	}
	return out
}
