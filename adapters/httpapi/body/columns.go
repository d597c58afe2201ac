package body

import (
	"encoding/json"
	"reflect"

	"milaan/domain"
)

// columns is the object of that name. One with a million names is not made a
// map of: one more than there are roles is enough to see that they are too many.
type columns struct {
	names map[string]string
	wrong *json.UnmarshalTypeError // the first value of a wrong type
}

// UnmarshalJSON reads the object as encoding/json reads a map: to what an object
// of the same name has said before, it adds. It never fails.
func (c *columns) UnmarshalJSON(data []byte) error {
	if len(c.names) > int(domain.RoleCount) {
		return nil
	}
	switch data[0] {
	case 'n':
		c.names = nil
		return nil
	case '{':
	default:
		c.mistyped(data)
		return nil
	}
	if c.names == nil {
		c.names = map[string]string{}
	}
	Members(data, func(name, value []byte) bool {
		var text string
		switch value[0] {
		case '"':
			text = unquoted(value)
		case 'n':
		default:
			c.mistyped(value)
		}
		c.names[unquoted(name)] = text
		return len(c.names) <= int(domain.RoleCount)
	})
	return nil
}

func (c *columns) mistyped(value []byte) {
	if c.wrong == nil {
		c.wrong = &json.UnmarshalTypeError{Value: TypeOf(value), Type: reflect.TypeFor[string](), Field: "columns"}
	}
}
