package jsonbody

import "bytes"

// Text returns the last value of a further field of a body that Finish has decoded: one that
// Fields does not have. It is blank if the field is absent or null, and for a value that is
// no string; wrong is then the type of the value. Of a long string it may have the beginning
// alone.
func (d *Decoder) Text(field string) (text, wrong string) {
	Members(bytes.TrimLeft(d.scanner.skeleton, blanks), func(name, value []byte) bool {
		if unquoted(name) != field {
			return true
		}
		switch text, wrong = "", ""; value[0] {
		case '"':
			text = unquoted(value)
		case 'n':
		default:
			wrong = TypeOf(value)
		}
		return true
	})
	return text, wrong
}
