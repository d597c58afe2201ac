package httpapi

import (
	"errors"
	"math"
	"reflect"
	"sync"

	"github.com/go-playground/validator/v10"

	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
	"milaan/ports"
)

// shape is what the validator checks of a request: that required fields are there, and
// that numbers are whole. The use case judges what the fields say. The tags are the
// fields' names in JSON.
type shape struct {
	Shopify     []byte   `field:"shopify" validate:"min=1"`
	Courier     []byte   `field:"courier" validate:"present"`
	Several     bool     // there are reports in place of courier
	OverdueDays *float64 `field:"overdue_threshold_days" validate:"omitnil,whole"`
	MinorGap    *float64 `field:"minor_gap_threshold" validate:"omitnil,whole"`
}

var shapes = sync.OnceValue(func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string { return f.Tag.Get("field") })
	// 7 and 7.0 are the same whole number, and 7.5 is not whole.
	whole := func(l validator.FieldLevel) bool {
		f := l.Field().Float()
		return f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32
	}
	present := func(l validator.FieldLevel) bool {
		return l.Field().Len() > 0 || l.Parent().FieldByName("Several").Bool()
	}
	for tag, check := range map[string]validator.Func{"whole": whole, "present": present} {
		if err := v.RegisterValidation(tag, check); err != nil {
			panic(err) // the tags are our own
		}
	}
	return v
})

// addMisread adds the faults of fields that do not have their shape.
func addMisread(f jsonbody.Fields, faults *domain.Faults) {
	err := shapes().Struct(shape{f.Shopify, f.Courier, f.Reports != nil, f.OverdueDays, f.MinorGap})
	broken, _ := errors.AsType[validator.ValidationErrors](err) // a struct can cause no other error
	for _, b := range broken {
		field := fieldOf(b.Field())
		fault := domain.Fault{Field: field, Rule: domain.RuleMissing}
		if b.Tag() == "whole" {
			fault = domain.OutOfBounds(field)
		}
		faults.Add(true, fault)
	}
	addMisreadReports(f, faults)
	faults.Add(f.Charges != nil && *f.Charges == "", domain.WrongCharges())
	if f.NotIncluded != nil {
		faults.Add(true, domain.Fault{Field: domain.FieldInclude, Rule: domain.RuleOneOf, Value: *f.NotIncluded, Options: domain.Inclusions()})
	}
}

// addMisreadReports adds the faults of reports that are too few or too many, stand beside
// courier, or have no text.
func addMisreadReports(f jsonbody.Fields, faults *domain.Faults) {
	if f.Reports == nil {
		return
	}
	several := domain.Fault{Field: domain.FieldReports, Min: 1, Max: domain.MaxReports}
	switch {
	case f.Courier != nil:
		several.Rule = domain.RuleEither
	case len(f.Reports) == 0:
		several.Rule = domain.RuleTooFew
	case len(f.Reports) > domain.MaxReports:
		several.Rule = domain.RuleTooMany
	}
	if several.Rule != "" {
		faults.Add(true, several)
		return
	}
	for i := range f.Reports {
		missing := domain.Fault{Field: domain.FieldCourier, Rule: domain.RuleMissing, Report: i + 1}
		faults.Add(len(f.Reports[i].Courier) == 0 && !faults.HasOf(i+1, domain.FieldReports), missing)
	}
}

func mistyped(field domain.Field, value string) domain.Fault {
	if field == domain.FieldOverdueDays || field == domain.FieldMinorGap {
		return domain.OutOfBounds(field)
	}
	if field == domain.FieldCharges {
		return domain.WrongCharges()
	}
	fault := domain.Fault{Field: field, Rule: domain.RuleType, Value: value}
	switch field {
	case domain.FieldReports:
		fault.Min, fault.Max = 1, domain.MaxReports
	case domain.FieldInclude:
		fault.Options = domain.Inclusions()
	}
	return fault
}

// readRequest reads a request from its body, of which decoder has seen the parts that
// it was given as they arrived. It returns errors with CodeBody, or with CodeField for a
// value of a wrong type.
func readRequest(buf []byte, decoder *jsonbody.Decoder) (ports.Request, error) {
	var f jsonbody.Fields
	err := decoder.Finish(buf, &f)
	if errors.Is(err, jsonbody.ErrTooLarge) {
		return ports.Request{}, errExpanded
	}
	if syntax, ok := errors.AsType[*jsonbody.SyntaxError](err); ok {
		return ports.Request{}, syntaxError(buf, domain.DetailEmpty, syntax)
	}
	if wrong, ok := errors.AsType[jsonbody.TypeError](err); ok && wrong[0].Field == "" {
		return ports.Request{}, domain.ErrBody(domain.DetailNoObject, wrong[0].Type)
	}
	if faults := mistypedIn(err); faults != nil {
		return ports.Request{}, faults[:1].Err()
	}
	return requestOf(f, nil, domain.SourceAPI), nil
}

// requestOf makes a request of its fields. wrong are the faults of fields that have a
// value of a wrong type.
func requestOf(f jsonbody.Fields, wrong domain.Faults, source domain.Source) ports.Request {
	addMisread(f, &wrong)
	return ports.Request{
		Storefront: f.Shopify, Courier: f.Courier, Reports: reportsOf(f), Statement: f.Bank, Previous: f.Previous,
		CourierName: f.CourierName, Columns: f.Columns, Mapping: f.Mapping, Brand: f.Brand,
		OverdueDays: whole(f.OverdueDays), MinorGap: whole(f.MinorGap), Charges: chargesOf(f), Include: f.Include, Source: source, Misread: wrong,
	}
}

func reportsOf(f jsonbody.Fields) (reports []ports.Report) {
	for _, r := range f.Reports {
		reports = append(reports, ports.Report(r))
	}
	return reports
}

func chargesOf(f jsonbody.Fields) domain.Charges {
	if f.Charges == nil {
		return ""
	}
	return domain.Charges(*f.Charges)
}

func whole(f *float64) *int {
	if f == nil {
		return nil
	}
	return new(int(*f))
}

// mistypedIn returns the faults of the fields that a jsonbody.TypeError names.
func mistypedIn(err error) (faults domain.Faults) {
	wrong, _ := errors.AsType[jsonbody.TypeError](err)
	for _, w := range wrong {
		fault := mistyped(fieldOf(w.Field), w.Type)
		if fault.Report = w.Report; fault.Field == domain.FieldReports && w.Report > 0 {
			fault.Rule = domain.RuleObject
		}
		faults.Add(true, fault)
	}
	return faults
}

// syntaxError says that a body is not JSON. empty is the detail for a body without a
// byte.
func syntaxError(buf []byte, empty domain.Detail, syntax *jsonbody.SyntaxError) error {
	if len(buf) == 0 {
		return domain.ErrBody(empty, "")
	}
	return domain.ErrBody(domain.DetailSyntax, syntax.Error())
}

// onlyFirst keeps the first fault of an error with CodeField: POST /reconcile answers
// with one fault at a time.
func onlyFirst(err error) error {
	if e, ok := errors.AsType[*domain.Error](err); ok && len(e.Faults) > 1 {
		return e.Faults[:1].Err()
	}
	return err
}
