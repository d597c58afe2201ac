package verdict

import (
	"slices"
	"strings"

	"milaan/domain"
)

// Dispute is what a shop writes to a courier about one order whose money it claims. What
// the lines of a shared AWB say of deliveries and UTRs may be about another order, so it
// stands in the reason alone.
type Dispute struct {
	AWB, OrderID, UTR        []byte
	OrderedOn, DeliveredOn   domain.Day // NoDay: not known
	Due, Remitted, Shortfall domain.Paise
	Asked                    domain.Paise  // what of Shortfall no charge explains
	DaysOverdue              int           // 0: none
	Reason                   domain.Reason // as the courier reads it
}

// Asked is what the shop may ask of the courier for the i-th order: what is owed for a
// flagged order and no charge of the reports explains (guide: verdict 4, charges). It
// is 0 if there is nothing to ask for, for an order that a person has written off, and for one of which nobody knows whether it has left.
func (r *Reconciliation) Asked(i int) domain.Paise {
	d := &r.decided[i]
	if !d.flag.IsFlagged() || d.shortfall <= 0 || d.cause == domain.CauseWasNotShipped {
		return 0
	}
	if r.MarkOf(i).State == domain.WrittenOff {
		return 0
	}
	_, sums := r.statedCharges(i)
	return sums.leave(d)
}

// Dispute fills in the dispute of the i-th order, and says whether anything is asked for
// it. Its texts are valid until the next call of Dispute, Details or Explain.
func (r *Reconciliation) Dispute(i int, d *Dispute) bool {
	result, details := r.Result(i), r.Details(i)
	d.AWB, d.OrderID, d.UTR = result.AWB, result.OrderID, details.UTR
	d.OrderedOn, d.DeliveredOn = result.OrderedOn, details.DeliveredOn
	if r.matching.claims[i].has(markShared) {
		d.UTR, d.DeliveredOn = r.saysAlone(&r.matching.claims[i])
	}
	d.Due, d.Remitted, d.Shortfall, d.DaysOverdue = result.Due, result.Remitted, result.Shortfall, result.DaysOverdue
	d.Asked = r.Asked(i)
	r.Explain(i, &d.Reason)
	d.Reason.ForCourier = true
	if through, known := r.ownReach(i); known {
		d.Reason.DataThrough = through
	}
	return d.Asked > 0
}

// saysAlone returns the UTRs and the latest delivery on the lines that an order has by itself.
func (r *Reconciliation) saysAlone(c *claim) (utrs []byte, deliveredOn domain.Day) {
	lines := r.matching.linesOf(c)
	for _, i := range lines {
		line, mark := &r.remittances.list[i], r.matching.repeats.marks[i]
		if mark&replaced == 0 && !mark.apart(line) {
			deliveredOn = max(deliveredOn, line.DeliveredOn)
		}
	}
	return r.utrsOf(lines), deliveredOn
}

// couriersAsked is to which courier the orders belong that no report lists. It is computed when
// it is first asked for.
type couriersAsked struct {
	ready   bool
	first   []int32                     // by report, from 0: the first report of the same courier, from 1; empty: not computed
	listing [ofAnyCourier + 1][]listing // by kind and group; the last is all orders
	named   map[int32]int               // by group of byCarrier: see reportOfCarrier
}

// listing is which reports list the orders of a group.
type listing struct {
	orders  int32 // that a report lists
	report  int32 // the first of the courier whose report lists them, from 1
	several bool  // reports of several couriers do
}

// fewestListed is how many orders with an AWB of one form must be listed to show that the
// form is the courier's.
const fewestListed = 3

// CourierReport returns the first report, from 1, of the courier that has the i-th order; 0 if
// the courier is not known. Something of the order must be due or listed. If no report lists
// the order, its courier is found by the first of these that says one: only one courier's
// reports list orders of the carrier that the export names; the carrier is a courier by its
// name; only one courier's lines bear AWBs of this form and beginning; or AWBs of this form, if that has a
// letter, or a line of the courier has the beginning too. The lines may be of no order of the export, or of a ledger.
// If all reports are of one courier, it is this one unless they list no order of the same carrier or form, or only a ledger has the order.
func (r *Reconciliation) CourierReport(i int) int {
	a, g := r.findCouriersAsked(), &r.neighbours.couriers
	if lines := r.indexesOf(i); len(lines) > 0 {
		return int(a.first[r.remittances.list[lines[0]].Report])
	}
	beginning := g.of[byBeginning][i]
	if beginning == noGroup {
		return 0
	}
	kind, group := g.courierOf(int32(i))
	of := a.listing[kind][group]
	if kind == byCarrier && of.several {
		kind, group = g.alike(int32(i))
		of = a.listing[kind][group]
	}
	switch {
	case kind == byCarrier && of.orders > 0:
		return int(of.report)
	case kind == byCarrier:
		if report := a.named[group]; report > 0 {
			return report
		}
	case g.hasAWB(beginning):
		begins := &g.shown[byBeginning][beginning]
		if report := begins.tells(); report > 0 {
			return int(report)
		}
		form := &g.shown[byForm][g.of[byForm][i]]
		if kind == byForm && form.tells() > 0 && (begins.report > 0 || !isNumber(r.orders.awb(r.orders.list[i].first))) {
			return int(form.report)
		}
		of.orders += int32(form.parcels)
	}
	if of.orders == 0 && a.listing[ofAnyCourier][0].orders > 0 || a.severalCouriers() || i >= len(r.decisions) {
		return 0
	}
	return 1
}

// ownReach is how far the run's reports of an order's courier reach, which may be known from the ledger alone; NoDay: it has none with
// dates. known is false if nobody knows the courier.
func (r *Reconciliation) ownReach(order int) (through domain.Day, known bool) {
	report, id := r.CourierReport(order), ""
	if f := r.orders.foundOn(int32(order)); f != nil && report == 0 {
		id = f.Courier
	}
	for i, of := range r.Reports() {
		if report > 0 && int(r.couriersAsked.first[r.remittances.remembered+i]) == report || id != "" && of.Courier == id {
			through = max(through, of.Through)
		}
	}
	return through, report > 0 || id != ""
}

// isBehind says whether the coverage reaches no further because of the courier whose first report is given, from 1.
func (r *Reconciliation) isBehind(report int) bool {
	behind := r.policy.guidance.Behind.Report
	return behind > 0 && int(r.couriersAsked.first[r.remittances.place(behind)]) == report
}

// FirstReport returns the first report, from 1, of the courier of a report.
func (r *Reconciliation) FirstReport(report int) int {
	r.groupReports()
	return int(r.couriersAsked.first[r.remittances.place(report)])
}

// severalCouriers says whether the reports and the lines of the ledger are of several couriers.
func (a *couriersAsked) severalCouriers() bool {
	return slices.ContainsFunc(a.first, func(first int32) bool { return first != 1 })
}

// findCouriersAsked finds which reports list the orders of each group.
func (r *Reconciliation) findCouriersAsked() *couriersAsked {
	a, g := &r.couriersAsked, &r.neighbours.couriers
	if a.ready {
		return a
	}
	a.ready = true
	r.groupReports()
	g.group(r)
	g.show(r, a.first)
	for kind := range a.listing {
		size := 1
		if kind < int(groupKinds) {
			size = len(g.sizes[kind])
		}
		a.listing[kind] = slices.Grow(a.listing[kind][:0], size)[:size]
		clear(a.listing[kind])
	}
	for _, order := range g.all {
		var of listing
		for _, k := range r.indexesOf(int(order)) {
			of.add(listing{report: a.first[r.remittances.list[k].Report]})
			of.orders = 1
		}
		if of.orders == 0 {
			continue
		}
		for kind := range groupKinds {
			if group := g.of[kind][order]; group != noGroup {
				a.listing[kind][group].add(of)
			}
		}
		a.listing[ofAnyCourier][0].add(of)
	}
	a.named = map[int32]int{}
	for id, group := range g.carriers {
		if _, known := a.named[group]; !known && group >= 0 {
			a.named[group] = r.reportOfCarrier(r.orders.Text(TextID(id)))
		}
	}
	return a
}

// groupReports finds which reports are of the same courier.
func (r *Reconciliation) groupReports() {
	if a := &r.couriersAsked; len(a.first) == 0 {
		a.first = r.remittances.firsts(a.first)
	}
}

func (l *listing) add(other listing) {
	l.several = l.several || other.several || l.report > 0 && l.report != other.report
	l.report = other.report
	l.orders += other.orders
}

// reportOfCarrier returns the first report, from 1, of the only courier whose id a carrier's
// name begins with, punctuation aside; 0: there is none.
func (r *Reconciliation) reportOfCarrier(carrier []byte) (found int) {
	key := domain.HeaderKey(string(carrier))
	for i, report := range r.remittances.all() {
		ids := report.OneOf
		if isKnown(report.Courier) {
			ids = []string{report.Courier}
		}
		if !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(key, domain.HeaderKey(id)) }) {
			continue
		}
		first := int(r.couriersAsked.first[i])
		if found > 0 && found != first {
			return 0
		}
		found = first
	}
	return found
}
