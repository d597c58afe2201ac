package wording

import (
	"milaan/domain"
	"milaan/ports/peers"
)

// Warning is the code of a warning that has no words, so that the client is not left without a
// message.
func (c *Catalogue) Warning(w *domain.Warning, names peers.Names) string {
	text, worded := c.warnings(w.Code).append(c, nil, &warning{w, names, c})
	if !worded {
		return string(w.Code)
	}
	return string(text)
}
