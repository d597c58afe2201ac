package wording

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"milaan/domain"
	"milaan/ports/peers"
)

// errorKind and faultKind are the errors and the faults of fields that have words of
// their own. The field is 0 if the words are for every field.
type (
	errorKind struct {
		code   domain.Code
		detail domain.Detail
	}
	faultKind struct {
		rule  domain.Rule
		field domain.Field
	}
)

// In english.json they are written as code/detail and rule/field.

func readErrorKind(name string) errorKind {
	code, detail, _ := strings.Cut(name, "/")
	return errorKind{domain.Code(code), domain.Detail(detail)}
}

func readFaultKind(name string) (k faultKind) {
	rule, field, _ := strings.Cut(name, "/")
	for k.rule = domain.Rule(rule); k.field.String() != field; k.field++ {
		if k.field+1 == domain.FieldCount {
			panic(fmt.Sprintf("wording: no field is called %q", field))
		}
	}
	return k
}

// Message is the code of an error that has no words, so that the client is not left without a
// message.
func (c *Catalogue) Message(err error, names peers.Names) string {
	if e, ok := errors.AsType[*domain.FileError](err); ok && e != nil {
		return c.fileMessage(e, names)
	}
	if e, ok := errors.AsType[*domain.ConnectorError](err); ok && e != nil {
		return c.connectorMessage(e)
	}
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || e == nil {
		return ""
	}
	var text []byte
	for i, f := range e.Faults {
		if i > 0 {
			text = append(text, c.Separator...)
		}
		text = c.appendFault(text, f, names)
	}
	if len(e.Faults) > 0 {
		return string(text)
	}
	of := &failure{Fault: domain.Fault{Value: e.Value, Day: e.Day}, limit: e.Limit, bytes: e.Bytes, names: names, Catalogue: c}
	text, worded := c.errors(errorKind{e.Code, e.Detail}).append(c, nil, of)
	if !worded {
		return string(e.Code)
	}
	return string(text)
}

func (c *Catalogue) appendFault(dst []byte, f domain.Fault, names peers.Names) []byte {
	field := f.Field
	if field == domain.FieldWas { // a list of marks, too
		field = domain.FieldMarks
	}
	words := c.fields(faultKind{f.Rule, field})
	if words == nil {
		words = c.fields(faultKind{rule: f.Rule})
	}
	dst = append(append(dst, names.Field(&f)...), ' ')
	dst, worded := words.append(c, dst, &failure{Fault: f, names: names, Catalogue: c})
	if !worded {
		return append(dst, f.Rule...)
	}
	return dst
}

// failure is an error that is not about a file, or one fault of its fields, with what
// its sentence needs.
type failure struct {
	domain.Fault
	*Catalogue
	limit int
	bytes int64
	names peers.Names
}

var failureValues = values[failure]{texts: stringValues(map[string]func(*failure) (string, bool){
	"if terminal": func(f *failure) (string, bool) { return "", f.names.Surface() == peers.CommandLine },
	"if page":     func(f *failure) (string, bool) { return "", f.names.Surface() == peers.Pages },
	"if job":      func(f *failure) (string, bool) { return "", f.Job > 0 },
	"if loopback": func(f *failure) (string, bool) { return "", f.Loopback },
	"limit":       func(f *failure) (string, bool) { return strconv.Itoa(f.limit), true },
	"bytes":       func(f *failure) (string, bool) { return thousands(f.bytes), true },
	"megabytes":   func(f *failure) (string, bool) { return strconv.FormatInt(f.bytes>>20, 10), true },
	"gigabytes":   func(f *failure) (string, bool) { return strconv.FormatInt(f.bytes>>30, 10), true },
	"day":         func(f *failure) (string, bool) { return string(f.appendDay(nil, f.Day)), true },
	"value":       func(f *failure) (string, bool) { return strings.ToValidUTF8(f.Value, "\uFFFD"), true },
	"type":        func(f *failure) (string, bool) { return f.Types[f.Value], true },
	"min":         func(f *failure) (string, bool) { return strconv.Itoa(f.Min), true },
	"max":         func(f *failure) (string, bool) { return strconv.Itoa(f.Max), true },
	"options":     func(f *failure) (string, bool) { return strings.Join(f.Options, f.List[0]), true },
	"choice":      func(f *failure) (string, bool) { return f.enumerate(f.Options, f.Or[0]), true },
	"role":        func(f *failure) (string, bool) { return f.roleName(f.Role, f.names), true },
	"roles":       func(*failure) (string, bool) { return domain.RoleNames(), true },
})}

// thousands groups digits by three, as programs and settings do.
func thousands(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
