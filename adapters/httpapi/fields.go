package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"

	"milaan/adapters/httpapi/body"
	"milaan/domain"
	"milaan/ports"
)

// shape is what a request must be like before its fields can be judged: what is
// required is there, and numbers are whole. What they may say is the use case's.
// The tags are the fields' names in JSON.
type shape struct {
	Shopify     []byte   `field:"shopify" validate:"min=1"`
	Courier     []byte   `field:"courier" validate:"min=1"`
	OverdueDays *float64 `field:"overdue_threshold_days" validate:"omitnil,whole"`
	MinorGap    *float64 `field:"minor_gap_threshold" validate:"omitnil,whole"`
}

var shapes = newShapes()

func newShapes() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string { return f.Tag.Get("field") })
	// 7 and 7.0 are the integer that they are, and 7.5 is none.
	whole := func(l validator.FieldLevel) bool {
		f := l.Field().Float()
		return f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32
	}
	if err := v.RegisterValidation("whole", whole); err != nil {
		panic(err) // the tag is our own
	}
	return v
}

// misread are the faults of fields that are not of their shape.
func misread(f body.Fields) (faults domain.Faults) {
	err := shapes.Struct(shape{f.Shopify, f.Courier, f.OverdueDays, f.MinorGap})
	broken, _ := errors.AsType[validator.ValidationErrors](err) // the only error that a struct can meet
	for _, b := range broken {
		field := fieldOf(b.Field())
		fault := domain.Fault{Field: field, Rule: domain.RuleMissing}
		if b.Tag() == "whole" {
			fault = domain.OutOfBounds(field)
		}
		faults.Add(true, fault)
	}
	return faults
}

// mistyped is the fault of a field that got a value of a wrong JSON type.
func mistyped(field domain.Field, value string) domain.Fault {
	if field == domain.FieldOverdueDays || field == domain.FieldMinorGap {
		return domain.OutOfBounds(field)
	}
	return domain.Fault{Field: field, Rule: domain.RuleType, Value: value}
}

// requestFrom reads a request from its body, of which the decoder has seen what
// it has seen. It returns errors with CodeBody, and one with CodeField for a value
// of a wrong type.
func requestFrom(buf []byte, decoder *body.Decoder) (ports.Request, error) {
	if isNull(buf) {
		return ports.Request{}, domain.ErrBody(domain.DetailNoObject, "null")
	}
	var f body.Fields
	if err := decoder.Finish(buf, &f); errors.Is(err, body.ErrTooLarge) {
		return ports.Request{}, errExpanded
	} else if err != nil {
		return ports.Request{}, bodyError(buf, domain.DetailEmpty, err)
	}
	return requestOf(f, nil, domain.SourceAPI), nil
}

// isNull says that a body is null and nothing else.
func isNull(buf []byte) bool { return string(bytes.TrimSpace(buf)) == "null" }

// requestOf is the request that fields make. wrong are those of a wrong type, which
// are left out.
func requestOf(f body.Fields, wrong domain.Faults, source domain.Source) ports.Request {
	for _, fault := range misread(f) {
		wrong.Add(true, fault)
	}
	return ports.Request{
		Storefront: f.Shopify, Courier: f.Courier, CourierName: f.CourierName, Columns: f.Columns, Brand: f.Brand,
		OverdueDays: whole(f.OverdueDays), MinorGap: whole(f.MinorGap), Source: source, Misread: wrong,
	}
}

func whole(f *float64) *int {
	if f == nil {
		return nil
	}
	n := int(*f)
	return &n
}

// bodyError says what is wrong with the JSON of a body. empty is the detail of one
// without a byte.
func bodyError(buf []byte, empty domain.Detail, err error) error {
	if syntax, ok := errors.AsType[*body.SyntaxError](err); ok {
		if len(buf) == 0 {
			return domain.ErrBody(empty, "")
		}
		return domain.ErrBody(domain.DetailSyntax, syntax.Error())
	}
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	name, _, _ := strings.Cut(wrong.Field, ".")
	if name == "" {
		return domain.ErrBody(domain.DetailNoObject, typeIn(wrong))
	}
	return domain.Faults{mistyped(fieldOf(name), typeIn(wrong))}.Err()
}

// typeIn is the JSON type of a value of the wrong type, without the value:
// "number 7.5" quotes the request.
func typeIn(wrong *json.UnmarshalTypeError) string {
	value, _, _ := strings.Cut(wrong.Value, " ")
	return value
}

// onlyFirst keeps the first fault of an error with CodeField: POST /reconcile tells
// of one at a time.
func onlyFirst(err error) error {
	if e, ok := errors.AsType[*domain.Error](err); ok && len(e.Faults) > 1 {
		return e.Faults[:1].Err()
	}
	return err
}
