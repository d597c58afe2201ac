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

// Of names the courier of a report. A courier that is not known is named after its report,
// which is one of several or the only one.
func (c Couriers) Of(report *verdict.ReportTotals, several bool) string {
	switch {
	case report.Courier != "":
		return cmp.Or(c[report.Courier], report.Courier)
	case several:
		return "Courier of report " + strconv.Itoa(report.Report)
	}
	return "Courier"
}
