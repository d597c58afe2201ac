package wording

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// errorKind and faultKind are what has words of its own. The field of a fault is
// blank where the words go with any.
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

// spoken is a text for each surface; one that is blank there is the API's.
type (
	spoken [ports.CommandLine + 1]string
	said   [ports.CommandLine + 1]clause
)

// The values of errors and of their faults.
const (
	errLimit value = iota + 1
	errMegabytes
	errBytes
	errGigabytes
	errDay
	errValue
	errType
	errMin
	errMax
	errOptions
	errChoice
	errRole
	errRoles
	errLoopback
)

var errorValues = map[string]value{
	"limit": errLimit, "megabytes": errMegabytes, "bytes": errBytes, "gigabytes": errGigabytes, "day": errDay, "value": errValue, "type": errType, "min": errMin,
	"max": errMax, "options": errOptions, "choice": errChoice, "role": errRole, "roles": errRoles, "loopback": errLoopback,
}

func (c *Catalogue) readErrors(l language) {
	c.types, c.errors, c.fields = l.types, map[errorKind]said{}, map[faultKind]said{}
	for kind, words := range l.errors {
		c.errors[kind] = readSpoken(words)
	}
	for kind, words := range l.fields {
		c.fields[kind] = readSpoken(words)
	}
}

func readSpoken(words spoken) (s said) {
	for surface, way := range words {
		if way == "" {
			way = words[ports.API]
		}
		s[surface] = readAny(text{way}, errorValues)
	}
	return s
}

// AppendError fills ports.Wording. An error without words would leave the client
// without a message, so it is then the code itself.
func (c *Catalogue) AppendError(dst []byte, err error, names ports.Names) []byte {
	if e, ok := errors.AsType[*domain.FileError](err); ok && e != nil {
		return c.appendFileError(dst, e, names)
	}
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || e == nil {
		return dst
	}
	for i := range e.Faults {
		if i > 0 {
			dst = append(dst, c.separator...)
		}
		dst = c.appendFault(dst, &e.Faults[i], names)
	}
	if len(e.Faults) > 0 {
		return dst
	}
	words := c.errors[errorKind{e.Code, e.Detail}][names.Surface()]
	if words == nil {
		return append(dst, e.Code...)
	}
	return c.append(dst, words[0], &anError{Error: e})
}

func (c *Catalogue) appendFault(dst []byte, f *domain.Fault, names ports.Names) []byte {
	words, own := c.fields[faultKind{f.Rule, f.Field}]
	if !own {
		words = c.fields[faultKind{rule: f.Rule}]
	}
	dst = append(append(dst, names.Field(f.Field, f.Job)...), ' ')
	if chosen := words[names.Surface()]; chosen != nil {
		return c.append(dst, chosen[0], &anError{Fault: f})
	}
	return append(dst, f.Rule...)
}

// anError is a domain.Error or one of its faults as a sentence needs it.
type anError struct {
	*domain.Error
	*domain.Fault
}

func (f *anError) told(v value) bool { return v != errLoopback || f.Loopback }

func (f *anError) number(v value) int {
	switch v {
	case errLimit:
		return f.Limit
	case errMegabytes:
		return int(f.Bytes >> 20)
	case errGigabytes:
		return int(f.Bytes >> 30)
	case errMin:
		return f.Min
	}
	return f.Max
}

func (f *anError) appendValue(dst []byte, v value, c *Catalogue) []byte {
	switch v {
	case errDay:
		if f.Fault != nil {
			return f.Fault.Day.AppendTo(dst)
		}
		return f.Error.Day.AppendTo(dst)
	case errBytes:
		return appendThousands(dst, f.Bytes)
	case errValue:
		return append(dst, f.value()...)
	case errType:
		return append(dst, c.types[f.value()]...)
	case errOptions:
		return append(dst, strings.Join(f.Options, c.list[0])...)
	case errChoice:
		last := len(f.Options) - 1
		return append(append(append(dst, strings.Join(f.Options[:last], c.list[0])...), c.or...), f.Options[last]...)
	case errRole:
		return append(dst, f.Role.String()...)
	case errRoles:
		return append(dst, domain.RoleNames()...)
	case errLoopback:
		return dst // it only says whether a group is
	}
	return strconv.AppendInt(dst, int64(f.number(v)), 10)
}

func (f *anError) value() string {
	if f.Fault != nil {
		return strings.ToValidUTF8(f.Fault.Value, "\uFFFD")
	}
	return f.Error.Value
}

// appendThousands groups digits by three, as programs and settings do.
func appendThousands(dst []byte, n int64) []byte {
	if n < 1000 {
		return strconv.AppendInt(dst, n, 10)
	}
	return fmt.Appendf(append(appendThousands(dst, n/1000), ','), "%03d", n%1000)
}
