package storefront

import (
	"cmp"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/ports/peers"
)

// Registry knows the exports of all storefronts.
type Registry struct {
	tables    peers.Tables
	providers []provider // Shopify first, of which messages speak where a header is like nobody's; the others sorted by ID
}

// New makes a registry of all storefronts that have a provider.
func New(tables peers.Tables) *Registry { return newRegistry(tables, registered) }

func newRegistry(tables peers.Tables, providers []Provider) *Registry {
	r := &Registry{tables: tables}
	for _, p := range providers {
		r.providers = append(r.providers, newProvider(p))
	}
	slices.SortStableFunc(r.providers, func(a, b provider) int {
		switch shopify {
		case a.ID:
			return -1
		case b.ID:
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return r
}

// recognise says which provider's export a header belongs to: the one whose required
// columns are all there, and which knows most of the other columns. If two know as
// many, the error names both. at is the best reading, found or not.
func (r *Registry) recognise(cells [][]byte) (at layout, found bool, err error) {
	keys := domain.HeaderKeys(cells)
	var rival *provider
	for i := range r.providers {
		other := r.providers[i].locate(keys)
		better := cmp.Or(min(len(at.lacks), 1)-min(len(other.lacks), 1), other.known-at.known)
		if at.provider == nil || better > 0 {
			at, rival = other, nil
		} else if better == 0 {
			rival = other.provider
		}
	}
	switch {
	case at.lacks != nil:
		return at, false, nil
	case rival != nil:
		return at, false, &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleTwoExports,
			Exporters: []domain.Exporter{at.provider.describe(), rival.describe()}}
	}
	return at, true, at.checkUnique(cells, keys)
}
