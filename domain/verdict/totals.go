package verdict

import (
	"bytes"
	"iter"
	"slices"

	"milaan/domain"
)

// This file ties a run out: every line and every rupee of the reports is accounted for
// (guide: verdict 8). Nothing here is computed unless it is asked for.

// LineSum counts lines of reports and adds up what was remitted on them.
type LineSum struct {
	Lines    int
	Remitted domain.Paise
}

func (s *LineSum) add(remitted domain.Paise) { s.join(LineSum{1, remitted}) }

func (s *LineSum) join(other LineSum) {
	s.Lines += other.Lines
	s.Remitted += other.Remitted
}

// ReportTotals ties out one report of a run (guide: verdict 8):
// Read = Matched + Unclaimed + Repeated + Corrected + Unidentified, to the paisa. Over all reports,
// Matched.Remitted is what was remitted for all orders, those too that only a ledger has. Footers,
// headers and notes without money are in none of these.
type ReportTotals struct {
	Report       int        // from 1; those that stand for a ledger come last
	Remembered   bool       // it stands for the lines of a courier that a ledger has, but for those that are given again
	Courier      string     // id of the courier; blank: not known
	Rows         int        // records below the header
	Through      domain.Day // the latest remittance or delivered date; NoDay: it has none
	Read         LineSum
	Matched      LineSum // lines that belong to an order, with repeats that count
	Unclaimed    LineSum
	Repeated     LineSum      // repeats that are left out
	Corrected    LineSum      // lines of payouts that a later report corrects, which count nowhere
	Charges      domain.Paise // what the report states as charges on the lines that are neither repeated nor corrected
	Unidentified LineSum      // lines with money and neither AWB nor order id
}

// Payout is what a courier paid out at once: the lines of one UTR, or, where lines have
// none, of one remittance date of one report (guide: verdict 8). Lines of a ledger are in a payout if
// a report of the run lists its UTR: couriers list a part of a payout again. Lines that repeat
// another one or are corrected are in no payout, nor are lines that say that they are not paid yet, nor
// money without AWB and order id.
type Payout struct {
	Report        int      // the first report that lists it, from 1
	CourierReport int      // the first report of its courier, from 1
	Courier       string   // id; blank: not known
	OneOf         []string // ids, of which one is the courier, if no more is known
	UTR           []byte
	RemittedOn    domain.Day // the latest date of its lines; NoDay: none has one
	Lines         int
	Collected     domain.Paise // of a parcel that is paid in parts once, see CollectedOn
	Deducted      domain.Paise // Collected less Paid
	DeductedKnown bool         // false: a report of it states one amount alone
	Charges       domain.Paise // what its reports state as charges
	Undeducted    domain.Paise // of Charges, what its lines were not paid less by
	Paid          domain.Paise
	Partial       bool // a ledger has some of its lines, and may have forgotten others
}

// OrderDetails is what a run knows of an order besides its Result.
type OrderDetails struct {
	DeliveredOn   domain.Day
	RemittedOn    domain.Day   // the latest day on which money was paid; NoDay: none
	UTR           []byte       // several are joined by ", "
	CourierStatus []byte       // of the latest line that has a status
	Charges       domain.Paise // what the reports state as charges for it
	Report        int          // that lists the order, from 1; 0: none. Of several, the first
}

type fate uint8

const (
	fateMatched fate = iota
	fateUnclaimed
	fateRepeated
	fateCorrected
)

// tie is what totals are made of. It is computed when the first of them is asked for.
type tie struct {
	ready bool
	fates []fate // by line
	lines []int32
	utr   []byte

	collections map[*Remittance]collection // see there; nil: not computed
}

// tieOut computes the fate of each line.
func (r *Reconciliation) tieOut() *tie {
	t := &r.tie
	if t.ready {
		return t
	}
	m, n := &r.matching, len(r.remittances.list)
	t.ready, t.collections = true, nil
	t.fates = slices.Grow(t.fates[:0], n)[:n]
	clear(t.fates)
	for i := m.claims[len(r.decided)].first; i != noLine; i = m.next[i] {
		t.fates[i] = fateUnclaimed
	}
	for i, mark := range m.repeats.marks {
		if !mark.counts() {
			t.fates[i] = fateRepeated
		}
		if mark&corrected != 0 {
			t.fates[i] = fateCorrected
		}
		if mark&listedAgain != 0 && r.isGiven(int32(i)) {
			t.fates[i] = fateRepeated
		}
	}
	for _, i := range r.remittances.again {
		if r.isGiven(i) {
			t.fates[i] = fateRepeated
		}
	}
	return t
}

// ReportTotals returns the control totals of each report.
func (r *Reconciliation) ReportTotals() []ReportTotals {
	t, reports := r.tieOut(), r.remittances.all()
	totals := make([]ReportTotals, len(reports))
	for i := range reports {
		read, number := &reports[i], r.remittances.number(uint16(i))
		totals[number-1] = ReportTotals{Report: number, Remembered: i < r.remittances.remembered, Courier: read.Courier,
			Rows: read.Rows, Through: read.Through, Read: read.Unidentified, Unidentified: read.Unidentified}
	}
	for i := range r.remittances.list {
		line := &r.remittances.list[i]
		of := &totals[r.remittances.number(line.Report)-1]
		if of.Remembered && t.fates[i] == fateCorrected {
			continue
		}
		of.Read.add(line.Remitted)
		if t.fates[i] < fateRepeated {
			of.Charges += r.remittances.charged(line)
		}
		byFate := [...]*LineSum{&of.Matched, &of.Unclaimed, &of.Repeated, &of.Corrected}
		byFate[t.fates[i]].add(line.Remitted)
	}
	return totals
}

// SumOf adds up the lines and the charges of reports.
func SumOf(reports []ReportTotals) (all ReportTotals) {
	for i := range reports {
		of := &reports[i]
		all.Read.join(of.Read)
		all.Matched.join(of.Matched)
		all.Unclaimed.join(of.Unclaimed)
		all.Repeated.join(of.Repeated)
		all.Corrected.join(of.Corrected)
		all.Unidentified.join(of.Unidentified)
		all.Charges += of.Charges
	}
	return all
}

// LinesOf counts what the run's own reports have: neither footers nor notes.
func LinesOf(reports []ReportTotals) (lines int) {
	for i := range reports {
		if !reports[i].Remembered {
			lines += reports[i].Read.Lines
		}
	}
	return lines
}

// payoutDate is what tells payouts without a UTR apart.
type payoutDate struct {
	report uint16
	on     domain.Day
}

// Payouts returns the payouts of the reports, in the order in which the reports first
// list them.
func (r *Reconciliation) Payouts() []Payout { return r.payoutsOf(r.PayoutLines()) }

// EarlierPayouts returns the payouts of which only the ledger has lines: an earlier run has told of them, and its reports are not given
// again, but the bank may pay or take back what they list.
func (r *Reconciliation) EarlierPayouts() []Payout { return r.payoutsOf(r.EarlierLines()) }

func (r *Reconciliation) payoutsOf(lines iter.Seq2[int, *Remittance]) []Payout {
	var payouts []Payout
	reports := r.remittances.all()
	for at, line := range lines {
		of := &reports[line.Report]
		if at == len(payouts) {
			number := r.remittances.number(line.Report)
			payouts = append(payouts, Payout{Report: number, CourierReport: r.FirstReport(number), Courier: of.Courier, OneOf: of.OneOf,
				UTR: line.UTR, DeductedKnown: true})
		}
		p := &payouts[at]
		p.Lines++
		p.Collected += r.CollectedOn(line)
		p.Paid += line.Remitted
		p.Charges += r.remittances.charged(line)
		p.Undeducted += r.undeducted(line)
		p.RemittedOn = max(p.RemittedOn, line.RemittedOn)
		p.DeductedKnown = p.DeductedKnown && of.bothAmounts()
		p.Partial = p.Partial || r.mayLack(line)
	}
	for i := range payouts {
		if p := &payouts[i]; p.DeductedKnown {
			p.Deducted = p.Collected - p.Paid
		}
	}
	return payouts
}

// PayoutLines yields the lines of the payouts, each with the place of its payout in Payouts: first those of the run's own
// reports, and then those that a ledger has of the same UTRs.
func (r *Reconciliation) PayoutLines() iter.Seq2[int, *Remittance] {
	return func(yield func(int, *Remittance) bool) {
		t, remembered := r.tieOut(), r.remittances.Remembered()
		places := newPayoutPlaces()
		for i := remembered; i < len(r.remittances.list); i++ {
			line := &r.remittances.list[i]
			if t.fates[i] >= fateRepeated || !r.remittances.isPaidOut(line) {
				continue
			}
			if !yield(places.of(t, line), line) {
				return
			}
		}
		for i := range r.remittances.list[:remembered] {
			line := &r.remittances.list[i]
			if len(places.byUTR) == 0 || len(line.UTR) == 0 || t.fates[i] >= fateRepeated || !r.remittances.isPaidOut(line) {
				continue
			}
			if at, found := places.byUTR[string(t.utrOf(line))]; found && !yield(at, line) {
				return
			}
		}
	}
}

// EarlierLines yields the lines of EarlierPayouts, each with the place of its payout there.
func (r *Reconciliation) EarlierLines() iter.Seq2[int, *Remittance] {
	return func(yield func(int, *Remittance) bool) {
		t, remembered := r.tieOut(), r.remittances.Remembered()
		const ofAReport = -1
		places := newPayoutPlaces()
		if remembered > 0 {
			for _, line := range r.PayoutLines() {
				if len(line.UTR) > 0 {
					places.byUTR[string(t.utrOf(line))] = ofAReport
				}
			}
		}
		for i := range r.remittances.list[:remembered] {
			line := &r.remittances.list[i]
			if t.fates[i] >= fateRepeated || !r.remittances.isPaidOut(line) {
				continue
			}
			if at := places.of(t, line); at != ofAReport && !yield(at, line) {
				return
			}
		}
	}
}

// payoutPlaces gives payouts their places, in the order in which lines first tell of them.
type payoutPlaces struct {
	byUTR  map[string]int
	byDate map[payoutDate]int // of those without a UTR
	given  int
}

func newPayoutPlaces() *payoutPlaces {
	return &payoutPlaces{byUTR: map[string]int{}, byDate: map[payoutDate]int{}}
}

func (p *payoutPlaces) of(t *tie, line *Remittance) (at int) {
	var known bool
	if len(line.UTR) > 0 {
		if at, known = p.byUTR[string(t.utrOf(line))]; !known {
			p.byUTR[string(t.utr)] = p.given
		}
	} else if at, known = p.byDate[payoutDate{line.Report, line.RemittedOn}]; !known {
		p.byDate[payoutDate{line.Report, line.RemittedOn}] = p.given
	}
	if known {
		return at
	}
	p.given++
	return p.given - 1
}

// utrOf returns what is equal for the lines of one UTR. It is valid until the next call.
func (t *tie) utrOf(line *Remittance) []byte {
	t.utr = appendUTRKey(t.utr[:0], line.UTR)
	return t.utr
}

// longestWait is by how many days couriers may pay an order after it was placed.
const longestWait = 60

// mayLack says whether a line is of a ledger that may have forgotten others of its payout: those of orders that were
// older then, or for which it had no room.
func (r *Reconciliation) mayLack(line *Remittance) bool {
	if int(line.Report) >= r.remittances.remembered {
		return false
	}
	rows := len(r.orders.findings) + r.remittances.Remembered()
	return rows >= MaxLedgerRows || len(r.orders.findings) >= domain.MaxRows ||
		line.datedOn() < r.Guidance.BatchAsOf-RememberedFor+longestWait
}

// isPaidOut says whether a line is part of a payout: money was remitted or taken back on
// it, or it has a UTR or a remittance date and does not say that it is not paid.
func (r *Remittances) isPaidOut(line *Remittance) bool {
	return line.Remitted != 0 ||
		(len(line.UTR) > 0 || line.RemittedOn != domain.NoDay) && r.Status(line.MoneyStatus).Money != MoneyUnpaid
}

// Details returns what is known of the i-th order besides its Result. Its texts are valid
// until the next call.
func (r *Reconciliation) Details(i int) OrderDetails {
	c := &r.matching.claims[i]
	_, charges := r.statedCharges(i)
	d := OrderDetails{DeliveredOn: c.deliveredOn, RemittedOn: c.remittedOn, Charges: charges.stated}
	lines, spoken := r.indexesOf(i), int32(noLine)
	for _, k := range lines {
		line := &r.remittances.list[k]
		if d.Report == 0 {
			d.Report = r.remittances.number(line.Report)
		}
		mark := r.matching.repeats.marks[k]
		if line.HasStatus && mark&(silent|replaced) == 0 && !mark.apart(line) && (spoken == noLine || later(r.remittances.list, k, spoken)) {
			spoken = k
		}
	}
	d.UTR = r.utrsOf(lines)
	if spoken != noLine {
		d.CourierStatus = r.remittances.Status(r.remittances.list[spoken].Status).Text
	}
	return d
}

// utrsOf joins the UTRs of lines. They are valid until the next call.
func (r *Reconciliation) utrsOf(lines []int32) []byte {
	var utrs distinctUTRs
	for _, k := range lines {
		utrs.add(r.remittances.list[k].UTR)
	}
	switch len(utrs.all) {
	case 0:
		return nil
	case 1:
		return utrs.all[0]
	}
	t := &r.tie
	t.utr = append(t.utr[:0], bytes.Join(utrs.all, []byte(listSeparator))...)
	return t.utr
}

// distinctUTRs are UTRs, each once.
type distinctUTRs struct {
	all  [][]byte
	seen map[string]bool // nil while there are few
}

// fewUTRs is up to how many UTRs are compared with each other, which takes less time than
// a map.
const fewUTRs = 8

func (d *distinctUTRs) add(utr []byte) {
	switch {
	case len(utr) == 0:
		return
	case d.seen != nil:
		key := string(appendUTRKey(nil, utr))
		if d.seen[key] {
			return
		}
		d.seen[key] = true
	case slices.ContainsFunc(d.all, func(other []byte) bool { return sameUTR(other, utr) }):
		return
	}
	if d.all = append(d.all, utr); len(d.all) > fewUTRs && d.seen == nil {
		d.seen = map[string]bool{}
		for _, other := range d.all {
			d.seen[string(appendUTRKey(nil, other))] = true
		}
	}
}

// MostSharedLines is how many lines of one AWB are listed with each of the orders that
// share it: thousands of orders may share thousands of lines.
const MostSharedLines = 10

// LinesOf yields the lines of the i-th order in the order of the reports, repeats too.
// Orders that share an AWB have the same lines, the first MostSharedLines of them. Only one sequence of
// LinesOf may be gone through at a time, and Details must not
// be called meanwhile.
func (r *Reconciliation) LinesOf(i int) iter.Seq[*Remittance] {
	return func(yield func(*Remittance) bool) {
		for _, k := range r.indexesOf(i) {
			if !yield(&r.remittances.list[k]) {
				return
			}
		}
	}
}

// UnclaimedLines yields the lines that belong to no order, in the order of the reports,
// but for those that repeat another one and those of a ledger.
func (r *Reconciliation) UnclaimedLines() iter.Seq[*Remittance] {
	return func(yield func(*Remittance) bool) {
		for i, fate := range r.tieOut().fates {
			if fate == fateUnclaimed && r.isGiven(int32(i)) && !yield(&r.remittances.list[i]) {
				return
			}
		}
	}
}

// indexesOf returns the places of the lines of the i-th order, in the order of the
// reports. They are valid until the next call.
func (r *Reconciliation) indexesOf(i int) []int32 {
	t := r.tieOut()
	t.lines = append(t.lines[:0], r.matching.allLinesOf(int32(i))...)
	slices.Sort(t.lines)
	return t.lines
}

// ReportOf is the number of the report of a line, from 1.
func (r *Reconciliation) ReportOf(line *Remittance) int { return r.remittances.number(line.Report) }

// StatusOf returns the status of a line's shipment as the report writes it.
func (r *Reconciliation) StatusOf(line *Remittance) Status { return r.remittances.Status(line.Status) }

// FlagTotals are the orders of one flag, and what they come to. Of the Tally, the rows of the
// files and the unclaimed lines are not counted.
type FlagTotals struct {
	domain.Tally

	Flag domain.Flag
}

// FlagTotals adds up the orders of each flag, in the order of Flags. Flags without an order
// are left out.
func (r *Reconciliation) FlagTotals() []FlagTotals {
	var byFlag [domain.AwaitingNextCycle + 1]FlagTotals
	for i := range r.decisions {
		d := &r.decisions[i]
		byFlag[d.flag].Orders++
		addTo(&byFlag[d.flag].Tally, d, r.matching.claims[i].remitted)
	}
	var all []FlagTotals
	for _, f := range domain.Flags() {
		if t := byFlag[f]; t.Orders > 0 {
			t.Flag = f
			all = append(all, t)
		}
	}
	return all
}

// AgeBand is a span of days that orders have been waiting for their money.
type AgeBand struct {
	From, To int // days since the last day of the order's window; To is -1 for the last band
	Orders   int
	AtRisk   domain.Paise
}

// Ageing sorts the flagged orders that are owed money by how many days before BatchAsOf
// their window ended: 0 to 7, 8 to 14, 15 to 30, and more. Orders whose window has not
// ended are in the first band, and orders without a date in none.
func (r *Reconciliation) Ageing() []AgeBand {
	bands := []AgeBand{{From: 0, To: 7}, {From: 8, To: 14}, {From: 15, To: 30}, {From: 31, To: -1}}
	for i := range r.decisions {
		d := &r.decisions[i]
		if !d.flag.IsFlagged() || d.shortfall <= 0 || d.lastDay == domain.NoDay {
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
