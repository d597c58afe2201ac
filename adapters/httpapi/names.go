package httpapi

import (
	"strconv"

	"milaan/domain"
	"milaan/ports"
)

// Names are the names that clients of the API know. It fills ports.Names.
type Names struct{}

// Surface fills ports.Names.
func (Names) Surface() ports.Surface { return ports.API }

// File fills ports.Names.
func (Names) File(f domain.File) string {
	if f == domain.StorefrontFile {
		return "storefront file (shopify)"
	}
	return "courier file (courier)"
}

// Column fills ports.Names.
func (Names) Column(role domain.Role, column string) string {
	return `courierName "` + domain.CustomCourier + `" with columns {"` + role.String() + `": ` + strconv.Quote(column) + `}`
}
