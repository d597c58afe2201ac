package reading

import (
	"cmp"
	"slices"
)

// remittedOn is what a line paid the order.
func (o *order) remittedOn(l *line) int64 {
	if share, is := o.shares[l]; is {
		return share
	}
	return l.remitted
}

// open is what the orders that share an AWB still owe, each by its storefront columns.
type open map[*order]int64

// pay gives an order up to what it owes still, and returns what is left.
func (still open) pay(o *order, amount int64, give func(o *order, amount int64)) (left int64) {
	part := max(0, min(amount, still[o]))
	if part == 0 {
		return amount
	}
	still[o] -= part
	give(o, part)
	return amount - part
}

// shareAWB gives the lines that bear an AWB to the orders that bear it.
func (r *run) shareAWB(awb string, bearers []*order) {
	var lines []*line
	naming := map[*line]*order{}
	for _, l := range r.lines {
		if l.awb != awb {
			continue
		}
		lines = append(lines, l)
		naming[l] = r.named(l, bearers)
	}
	var names []*order // that the lines name, in the order of the export
	for _, o := range bearers {
		if slices.ContainsFunc(lines, func(l *line) bool { return naming[l] == o }) {
			names = append(names, o)
		}
	}
	for _, o := range bearers {
		o.byAWB = true
		o.shared[awb] = amountOf{}
		for _, l := range lines {
			o.use(l)
			o.shares[l] = 0
		}
	}
	r.hit("shared AWB")
	r.shareRemitted(lines, bearers, naming)
	var all amountOf
	one := parcel{lines: lines}
	r.listed(&one)
	all.listed = one.asListed
	for _, p := range r.parcelsOf(&order{lines: lines}) {
		all.collected += p.collected
	}
	for _, l := range lines {
		all.accepted += r.acceptedOf(l)
	}
	for _, sum := range []struct {
		of    func(*amountOf) *int64
		alone func(*order) int64
	}{
		{func(a *amountOf) *int64 { return &a.collected }, func(o *order) int64 { return r.alone(o).collected }},
		{func(a *amountOf) *int64 { return &a.listed }, func(o *order) int64 { return r.alone(o).listed }},
		{func(a *amountOf) *int64 { return &a.accepted }, func(o *order) int64 { return r.alone(o).accepted + o.paidSoFar() }},
	} {
		still := open{}
		for _, o := range bearers {
			still[o] = o.owesAlone() - sum.alone(o)
			for _, other := range o.shared {
				still[o] -= *sum.of(&other)
			}
		}
		give := func(o *order, amount int64) {
			share := o.shared[awb]
			*sum.of(&share) += amount
			o.shared[awb] = share
		}
		amount := *sum.of(&all)
		for _, o := range append(slices.Clone(names), bearers...) {
			amount = still.pay(o, amount, give)
		}
		if amount != 0 {
			give(append(slices.Clone(names), bearers...)[0], amount)
		}
	}
}

func (r *run) shareRemitted(lines []*line, bearers []*order, naming map[*line]*order) {
	still := open{}
	for _, o := range bearers {
		still[o] = o.owesAlone() - o.paidSoFar()
	}
	for _, l := range lines {
		if l.remitted >= 0 {
			continue
		}
		from := bearers[0]
		if naming[l] != nil {
			from = naming[l]
			r.hit("shared AWB: taken back from the named order")
		} else {
			r.hit("shared AWB: taken back from the first order")
		}
		from.shares[l] += l.remitted
		still[from] -= l.remitted
	}
	left := map[*line]int64{}
	for _, l := range lines {
		if l.remitted <= 0 {
			continue
		}
		left[l] = l.remitted
		if o := naming[l]; o != nil {
			left[l] = still.pay(o, l.remitted, func(o *order, amount int64) { o.shares[l] += amount })
		}
	}
	rank := func(l *line) int { return slices.Index(bearers, naming[l]) } // -1: it names nobody
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b *line) int { return cmp.Compare(rank(a), rank(b)) })
	for _, l := range lines {
		amount := left[l]
		if amount == 0 {
			continue
		}
		if naming[l] != nil {
			r.hit("shared AWB: a line that names an order pays more than it owes")
		}
		for _, o := range bearers {
			amount = still.pay(o, amount, func(o *order, amount int64) { o.shares[l] += amount })
		}
		if amount > 0 {
			r.hit("shared AWB: more than all owe")
			over := bearers[0]
			if naming[l] != nil {
				over = naming[l]
			}
			over.shares[l] += amount
		}
	}
}

// paidSoFar is what the lines that the order has got until now paid it.
func (o *order) paidSoFar() (paid int64) {
	for _, l := range o.lines {
		paid += o.remittedOn(l)
	}
	return paid
}

// alone is what the lines of AWBs that the order alone bears say.
func (r *run) alone(o *order) (all amountOf) {
	for _, p := range r.parcelsOf(o) {
		if _, shared := o.shares[p.lines[0]]; shared {
			continue
		}
		all.collected += p.collected
		all.listed += p.asListed
		for _, l := range p.lines {
			all.accepted += r.acceptedOf(l)
		}
	}
	return all
}
