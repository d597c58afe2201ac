package httpapi

import (
	"cmp"
	"fmt"
	"strconv"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports/peers"
)

// Names has the names that clients of the API know.
type Names struct{}

func (Names) Surface() peers.Surface { return peers.API }

func (Names) File(f domain.File, report int) string {
	if report > 0 {
		return fileIn(f, report, "shopify", fmt.Sprintf("reports[%d]", report-1))
	}
	return fileIn(f, report, "shopify", "courier")
}

// fileIn names a file by the field that it is in: that of the orders, or that of the report.
func fileIn(f domain.File, report int, orders, ofReport string) string {
	switch {
	case f == domain.StorefrontFile:
		return "storefront file (" + orders + ")"
	case f == domain.StatementFile:
		return "bank statement (bank)"
	case f == domain.LedgerFile:
		return "ledger (previous)"
	case report > 0:
		return fmt.Sprintf("courier file %d (%s)", report, ofReport)
	}
	return "courier file (" + ofReport + ")"
}

var fieldNames = map[domain.Field]string{
	domain.FieldJobs: "jobs", domain.FieldStorefront: "shopify", domain.FieldCourier: "courier", domain.FieldCourierName: "courierName",
	domain.FieldBrand: "brand", domain.FieldOverdueDays: "overdue_threshold_days", domain.FieldMinorGap: "minor_gap_threshold",
	domain.FieldCharges: "charges", domain.FieldColumns: "columns", domain.FieldMapping: "mapping", domain.FieldReports: "reports",
	domain.FieldInclude: "include", domain.FieldSheet: "sheet",
	domain.FieldStatement: "bank", domain.FieldPrevious: "previous", domain.FieldFormat: "format", domain.FieldBrandingName: "branding_name",
	domain.FieldMarks: "marks", domain.FieldOnly: "only",
	domain.FieldWebhookURL: "webhook_url", domain.FieldRequestKey: "Idempotency-Key",
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

func (Names) Field(f *domain.Fault) string {
	name := cmp.Or(fieldNames[f.Field], f.Field.String())
	switch {
	case f.Entry > 0:
		name = fmt.Sprintf("%s[%d]", name, f.Entry-1)
	case f.Report == 0:
	case f.Field == domain.FieldReports:
		name = fmt.Sprintf("reports[%d]", f.Report-1)
	default:
		name = fmt.Sprintf("reports[%d].%s", f.Report-1, name)
	}
	switch {
	case f.Job == 0:
		return name
	case f.Field == domain.FieldJob:
		return fmt.Sprintf("jobs[%d]", f.Job-1)
	}
	return fmt.Sprintf("jobs[%d].%s", f.Job-1, name)
}

func (Names) Column(_ int, role domain.Role, column string) string {
	return `courierName "` + domain.CustomCourier + `" with columns {"` + role.String() + `": ` + strconv.Quote(column) + `}`
}

// PartNames has the names that clients of POST /reconcile/files know.
type PartNames struct{ Names }

func (PartNames) File(f domain.File, report int) string { return fileIn(f, report, "orders", "report") }

func (PartNames) Field(f *domain.Fault) string {
	name := cmp.Or(fieldNames[f.Field], f.Field.String())
	switch f.Field {
	case domain.FieldStorefront:
		name = "orders"
	case domain.FieldCourier, domain.FieldReports:
		name = "report"
	}
	switch {
	case f.Report == 0:
		return name
	case name == "report":
		return fmt.Sprintf("report %d", f.Report)
	}
	return fmt.Sprintf("%s of report %d", name, f.Report)
}

// AccountNames has the names that programs know which manage an account.
type AccountNames struct{ Names }

func (AccountNames) File(f domain.File, report int) string {
	switch {
	case f == domain.StorefrontFile:
		return "orders of the shop"
	case report > 0:
		return fmt.Sprintf("report %d", report)
	}
	return "report"
}

func (AccountNames) Field(f *domain.Fault) string {
	switch f.Field {
	case domain.FieldMapping, domain.FieldBrandingName:
		return "name"
	case domain.FieldHeader:
		return "header_names"
	}
	if f.Entry > 0 {
		return fmt.Sprintf("%s[%d]", view.FieldName(f), f.Entry-1)
	}
	return view.FieldName(f)
}
