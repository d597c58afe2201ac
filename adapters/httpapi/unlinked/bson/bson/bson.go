// Package bson stands in for BSON, which gin imports and Milaan does not use.
package bson

import "errors"

var errUnlinked = errors.New("Milaan has no BSON")

func Marshal(any) ([]byte, error) { return nil, errUnlinked }
func Unmarshal([]byte, any) error { return errUnlinked }
