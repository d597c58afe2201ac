package wording

import (
	"milaan/domain"
	"milaan/ports/peers"
)

// AppendWarning appends the code of a warning that has no words, so that the client is
// not left without a message.
func (c *Catalogue) AppendWarning(dst []byte, w *domain.Warning, names peers.Names) []byte {
	dst, worded := c.warnings(w.Code).append(c, dst, &warning{w, names, c})
	if !worded {
		return append(dst, w.Code...)
	}
	return dst
}
