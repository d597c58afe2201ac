package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
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
	skeleton := bytes.TrimLeft(s.skeleton, " \n\r\t")
	if len(skeleton) == 0 || skeleton[0] != '{' || !json.Valid(skeleton) {
		err := json.Unmarshal(s.skeleton, new(struct{}))
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return &SyntaxError{Offset: s.origin(syntax.Offset), Text: syntax.Error()}
		}
		return err
	}
	var m members
	Members(skeleton, m.read)
	if m.wrong == nil {
		m.wrong = m.columns.wrong
	}
	if m.wrong != nil {
		return m.wrong
	}
	*fields = Fields{CourierName: m.text(courierName), Brand: m.text(brand), Columns: m.columns.names, OverdueDays: m.overdueDays, MinorGap: m.minorGap}
	if m.last[shopify] != nil {
		fields.Shopify = s.texts[shopify].in(buf)
	}
	if m.last[courier] != nil {
		fields.Courier = s.texts[courier].in(buf)
	}
	return nil
}

// members are those of the object that are a field's. Of all with one name the
// last counts, and nothing is made of the others: there may be a million.
type members struct {
	last        [fieldCount][]byte // the strings, with their quotes; nil: null or absent
	columns     columns
	overdueDays *float64
	minorGap    *float64
	wrong       *json.UnmarshalTypeError // the first value of a wrong type, but for those of columns
}

// read takes the next member. It goes on to the end.
func (m *members) read(name, value []byte) (goOn bool) {
	switch field := fieldOf(name); field {
	case other:
	case fieldColumns:
		_ = m.columns.UnmarshalJSON(value) // it never fails
	case overdueDays:
		m.number(field, value, &m.overdueDays)
	case minorGap:
		m.number(field, value, &m.minorGap)
	default:
		switch value[0] {
		case '"':
			m.last[field] = value
		case 'n':
			m.last[field] = nil
		default:
			m.mistyped(field, value, reflect.TypeFor[string]())
		}
	}
	return true
}

func (m *members) number(field int, value []byte, into **float64) {
	switch TypeOf(value) {
	case "null":
		*into = nil
	case "number":
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil { // too large for one
			m.mistyped(field, value, reflect.TypeFor[float64]())
			return
		}
		*into = &f
	default:
		m.mistyped(field, value, reflect.TypeFor[float64]())
	}
}

func (m *members) mistyped(field int, value []byte, wanted reflect.Type) {
	if m.wrong == nil {
		m.wrong = &json.UnmarshalTypeError{Value: TypeOf(value), Type: wanted, Field: names[field]}
	}
}

// text is the last value of a field, or blank.
func (m *members) text(field int) string {
	if m.last[field] == nil {
		return ""
	}
	return unquoted(m.last[field])
}

// SyntaxError says that a body is not JSON, and where.
type SyntaxError struct {
	Offset int64  // bytes read until it showed
	Text   string // what is wrong, in the words of encoding/json
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (at byte %d)", e.Text, e.Offset) }
