package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"milaan/adapters/view"
	"milaan/domain"
)

// ErrorBody returns the body of the answer to an error with a code, in the language of the
// request.
func (d *Dashboard) ErrorBody(r *http.Request, err error, code domain.Code) []byte {
	words, names := d.Words(r), d.NamesInRefusals(r)
	v := view.Failure{Error: words.Message(err, names), Code: code}
	if e, ok := errors.AsType[*domain.FileError](err); ok && e != nil {
		v.File, v.Report = view.FileNames[e.File], e.Report
		return Encode(v)
	}
	e, ok := errors.AsType[*domain.Error](err)
	if !ok {
		return Encode(v)
	}
	for _, f := range e.Faults {
		message := words.Message(domain.Faults{f}.Err(), names)
		v.Faults = append(v.Faults, view.Fault{Field: view.FieldName(&f), Message: message, Report: f.Report})
	}
	if len(v.Faults) > 0 {
		v.Field, v.Report = v.Faults[0].Field, v.Faults[0].Report
	}
	return Encode(v)
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
