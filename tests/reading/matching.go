package reading

import (
	"cmp"
	"slices"
	"strings"
)

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
	byMoney := map[string]*line{}
	for _, l := range r.lines {
		same := byMoney[l.money()]
		if same == nil || l.orderID == "" && !r.hasReliable(l) {
			kept, byMoney[l.money()] = append(kept, l), l
			continue
		}
		same.again = append(same.again, l)
		same.remitted = cmp.Or(same.remitted, l.remitted)
		if same.base == 0 && r.hasReliable(l) {
			same.base = l.remitted
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

// match is step 5: own AWBs, shared AWBs, order ids, order ids beside AWBs.
func (r *run) match() string {
	bearers := map[string][]*order{}
	for _, o := range r.orders {
		for _, awb := range o.awbs {
			if !r.unreliable[awb] {
				bearers[awb] = append(bearers[awb], o)
			}
		}
	}
	var shared []string // in the order of the export, so that the order of the lines decides nothing
	for _, row := range r.given.Orders {
		awbs, _ := r.trackingOf(row.Tracking)
		for _, awb := range awbs {
			borne := slices.ContainsFunc(r.lines, func(l *line) bool { return l.awb == awb })
			if len(bearers[awb]) > 1 && borne && !slices.Contains(shared, awb) {
				shared = append(shared, awb)
			}
		}
	}
	for _, l := range r.lines {
		if !r.hasReliable(l) || len(bearers[l.awb]) != 1 {
			continue
		}
		o := bearers[l.awb][0]
		o.byAWB = true
		o.use(l)
	}
	for _, awb := range shared {
		r.shareAWB(awb, bearers[awb])
	}
	for _, l := range r.lines {
		if l.used {
			continue
		}
		o := r.named(l, r.ordersThat(func(o *order) bool { return !o.byAWB }))
		if _, only := r.namesakes(l, r.orders); o != nil && (only == nil || !only.byAWB) {
			o.byOrderID = true
			o.use(l)
		}
	}
	r.matchBeside()
	for _, o := range r.orders {
		r.anyListed = r.anyListed || o.listed
	}
	return ""
}

func (r *run) ordersThat(are func(o *order) bool) (all []*order) {
	for _, o := range r.orders {
		if are(o) {
			all = append(all, o)
		}
	}
	return all
}

// named gives the one of the orders that a line names by order id, or nil. Of
// several of one name it is the only one whose total the line equals, else the first.
func (r *run) named(l *line, among []*order) *order {
	same, only := r.namesakes(l, among)
	for _, o := range same {
		o.listed = true
	}
	if only == nil && len(same) > 0 {
		return same[0]
	}
	return only
}

// namesakes gives those of the orders that a line names by order id, and of these the
// only one whose total the line equals, or nil.
func (r *run) namesakes(l *line, among []*order) (same []*order, only *order) {
	var equal []*order
	for _, o := range among {
		if id := cmp.Or(l.orderID, l.told); id != "" && o.key == id {
			same = append(same, o)
			if o.Total.Stated && o.Total.Paise == statedOf(l) {
				equal = append(equal, o)
			}
		}
	}
	if len(equal) == 1 {
		only = equal[0]
	}
	return same, only
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

// owesAlone is what an order owes by its storefront columns alone.
func (o *order) owesAlone() int64 {
	if !o.isCOD() || o.isCancelled() {
		return 0
	}
	return o.owesInCash()
}

// owesInCash is the same for an order on which cash was collected, whatever the storefront calls it.
func (o *order) owesInCash() int64 {
	if o.isPartPaid() {
		return o.Outstanding.Paise
	}
	return o.Total.Paise
}

// saysCollected reports whether the storefront says that cash was collected.
func (o *order) saysCollected() bool { return sameWord(o.Financial, "paid") && o.isCOD() }
