package wording

import "milaan/domain"

// AppendWarning fills glue.Wording. A code without words would leave the client
// without a message, so it is then the code itself.
func (c *Catalogue) AppendWarning(dst []byte, w *domain.Warning) []byte {
	dst, worded := c.warnings[w.Code].append(c, dst, &warning{w, c})
	if !worded {
		return append(dst, w.Code...)
	}
	return dst
}
