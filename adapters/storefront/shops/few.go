package shops

import (
	"bytes"
	"encoding/json"
	"errors"
)

// mostListed is how many elements a list of an answer has at most: no page is asked for with
// more orders, and no order has as many parcels.
const mostListed = 100

// few is a list that is short. A long one is an error, and no memory is taken for its end: a
// server may be hostile, and three bytes of JSON can become hundreds of memory.
type few[T any] []T

var (
	errNoList   = errors.New("no list")
	errLongList = errors.New("the list is too long")
)

func (f *few[T]) UnmarshalJSON(text []byte) error {
	all, err := listed(text)
	*f = nil
	for err == nil && all.More() {
		if len(*f) == mostListed {
			return errLongList
		}
		var one T
		err = all.Decode(&one)
		*f = append(*f, one)
	}
	return err
}

// anything says whether a list has elements, which are not kept.
type anything bool

func (a *anything) UnmarshalJSON(text []byte) error {
	all, err := listed(text)
	*a = anything(err == nil && all.More())
	return nil
}

// listed reads the beginning of a list; null is an empty one.
func listed(text []byte) (*json.Decoder, error) {
	all := json.NewDecoder(bytes.NewReader(text))
	switch start, err := all.Token(); start {
	case json.Delim('['), nil:
		return all, err
	}
	return nil, errNoList
}
