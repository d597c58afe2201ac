package dashboard

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports/peers"
)

// ErrorBody returns the body of the answer to an error with a code, in the language of the
// request.
func (d *Dashboard) ErrorBody(r *http.Request, err error, code domain.Code) []byte {
	return Encode(viewError(err, code, d.Words(r), d.namesInRefusals(r)))
}

// Failure returns what ErrorBody says of an error that domain.KindOf knows; nil of no error. It
// is for answers that tell what is wrong with one of several things.
func (d *Dashboard) Failure(r *http.Request, err error) *view.Failure {
	return FailureOf(err, d.Words(r), d.namesInRefusals(r))
}

// FailureOf is Failure in given words and names.
func FailureOf(err error, words peers.Wording, names peers.Names) *view.Failure {
	if err == nil {
		return nil
	}
	_, code, _ := domain.KindOf(err)
	return new(viewError(err, code, words, names))
}

func viewError(err error, code domain.Code, words peers.Wording, names peers.Names) view.Failure {
	v := view.Failure{Error: words.Message(err, names), Code: code}
	if e, ok := errors.AsType[*domain.FileError](err); ok && e != nil {
		v.File, v.Report = view.FileNames[e.File], e.Report
		return v
	}
	e, ok := errors.AsType[*domain.Error](err)
	if !ok {
		return v
	}
	for _, f := range e.Faults {
		message := words.Message(domain.Faults{f}.Err(), names)
		v.Faults = append(v.Faults, view.Fault{Field: FieldName(&f), Message: message, Report: f.Report})
	}
	if len(v.Faults) > 0 {
		v.Field, v.Report = v.Faults[0].Field, v.Faults[0].Report
	}
	return v
}

// Encode writes JSON as people read it: <, > and & are not escaped.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // the views can always be encoded
	}
	return b.Bytes()
}

var fieldNames = map[domain.Field]string{
	domain.FieldStorefront: "orders", domain.FieldCourier: "report", domain.FieldReports: "report", domain.FieldStatement: "bank",
	domain.FieldCourierName: "courierName", domain.FieldOverdueDays: "overdue_threshold_days", domain.FieldMinorGap: "minor_gap_threshold",
	domain.FieldBrandingLogo: "logo", domain.FieldBrandingColour: "colour", domain.FieldBrandingFooter: "footer",
	domain.FieldOwnOverdueDays: "overdue_days", domain.FieldNewName: "to",
}

// FieldName returns where the field of a fault is in the body of a request.
func FieldName(f *domain.Fault) string {
	name := cmp.Or(fieldNames[f.Field], f.Field.String())
	of := "shop"
	if f.Source > 0 {
		of = fmt.Sprintf("sources[%d]", f.Source-1)
	}
	switch {
	case f.Field == domain.FieldBookLedger:
		return "ledgers." + f.Value
	case f.Field == domain.FieldSetting:
		return of + ".settings." + f.Setting
	case f.Source > 0 && f.Field == domain.FieldCourierName:
		return of + ".courier"
	case f.Source > 0 || f.Field == domain.FieldConnector:
		return of + "." + name
	}
	return name
}
