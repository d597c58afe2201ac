// Package toml stands in for TOML, which gin imports and Milaan does not use.
package toml

import (
	"errors"
	"io"
)

var errUnlinked = errors.New("Milaan has no TOML")

type Decoder struct{}

func NewDecoder(io.Reader) Decoder { return Decoder{} }

func (Decoder) Decode(any) error { return errUnlinked }

func Marshal(any) ([]byte, error) { return nil, errUnlinked }
