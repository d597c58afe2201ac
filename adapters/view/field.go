package view

import (
	"cmp"
	"fmt"

	"milaan/domain"
)

var fieldNames = map[domain.Field]string{
	domain.FieldStorefront: "orders", domain.FieldCourier: "report", domain.FieldReports: "report", domain.FieldStatement: "bank",
	domain.FieldCourierName: "courierName", domain.FieldOverdueDays: "overdue_threshold_days", domain.FieldMinorGap: "minor_gap_threshold",
	domain.FieldBrandingLogo: "logo", domain.FieldBrandingColour: "colour", domain.FieldBrandingFooter: "footer",
	domain.FieldOwnOverdueDays: "overdue_days", domain.FieldNewName: "to",
}

// FieldName returns where the field of a fault is in the JSON of a connection, or in the body of another request of
// the pages.
func FieldName(f *domain.Fault) string {
	name := cmp.Or(fieldNames[f.Field], f.Field.String())
	of := "shop"
	if f.Source > 0 {
		of = fmt.Sprintf("sources[%d]", f.Source-1)
	}
	switch {
	case f.Field == domain.FieldBookLedger:
		return "ledgers." + f.Value
	case f.Field == domain.FieldSetting:
		return of + ".settings." + f.Setting
	case f.Source > 0 && f.Field == domain.FieldCourierName:
		return of + ".courier"
	case f.Source > 0 || f.Field == domain.FieldConnector:
		return of + "." + name
	}
	return name
}
