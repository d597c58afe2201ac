package reading

import (
	"fmt"
	"strings"
	"time"
)

// slashed gives the parts of a date such as 03/06/2026, or false for one that can be read
// in one way only whatever stands beside it.
func slashed(cell string) (first, second int, year string, is bool) {
	if !strings.Contains(cell, "/") { // most cells: Sscanf takes long to fail
		return 0, 0, "", false
	}
	if n, err := fmt.Sscanf(cell, "%d/%d/%4s", &first, &second, &year); err != nil || n < 3 {
		return 0, 0, "", false
	}
	return first, second, year, true
}

// read gives the ISO day of a cell, day first or month first; blank: it is no date.
func read(cell string, monthFirst bool) string {
	first, second, year, is := slashed(cell)
	if !is {
		return cell
	}
	if monthFirst {
		first, second = second, first
	}
	iso := fmt.Sprintf("%s-%02d-%02d", year, second, first)
	if _, err := time.Parse(time.DateOnly, iso); err != nil {
		return ""
	}
	return iso
}

// dateColumn is the cells of a column of dates.
type dateColumn []*string

// order says how the column shows that it is to be read: "day" or "month" first, or blank
// if no cell shows it. both says whether every date can be read both ways.
func (c dateColumn) order() (order string, both bool) {
	firstOver, secondOver, plain, dated := false, false, false, false
	for _, cell := range c {
		if *cell == "" {
			continue
		}
		dated = true
		first, second, _, is := slashed(*cell)
		plain = plain || !is
		firstOver = firstOver || is && first > 12
		secondOver = secondOver || is && second > 12
	}
	switch {
	case secondOver && !firstOver:
		return "month", false
	case firstOver:
		return "day", false
	}
	return "", dated && !plain
}

// settle reads the cells of a column.
func (c dateColumn) settle(monthFirst bool) string {
	for _, cell := range c {
		if *cell == "" {
			continue
		}
		iso := read(*cell, monthFirst)
		if iso == "" {
			return fmt.Sprintf("%q is no date", *cell)
		}
		*cell = iso
	}
	return ""
}

// readOrderDates reads the dates of the export: first those that give orders their date.
func (r *run) readOrderDates(rows []Order) string {
	var created, paid, fulfilled, cancelled dateColumn
	for i := range rows {
		created = append(created, &rows[i].CreatedAt)
		paid = append(paid, &rows[i].PaidAt)
		fulfilled = append(fulfilled, &rows[i].FulfilledAt)
		cancelled = append(cancelled, &rows[i].CancelledAt)
	}
	columns := []dateColumn{created, paid, fulfilled, cancelled}
	orders := make([]string, len(columns))
	both := make([]bool, len(columns))
	for i, c := range columns {
		orders[i], both[i] = c.order()
	}
	gives := []bool{true, false, false, false}
	if refused := created.settle(orders[0] == "month"); refused != "" {
		return refused
	}
	for _, o := range assemble(rows) {
		gives[1] = gives[1] || o.CreatedAt == "" && o.PaidAt != ""
		gives[2] = gives[2] || o.CreatedAt == "" && o.PaidAt == "" && o.FulfilledAt != ""
	}
	for i, c := range columns[1:] {
		if gives[i+1] {
			if refused := c.settle(orders[i+1] == "month"); refused != "" {
				return refused
			}
		}
	}
	for _, o := range assemble(rows) {
		given := o.CreatedAt
		if given == "" && gives[1] {
			given = o.PaidAt
		}
		if given == "" && gives[2] {
			given = o.FulfilledAt
		}
		r.asOf = later(r.asOf, given)
		if given != "" && (r.earliest == "" || given < r.earliest) {
			r.earliest = given
		}
	}
	if len(rows) > 0 && r.asOf == "" {
		return "no order of the export has a date" // batch_as_of is a day, always
	}
	for i, c := range columns {
		if gives[i] {
			continue
		}
		if refused := r.readColumn(c, orders, both[i]); refused != "" {
			return refused
		}
	}
	return ""
}

func (r *run) readReportDates() string {
	for n := range max(1, len(r.given.Reports)) {
		var remittance, delivered dateColumn
		for at := range r.given.Lines {
			if r.reportOf(at) == n && !r.hasNoIDs(r.given.Lines[at]) { // the dates of notes decide nothing
				remittance = append(remittance, &r.given.Lines[at].RemittanceDate)
				delivered = append(delivered, &r.given.Lines[at].DeliveredDate)
			}
		}
		ofRemittance, bothRemittance := remittance.order()
		ofDelivered, bothDelivered := delivered.order()
		orders := []string{ofRemittance, ofDelivered}
		if refused := r.readColumn(remittance, orders, bothRemittance); refused != "" {
			return refused
		}
		if refused := r.readColumn(delivered, orders, bothDelivered); refused != "" {
			return refused
		}
	}
	return ""
}

// hasNoIDs reports whether a line names neither a parcel nor an order.
func (r *run) hasNoIDs(l Line) bool {
	if !hasDigit(l.AWB) {
		l.AWB = ""
	}
	if !hasDigit(l.OrderID) {
		l.OrderID = ""
	}
	return awbText(l.AWB) == "" && orderKey(l.OrderID) == ""
}

// readColumn reads a column that gives no order its date. orders says how the columns of
// its file show that they are to be read.
func (r *run) readColumn(c dateColumn, orders []string, both bool) string {
	if !both {
		order, _ := c.order()
		return c.settle(order == "month")
	}
	for _, order := range orders {
		if order != "" {
			r.hit("dates read as the file's other column, " + order + " first")
			r.noteDates(order == "month")
			return c.settle(order == "month")
		}
	}
	last := day(r.asOf) + 45
	var within [2]int
	var latest [2]string
	for _, cell := range c {
		for i, monthFirst := range []bool{false, true} {
			if iso := read(*cell, monthFirst); iso != "" {
				latest[i] = later(latest[i], iso)
				if day(iso) >= day(r.earliest) && day(iso) <= last {
					within[i]++
				}
			}
		}
	}
	monthFirst := within[1] > within[0]
	switch {
	case monthFirst:
		r.hit("dates read month first, by the orders' time")
	case within[0] > within[1]:
		r.hit("dates read day first, by the orders' time")
	case latest[0] != latest[1]:
		r.hit("dates read day first, as both readings do")
	}
	r.noteDates(monthFirst || within[0] == within[1] && latest[0] != latest[1])
	return c.settle(monthFirst)
}

func (r *run) noteDates(doubtful bool) {
	if doubtful {
		r.warnings["ambiguous_dates"] = Warning{Is: true}
	}
}
