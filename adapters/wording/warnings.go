package wording

import (
	"milaan/domain"
	"milaan/ports/glue"
)

// AppendWarning fills glue.Wording. A code without words would leave the client
// without a message, so it is then the code itself.
func (c *Catalogue) AppendWarning(dst []byte, w *domain.Warning, names glue.Names) []byte {
	dst, worded := c.warnings[w.Code].append(c, dst, &warning{w, names, c})
	if !worded {
		return append(dst, w.Code...)
	}
	return dst
}
