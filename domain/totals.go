package domain

import "iter"

// LineSum counts lines of reports and adds up what was remitted on them.
type LineSum struct {
	Lines    int
	Remitted Paise
}

// ReportTotals ties out one report of a run (decisions, section 8):
// Read = Matched + Unclaimed + Repeated + Unidentified, to the paisa.
type ReportTotals struct {
	Report       int    // from 1
	Courier      string // id of the courier; blank: not known
	Rows         int    // records below the header
	Through      Day    // the latest remittance or delivered date; NoDay: it has none
	Read         LineSum
	Matched      LineSum // lines that belong to an order, with repeats that count
	Unclaimed    LineSum
	Repeated     LineSum // repeats that are left out
	Unidentified LineSum // lines with money and neither AWB nor order id
}

// Payout is what a courier paid out at once: the lines of one UTR, or, where lines have
// none, of one remittance date of one report (decisions, section 8).
type Payout struct {
	Report        int    // the first report that lists it, from 1
	Courier       string // id; blank: not known
	UTR           []byte
	RemittedOn    Day // the latest date of its lines; NoDay: none has one
	Lines         int
	Collected     Paise
	Deducted      Paise
	DeductedKnown bool // false: the report states one amount alone
	Paid          Paise
}

// OrderDetails is what a run knows of an order besides its Result.
type OrderDetails struct {
	DeliveredOn   Day
	RemittedOn    Day    // the latest day on which money was paid; NoDay: none
	UTR           []byte // several are joined by ", "
	CourierStatus []byte // of the latest line that has a status
	Report        int    // that lists the order, from 1; 0: none. Of several, the first
}

// ReportTotals returns the control totals of each report.
func (r *Reconciliation) ReportTotals() []ReportTotals { return nil }

// Payouts returns the payouts of the reports, in the order in which the reports first
// list them.
func (r *Reconciliation) Payouts() []Payout { return nil }

// Details returns what is known of the i-th order besides its Result. Its texts are valid
// until the next call.
func (r *Reconciliation) Details(i int) OrderDetails { return OrderDetails{} }

// LinesOf yields the lines of the i-th order in the order of the reports, repeats too.
func (r *Reconciliation) LinesOf(i int) iter.Seq[*Remittance] {
	return r.linesOf(&r.matching.claims[i])
}

// UnclaimedLines yields the lines that belong to no order, in the order of the reports,
// but for those that repeat another one.
func (r *Reconciliation) UnclaimedLines() iter.Seq[*Remittance] {
	return r.linesOf(&r.matching.claims[len(r.decisions)])
}

func (r *Reconciliation) linesOf(c *claim) iter.Seq[*Remittance] {
	return func(yield func(*Remittance) bool) {
		for _, i := range r.matching.linesOf(c) {
			if !yield(&r.remittances.list[i]) {
				return
			}
		}
	}
}

// StatusOf returns the status of a line's shipment as the report writes it.
func (r *Reconciliation) StatusOf(line *Remittance) Status { return r.remittances.Status(line.Status) }

// AgeBand is a span of days that orders have been waiting for their money.
type AgeBand struct {
	From, To int // days since the last day of the order's window; To is -1 for the last band
	Orders   int
	AtRisk   Paise
}

// Ageing sorts the flagged orders that are owed money by how many days before BatchAsOf
// their window ended: 0 to 7, 8 to 14, 15 to 30, and more. Orders without a date are in
// none of them.
func (r *Reconciliation) Ageing() []AgeBand {
	bands := []AgeBand{{From: 0, To: 7}, {From: 8, To: 14}, {From: 15, To: 30}, {From: 31, To: -1}}
	for i := range r.decisions {
		d := &r.decisions[i]
		if !d.flag.IsFlagged() || d.shortfall <= 0 || d.lastDay == NoDay {
			continue
		}
		days := max(0, int(r.Guidance.BatchAsOf-d.lastDay))
		for k := range bands {
			if b := &bands[k]; days >= b.From && (b.To < 0 || days <= b.To) {
				b.Orders++
				b.AtRisk += d.shortfall
			}
		}
	}
	return bands
}
