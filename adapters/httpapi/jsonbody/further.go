package jsonbody

import "bytes"

// Text returns the last value of a further field of a body that Finish has decoded: one that
// Fields does not have. It is blank if the field is absent or null, and for a value that is
// no string; wrong is then the type of the value. Of a long string it may have the beginning
// alone.
func (d *Decoder) Text(field string) (text, wrong string) {
	switch value := d.Value(field); {
	case value == nil:
		return "", ""
	case value[0] == '"':
		return unquoted(value), ""
	default:
		return "", TypeOf(value)
	}
}

// Value returns the JSON of the last value of such a field; nil if it is absent or null. Its long strings are cut.
func (d *Decoder) Value(field string) (last []byte) {
	Members(bytes.TrimLeft(d.scanner.skeleton, blanks), func(name, value []byte) bool {
		if unquoted(name) == field {
			if last = value; value[0] == 'n' {
				last = nil
			}
		}
		return true
	})
	return last
}
