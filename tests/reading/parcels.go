package reading

import "cmp"

// weigh is step 6: what the lines of each order say together.
func (r *run) weigh() string {
	for _, o := range r.orders {
		delivered := ""
		for _, l := range o.lines {
			o.remitted += o.remittedOn(l)
			if _, shared := o.shares[l]; !shared {
				o.accepted += r.acceptedOf(l)
			}
			if !o.before[l] {
				delivered = later(delivered, l.DeliveredDate)
			}
		}
		for _, share := range o.shared {
			o.accepted += share.accepted
		}
		o.parcels = r.parcelsOf(o)
		withStatus, withReturn := 0, 0
		for _, p := range o.parcels {
			o.asListed += p.asListed
			o.collected += p.collected
			if p.status != "" {
				withStatus++
			}
			if p.returned {
				withReturn++
			}
		}
		o.returned = withStatus > 0 && withReturn == withStatus
		o.evidence = o.collected > 0 || o.saysCollected()
		o.start = cmp.Or(delivered, o.FulfilledAt, o.date)
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

// parcelsOf parts the lines of an order into parcels, without those that another parcel
// replaced.
func (r *run) parcelsOf(o *order) []parcel {
	var keys []string
	byKey := map[string][]*line{}
	for _, l := range o.lines {
		if o.before[l] {
			continue
		}
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
		r.listed(&p)
		var latest *line
		delivered := ""
		for _, l := range p.lines {
			p.collected += r.collectedOf(l)
			delivered = later(delivered, l.DeliveredDate)
			if l.Status == "" {
				continue
			}
			if latest == nil || l.date() > latest.date() || l.date() == latest.date() && l.statusAt > latest.statusAt {
				latest = l
			}
		}
		if share, shared := o.shared[key]; shared && key != "" {
			p.collected, p.asListed = share.collected, share.listed
		}
		if latest != nil {
			p.status = latest.Status
			p.returned = isReturned(latest.Status)
			if p.onItsWay = isOnItsWay(latest.Status) && delivered == ""; p.onItsWay && !o.saysCollected() {
				if p.collected > 0 {
					r.hit("on its way back: nothing collected")
				}
				p.collected = 0
			}
		}
		parcels = append(parcels, p)
	}
	return parcels
}

// listed is the amount that the lines of a parcel list.
func (r *run) listed(p *parcel) {
	for i, l := range p.lines {
		switch {
		case r.given.Columns.CODAmount == "":
			p.asListed += l.remitted
		case r.given.Columns.RemittedAmount == "":
			p.asListed += l.CODAmount.Paise
		case i == 0 || l.CODAmount.Paise > p.asListed:
			p.asListed = l.CODAmount.Paise
		}
	}
}
