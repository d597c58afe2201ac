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

// ruled is the request under its rules (contract, section 2.1; decisions,
// section 5), in the order in which faults are reported. The tags are the
// fields' names in JSON.
type ruled struct {
	Shopify     []byte   `field:"shopify" validate:"min=1"`
	Courier     []byte   `field:"courier" validate:"min=1"`
	CourierName string   `field:"courierName" validate:"label"`
	Brand       string   `field:"brand" validate:"label"`
	OverdueDays *float64 `field:"overdue_threshold_days" validate:"omitnil,days"`
	MinorGap    *float64 `field:"minor_gap_threshold" validate:"omitnil,gap"`
}

// sentences say what a field must be, for whoever got it wrong.
var sentences = map[string]string{
	"shopify":                "is missing: send the whole text of the storefront's orders export (CSV) as a string",
	"courier":                "is missing: send the whole text of the courier's remittance report (CSV) as a string",
	"courierName":            domain.LabelRule,
	"brand":                  domain.LabelRule,
	"overdue_threshold_days": domain.OverdueDaysRule,
	"minor_gap_threshold":    domain.MinorGapRule,
	"columns":                `must be an object whose values are strings, such as {"awb": "Docket No"}`,
}

var rules = newRules()

func newRules() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string { return f.Tag.Get("field") })
	for tag, holds := range map[string]validator.Func{
		"label": func(f validator.FieldLevel) bool { return domain.GoodLabel(f.Field().String()) },
		"days":  func(f validator.FieldLevel) bool { return isWhole(f.Field().Float(), domain.GoodOverdueDays) },
		"gap":   func(f validator.FieldLevel) bool { return isWhole(f.Field().Float(), domain.GoodMinorGap) },
	} {
		if err := v.RegisterValidation(tag, holds); err != nil {
			panic(err) // the tags are our own
		}
	}
	return v
}

// isWhole takes 7 and 7.0 for the integer that they are, and 7.5 for none.
func isWhole(f float64, good func(int) bool) bool {
	return f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32 && good(int(f))
}

// requestFrom reads a request from its body, of which the decoder has seen what
// it has seen, and checks the fields. It returns errors with CodeBody and
// CodeField; of several faults, the first.
func requestFrom(buf []byte, decoder *body.Decoder) (ports.Request, error) {
	if isNull(buf) {
		return ports.Request{}, errNotObject("null")
	}
	var f body.Fields
	if err := decoder.Finish(buf, &f); errors.Is(err, body.ErrTooLarge) {
		return ports.Request{}, errExpanded
	} else if err != nil {
		return ports.Request{}, bodyError(buf, "shopify and courier", err)
	}
	if names := broken(f); len(names) > 0 {
		return ports.Request{}, domain.ErrField(names[0], sentences[names[0]])
	}
	return requestOf(f, domain.SourceAPI), nil
}

// isNull says that a body is null and nothing else.
func isNull(buf []byte) bool { return string(bytes.TrimSpace(buf)) == "null" }

// requestOf is the request that fields which keep their rules make.
func requestOf(f body.Fields, source domain.Source) ports.Request {
	return ports.Request{
		Storefront: f.Shopify, Courier: f.Courier, CourierName: f.CourierName, Columns: f.Columns, Brand: f.Brand,
		OverdueDays: whole(f.OverdueDays), MinorGap: whole(f.MinorGap), Source: source,
	}
}

// broken names the fields that break their rules, in the order of ruled.
func broken(f body.Fields) []string {
	err := rules.Struct(ruled{Shopify: f.Shopify, Courier: f.Courier, CourierName: f.CourierName, Brand: f.Brand, OverdueDays: f.OverdueDays, MinorGap: f.MinorGap})
	faults, _ := errors.AsType[validator.ValidationErrors](err) // the only error that a struct can meet
	names := make([]string, len(faults))
	for i, fault := range faults {
		names[i] = fault.Field()
	}
	return names
}

func whole(f *float64) *int {
	if f == nil {
		return nil
	}
	n := int(*f)
	return &n
}

// bodyError puts what is wrong with the JSON in words that name the field.
// needed are the fields that an empty body lacks.
func bodyError(buf []byte, needed string, err error) error {
	if syntax, ok := errors.AsType[*body.SyntaxError](err); ok {
		if len(buf) == 0 {
			return domain.ErrBody("the request body is empty: send a JSON object with " + needed)
		}
		return domain.ErrBody("the request body is not valid JSON: " + syntax.Error())
	}
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	name, _, _ := strings.Cut(wrong.Field, ".")
	if name == "" {
		return errNotObject(typeIn(wrong))
	}
	return domain.ErrField(name, mistyped(name, typeIn(wrong)))
}

// typeIn is the JSON type of a value of the wrong type, without the value:
// "number 7.5" quotes the request.
func typeIn(wrong *json.UnmarshalTypeError) string {
	value, _, _ := strings.Cut(wrong.Value, " ")
	return value
}

// mistyped says what a field must be that got a value of the wrong type.
func mistyped(name, value string) string {
	switch name {
	case "shopify", "courier", "courierName", "brand", "webhook_url":
		return "must be a string, not " + article(value)
	}
	return sentences[name]
}

func errNotObject(value string) error {
	return domain.ErrBody("the request body must be a JSON object, not " + article(value))
}

// article puts a or an before a JSON type; null is the only one of its kind.
func article(value string) string {
	switch value {
	case "null":
		return value
	case "array", "object":
		return "an " + value
	}
	return "a " + value
}
