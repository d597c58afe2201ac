package reading

import (
	"cmp"
	"slices"
)

// matchBeside is the end of step 5: lines that name an order of which other lines bear an AWB.
func (r *run) matchBeside() {
	matched := r.ordersThat(func(o *order) bool { return o.byAWB })
	naming := map[*line]*order{}
	foreign := map[*order]bool{} // named by a line whose AWB is reliable and no order's
	for _, l := range r.lines {
		if l.used {
			continue
		}
		if o := r.named(l, matched); o != nil {
			naming[l] = o
			if r.hasReliable(l) {
				foreign[o] = true
			}
		}
	}
	anotherShop := len(foreign) >= 5 && len(foreign)*10 > len(matched)
	unclaimed := map[*order][]*line{} // lines above that nothing takes back yet
	var kept []*line
	for _, l := range r.lines {
		o := naming[l]
		switch {
		case o == nil:
		case anotherShop && r.hasReliable(l):
			r.hit("beside: another shop's line")
			if l.remitted > 0 {
				unclaimed[o] = append(unclaimed[o], l)
			}
		default:
			r.takeBeside(o, l, unclaimed)
		}
		if l.asideOf == nil {
			kept = append(kept, l)
		}
	}
	r.lines = kept
}

// takeBeside gives an order a line that names it, or not.
func (r *run) takeBeside(o *order, l *line, unclaimed map[*order][]*line) {
	cameBack, never := isReturned(l.Status), neverLeft(l.Status)
	if l.remitted == 0 && (cameBack || never || l.Status == "") {
		r.hit("beside: serves the reason alone")
		return
	}
	for _, other := range o.lines {
		if _, shared := o.shares[other]; shared && l.remitted != 0 && other.remitted == 0 {
			continue // what is shared has been shared
		}
		if (l.remitted != 0 || !r.hasReliable(l)) && other.orderID == l.orderID && other.CODAmount.Paise == l.CODAmount.Paise && other.RemittedAmount.Paise == l.RemittedAmount.Paise &&
			other.RemittanceDate == l.RemittanceDate && utrKey(other.UTR) == utrKey(l.UTR) {
			r.setAside(o, l, other)
			return
		}
	}
	if l.remitted < 0 {
		for i, other := range unclaimed[o] {
			if other.remitted == -l.remitted {
				r.hit("beside: takes back what was not the order's")
				unclaimed[o] = append(append([]*line{}, unclaimed[o][:i]...), unclaimed[o][i+1:]...)
				return
			}
		}
		r.hit("beside: takes money back")
		o.useBeside(l)
		return
	}
	if r.allGone(o) && (l.remitted > 0 || !cameBack && !never) {
		r.hit("beside: a replacement")
		for _, earlier := range o.lines {
			o.before[earlier] = true
		}
		o.useBeside(l)
		return
	}
	var paid int64
	for _, other := range o.lines {
		paid += o.remittedOn(other)
	}
	if paid+l.remitted <= o.owesAlone() {
		if l.remitted == 0 {
			r.hit("beside: another parcel, nothing remitted")
		} else {
			r.hit("beside: pays what is owed")
		}
		o.useBeside(l)
		return
	}
	r.hit("beside: more than is owed")
	unclaimed[o] = append(unclaimed[o], l)
}

// setAside makes a line a repeat of a line of its order.
func (r *run) setAside(o *order, l, of *line) {
	r.hit("beside: a repeat")
	l.asideOf = o
	of.again = append(of.again, l)
	of.again = append(of.again, l.again...)
	of.repeats = append(of.repeats, l)
	of.repeats = append(of.repeats, l.repeats...)
	for _, repeat := range l.repeats {
		repeat.asideOf = o
	}
	of.remitted = cmp.Or(of.remitted, l.remitted)
	if _, shared := o.shares[of]; shared || r.hasReliable(l) {
		return
	}
	if l.Status != "" && (of.Status == "" || l.statusAt > of.statusAt) {
		of.Status, of.statusAt = l.Status, l.statusAt
	}
	of.DeliveredDate = later(of.DeliveredDate, l.DeliveredDate)
}

// allGone reports whether each parcel of an order so far came back or never left.
// A parcel needs a status that says so; but lines that only take money back and have no
// status are no parcel.
func (r *run) allGone(o *order) bool {
	for _, p := range r.parcelsOf(o) {
		isParcel := slices.ContainsFunc(p.lines, func(l *line) bool { return !o.beside[l] || l.remitted >= 0 || l.Status != "" })
		if isParcel && !p.returned && !neverLeft(p.status) {
			return false
		}
	}
	return true
}

func (o *order) useBeside(l *line) {
	o.beside[l] = true
	o.use(l)
}
