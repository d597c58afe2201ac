package shops

import (
	"encoding/json"
	"errors"
)

// mostListed is how many elements a list of an answer has at most: no page is asked for with
// more orders, and no order has as many parcels.
const mostListed = 100

// few is a list that is short. A long one is an error before memory is taken for it: a server
// may be hostile, and three bytes of JSON can become hundreds of memory.
type few[T any] []T

var errLongList = errors.New("the list is too long")

func (f *few[T]) UnmarshalJSON(text []byte) error {
	if countElements(text) > mostListed {
		return errLongList
	}
	return json.Unmarshal(text, (*[]T)(f))
}

// elements counts the elements of a list, which are not kept.
type elements int

func (e *elements) UnmarshalJSON(text []byte) error {
	*e = elements(countElements(text))
	return nil
}

// countElements counts the elements of a list that is valid JSON; 0 for anything else.
func countElements(text []byte) int {
	n, depth, quoted, blank := 0, 0, false, true
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted, blank = !quoted, false
		case quoted, c == ' ', c == '\n', c == '\t', c == '\r':
		case c == '[', c == '{':
			if depth == 0 && c == '{' {
				return 0
			}
			blank = blank && depth == 0
			depth++
		case c == ']', c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		default:
			blank = false
		}
	}
	if blank || len(text) == 0 || text[0] != '[' {
		return 0
	}
	return n + 1
}
