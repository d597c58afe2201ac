// Package validator stands in for the checks of structs, which gin imports and Milaan does not use.
package validator

import "errors"

type Validate struct{}

func New() *Validate { return nil }

func (*Validate) SetTagName(string) {}

func (*Validate) Struct(any) error { return errors.New("Milaan has no validator") }
