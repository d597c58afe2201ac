package reading

import (
	"slices"
	"strings"
)

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
	expected := slices.Contains(toBeCollected, r.given.Columns.CODAmount) // the report lists what was to be collected
	if !o.isCOD() && o.collected <= 0 && (!o.pending() || !expected || o.asListed <= 0) {
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
	if expected {
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
	if len(r.given.Reports) > 0 {
		answer.Totals, answer.Payouts = r.totals()
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
