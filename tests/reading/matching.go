package reading

import (
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
		same.again = append(same.again, l)
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
