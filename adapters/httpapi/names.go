package httpapi

import (
	"cmp"
	"fmt"
	"strconv"

	"milaan/domain"
	"milaan/ports/glue"
)

// Names has the names that clients of the API know. It fills glue.Names.
type Names struct{}

// Surface fills glue.Names.
func (Names) Surface() glue.Surface { return glue.API }

// File fills glue.Names.
func (Names) File(f domain.File) string {
	if f == domain.StorefrontFile {
		return "storefront file (shopify)"
	}
	return "courier file (courier)"
}

// fieldNames are the names of fields in JSON and in headers.
var fieldNames = map[domain.Field]string{
	domain.FieldJobs: "jobs", domain.FieldStorefront: "shopify", domain.FieldCourier: "courier", domain.FieldCourierName: "courierName",
	domain.FieldBrand: "brand", domain.FieldOverdueDays: "overdue_threshold_days", domain.FieldMinorGap: "minor_gap_threshold",
	domain.FieldColumns: "columns", domain.FieldWebhookURL: "webhook_url", domain.FieldRequestKey: "Idempotency-Key",
}

// fieldOf returns the field with a name; 0 if there is none.
func fieldOf(name string) domain.Field {
	for field, own := range fieldNames {
		if own == name {
			return field
		}
	}
	return 0
}

// Field fills glue.Names.
func (Names) Field(f domain.Field, job int) string {
	name := cmp.Or(fieldNames[f], f.String())
	switch {
	case job == 0:
		return name
	case f == domain.FieldJob:
		return fmt.Sprintf("jobs[%d]", job-1)
	}
	return fmt.Sprintf("jobs[%d].%s", job-1, name)
}

// Column fills glue.Names.
func (Names) Column(role domain.Role, column string) string {
	return `courierName "` + domain.CustomCourier + `" with columns {"` + role.String() + `": ` + strconv.Quote(column) + `}`
}
