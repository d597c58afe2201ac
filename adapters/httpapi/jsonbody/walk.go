package jsonbody

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Members calls member for each name of an object and its value, in their order, until
// member returns false. The object must be valid JSON. name and value are slices of it, and
// name has its quotes.
func Members(object []byte, member func(name, value []byte) (goOn bool)) {
	for at := next(object, 1); object[at] != '}'; {
		end, _ := skipString(object, at+1)
		name := object[at:end]
		at = next(object, next(object, end)+1) // over the colon
		end = valueEnd(object, at)
		if !member(name, object[at:end]) {
			return
		}
		if at = next(object, end); object[at] == ',' {
			at = next(object, at+1)
		}
	}
}

// Elements does the same for the elements of an array.
func Elements(array []byte, element func(value []byte) (goOn bool)) {
	for at := next(array, 1); array[at] != ']'; {
		end := valueEnd(array, at)
		if !element(array[at:end]) {
			return
		}
		if at = next(array, end); array[at] == ',' {
			at = next(array, at+1)
		}
	}
}

// Texts puts the texts of an object that have one of some names into texts, at the name's place; null changes nothing. The object
// must be valid JSON. It returns false if another value has such a name.
func Texts(object []byte, names []string, texts []string) (are bool) {
	are = true
	Members(object, func(quoted, value []byte) bool {
		for i, name := range names {
			if !Is(quoted, name) {
				continue
			}
			switch value[0] {
			case '"':
				texts[i] = unquoted(value)
			case 'n':
			default:
				are = false
			}
			break
		}
		return are
	})
	return are
}

// blanks are the characters that may stand between the values of JSON.
const blanks = " \n\r\t"

// next returns the first index from i on at which no blank stands.
func next(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r' {
		i++
	}
	return i
}

// valueEnd returns the index after the value that begins at i.
func valueEnd(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i, _ = skipString(text, i+1)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			} else if depth < 0 {
				return i // after a number or a word in an object or an array
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// Is says whether a quoted name is the given one. The case of its letters counts.
func Is(quoted []byte, name string) bool {
	if len(quoted) == len(name)+2 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	return len(quoted) <= longestName && bytes.IndexByte(quoted, '\\') >= 0 && unquoted(quoted) == name
}

// TypeOf returns the type of a JSON value, in the words of encoding/json.
func TypeOf(value []byte) string {
	switch value[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// unquoted decodes a valid JSON string.
func unquoted(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return string(text[1 : len(text)-1])
	}
	var s string
	_ = json.Unmarshal(text, &s)
	return s
}
