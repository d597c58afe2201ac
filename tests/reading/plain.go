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

// Case is one run: an export, a report, and the two settings, in days and rupees.
type Case struct {
	Orders      []Order
	Lines       []Line
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
	used         bool
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
		l := &line{Line: given, at: at, statusAt: at, awb: strings.ToLower(awbText(given.AWB)), orderID: orderKey(given.OrderID)}
		if l.awb == "" && l.orderID == "" || footer {
			continue
		}
		own, refused := r.remittedOf(l)
		if refused != "" {
			return refused
		}
		l.own, l.remitted = own, own
		r.lines = append(r.lines, l)
	}
	var remittance, delivered []string
	for _, l := range r.lines {
		remittance = append(remittance, l.RemittanceDate)
		delivered = append(delivered, l.DeliveredDate)
		r.through = later(r.through, later(l.RemittanceDate, l.DeliveredDate))
	}
	if slipped(remittance) || slipped(delivered) {
		return "a date of the report is far in the future"
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

// findRounded is step 3: AWBs that tell no parcel from another.
func (r *run) findRounded() string {
	for _, o := range r.orders {
		for _, awb := range o.awbs {
			if _, _, is := powerOfTen(awb); is {
				r.unreliable[awb] = true
			}
			for _, other := range r.orders {
				if other != o && couldBeRounded(awb) && slices.Contains(other.awbs, awb) {
					r.unreliable[awb] = true
				}
			}
		}
	}
	for _, l := range r.lines {
		if _, _, is := powerOfTen(l.awb); is {
			r.unreliable[l.awb] = true
		}
		for _, other := range r.lines {
			if other.at <= l.at || other.awb != l.awb || !couldBeRounded(l.awb) || statedOf(l) <= 0 || statedOf(other) <= 0 {
				continue
			}
			differentOrders := l.orderID != "" && other.orderID != "" && l.orderID != other.orderID
			differentAmounts := l.orderID == "" && other.orderID == "" && statedOf(l) != statedOf(other)
			if differentOrders || differentAmounts {
				r.unreliable[l.awb] = true
			}
		}
	}
	return ""
}

// hasReliable reports whether a line bears an AWB that tells its parcel.
func (r *run) hasReliable(l *line) bool { return l.awb != "" && !r.unreliable[l.awb] }

// dropRepeats is step 4: a line that repeats another one counts once; those that
// are told by their order id alone are set aside.
func (r *run) dropRepeats() string {
	var kept []*line
	for _, l := range r.lines {
		var same *line
		for _, k := range kept {
			if k.awb == l.awb && k.orderID == l.orderID && k.CODAmount.Paise == l.CODAmount.Paise && k.RemittedAmount.Paise == l.RemittedAmount.Paise &&
				k.RemittanceDate == l.RemittanceDate && k.UTR == l.UTR {
				same = k
			}
		}
		if same == nil || l.orderID == "" && !r.hasReliable(l) {
			kept = append(kept, l)
			continue
		}
		if same.remitted == 0 {
			same.remitted = l.remitted
		}
		if l.Status != "" {
			same.Status, same.statusAt = l.Status, l.at
		}
		same.DeliveredDate = later(same.DeliveredDate, l.DeliveredDate)
		if !r.hasReliable(l) {
			same.repeats = append(same.repeats, l)
		}
	}
	r.lines = kept
	return ""
}

// match is step 5: own AWBs, shared AWBs, order ids.
func (r *run) match() string {
	bearers := map[string][]*order{}
	for _, o := range r.orders {
		for _, awb := range o.awbs {
			if !r.unreliable[awb] {
				bearers[awb] = append(bearers[awb], o)
			}
		}
	}
	done := map[string]bool{}
	for _, l := range r.lines {
		if !r.hasReliable(l) || len(bearers[l.awb]) == 0 || done[l.awb] {
			continue
		}
		done[l.awb] = true
		r.matchAWB(l.awb, bearers[l.awb])
	}
	for _, l := range r.lines {
		if l.used || l.orderID == "" {
			continue
		}
		var free []*order
		for _, o := range r.orders {
			if !o.byAWB {
				free = append(free, o)
			}
		}
		if o := r.named(l, free); o != nil {
			o.byOrderID = true
			o.use(l)
		}
	}
	for _, o := range r.orders {
		r.anyListed = r.anyListed || o.listed
	}
	return ""
}

// matchAWB gives the lines that bear an AWB to the orders that bear it.
func (r *run) matchAWB(awb string, bearers []*order) {
	var lines []*line
	for _, l := range r.lines {
		if l.awb == awb {
			lines = append(lines, l)
			l.used = true
		}
	}
	for _, o := range bearers {
		o.listed = true
	}
	if len(bearers) == 1 {
		bearers[0].byAWB = true
		for _, l := range lines {
			bearers[0].use(l)
		}
		return
	}
	wasNamed := map[*order]bool{}
	var rest []*line
	for _, l := range lines {
		if o := r.named(l, bearers); o != nil {
			o.byAWB = true
			o.use(l)
			wasNamed[o] = true
		} else {
			rest = append(rest, l)
		}
	}
	var remitted, owed int64
	for _, l := range rest {
		remitted += l.remitted
	}
	for _, o := range bearers {
		if !wasNamed[o] {
			owed += o.owesAlone()
		}
	}
	if remitted > 0 && remitted == owed {
		for _, o := range bearers {
			if wasNamed[o] {
				continue
			}
			o.byAWB, o.settled = true, true
			o.share += o.owesAlone()
			for _, l := range rest {
				o.use(l)
				o.shared[l] = true
			}
		}
		return
	}
	for _, l := range rest {
		bearers[0].byAWB = true
		bearers[0].use(l)
	}
}

// named gives the one of the orders that a line names by order id, or nil. Of
// several of one name it is the only one whose total the line equals, else the first.
func (r *run) named(l *line, among []*order) *order {
	var same, equal []*order
	for _, o := range among {
		if l.orderID != "" && o.key == l.orderID {
			same = append(same, o)
			if o.Total.Stated && o.Total.Paise == statedOf(l) {
				equal = append(equal, o)
			}
		}
	}
	if len(same) == 0 {
		return nil
	}
	for _, o := range same {
		o.listed = true
	}
	if len(equal) == 1 {
		return equal[0]
	}
	return same[0]
}

// use makes a line one of the order's.
func (o *order) use(l *line) {
	l.used = true
	o.listed = true
	o.lines = append(o.lines, l)
}

// pending reports whether the storefront waits for the money.
func (o *order) pending() bool { return sameWord(o.Financial, "pending") }

func sameWord(cell, word string) bool { return strings.EqualFold(strings.TrimSpace(cell), word) }

// isCOD reports whether the payment method is blank or names cash on delivery.
func (o *order) isCOD() bool {
	return o.PaymentMethod == "" || namesCash(o.PaymentMethod, o.pending(), len(o.awbs) > 0)
}

// isCancelled is the storefront's part of the second rule of what an order owes.
func (o *order) isCancelled() bool {
	return o.CancelledAt != "" || sameWord(o.Financial, "voided") || sameWord(o.Fulfilment, "restocked")
}

// isPartPaid is the fifth rule of what an order owes.
func (o *order) isPartPaid() bool {
	if sameWord(o.Financial, "partially_paid") && o.Outstanding.Stated {
		return true
	}
	return o.Outstanding.Paise > 0 && o.Total.Stated && o.Outstanding.Paise < o.Total.Paise
}

// owesAlone is what an order owes by its storefront columns alone, for exact sums.
func (o *order) owesAlone() int64 {
	switch {
	case !o.isCOD(), o.isCancelled():
		return 0
	case o.isPartPaid():
		return o.Outstanding.Paise
	default:
		return o.Total.Paise
	}
}

// weigh is step 6: what the lines of each order say together.
func (r *run) weigh() string {
	for _, o := range r.orders {
		o.remitted = o.share
		delivered := ""
		for _, l := range o.lines {
			if !o.shared[l] {
				o.remitted += l.remitted
			}
			o.collected += r.collectedOf(l)
			delivered = later(delivered, l.DeliveredDate)
		}
		o.parcels = r.parcelsOf(o)
		withStatus, withReturn := 0, 0
		for _, p := range o.parcels {
			o.asListed += p.asListed
			if p.status != "" {
				withStatus++
			}
			if p.returned {
				withReturn++
			}
		}
		o.returned = withStatus > 0 && withReturn == withStatus
		o.evidence = o.collected > 0 || sameWord(o.Financial, "paid") && o.isCOD()
		o.start = firstOf(delivered, o.FulfilledAt, o.date)
		switch {
		case r.complete:
			o.open = false
		case o.start == "" || r.asOf == "":
			o.open = true
		default:
			o.open = day(r.asOf) <= day(o.start)+r.given.OffsetDays
		}
	}
	return ""
}

// parcelsOf parts the lines of an order into parcels.
func (r *run) parcelsOf(o *order) []parcel {
	var keys []string
	byKey := map[string][]*line{}
	for _, l := range o.lines {
		key := ""
		if r.hasReliable(l) {
			key = l.awb
		}
		if byKey[key] == nil {
			keys = append(keys, key)
		}
		byKey[key] = append(byKey[key], l)
	}
	var parcels []parcel
	for _, key := range keys {
		p := parcel{lines: byKey[key]}
		var latest *line
		for i, l := range p.lines {
			switch {
			case r.given.Columns.CODAmount == "":
				p.asListed += l.remitted
			case r.given.Columns.RemittedAmount == "":
				p.asListed += l.CODAmount.Paise
			case i == 0 || l.CODAmount.Paise > p.asListed:
				p.asListed = l.CODAmount.Paise
			}
			if l.Status == "" {
				continue
			}
			if latest == nil || l.date() > latest.date() || l.date() == latest.date() && l.statusAt > latest.statusAt {
				latest = l
			}
		}
		if latest != nil {
			p.status = latest.Status
			p.returned = isReturned(latest.Status)
		}
		parcels = append(parcels, p)
	}
	return parcels
}

// date is the later of a line's two days, or blank.
func (l *line) date() string { return later(l.RemittanceDate, l.DeliveredDate) }

// settleDues is step 7: what each order owes.
func (r *run) settleDues() string {
	for _, o := range r.orders {
		if o.settled {
			o.due, o.dueRule = o.owesAlone(), "exact sum"
			continue
		}
		o.due, o.dueRule = r.dueOf(o)
	}
	return ""
}

func (r *run) dueOf(o *order) (due int64, rule string) {
	if !o.isCOD() && o.collected <= 0 && (!o.pending() || o.asListed <= 0) {
		o.prepaid = true
		return 0, "1 prepaid"
	}
	if o.isCancelled() {
		left := false
		for _, l := range o.lines {
			if l.remitted != 0 || !neverLeft(l.Status) {
				left = true
			}
		}
		if !left {
			return 0, "2 cancelled"
		}
	}
	unfulfilled := o.Fulfilment == "" || sameWord(o.Fulfilment, "unfulfilled")
	if unfulfilled && len(o.awbs) == 0 && len(o.lines) == 0 && r.anyFulfilled && !o.open {
		return 0, "3 not shipped"
	}
	if o.returned && !o.evidence {
		return 0, "4 returned"
	}
	switch {
	case o.isPartPaid():
		due, rule = o.Outstanding.Paise, "5 part-paid"
	case saysPartPaid(o.PaymentMethod) && o.Outstanding.Paise == 0 &&
		o.asListed > 0 && o.Total.Stated && o.asListed < o.Total.Paise:
		due, rule = o.asListed, "6 as listed"
	case o.Total.Stated:
		due, rule = o.Total.Paise, "7 total"
	default:
		due, rule = max(0, o.asListed), "7 no total"
	}
	if slices.Contains(toBeCollected, r.given.Columns.CODAmount) {
		var cameBack int64
		back := 0
		for _, p := range o.parcels {
			if p.returned {
				cameBack += p.asListed
				back++
			}
		}
		if cameBack > 0 && back < len(o.parcels) { // one without a status did not come back
			due, rule = max(0, due-cameBack), rule+" less returned parcels"
		}
	}
	return due, rule
}

// bringBack is the first part of step 8: repeats that were parcels of their own
// count after all.
func (r *run) bringBack() string {
	for _, o := range r.orders {
		all := o.remitted
		for _, l := range o.lines {
			if len(l.repeats) == 0 {
				continue
			}
			all += l.own - l.remitted
			for _, repeat := range l.repeats {
				all += repeat.own
			}
		}
		if all == o.due && o.remitted != o.due {
			o.remitted = all
			o.cameAfter = true
		}
	}
	return ""
}

// refuseForeign is the second part of step 8.
func (r *run) refuseForeign() string {
	for _, o := range r.orders {
		switch strings.ToLower(strings.TrimSpace(o.Currency)) {
		case "", "inr", "rs", "₹":
			continue
		}
		if !o.prepaid || o.listed {
			return "order " + o.Name + " is in another currency"
		}
	}
	return ""
}

// decide is steps 9 and 10.
func (r *run) decide() Answer {
	answer := Answer{BatchAsOf: r.asOf, DataThrough: r.through, Complete: r.complete, GuaranteedDays: r.guaranteed}
	for _, o := range r.orders {
		v := Verdict{Name: o.Name, Due: o.due, Remitted: o.remitted, MatchMode: "order_id", Status: "unfulfilled"}
		v.Flag, v.Shortfall, v.FlagRule = r.flag(o)
		v.DueRule = o.dueRule
		if o.cameAfter {
			v.DueRule += ", repeats back"
		}
		if v.Flag == "OVERDUE" || v.Flag == "MISSING" {
			v.DaysOverdue = 1
			if o.start != "" && r.asOf != "" {
				v.DaysOverdue = max(1, day(r.asOf)-day(o.start)-r.given.OffsetDays)
			}
		}
		v.AWB = r.awbOf(o)
		if r.knowsAWB(o) && !o.byOrderID {
			v.MatchMode = "awb"
		}
		if o.CancelledAt != "" {
			v.Status = "cancelled"
		} else if o.Fulfilment != "" {
			v.Status = strings.ToLower(o.Fulfilment)
		}
		answer.Verdicts = append(answer.Verdicts, v)
		switch v.Flag {
		case "RECONCILED":
		case "AWAITING_NEXT_CYCLE":
			answer.Awaiting++
		default:
			answer.Flagged++
			answer.AmountRisk += max(0, v.Shortfall)
		}
	}
	for _, l := range r.lines {
		if !l.used {
			answer.Unclaimed++
			answer.UnclaimedRemitted += l.remitted
		}
	}
	return answer
}

// knowsAWB reports whether the storefront knows an AWB of the order; one that is
// rounded tells nothing.
func (r *run) knowsAWB(o *order) bool {
	for _, awb := range o.awbs {
		if !r.unreliable[awb] {
			return true
		}
	}
	return false
}

// awbOf is the AWBs to show: the storefront's where it knows any, else the
// courier's, else what stands in the storefront's cells.
func (r *run) awbOf(o *order) string {
	var shown []string
	for i, awb := range o.awbs {
		if !r.unreliable[awb] {
			shown = append(shown, o.shown[i])
		}
	}
	if len(shown) == 0 {
		for _, l := range o.lines {
			if awb := awbText(l.AWB); r.hasReliable(l) && !slices.Contains(shown, awb) {
				shown = append(shown, awb)
			}
		}
	}
	if len(shown) == 0 {
		_, shown = trackingOf(o.cell)
	}
	return strings.Join(shown, ", ")
}

// flag is the table of flags: the first rule that holds.
func (r *run) flag(o *order) (flag string, shortfall int64, rule string) {
	short := o.due - o.remitted
	switch {
	case o.due == 0 && o.remitted == 0:
		return "RECONCILED", 0, "1"
	case o.remitted == 0 && o.returned && o.evidence:
		return "RTO_ANOMALY", o.due, "2"
	case o.remitted != 0 && o.remitted == o.due:
		return "RECONCILED", 0, "3"
	case o.remitted != 0 && o.remitted > o.due:
		return "OVERPAID", short, "4"
	case o.remitted != 0 && 0 < short && short <= r.given.MinorRupees*100:
		return "MINOR_DIFF", short, "5"
	case o.remitted != 0:
		return "SHORT_PAID", short, "6"
	case o.open:
		return "AWAITING_NEXT_CYCLE", 0, "7"
	case o.listed:
		return "OVERDUE", o.due, "8"
	case !r.coversWindow(o):
		return "OVERDUE", o.due, "10 not covered"
	case !r.isFromReportsTime(o):
		return "OVERDUE", o.due, "10 another time"
	case r.couldBeRoundedLine(o):
		return "OVERDUE", o.due, "10 rounded line"
	default:
		return "MISSING", o.due, "9"
	}
}

// coversWindow reports whether the report reaches past an order's window.
func (r *run) coversWindow(o *order) bool {
	if o.start == "" {
		return r.complete
	}
	return r.through != "" && day(r.through) >= day(o.start)+r.guaranteed
}

// isFromReportsTime reports whether one in five of an order's neighbours is listed.
func (r *run) isFromReportsTime(o *order) bool {
	if !r.anyListed {
		return true
	}
	away := map[*order]int{} // days between two orders' dispatch
	most := 0
	for _, other := range r.orders {
		if o.dispatch() != "" && other.dispatch() != "" {
			away[other] = distance(o.dispatch(), other.dispatch())
			most = max(most, away[other])
		}
	}
	if o.dispatch() != "" {
		for days := 0; days <= most; days++ {
			neighbours, listed := 0, 0
			for _, other := range r.orders {
				if far, dated := away[other]; dated && far <= days {
					neighbours += other.isNeighbour()
					listed += other.isListed()
				}
			}
			if neighbours >= 20 {
				return listed*5 >= neighbours
			}
		}
	}
	neighbours, listed := 0, 0
	for _, other := range r.orders {
		neighbours += other.isNeighbour()
		listed += other.isListed()
	}
	return listed*5 >= neighbours
}

// dispatch is the day around which an order's neighbours are looked for, or blank.
func (o *order) dispatch() string { return firstOf(o.FulfilledAt, o.date) }

// isNeighbour is 1 for an order that is listed or owes something.
func (o *order) isNeighbour() int {
	if o.listed || o.due > 0 {
		return 1
	}
	return 0
}

// isListed is 1 for an order that is listed.
func (o *order) isListed() int {
	if o.listed {
		return 1
	}
	return 0
}

// distance is the number of days between two ISO days.
func distance(a, b string) int {
	between := day(a) - day(b)
	return max(between, -between)
}

// couldBeRoundedLine reports whether an unclaimed line without an order id bears
// a rounded AWB that could be the order's.
func (r *run) couldBeRoundedLine(o *order) bool {
	for _, l := range r.lines {
		if l.used || l.orderID != "" || !r.unreliable[l.awb] {
			continue
		}
		if len(o.awbs) == 0 {
			return true
		}
		for _, awb := range o.awbs {
			if sameLeading(awb, l.awb) {
				return true
			}
		}
	}
	return false
}

// sameLeading reports whether two AWBs, the second of them rounded, have the same
// length and the same leading digits, as far as both are known. The last digit
// that is known may have been rounded up.
func sameLeading(awb, rounded string) bool {
	digits, length := leading(rounded)
	if ownDigits, ownLength, is := powerOfTen(awb); is {
		return length == ownLength && (strings.HasPrefix(ownDigits, digits) || strings.HasPrefix(digits, ownDigits))
	}
	if length != len(awb) || !isNumber(awb) || len(digits) >= len(awb) {
		return false
	}
	if strings.HasPrefix(awb, digits) {
		return true
	}
	return awb[len(digits)] >= '5' && increment(awb[:len(digits)]) == digits
}
