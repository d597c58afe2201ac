package mcp

import (
	"cmp"
	"fmt"
	"strconv"

	"milaan/domain"
	"milaan/ports/peers"
)

// names has the names that an assistant knows: paths as it gave them, and arguments of tools. What
// to do is what a client of the API would do.
type names struct{ given *files }

func (names) Surface() peers.Surface { return peers.API }

func (n names) File(f domain.File, report int) string {
	switch {
	case f == domain.StorefrontFile:
		return cmp.Or(n.given.Orders, "the orders export (orders)")
	case f == domain.StatementFile:
		return cmp.Or(n.given.Bank, "the bank statement (bank)")
	case f == domain.LedgerFile:
		return cmp.Or(n.given.Previous, "the ledger (previous)")
	case report == 0 && len(n.given.Reports) > 1:
		return "the reports"
	case report <= len(n.given.Reports) && len(n.given.Reports) > 0:
		return n.given.Reports[max(report-1, 0)].Path
	}
	return "the report (reports)"
}

var arguments = map[domain.Field]string{
	domain.FieldStorefront: "orders", domain.FieldCourier: "reports", domain.FieldReports: "reports", domain.FieldCourierName: "courier",
	domain.FieldColumns: "columns", domain.FieldStatement: "bank", domain.FieldPrevious: "previous", domain.FieldSheet: "sheet",
	domain.FieldCharges:     "charges",
	domain.FieldOverdueDays: "overdue_threshold_days", domain.FieldMinorGap: "minor_gap_threshold", domain.FieldBrandingName: "brand_name",
}

func (names) Field(f *domain.Fault) string {
	name := cmp.Or(arguments[f.Field], f.Field.String())
	switch {
	case f.Report == 0 && f.Field != domain.FieldCourierName && f.Field != domain.FieldColumns:
		return name
	case f.Field == domain.FieldReports || f.Field == domain.FieldCourier:
		return fmt.Sprintf("reports[%d]", max(f.Report-1, 0))
	}
	return fmt.Sprintf("reports[%d].%s", max(f.Report-1, 0), name)
}

func (names) Column(report int, role domain.Role, column string) string {
	return fmt.Sprintf(`reports[%d] with courier "%s" and columns {"%s": %s}`, max(report-1, 0), domain.CustomCourier, role, strconv.Quote(column))
}
