package dashboard

import (
	"fmt"
	"strconv"

	"milaan/domain"
	"milaan/ports/glue"
)

// Names has the names that people read on the pages. It fills glue.Names.
type Names struct{}

// Surface fills glue.Names.
func (Names) Surface() glue.Surface { return glue.Pages }

// File fills glue.Names.
func (Names) File(f domain.File, report int) string {
	switch {
	case f == domain.StorefrontFile:
		return "orders export"
	case f == domain.StatementFile:
		return "bank statement"
	case report > 0:
		return fmt.Sprintf("report %d", report)
	}
	return "report"
}

// labels are the fields as the pages label them.
var labels = map[domain.Field]string{
	domain.FieldStorefront: "Orders export", domain.FieldCourier: "Report", domain.FieldReports: "Report", domain.FieldStatement: "Bank statement",
	domain.FieldCourierName: "Courier", domain.FieldBrand: "Brand", domain.FieldColumns: "Columns", domain.FieldSheet: "Sheet",
	domain.FieldOverdueDays: "Days until overdue", domain.FieldOwnOverdueDays: "Days until overdue", domain.FieldMinorGap: "Tolerated difference",
	domain.FieldFormat: "Format", domain.FieldBrandingName: "Name", domain.FieldBrandingLogo: "Logo", domain.FieldBrandingColour: "Colour",
	domain.FieldBrandingFooter: "Footer", domain.FieldEndpoint: "URL",
}

// Field fills glue.Names.
func (Names) Field(f *domain.Fault) string {
	label := labels[f.Field]
	switch {
	case label == "":
		label = f.Field.String()
	case f.Report > 0 && label == labels[domain.FieldReports]:
		return fmt.Sprintf("%s %d", label, f.Report)
	}
	if f.Report > 0 {
		return fmt.Sprintf("%s of report %d", label, f.Report)
	}
	return label
}

// Column fills glue.Names.
func (Names) Column(_ int, role domain.Role, column string) string {
	return "the column " + strconv.Quote(column) + " for " + role.String()
}
