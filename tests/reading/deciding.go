package reading

import (
	"maps"
	"slices"
	"strings"
)

// date is the later of a line's two days, or blank.
func (l *line) date() string { return later(l.RemittanceDate, l.DeliveredDate) }

// settleDues is step 7: what each order owes.
func (r *run) settleDues() string {
	for _, o := range r.orders {
		o.due, o.dueRule = r.dueOf(o)
		if !o.keepsBalance() {
			o.Balance = 0
		}
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
		left, below := false, false
		for _, l := range o.lines {
			if !o.before[l] && !neverLeft(l.Status) {
				left = true
			}
			for _, repeat := range l.repeats { // with an AWB of its own it may be another parcel
				left = left || repeat.asideOf == o && r.hasReliable(repeat) && !neverLeft(repeat.Status)
			}
			below = below || o.remittedOn(l) < 0
		}
		left = left || o.paidAbove()
		if !left && below {
			r.hit("cancelled, and money taken back")
		}
		onlyShared := len(o.lines) > 0 && o.paidSoFar() <= 0
		for _, l := range o.lines {
			_, shared := o.shares[l]
			onlyShared = onlyShared && shared
		}
		if left && onlyShared {
			r.hit("cancelled, in another order's parcel")
		}
		if !left || onlyShared {
			return 0, "2 cancelled"
		}
	}
	unfulfilled := o.Fulfilment == "" || sameWord(o.Fulfilment, "unfulfilled")
	if unfulfilled && len(o.awbs) == 0 && len(o.lines) == 0 && r.anyFulfilled && !o.open && !o.OwedBefore {
		return 0, "3 not shipped"
	}
	above := o.paidAbove()
	if o.returned && !o.evidence && above {
		r.hit("returned, no evidence, and something was remitted")
	}
	if o.returned && !o.evidence && !above {
		return 0, "4 returned"
	}
	switch {
	case o.keepsBalance():
		due, rule = o.Balance, "5 part-paid, by an earlier export"
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

// keepsBalance reports whether a balance of an earlier run still is what is due: the courier lists just that, and has paid no more. One of
// half the total does not tell an advance from a payment that was booked.
func (o *order) keepsBalance() bool {
	return o.Balance > 0 && o.Balance*2 != o.Total.Paise && len(o.shares) == 0 && o.asListed == o.Balance && o.remitted <= o.Balance
}

// paidAbove reports whether something above 0 was remitted on a line of the order; of
// lines that it shares, on its share of those of one AWB.
func (o *order) paidAbove() bool {
	shares := map[string]int64{}
	for _, l := range o.lines {
		if share, shared := o.shares[l]; shared {
			shares[l.awb] += share
		} else if l.remitted > 0 {
			return true
		}
	}
	for _, share := range shares {
		if share > 0 {
			return true
		}
	}
	return false
}

// bringBack is the first part of step 8: repeats that were parcels of their own
// count after all.
func (r *run) bringBack() string {
	for _, o := range r.orders {
		all, accepted := o.remitted, o.accepted
		var aside []*line
		for _, l := range o.lines {
			found := false
			for _, repeat := range l.repeats {
				if repeat.asideOf == nil || repeat.asideOf == o {
					aside = append(aside, repeat)
					all += repeat.own
					accepted += r.acceptedOf(repeat)
					found = true
				}
			}
			if found {
				all += l.base - l.remitted
			}
		}
		if all+accepted == o.due && o.remitted+o.accepted != o.due {
			o.remitted, o.accepted = all, accepted
			o.cameAfter = true
			for _, repeat := range aside {
				repeat.cameBack = true
			}
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
		if o.remitted != 0 {
			v.Accepted = o.accepted
		}
		answer.Accepted += v.Accepted
		v.DueRule, v.Balance = o.dueRule, o.Balance
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
	r.warn(answer.Verdicts)
	r.doubtOtherUTRs(answer.Verdicts)
	answer.Warnings = r.warnings
	answer.OpenTotals = r.openTotals
	answer.Hits = slices.Sorted(maps.Keys(r.hits))
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
		_, shown = r.trackingOf(o.cell)
	}
	return strings.Join(shown, ", ")
}

// flag is the table of flags: the first rule that holds.
func (r *run) flag(o *order) (flag string, shortfall int64, rule string) {
	short := o.due - o.remitted - o.accepted
	if o.remitted != 0 && o.accepted != 0 {
		r.hit("accepted charges compared with the due")
	}
	switch {
	case o.due == 0 && o.remitted == 0:
		return "RECONCILED", 0, "1"
	case o.remitted == 0 && o.returned && o.evidence:
		return "RTO_ANOMALY", o.due, "2"
	case o.remitted != 0 && short == 0:
		return "RECONCILED", 0, "3"
	case o.remitted != 0 && short < 0:
		return "OVERPAID", short, "4"
	case o.remitted != 0 && short <= r.given.MinorRupees*100:
		return "MINOR_DIFF", short, "5"
	case o.remitted != 0:
		return "SHORT_PAID", short, "6"
	case o.open:
		return "AWAITING_NEXT_CYCLE", 0, "7"
	case o.listed:
		return "OVERDUE", o.due, "8"
	case !r.coversWindow(o):
		return "OVERDUE", o.due, "10 not covered"
	case r.anyListed && !r.isFromReportsTime(o):
		return "OVERDUE", o.due, "10 another courier or time"
	case r.anyListed && r.payoutLacks(o):
		known := r.warnings["payout_gap"]
		sure := !r.couldBeRoundedLine(o) // else either is why it is not MISSING
		r.warnings["payout_gap"] = Warning{Is: known.Is || sure, Open: known.Open || !sure}
		return "OVERDUE", o.due, "10 payout lacks"
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
