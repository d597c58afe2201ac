package wording

import (
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// AppendError fills ports.Wording.
func (c *Catalogue) AppendError(dst []byte, err error, names ports.Names) []byte {
	if e, ok := errors.AsType[*domain.FileError](err); ok && e != nil {
		return c.appendFileError(dst, e, names)
	}
	if e, ok := errors.AsType[*domain.Error](err); ok && e != nil {
		return append(dst, e.Text...)
	}
	return dst
}
