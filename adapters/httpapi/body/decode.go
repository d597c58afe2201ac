// Package body decodes the body of POST /reconcile: a small JSON object around
// two texts of up to 25 MB. It accepts, refuses and decodes exactly what
// encoding/json does with the same fields, at the speed of memory: the two
// texts are unescaped where they lie, and encoding/json sees the rest with
// empty strings in their place. So the grammar and the choice among repeated
// names, of which the last counts, stay its own. It differs in that names match
// in their case as well, and in what no good request has: of any other string
// than the two texts no more than the first 8 KiB are looked at, and of columns
// one more than there are roles.
package body

import (
	"encoding/json"
	"errors"
	"fmt"
)

// MaxTexts is how many bytes the two texts may have together, which can be more
// than the body had: U+FFFD stands for each byte that is not UTF-8.
const MaxTexts = 25 << 20

// ErrTooLarge says that the two texts have more.
var ErrTooLarge = errors.New("the two texts have more than 25 MB once U+FFFD stands for each byte that is not UTF-8")

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
	Shopify     *string  `json:"shopify"`
	Courier     *string  `json:"courier"`
	CourierName *string  `json:"courierName"`
	Brand       *string  `json:"brand"`
	Columns     columns  `json:"columns"`
	OverdueDays *float64 `json:"overdue_threshold_days"`
	MinorGap    *float64 `json:"minor_gap_threshold"`
}

// Decode reads the JSON object in buf into fields. buf is altered and belongs
// to fields from then on. The errors are those of json.Unmarshal: a
// *json.UnmarshalTypeError for a value of the wrong type, whose Field is blank
// if the body is no object, and a *SyntaxError for what is not JSON. A body of
// null decodes to no fields, as it does there. ErrTooLarge comes before both.
//
// Beside buf it allocates as much as the body holds apart from the two texts and
// from long strings, and the texts themselves again if they are not UTF-8.
func Decode(buf []byte, fields *Fields) error { return new(Decoder).Finish(buf, fields) }

// Decoder does the work of Decode while the body still arrives. The zero value
// is ready for one body.
type Decoder struct{ scanner scanner }

// Arrived decodes what has come so far. buf is all of it: it begins with what
// the last call left of the buf that it was given, and may lie elsewhere. What
// is wrong shows in Finish.
func (d *Decoder) Arrived(buf []byte) { d.scanner.scan(buf, false) }

// Finish decodes the rest of a body that has come whole, as Decode does.
func (d *Decoder) Finish(buf []byte, fields *Fields) error {
	s := &d.scanner
	s.finish(buf)
	if s.tooLarge {
		return ErrTooLarge
	}
	var w wire
	err := json.Unmarshal(s.skeleton, &w)
	if err == nil && w.Columns.wrong != nil {
		err = w.Columns.wrong
	}
	if err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return &SyntaxError{Offset: s.origin(syntax.Offset), Text: syntax.Error()}
		}
		return err
	}
	*fields = Fields{Columns: w.Columns.names, OverdueDays: w.OverdueDays, MinorGap: w.MinorGap}
	if w.Shopify != nil {
		fields.Shopify = s.texts[shopify].in(buf)
	}
	if w.Courier != nil {
		fields.Courier = s.texts[courier].in(buf)
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
