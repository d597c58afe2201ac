// Package yaml stands in for YAML, which gin imports and Milaan does not use.
package yaml

import (
	"errors"
	"io"
)

var errUnlinked = errors.New("Milaan has no YAML")

type Decoder struct{}

func NewDecoder(io.Reader) Decoder { return Decoder{} }

func (Decoder) Decode(any) error { return errUnlinked }

func Marshal(any) ([]byte, error) { return nil, errUnlinked }
