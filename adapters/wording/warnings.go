package wording

import "milaan/domain"

// AppendWarning fills ports.Wording. A code without words would leave the client
// without a message, so it is then the code itself.
func (c *Catalogue) AppendWarning(dst []byte, w *domain.Warning) []byte {
	of := (*warning)(w)
	chosen := c.warnings[w.Code].choose(of)
	if chosen == nil {
		return append(dst, w.Code...)
	}
	return c.append(dst, chosen, of)
}
