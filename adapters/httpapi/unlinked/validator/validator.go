// Package validator stands in for the validator of tags, which gin imports and Milaan does not use.
package validator

import "errors"

type Validate struct{}

func New() *Validate { return new(Validate) }

func (*Validate) SetTagName(string) {}

func (*Validate) Struct(any) error { return errors.New("Milaan has no validator of tags") }
