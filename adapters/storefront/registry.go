package storefront

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// Registry knows the exports of all storefronts: it fills ports.Storefronts.
type Registry struct {
	tables    ports.Tables
	providers []*provider // sorted by ID
}

// New makes a registry of all storefronts that have a provider.
func New(tables ports.Tables) *Registry { return newRegistry(tables, registered) }

func newRegistry(tables ports.Tables, providers []Provider) *Registry {
	r := &Registry{tables: tables}
	for _, p := range providers {
		r.providers = append(r.providers, newProvider(p))
	}
	slices.SortFunc(r.providers, func(a, b *provider) int { return strings.Compare(a.ID, b.ID) })
	return r
}

// recognise says whose export a header is: that of the provider that knows most of
// its columns, and all that are required. Nothing is guessed: where two know as
// many, the error names both.
func (r *Registry) recognise(cells [][]byte) (at layout, found bool, err error) {
	claims := r.claims(cells)
	if at = claims[0]; at.missing() != "" {
		return at, false, nil
	}
	if rivals := claims[1:]; len(rivals) > 0 && compareClaims(at, rivals[0]) == 0 {
		return at, false, &domain.FileError{File: domain.StorefrontFile,
			Problem: fmt.Sprintf("the header could be that of an export of %s or of %s", at.provider.Name, rivals[0].provider.Name),
			Advice:  "export the orders again with all columns"}
	}
	return at, true, at.checkUnique(cells)
}

// claims are how the providers would read a header, the surest first, and as the
// catalogue is sorted where they are equally sure.
func (r *Registry) claims(cells [][]byte) []layout {
	keys := make([]string, len(cells))
	for i, cell := range cells {
		keys[i] = domain.HeaderKey(string(cell))
	}
	all := make([]layout, len(r.providers))
	for i, p := range r.providers {
		all[i] = p.locate(keys)
	}
	slices.SortStableFunc(all, compareClaims)
	return all
}

// compareClaims sorts those first that have all required columns, and of these
// those that know more columns.
func compareClaims(a, b layout) int {
	lacks := func(l layout) int { return min(len(l.missing()), 1) }
	return cmp.Or(lacks(a)-lacks(b), b.known()-a.known())
}
