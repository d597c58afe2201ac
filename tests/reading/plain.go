package reading

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Order is one row of the storefront export: texts as they stand in the cells,
// days as ISO days or with slashes (03/06/2026), money as paise.
type Order struct {
	Name, CreatedAt, PaidAt, FulfilledAt, CancelledAt string
	Financial, Fulfilment, PaymentMethod              string
	Total, Outstanding                                Amount
	Currency, Tracking, Carrier                       string

	Balance    int64 // what was outstanding by the run before, of an order that now has nothing outstanding; 0: not known
	OwedBefore bool  // the run has it by a ledger alone, and the run before found that something is owed for it
}

// Line is one row of the courier's report.
type Line struct {
	AWB, OrderID                  string
	CODAmount, RemittedAmount     Amount
	RemittanceDate, DeliveredDate string
	Status, RemittanceStatus, UTR string
	Charges                       [3]string // the cells of Columns.Charges
}

// Columns says which columns the report has, and what those of money are called.
// A column that is not there is blank on every line.
type Columns struct {
	AWB, OrderID                  bool
	CODAmount, RemittedAmount     string // the header, or blank
	RemittanceDate, DeliveredDate bool
	Status, RemittanceStatus, UTR bool
	Charges                       [3]string // headers; blank: no such column
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
	Accept      bool  // charges that explain a line count as paid
	Runs        []int // how many of the lines each of several runs was given; none: one run was given all
}

// Verdict is what a run says of one order. Money is in paise.
type Verdict struct {
	Name, Flag               string
	Due, Remitted, Shortfall int64
	Accepted                 int64 // charges that count as paid
	DaysOverdue              int
	MatchMode, AWB, Status   string
	Balance                  int64  // that still holds by an earlier run
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
	Accepted               int64 // of all orders
	Unclaimed              int
	UnclaimedRemitted      int64
	Totals                 []Totals // of each report, if there are several
	Payouts                []Payout
	Warnings               map[string]Warning // by code
	OpenTotals             bool               // the rules leave room
	Hits                   []string           // which rules spoke, for counting that all do
}

// order is an order of the export, put together from its rows.
type order struct {
	Order
	key       string
	date      string   // the order date, or blank
	awbs      []string // compared
	shown     []string // shown
	cell      string   // the first AWB cell that says something
	byAWB     bool     // a line bears an AWB of it
	byOrderID bool
	listed    bool
	lines     []*line
	beside    map[*line]bool      // lines that name it, beside those with its AWB
	before    map[*line]bool      // lines of parcels that another parcel replaced
	shares    map[*line]int64     // of lines that several orders share: what was remitted to this one
	shared    map[string]amountOf // the same of the other sums, by AWB

	parcels   []parcel
	remitted  int64
	accepted  int64
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
	awb, orderID string  // compared
	own          int64   // remitted, by its own remittance status
	remitted     int64   // remitted, as paid if it or a repeat of it is
	base         int64   // the same, of repeats that are surely the same money
	charges      []int64 // those that are not 0
	statusAt     int     // where the status stands that holds
	repeats      []*line // those that may be parcels of their own
	again        []*line // all that repeat it, also those that never count
	used         bool
	asideOf      *order // it repeats a line of this order, which it names
	cameBack     bool   // it repeats a line, and counts after all
	listedAgain  bool   // another report's line stands for it
	told         string // the order id of a line for which it stands, if it has none
	report       int    // from 0
}

// parcel is the lines of one order that bear one AWB, or all that bear none.
type parcel struct {
	lines     []*line
	status    string // the one that holds, or blank
	returned  bool
	asListed  int64
	collected int64
	onItsWay  bool // back, and was not delivered
}

// amountOf is what the lines of an AWB say together, or one order's share of it.
type amountOf struct{ collected, listed, accepted int64 }

// run holds what the steps hand on to one another.
type run struct {
	given                         Case
	orders                        []*order
	lines                         []*line
	corrected                     []*line             // that count nowhere
	again                         []*line             // that another report lists too, and knows better
	by                            map[*line]int       // corrected lines, with the reports that correct them
	told                          map[string][]string // by what a line says of its payment: order ids of lines for which it stands
	unreliable                    map[string]bool
	earliest                      string // order date
	asOf                          string
	through                       string
	guaranteed                    int
	complete                      bool
	anyListed                     bool
	anyFulfilled                  bool
	unidentified                  []Sum // by report
	warnings                      map[string]Warning
	hits                          map[string]bool
	openTotals, unidentifiedAbove bool // what lines without ids mean for a footer below is left open
}

// Reconcile answers a case by the rules, in the order of computation that they state.
func Reconcile(given Case) Answer {
	r := &run{given: given, unreliable: map[string]bool{}, warnings: map[string]Warning{}, hits: map[string]bool{}}
	for _, step := range []func() string{
		r.readExport, r.readReport, r.findRounded, r.joinRuns, r.dropCorrected, r.dropRepeats, r.match, r.weigh, r.settleDues, r.bringBack, r.refuseForeign,
	} {
		if refused := step(); refused != "" {
			return Answer{Refused: refused}
		}
	}
	return r.decide()
}

// hit notes that a rule spoke.
func (r *run) hit(rule string) { r.hits[rule] = true }

// readExport is step 1.
func (r *run) readExport() string {
	r.given.Orders = slices.Clone(r.given.Orders)
	rows := r.given.Orders
	if refused := r.readOrderDates(rows); refused != "" {
		return refused
	}
	r.orders = assemble(rows)
	if len(r.orders) == 0 {
		return "the export has no orders"
	}
	var created, fulfilled, cancelled []string
	for _, o := range r.orders {
		o.date = cmp.Or(o.CreatedAt, o.PaidAt, o.FulfilledAt)
		o.awbs, o.shown = r.trackingOf(o.Tracking)
		o.beside, o.before, o.shares, o.shared = map[*line]bool{}, map[*line]bool{}, map[*line]int64{}, map[string]amountOf{}
		r.anyFulfilled = r.anyFulfilled || sameWord(o.Fulfilment, "fulfilled")
		created = append(created, o.CreatedAt)
		fulfilled = append(fulfilled, o.FulfilledAt)
		cancelled = append(cancelled, o.CancelledAt)
	}
	if slices.ContainsFunc([][]string{created, fulfilled, cancelled}, slipped) {
		return "a date of the export is far in the future"
	}
	return ""
}

// assemble puts the rows together: rows of one name are one order unless their days differ.
// A row with no cell of an order's own is the latest one's, whatever its day.
func assemble(rows []Order) (orders []*order) {
	byName := map[string][]*order{}
	above := map[string]*order{} // the one of the name to which the latest row belongs
	for _, row := range rows {
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
			orders = append(orders, found)
		}
		above[key] = found
		found.take(row)
	}
	return orders
}

// isOrders reports whether a row has a cell of an order's own, and not of an item's.
func (o Order) isOrders() bool {
	return o.Total.Stated || o.Outstanding.Stated || cmp.Or(o.Financial, o.Fulfilment, o.PaymentMethod, o.CancelledAt) != ""
}

// take fills the blank cells of an order from a row of it.
func (o *order) take(row Order) {
	o.Name = cmp.Or(o.Name, row.Name)
	o.Balance, o.OwedBefore = max(o.Balance, row.Balance), o.OwedBefore || row.OwedBefore
	o.CreatedAt = cmp.Or(o.CreatedAt, row.CreatedAt)
	o.PaidAt = cmp.Or(o.PaidAt, row.PaidAt)
	o.FulfilledAt = cmp.Or(o.FulfilledAt, row.FulfilledAt)
	o.CancelledAt = cmp.Or(o.CancelledAt, row.CancelledAt)
	o.Financial = cmp.Or(o.Financial, row.Financial)
	o.Fulfilment = cmp.Or(o.Fulfilment, row.Fulfilment)
	o.PaymentMethod = cmp.Or(o.PaymentMethod, row.PaymentMethod)
	o.Currency = cmp.Or(o.Currency, row.Currency)
	o.Carrier = cmp.Or(o.Carrier, row.Carrier)
	o.Tracking += " " + number(row.Tracking, shownAWB) // a row per parcel is usual
	o.cell = cmp.Or(o.cell, row.Tracking)
	if !o.Total.Stated {
		o.Total = row.Total
	}
	if !o.Outstanding.Stated {
		o.Outstanding = row.Outstanding
	}
}

// trackingOf reads a cell of AWBs.
func (r *run) trackingOf(cell string) (compared, shown []string) {
	for _, text := range strings.FieldsFunc(number(cell, shownAWB), func(r rune) bool { return strings.ContainsRune(",;| ", r) }) {
		if id, is := linked(text); is {
			r.hit("AWB of a link")
			text = id
		}
		awb := awbText(text)
		if awb == "" || slices.Contains(compared, strings.ToLower(awb)) {
			continue
		}
		compared = append(compared, strings.ToLower(awb))
		shown = append(shown, awb)
	}
	return compared, shown
}

// linked gives the AWB of a tracking link, and whether the text is one.
func linked(text string) (awb string, is bool) {
	_, rest, is := strings.Cut(text, "://")
	if !is {
		return "", false
	}
	place, query, _ := strings.Cut(rest, "?")
	if parts := strings.Split(place, "/"); len(parts) > 1 && hasDigit(parts[len(parts)-1]) {
		return parts[len(parts)-1], true
	}
	for _, parameter := range strings.Split(query, "&") {
		if _, value, _ := strings.Cut(parameter, "="); hasDigit(value) {
			return value, true
		}
	}
	return "", true
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
	r.given.Lines = slices.Clone(r.given.Lines)
	for i := range r.given.Lines {
		r.given.Lines[i] = onlyColumns(r.given.Lines[i], has)
	}
	if refused := r.readReportDates(); refused != "" {
		return refused
	}
	r.noteTotalOfCharges()
	known := map[string]bool{}
	for _, o := range r.orders {
		known["id "+o.key] = true
		for _, awb := range o.awbs {
			known["awb "+awb] = true
		}
	}
	above := map[int]*[2]sums{} // of each report: all lines above, those since the last footer
	for at, given := range r.given.Lines {
		report := r.reportOf(at)
		if above[report] == nil {
			above[report] = &[2]sums{}
		}
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
		if strings.HasPrefix(strings.TrimLeft(given.AWB, "'"), "0") && awbKnown {
			r.hit("AWB with a leading zero")
		}
		if !footer && l.awb == "" && l.orderID == "" {
			if footer = r.isFooter(l, above[report]); !footer {
				r.noteUnidentified(l)
				above[report][0].add(l)
				above[report][1].add(l)
				continue
			}
		}
		if footer {
			above[report][1] = sums{}
			continue
		}
		above[report][0].add(l)
		above[report][1].add(l)
		own, refused := r.remittedOf(l)
		if refused != "" {
			return refused
		}
		l.own, l.remitted, l.base = own, own, own
		r.lines = append(r.lines, l)
	}
	for _, l := range r.lines {
		l.charges = r.chargesOf(l)
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
	if utrKey(l.UTR) == "" { // a spreadsheet has rounded it
		l.UTR = ""
	}
	for i := range has.Charges {
		if has.Charges[i] == "" {
			l.Charges[i] = ""
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
	return cmp.Or(l.CODAmount.Paise, l.RemittedAmount.Paise)
}
