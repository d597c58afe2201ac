package jsonbody

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"milaan/domain"
)

// MaxTexts is how many bytes the decoded texts may have together. They can have more than
// the body, because U+FFFD, of three bytes, replaces each byte that is not UTF-8.
const MaxTexts = 25 << 20

// ErrTooLarge says that the texts have more than MaxTexts bytes.
var ErrTooLarge = errors.New("the texts have more than 25 MB once U+FFFD stands for each byte that is not UTF-8")

// Fields are the fields of the request.
type Fields struct {
	// Shopify, Courier, Bank and Previous point into the decoded buffer; nil if absent or null.
	Shopify  []byte
	Courier  []byte
	Bank     []byte
	Previous []byte
	// Reports is nil if absent or null. Of more than domain.MaxReports it has one more
	// than are allowed, which is empty.
	Reports []Report
	Include domain.Include
	// NotIncluded is the first name of include that is unknown, shortened; nil if all
	// are known.
	NotIncluded *string
	// CourierName, Mapping and Brand are blank if absent or null.
	CourierName string
	Mapping     string
	Brand       string
	Columns     map[string]string
	// OverdueDays and MinorGap are nil if absent or null. They need not be whole
	// numbers: that is for the caller to check.
	OverdueDays *float64
	MinorGap    *float64
	Charges     *string // nil if absent or null
}

// Report is one of several reports.
type Report struct {
	Courier     []byte // points into the decoded buffer; nil if absent or null
	CourierName string // blank if absent or null
	Columns     map[string]string
	Mapping     string // blank if absent or null
}

// Decode reads the JSON object in buf into fields. buf is altered and belongs to
// fields from then on. It returns ErrTooLarge, a *SyntaxError if buf is not JSON, or a
// TypeError; with the latter, fields has everything else.
//
// Besides buf it allocates as much as the body holds apart from the texts and from long
// strings, and the texts once more if they are not UTF-8.
func Decode(buf []byte, fields *Fields) error { return new(Decoder).Finish(buf, fields) }

// Decoder does the work of Decode while the body arrives. The zero value can decode one
// body.
type Decoder struct{ scanner scanner }

// Arrived decodes what has arrived so far. buf is all of that: it begins with the bytes of
// the last call, as that call has left them, and may be at another address. Errors are
// returned by Finish.
func (d *Decoder) Arrived(buf []byte) { d.scanner.scan(buf, false) }

// Previous returns the ledger of the body as far as it is known by now; nil if there is none.
func (d *Decoder) Previous(buf []byte) []byte {
	if d.scanner.tooLarge {
		return nil
	}
	return d.scanner.texts[previous].in(buf)
}

// Finish decodes the rest of a body that has arrived whole. It returns what Decode returns.
func (d *Decoder) Finish(buf []byte, fields *Fields) error {
	s := &d.scanner
	s.finish(buf)
	if s.tooLarge {
		return ErrTooLarge
	}
	if err := CheckSyntax(s.skeleton); err != nil {
		err.Offset = s.origin(err.Offset)
		return err
	}
	skeleton := bytes.TrimLeft(s.skeleton, blanks)
	if skeleton[0] != '{' {
		return TypeError{{Type: TypeOf(skeleton)}}
	}
	var m members
	Members(skeleton, m.read)
	*fields = Fields{
		CourierName: m.text(courierName), Brand: m.text(brand), Columns: m.columns.names, OverdueDays: m.overdueDays, MinorGap: m.minorGap,
		Charges: m.optionalText(charges), Mapping: m.text(mapping),
		Include: m.include.all, NotIncluded: m.include.unknown,
		Shopify: m.textOf(s, buf, shopify), Courier: m.textOf(s, buf, courier), Bank: m.textOf(s, buf, bank),
		Previous: m.textOf(s, buf, previous),
	}
	if m.reports != nil {
		fields.Reports = m.readReports(s, buf)
	}
	if m.columns.wrong != "" {
		m.wrong = append(m.wrong, Mistyped{Field: names[fieldColumns], Type: m.columns.wrong})
	}
	if m.wrong != nil {
		return m.wrong
	}
	return nil
}

// members are the values of the fields. If a name is repeated, the last value counts, and
// the others are not decoded, because there may be a million.
type members struct {
	last        [fieldCount][]byte // the strings, with their quotes; nil: null or absent
	reports     []byte             // the array; nil: null or absent
	report      int                // of several reports the one whose fields these are, from 1; 0: none
	include     inclusions
	columns     columns
	overdueDays *float64
	minorGap    *float64
	wrong       TypeError // without columns
}

// read reads the next member. It always goes on.
func (m *members) read(name, value []byte) (goOn bool) {
	switch field := fieldOf(name); field {
	case other:
	case fieldColumns:
		m.columns.read(value)
	case overdueDays:
		m.number(field, value, &m.overdueDays)
	case minorGap:
		m.number(field, value, &m.minorGap)
	case fieldInclude:
		m.wrong.add(Mistyped{Field: names[field], Type: m.include.read(value)})
	case fieldReports:
		switch value[0] {
		case '[':
			m.reports = value
		case 'n':
			m.reports = nil
		default:
			m.mistyped(field, value)
		}
	default:
		switch value[0] {
		case '"':
			m.last[field] = value
		case 'n':
			m.last[field] = nil
		default:
			m.mistyped(field, value)
		}
	}
	return true
}

func (m *members) number(field int, value []byte, into **float64) {
	if value[0] == 'n' {
		*into = nil
		return
	}
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil { // no number, or too large for one
		m.mistyped(field, value)
		return
	}
	*into = &f
}

// mistyped records a value of a wrong type, unless its field had one before.
func (m *members) mistyped(field int, value []byte) {
	m.wrong.add(Mistyped{Field: names[field], Type: TypeOf(value), Report: m.report})
}

// text returns the last value of a field; blank if there is none.
func (m *members) text(field int) string {
	if m.last[field] == nil {
		return ""
	}
	return unquoted(m.last[field])
}

// optionalText returns the last value of a field; nil if there is none.
func (m *members) optionalText(field int) *string {
	if m.last[field] == nil {
		return nil
	}
	return new(m.text(field))
}

// textOf returns one of the texts; nil if it is null or absent.
func (m *members) textOf(s *scanner, buf []byte, field int) []byte {
	if m.last[field] == nil {
		return nil
	}
	return s.texts[field].in(buf)
}

// readReports reads the array of reports, whose texts the scanner has kept.
func (m *members) readReports(s *scanner, buf []byte) []Report {
	reports := []Report{}
	Elements(m.reports, func(value []byte) bool {
		if len(reports) == domain.MaxReports {
			reports = append(reports, Report{})
			return false
		}
		of := members{report: len(reports) + 1}
		var r Report
		if value[0] == '{' {
			Members(value, of.readOfReport)
			r.CourierName, r.Columns, r.Mapping = of.text(courierName), of.columns.names, of.text(mapping)
			if of.last[courier] != nil {
				r.Courier = s.reports[of.report-1].in(buf)
			}
			if of.columns.wrong != "" {
				of.wrong.add(Mistyped{Field: names[fieldColumns], Type: of.columns.wrong, Report: of.report})
			}
		} else {
			of.mistyped(fieldReports, value)
		}
		m.wrong = append(m.wrong, of.wrong...)
		reports = append(reports, r)
		return true
	})
	return reports
}

// readOfReport is read for the members of a report, which has fewer fields.
func (m *members) readOfReport(name, value []byte) (goOn bool) {
	switch fieldOf(name) {
	case courier, courierName, fieldColumns, mapping:
		return m.read(name, value)
	}
	return true
}

// TypeError lists the values of a wrong type: the first one of each field, in the order
// of the body but for those of reports and for columns, which come last.
type TypeError []Mistyped

// Mistyped is a value of a wrong type.
type Mistyped struct {
	Field  string // name in JSON; blank: the body itself
	Type   string // the type that the value has, as TypeOf names it
	Report int    // the report that has the field, from 1; 0: none. With the field reports it is the report itself
}

// add adds a value, unless its type is blank or its field had one before.
func (e *TypeError) add(value Mistyped) {
	same := func(w Mistyped) bool { return w.Field == value.Field && w.Report == value.Report }
	if value.Type != "" && !slices.ContainsFunc(*e, same) {
		*e = append(*e, value)
	}
}

func (e TypeError) Error() string { return fmt.Sprintf("values of a wrong type: %v", []Mistyped(e)) }

// SyntaxError says that a body is not JSON, and where.
type SyntaxError struct {
	Offset int64  // bytes read when the fault showed
	Text   string // what is wrong, in the words of encoding/json
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (at byte %d)", e.Text, e.Offset) }

// CheckSyntax returns the fault of a text that is not JSON; nil if it is JSON.
func CheckSyntax(text []byte) *SyntaxError {
	if json.Valid(text) {
		return nil
	}
	syntax, _ := errors.AsType[*json.SyntaxError](json.Unmarshal(text, new(struct{})))
	return &SyntaxError{Offset: syntax.Offset, Text: syntax.Error()}
}
