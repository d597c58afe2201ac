package jsonbody

import "milaan/domain"

// inclusions is the value of the field include. It keeps one unknown name at most: an array
// may have a million.
type inclusions struct {
	all     domain.Include
	unknown *string
}

// read reads the array, which takes the place of an earlier one of the same name. wrong is
// the type of the first value of a wrong type; blank: there is none.
func (i *inclusions) read(array []byte) (wrong string) {
	switch *i = (inclusions{}); array[0] {
	case 'n':
		return ""
	case '[':
	default:
		return TypeOf(array)
	}
	names := domain.Inclusions()
	Elements(array, func(value []byte) bool {
		if value[0] != '"' {
			wrong = TypeOf(value)
			return false
		}
		for at, name := range names {
			if Is(value, name) {
				i.all |= 1 << at
				return true
			}
		}
		if i.unknown == nil {
			i.unknown = new(domain.Shortened(unquoted(value)))
		}
		return true
	})
	return wrong
}
