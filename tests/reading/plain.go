package reading

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Order is one row of the storefront export: texts as they stand in the cells,
// days as ISO days, money as paise.
type Order struct {
	Name, CreatedAt, PaidAt, FulfilledAt, CancelledAt string
	Financial, Fulfilment, PaymentMethod              string
	Total, Outstanding                                Amount
	Currency, Tracking                                string
}

// Line is one row of the courier's report.
type Line struct {
	AWB, OrderID                  string
	CODAmount, RemittedAmount     Amount
	RemittanceDate, DeliveredDate string
	Status, RemittanceStatus, UTR string
}

// Columns says which columns the report has, and what those of money are called.
// A column that is not there is blank on every line.
type Columns struct {
	AWB, OrderID                  bool
	CODAmount, RemittedAmount     string // the header, or blank
	RemittanceDate, DeliveredDate bool
	Status, RemittanceStatus, UTR bool
}

// Report is one of several reports, which have the same columns.
type Report struct {
	Lines   int    // how many lines it has
	Courier string // id
}

// Case is one run: an export, a report, and the two settings, in days and rupees. If there
// are Reports, the lines are divided among them in their order.
type Case struct {
	Orders      []Order
	Lines       []Line
	Reports     []Report
	Columns     Columns
	OffsetDays  int
	MinorRupees int64
}

// Verdict is what a run says of one order. Money is in paise.
type Verdict struct {
	Name, Flag               string
	Due, Remitted, Shortfall int64
	DaysOverdue              int
	MatchMode, AWB, Status   string
	DueRule, FlagRule        string // which rules spoke, for reports and for counting that all do
}

// Answer is what a run says, or why it refuses.
type Answer struct {
	Refused                string
	Verdicts               []Verdict
	BatchAsOf, DataThrough string
	Complete               bool
	GuaranteedDays         int
	Awaiting, Flagged      int
	AmountRisk             int64
	Unclaimed              int
	UnclaimedRemitted      int64
	Totals                 []Totals // of each report, if there are several
	Payouts                []Payout
}

// order is an order of the export, put together from its rows.
type order struct {
	Order
	key       string
	date      string   // the order date, or blank
	awbs      []string // compared
	shown     []string // shown
	cell      string   // the first AWB cell that says something
	byAWB     bool     // a line that bears an AWB of it is its own
	byOrderID bool
	listed    bool
	lines     []*line
	settled   bool  // by an exact sum
	share     int64 // what the exact sum paid it
	shared    map[*line]bool

	parcels   []parcel
	remitted  int64
	collected int64
	asListed  int64
	returned  bool
	evidence  bool
	start     string // of the window, or blank
	open      bool
	prepaid   bool
	due       int64
	dueRule   string
	cameAfter bool // repeats count after all
}

// line is a line of the report that counts.
type line struct {
	Line
	at           int
	awb, orderID string // compared
	own          int64  // remitted, by its own remittance status
	remitted     int64  // remitted, as paid if it or a repeat of it is
	statusAt     int    // where the status stands that holds
	repeats      []*line
	again        []*line // all that repeat it, also those that never count
	used         bool
	report       int // from 0
}

// parcel is the lines of one order that bear one AWB, or all that bear none.
type parcel struct {
	lines    []*line
	status   string // the one that holds, or blank
	returned bool
	asListed int64
}

// run holds what the steps hand on to one another.
type run struct {
	given        Case
	orders       []*order
	lines        []*line
	unreliable   map[string]bool
	asOf         string
	through      string
	guaranteed   int
	complete     bool
	anyListed    bool
	anyFulfilled bool
	unidentified []Sum // by report
}

// Reconcile answers a case by the rules, in the order of computation that they state.
func Reconcile(given Case) Answer {
	r := &run{given: given, unreliable: map[string]bool{}}
	for _, step := range []func() string{
		r.readExport, r.readReport, r.findRounded, r.dropRepeats, r.match, r.weigh, r.settleDues, r.bringBack, r.refuseForeign,
	} {
		if refused := step(); refused != "" {
			return Answer{Refused: refused}
		}
	}
	return r.decide()
}

// readExport is step 1: rows of one name are one order unless their days differ.
// A row with no cell of an order's own is the latest one's, whatever its day.
func (r *run) readExport() string {
	byName := map[string][]*order{}
	above := map[string]*order{} // the one of the name to which the latest row belongs
	for _, row := range r.given.Orders {
		key := orderKey(row.Name)
		found := above[key]
		if found != nil && row.CreatedAt != "" && found.CreatedAt != "" && row.CreatedAt != found.CreatedAt && row.isOrders() {
			found = nil
			for _, known := range byName[key] {
				if known.CreatedAt == row.CreatedAt {
					found = known
				}
			}
		}
		if found == nil {
			found = &order{key: key}
			byName[key] = append(byName[key], found)
			r.orders = append(r.orders, found)
		}
		above[key] = found
		found.take(row)
	}
	if len(r.orders) == 0 {
		return "the export has no orders"
	}
	var created, fulfilled, cancelled []string
	for _, row := range r.given.Orders {
		r.asOf = later(r.asOf, firstOf(row.CreatedAt, row.PaidAt, row.FulfilledAt))
	}
	if r.asOf == "" {
		return "no order of the export has a date" // batch_as_of is a day, always
	}
	r.asOf = ""
	for _, o := range r.orders {
		o.date = firstOf(o.CreatedAt, o.PaidAt, o.FulfilledAt)
		r.asOf = later(r.asOf, o.date)
		o.awbs, o.shown = trackingOf(o.Tracking)
		o.shared = map[*line]bool{}
		if strings.EqualFold(strings.TrimSpace(o.Fulfilment), "fulfilled") {
			r.anyFulfilled = true
		}
		created = append(created, o.CreatedAt)
		fulfilled = append(fulfilled, o.FulfilledAt)
		cancelled = append(cancelled, o.CancelledAt)
	}
	for _, column := range [][]string{created, fulfilled, cancelled} {
		if slipped(column) {
			return "a date of the export is far in the future"
		}
	}
	return ""
}

// isOrders reports whether a row has a cell of an order's own, and not of an item's.
func (o Order) isOrders() bool {
	return o.Total.Stated || o.Outstanding.Stated || firstOf(o.Financial, o.Fulfilment, o.PaymentMethod, o.CancelledAt) != ""
}

// take fills the blank cells of an order from a row of it.
func (o *order) take(row Order) {
	o.Name = firstOf(o.Name, row.Name)
	o.CreatedAt = firstOf(o.CreatedAt, row.CreatedAt)
	o.PaidAt = firstOf(o.PaidAt, row.PaidAt)
	o.FulfilledAt = firstOf(o.FulfilledAt, row.FulfilledAt)
	o.CancelledAt = firstOf(o.CancelledAt, row.CancelledAt)
	o.Financial = firstOf(o.Financial, row.Financial)
	o.Fulfilment = firstOf(o.Fulfilment, row.Fulfilment)
	o.PaymentMethod = firstOf(o.PaymentMethod, row.PaymentMethod)
	o.Currency = firstOf(o.Currency, row.Currency)
	o.Tracking += " " + row.Tracking // a row per parcel is usual
	o.cell = firstOf(o.cell, row.Tracking)
	if !o.Total.Stated {
		o.Total = row.Total
	}
	if !o.Outstanding.Stated {
		o.Outstanding = row.Outstanding
	}
}

// trackingOf reads a cell of AWBs.
func trackingOf(cell string) (compared, shown []string) {
	for _, text := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",;| ", r) }) {
		awb := awbText(text)
		if awb == "" || slices.Contains(compared, strings.ToLower(awb)) {
			continue
		}
		compared = append(compared, strings.ToLower(awb))
		shown = append(shown, awb)
	}
	return compared, shown
}

// slipped reports whether the latest day of a column is more than 366 days after
// the next latest one.
func slipped(column []string) bool {
	var days []int
	for _, iso := range column {
		if iso != "" {
			days = append(days, day(iso))
		}
	}
	sort.Ints(days)
	n := len(days)
	return n > 1 && days[n-1]-days[n-2] > 366
}

var mustHaveDate = []string{"Payable", "Amount Payable", "Net Payable", "Final Payable Amount"}

var toBeCollected = []string{
	"Collectable Amount", "COD Payable Amount", "COD Payble Amount", "COD Value", "Order Value", "Order Amount", "Total Order Amount",
	"Order Total", "Invoice Value", "Invoice Amount", "Product Value", "Price",
}

// readReport is step 2: which lines count, what each remitted, how far the report reaches.
func (r *run) readReport() string {
	has := r.given.Columns
	if !has.AWB && !has.OrderID {
		return "neither an AWB nor an order id"
	}
	if has.CODAmount == "" && has.RemittedAmount == "" {
		return "no amount"
	}
	if !has.RemittanceDate && has.RemittedAmount == "" {
		return "no remittance date"
	}
	known := map[string]bool{}
	for _, o := range r.orders {
		known["id "+o.key] = true
		for _, awb := range o.awbs {
			known["awb "+awb] = true
		}
	}
	for at, given := range r.given.Lines {
		report := r.reportOf(at)
		given = onlyColumns(given, has)
		awbKnown := known["awb "+strings.ToLower(awbText(given.AWB))]
		idKnown := known["id "+orderKey(given.OrderID)]
		footer := !awbKnown && hasTotal(given.AWB) || !idKnown && hasTotal(given.OrderID)
		if !awbKnown && !hasDigit(given.AWB) {
			given.AWB = ""
		}
		if !idKnown && !hasDigit(given.OrderID) {
			given.OrderID = ""
		}
		l := &line{Line: given, at: at, report: report, statusAt: at, awb: strings.ToLower(awbText(given.AWB)), orderID: orderKey(given.OrderID)}
		if l.awb == "" && l.orderID == "" || footer {
			r.noteUnidentified(l, footer)
			continue
		}
		own, refused := r.remittedOf(l)
		if refused != "" {
			return refused
		}
		l.own, l.remitted = own, own
		r.lines = append(r.lines, l)
	}
	if refused := r.readReach(); refused != "" {
		return refused
	}
	r.guaranteed = max(14, r.given.OffsetDays)
	r.complete = r.through != "" && r.asOf != "" && day(r.through) >= day(r.asOf)+r.guaranteed
	return ""
}

// onlyColumns blanks the cells of columns that the report does not have.
func onlyColumns(l Line, has Columns) Line {
	for _, cell := range []struct {
		text *string
		is   bool
	}{
		{&l.AWB, has.AWB},
		{&l.OrderID, has.OrderID},
		{&l.RemittanceDate, has.RemittanceDate},
		{&l.DeliveredDate, has.DeliveredDate},
		{&l.Status, has.Status},
		{&l.RemittanceStatus, has.RemittanceStatus},
		{&l.UTR, has.UTR},
	} {
		if !cell.is || strings.Trim(*cell.text, "-=_*. ") == "" {
			*cell.text = ""
		}
	}
	if has.CODAmount == "" {
		l.CODAmount = Amount{}
	}
	if has.RemittedAmount == "" {
		l.RemittedAmount = Amount{}
	}
	return l
}

// remittedOf gives what a line says was remitted, or why it cannot be told.
func (r *run) remittedOf(l *line) (int64, string) {
	has := r.given.Columns
	status := readMoneyStatus(l.RemittanceStatus)
	if has.RemittedAmount != "" {
		switch {
		case l.RemittedAmount.Paise > 0 && status == unpaid:
			return 0, ""
		case slices.Contains(mustHaveDate, has.RemittedAmount) && has.RemittanceDate && l.RemittanceDate == "":
			return 0, ""
		default:
			return l.RemittedAmount.Paise, ""
		}
	}
	if l.RemittanceDate == "" || l.CODAmount.Paise == 0 {
		return 0, "" // no money hangs on the status
	}
	switch status {
	case paid:
		return l.CODAmount.Paise, ""
	case unpaid:
		return 0, ""
	default:
		return 0, fmt.Sprintf("line %d: the remittance status %q says neither paid nor unpaid", l.at+2, l.RemittanceStatus)
	}
}

// collectedOf gives what a line says was collected. What was to be collected was so
// where something was remitted, or where it is taken back itself; a charge that is
// deducted for a parcel is neither.
func (r *run) collectedOf(l *line) int64 {
	switch {
	case r.given.Columns.CODAmount == "":
		return l.remitted
	case slices.Contains(toBeCollected, r.given.Columns.CODAmount) && l.remitted <= 0 && (l.remitted == 0 || l.CODAmount.Paise > 0):
		return 0
	default:
		return l.CODAmount.Paise
	}
}

// statedOf is the amount that a line lists: the COD amount, or what the other column
// states where there is none.
func statedOf(l *line) int64 {
	if l.CODAmount.Paise != 0 {
		return l.CODAmount.Paise
	}
	return l.RemittedAmount.Paise
}
