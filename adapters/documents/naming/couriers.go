package naming

import (
	"cmp"
	"strconv"

	"milaan/domain/verdict"
	"milaan/ports"
)

// Couriers are the names of couriers by their ids.
type Couriers map[string]string

// CouriersOf returns the names that a catalogue has.
func CouriersOf(catalogue ports.Couriers) Couriers {
	names := Couriers{}
	for _, c := range catalogue.Catalogue() {
		names[c.ID] = c.Name
	}
	return names
}

// Name names a courier by its id; blank for a blank one.
func (c Couriers) Name(id string) string { return cmp.Or(c[id], id) }

// Of names the courier of a report. A courier that is not known is named after its report,
// which is one of several or the only one.
func (c Couriers) Of(report *verdict.ReportTotals, several bool) string {
	switch {
	case report.Courier != "":
		return cmp.Or(c[report.Courier], report.Courier)
	case report.Remembered:
		return "Courier of the ledger"
	case several:
		return "Courier of report " + strconv.Itoa(report.Report)
	}
	return "Courier"
}

// Report is what tables write for a report: its number, or that it stands for a ledger.
func Report(report *verdict.ReportTotals) string {
	if report.Remembered {
		return "Ledger"
	}
	return strconv.Itoa(report.Report)
}
