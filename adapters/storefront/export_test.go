package storefront

import (
	"slices"

	"milaan/domain"
	"milaan/ports"
)

// IDs are the storefronts that a registry knows, sorted.
func (r *Registry) IDs() (ids []string) {
	for _, p := range r.providers {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	return ids
}

// Whose is the storefront that a text is an export of; "" if it is none's.
func (r *Registry) Whose(text []byte) (id string) {
	_, _ = r.tables.Open(domain.StorefrontFile, ports.Content{Bytes: text}, func(cells [][]byte) (bool, error) {
		at, found, err := r.recognise(cells)
		if found {
			id = at.provider.ID
		}
		return found, err
	}, r.explainNoHeader)
	return id
}
