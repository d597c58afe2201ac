package wording

import (
	"milaan/domain"
	"milaan/ports"
)

// appendFileError appends what is wrong with one of the two files.
func (c *Catalogue) appendFileError(dst []byte, e *domain.FileError, _ ports.Names) []byte {
	return append(dst, e.Error()...)
}
