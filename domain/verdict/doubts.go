package verdict

import (
	"bytes"
	"cmp"
	"slices"

	"milaan/domain"
)

// The thresholds of the warnings about a whole run. They are chosen so that good files
// have no warning, because people stop reading a warning that comes every month
// (guide: verdict 6).
const (
	// With fewer orders, one or two late parcels would cause a warning, and each of
	// them has a flag anyway.
	fewMatchedFrom = 5
	// guide: verdict 6.
	fewMatchedBelow = 60 // percent

	// A small shop's payout has only a few orders. If this many are short alike, that is
	// hardly chance; with fewer it may be.
	deductionsFrom = 5
	deductionsOf   = 80 // percent of the paid orders
	// Charges of 2 % with 18 % tax are 2.36 %. Rounding to whole rupees changes most
	// orders by less than half a percent.
	leastDeduction = 50 // hundredths of a percent
	// Charges are a percentage, and rounding changes the share of a small order by less
	// than this. With fees per parcel, the shares differ by more.
	likeShare = 100 // hundredths of a percent, from the least to the greatest

	mostExamples = 3
)

// doubts counts, while orders get their flags, the values of the warnings.
type doubts struct {
	listed         int // orders that are listed
	ended          int // shipped COD orders that are not cancelled and whose window is over
	endedListed    int // those of them that are listed
	outside        int // orders that are not from the report's time
	outsideDue     domain.Paise
	unknownMethods int // pending orders
	unknownTotal   domain.Paise
	paid           int // orders with something due and remitted
	short          int // those of them that are short
	returned       int // flagged orders that came back, of which only the report's cod_amount proves a collection
	returnedDue    domain.Paise
	tracked        int // orders with an AWB

	prepaid          int // prepaid orders for which cash was collected
	prepaidCollected domain.Paise
}

func (n *doubts) add(p *policy, o *Order, c *claim, d *decision) {
	listed := c.has(markListed)
	if listed {
		n.listed++
	}
	cod := o.paysCOD()
	if cod && !o.calledOff() && (o.shipped() || o.tracked()) && !p.windowOpen(d.lastDay) {
		n.ended++
		if listed {
			n.endedListed++
		}
	}
	if o.Payment == domain.PaymentUnknown && o.Financial == domain.FinancialPending {
		n.unknownMethods++
		n.unknownTotal += o.Total
	}
	if o.tracked() {
		n.tracked++
	}
	if !cod && c.collected > 0 {
		n.prepaid++
		n.prepaidCollected += c.collected
	}
	switch {
	case d.due > 0 && c.remitted > 0:
		n.paid++
		if d.shortfall > 0 {
			n.short++
		}
	case d.cause == domain.CauseCourierCollected && (!cod || o.Financial != domain.FinancialPaid):
		n.returned++
		n.returnedDue += d.due
	}
}

// plus adds what was counted of other orders.
func (n *doubts) plus(other *doubts) {
	n.listed += other.listed
	n.ended += other.ended
	n.endedListed += other.endedListed
	n.unknownMethods += other.unknownMethods
	n.unknownTotal += other.unknownTotal
	n.paid += other.paid
	n.short += other.short
	n.returned += other.returned
	n.returnedDue += other.returnedDue
	n.tracked += other.tracked
	n.prepaid += other.prepaid
	n.prepaidCollected += other.prepaidCollected
}

// listsPrepaidAlone returns the first of the run's reports, from 1, that lists fewMatchedFrom orders or more and has collected cash
// for each, though all are prepaid, and how many they are; 0: none.
func (r *Reconciliation) listsPrepaidAlone() (report, orders int) {
	type listing struct{ orders, prepaid, last int }
	of := make([]listing, len(r.remittances.Reports())+1)
	for i := range r.decisions {
		prepaid := !r.orders.list[i].paysCOD()
		for _, at := range r.matching.linesOf(&r.matching.claims[i]) {
			line := &r.remittances.list[at]
			number := r.ReportOf(line)
			if number >= len(of) || of[number].last == i+1 {
				continue
			}
			of[number].last = i + 1
			of[number].orders++
			if prepaid && line.Collected > 0 {
				of[number].prepaid++
			}
		}
	}
	for number, l := range of {
		if l.orders >= fewMatchedFrom && l.prepaid == l.orders {
			return number, l.orders
		}
	}
	return 0, 0
}

// Warnings are the doubts about the whole run, in the order of WarningCodes: those
// from reading the files and those from the comparison.
func (r *Reconciliation) Warnings() []domain.Warning {
	warnings := slices.Concat(r.orders.Warnings, r.remittances.warnings())
	reports := r.remittances.Reports()
	add := func(doubtful bool, w domain.Warning) {
		if doubtful {
			if len(reports) > 1 {
				w.Reports = len(reports)
			}
			warnings = append(warnings, w)
		}
	}
	n, orders, lines := &r.doubts, r.orders, r.remittances
	empty := lines.Len() == lines.Remembered()
	expected := !lines.begun && len(lines.absent) > 0 // of a pass whose sources have no report yet
	nothing := n.listed == 0 && (!empty || expected)
	add(nothing, domain.Warning{Code: domain.WarnNothingMatched, Count: len(r.decisions)})
	add(!empty && !nothing && n.ended >= fewMatchedFrom && n.endedListed*100 < n.ended*fewMatchedBelow,
		domain.Warning{Code: domain.WarnFewMatched, Count: n.endedListed, Of: n.ended})
	add(n.outside > 0, domain.Warning{Code: domain.WarnOutsideReport, Count: n.outside, Amount: n.outsideDue, HasAmount: true})
	for _, w := range r.unnamedCouriers() {
		add(true, w)
	}
	unclaimed := r.Tally.Unclaimed - r.matching.idle // the reason of an order has the lines that say nothing of its money
	add(unclaimed > 0, domain.Warning{Code: domain.WarnUnclaimedLines, Count: unclaimed, Named: r.matching.refused,
		Amount: r.Tally.UnclaimedPaid, HasAmount: true})
	repeats, remitted := r.matching.countRepeats()
	add(repeats > 0, domain.Warning{Code: domain.WarnRepeatedLines, Count: repeats, Amount: remitted, HasAmount: true})
	for i := range r.matching.corrections.found {
		add(true, r.relistedWarning(&r.matching.corrections.found[i]))
	}
	rounded, examples := orders.roundedAWBs(func(c *roundedCell) bool { return !c.remembered && int(c.order) < orders.Exported() })
	add(rounded > 0, domain.Warning{Code: domain.WarnRoundedAWBs, Count: rounded, Of: n.tracked, File: domain.StorefrontFile,
		Examples: examples})
	lines.doubtReports(add)
	if n.unknownMethods > 0 {
		add(true, domain.Warning{Code: domain.WarnUnknownPaymentMethods, Count: n.unknownMethods, Amount: n.unknownTotal, HasAmount: true,
			Examples: orders.unknownMethods()})
	}
	deductions, alike := r.findDeductions()
	add(alike, deductions)
	for i := range r.neighbours.series.gaps {
		g := &r.neighbours.series.gaps[i]
		add(g.kept.Items > 0, domain.Warning{Code: domain.WarnPayoutGap, Count: g.kept.Items, Amount: g.kept.Amount, HasAmount: true, Gap: g.Gap})
	}
	prepaid := domain.Warning{Code: domain.WarnPrepaidCollected, Count: n.prepaid, Amount: n.prepaidCollected, HasAmount: true}
	switch { // no courier's report lists prepaid orders alone
	case n.prepaid == n.listed && n.listed >= fewMatchedFrom:
		prepaid.Of = n.listed
	case n.prepaid >= fewMatchedFrom && len(reports) > 1:
		prepaid.Report, prepaid.Of = r.listsPrepaidAlone()
	}
	add(n.prepaid > 0, prepaid)
	if len(r.reversed) > 0 {
		add(true, r.reversedWarning())
	}
	if orders.namesakes > 0 {
		add(true, domain.Warning{Code: domain.WarnOneNameTwoOrders, Count: orders.namesakes, Examples: orders.namesakeExamples()})
	}
	add(n.returned > 0, domain.Warning{Code: domain.WarnReturnedWithAmount, Count: n.returned, Amount: n.returnedDue, HasAmount: true})
	if orders.remembers {
		for _, w := range r.ledgerDoubts() {
			add(true, w)
		}
	}
	if r.mayOverflow() {
		out := r.kept().leftOut
		add(out.Items > 0, domain.Warning{Code: domain.WarnLedgerFull, Count: out.Items, Amount: out.Amount, HasAmount: true})
	}
	codes := domain.WarningCodes()
	slices.SortStableFunc(warnings, func(a, b domain.Warning) int {
		return cmp.Compare(slices.Index(codes, a.Code), slices.Index(codes, b.Code))
	})
	return warnings
}

// doubtReports adds the warnings about each report alone.
func (r *Remittances) doubtReports(add func(doubtful bool, w domain.Warning)) {
	own := len(r.Reports())
	for i := range own {
		position := 0 // named only where there are several
		if own > 1 {
			position = i + 1
		}
		list := r.linesOf(r.remembered + i)
		add(len(list) == 0 && (r.begun || len(r.absent) == 0), domain.Warning{Code: domain.WarnEmptyReport, Report: position})
		rounded, of, examples := r.roundedAWBs(list)
		add(rounded > 0, domain.Warning{Code: domain.WarnRoundedAWBs, Report: position, Count: rounded, Of: of, File: domain.CourierFile,
			Examples: examples})
		if of := r.roundedUTRsOf(r.remembered + i); of != nil {
			add(true, domain.Warning{Code: domain.WarnRoundedUTRs, Report: position, Count: of.lines, Examples: of.shown.shown})
		}
	}
}

type shortOrder struct {
	due, shortfall domain.Paise
	unexplained    domain.Paise // of the shortfall, by the charges that the reports state
	share          int          // of the shortfall, in hundredths of a percent
	byCharges      bool         // the shortfall is what charges explain
}

// findDeductions says whether most paid orders are short alike: by the charges that the
// reports state, by the same amount, or by a like share.
func (r *Reconciliation) findDeductions() (domain.Warning, bool) {
	paid := r.doubts.paid
	enough := func(orders int) bool { return orders >= deductionsFrom && orders*100 >= paid*deductionsOf }
	if !enough(r.doubts.short) {
		return domain.Warning{}, false
	}
	var short []shortOrder
	byCharges := 0
	for i := range r.decisions {
		d, c := &r.decisions[i], &r.matching.claims[i]
		if d.due <= 0 || c.remitted <= 0 || d.shortfall <= 0 {
			continue
		}
		_, charges := r.statedCharges(i)
		explained := r.matching.explained(int32(i))
		s := shortOrder{due: d.due, shortfall: d.shortfall, unexplained: charges.leave(d), share: shareOf(d.shortfall, d.due)}
		if s.byCharges = explained > 0 && (d.shortfall-explained).Abs() <= explainedWithin; s.byCharges {
			byCharges++
		}
		short = append(short, s)
	}
	w := domain.Warning{Code: domain.WarnDeductions, Of: paid, HasAmount: true}
	switch {
	case enough(byCharges):
		short = slices.DeleteFunc(short, func(s shortOrder) bool { return !s.byCharges })
		w.Kind = domain.DeductedCharges
	default:
		slices.SortFunc(short, func(a, b shortOrder) int { return cmp.Compare(a.shortfall, b.shortfall) })
		if from, to := longestRun(short, func(a, b *shortOrder) bool { return a.shortfall == b.shortfall }); enough(to - from) {
			short, w.Kind, w.Each = short[from:to], domain.DeductedAmount, short[from].shortfall
			break
		}
		slices.SortFunc(short, func(a, b shortOrder) int { return cmp.Compare(a.share, b.share) })
		from, _ := slices.BinarySearchFunc(short, leastDeduction, func(s shortOrder, least int) int { return cmp.Compare(s.share, least) })
		short = short[from:]
		from, to := longestRun(short, func(a, b *shortOrder) bool { return b.share-a.share <= likeShare })
		if !enough(to - from) {
			return domain.Warning{}, false
		}
		short, w.Kind = short[from:to], domain.DeductedShare
	}
	var due domain.Paise
	for i := range short {
		w.Count++
		w.Amount += short[i].shortfall
		w.Unexplained += short[i].unexplained
		due += short[i].due
	}
	if w.Kind == domain.DeductedShare {
		w.Share = shareOf(w.Amount, due)
	}
	return w, true
}

// longestRun returns the longest part of a sorted list whose first and last elements are
// alike.
func longestRun(sorted []shortOrder, alike func(first, last *shortOrder) bool) (from, to int) {
	first := 0
	for last := range sorted {
		for !alike(&sorted[first], &sorted[last]) {
			first++
		}
		if last+1-first > to-from {
			from, to = first, last+1
		}
	}
	return from, to
}

// shareOf is what part is of whole, in hundredths of a percent. whole is above 0.
// Both are halved until the calculation cannot overflow.
func shareOf(part, whole domain.Paise) int {
	for whole > 1<<49 {
		part, whole = part/2, whole/2
	}
	return int((part*10_000 + whole/2) / whole)
}

// countRepeats counts the lines that are left out or set aside as repeats, and adds
// up what was remitted on them.
func (m *matching) countRepeats() (lines int, remitted domain.Paise) {
	for i, mark := range m.repeats.marks {
		if mark&(leftOut|setAside|listedAgain) != 0 && i >= m.remittances.Remembered() {
			lines++
			remitted += m.lines[i].Remitted
		}
	}
	return lines, remitted
}

// relistedWarning is about the payouts of one report that a later one lists again.
func (r *Reconciliation) relistedWarning(of *relisted) domain.Warning {
	w := domain.Warning{Code: domain.WarnCorrectedPayout, Report: r.remittances.number(of.report), By: r.remittances.number(of.by),
		Payouts: of.payouts,
		Count:   of.sum.Lines, Amount: of.sum.Remitted, HasAmount: true}
	if of.doubtful {
		w.Code = domain.WarnPayoutListedTwice
	}
	for _, i := range of.lines {
		switch line := &r.remittances.list[i]; {
		case len(line.UTR) > 0:
			w.Examples = append(w.Examples, domain.Quotable(line.UTR))
		case line.RemittedOn != domain.NoDay:
			w.PaidOn = append(w.PaidOn, line.RemittedOn)
		}
	}
	return w
}

// examples are a few different texts of a file, to be shown in a warning.
type examples struct {
	shown []string
	seen  [][]byte // as the file writes them, because thousands of rows may have the same text
}

// mostSeen is how many different texts are looked at. Some of them may look the
// same when they are shown.
const mostSeen = 4 * mostExamples

// full says whether there is no room for another text.
func (e *examples) full() bool { return len(e.shown) >= mostExamples || len(e.seen) >= mostSeen }

// add adds a text if there is room.
func (e *examples) add(text []byte) {
	if e.full() || slices.ContainsFunc(e.seen, func(seen []byte) bool { return bytes.Equal(seen, text) }) {
		return
	}
	e.seen = append(e.seen, text)
	if example := domain.Quotable(text); !slices.Contains(e.shown, example) {
		e.shown = append(e.shown, example)
	}
}

// roundedAWBs counts the orders with a rounded AWB in some cells, as far as the file of the cells alone
// shows it.
func (o *Orders) roundedAWBs(of func(*roundedCell) bool) (orders int, _ []string) {
	o.sortRounded()
	var e examples
	last := int32(-1)
	for i := range o.roundedCells {
		c := &o.roundedCells[i]
		if c.told || !of(c) {
			continue
		}
		if c.order != last {
			last = c.order
			orders++
		}
		e.add(c.text)
	}
	return orders, e.shown
}

func (o *Orders) unknownMethods() []string {
	var e examples
	for i := range o.list {
		order := &o.list[i]
		if order.Payment == domain.PaymentUnknown && order.Financial == domain.FinancialPending && order.Method != 0 {
			e.add(o.Text(order.Method))
		}
	}
	return e.shown
}

func (o *Orders) namesakeExamples() []string {
	var e examples
	for i := range o.list {
		if order := &o.list[i]; order.namesake != 0 && int(order.namesake) < o.Exported() {
			e.add(order.Name)
		}
	}
	return e.shown
}

// roundedAWBs counts those of some lines whose AWB was rounded, and those that have an
// AWB.
func (r *Remittances) roundedAWBs(list []Remittance) (rounded, of int, _ []string) {
	if !r.rounded && len(r.zeros) == 0 {
		return 0, 0, nil
	}
	var e examples
	for i := range list {
		line := &list[i]
		if len(line.AWB) > 0 {
			of++
		}
		if line.AWBRounded {
			rounded++
			e.add(line.AWB)
		}
	}
	return rounded, of, e.shown
}
