package jsonbody

import (
	"cmp"

	"milaan/domain"
	"milaan/domain/verdict"
)

// columns is the value of the field columns. It keeps at most one name more than there are
// roles, which is enough to see that there are too many: an object may have a million.
type columns struct {
	names map[string]string
	wrong string // type of the first value of a wrong type
}

// read reads the object as encoding/json reads a map: it adds to what an earlier object
// of the same name said.
func (c *columns) read(object []byte) {
	if len(c.names) > int(domain.RoleCount) {
		return
	}
	switch object[0] {
	case 'n':
		c.names = nil
		return
	case '{':
	default:
		c.wrong = cmp.Or(c.wrong, TypeOf(object))
		return
	}
	if c.names == nil {
		c.names = map[string]string{}
	}
	Members(object, func(name, value []byte) bool {
		var text string
		switch {
		case value[0] == '"':
			text = unquoted(value)
		case value[0] == 'n':
		case value[0] == '[' && unquoted(name) == domain.RoleCharges.String():
			if text = c.readList(value); text == "" {
				return true
			}
		default:
			c.wrong = cmp.Or(c.wrong, TypeOf(value))
		}
		c.names[unquoted(name)] = text
		return len(c.names) <= int(domain.RoleCount)
	})
}

// readList reads a list of columns with one role. It keeps at most one name more than there
// may be. An empty list is as good as none.
func (c *columns) readList(array []byte) string {
	var names []string
	Elements(array, func(value []byte) bool {
		if value[0] != '"' {
			c.wrong = cmp.Or(c.wrong, TypeOf(value))
			return false
		}
		names = append(names, unquoted(value))
		return len(names) <= verdict.MaxCharges
	})
	return domain.JoinColumns(names)
}
