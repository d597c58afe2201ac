package domain

import (
	"bytes"
	"slices"
)

// MatchMode says how an order found its courier lines.
type MatchMode uint8

// The modes of the contract (section 2.3).
const (
	MatchAWB MatchMode = iota
	MatchOrderID
)

func (m MatchMode) String() string {
	if m == MatchAWB {
		return "awb"
	}
	return "order_id"
}

// Result is what a run says of one order.
type Result struct {
	AWB         []byte // several are joined by ", "
	OrderID     []byte
	Due         Paise // cod_amount
	Remitted    Paise
	Shortfall   Paise
	DaysOverdue int
	Flag        Flag
	Status      string
	MatchMode   MatchMode
	OrderedOn   Day // NoDay: nothing dates the order
	DueBy       Day // the last day of its window; NoDay: nothing dates the order
}

// Reconciliation is a run's findings, order by order. It works in flat slices
// that the next run uses again.
type Reconciliation struct {
	Tally    Tally
	Guidance Guidance

	orders      *Orders
	remittances *Remittances
	policy      policy
	matching    matching
	decisions   []decision
	awbs        [][]byte // scratch
	awb         []byte   // scratch
}

// Settle compares the orders with the remittances. Both must stay as they are
// for as long as results are read. It returns a *FileError for an order in
// another currency than rupees that the courier has to do with.
func (r *Reconciliation) Settle(orders *Orders, remittances *Remittances, terms Terms) error {
	r.orders, r.remittances = orders, remittances
	r.matching.match(orders, remittances)
	r.policy = policy{terms: terms, guidance: guide(terms, orders.Latest(), remittances.through)}
	r.policy.coverageDays = Day(r.policy.guidance.GuaranteedCoverageDays)
	r.policy.shopFulfils = orders.anyFulfilled()

	n := orders.Len()
	unclaimed := &r.matching.claims[n]
	r.Tally = Tally{StorefrontRows: orders.Rows, CourierRows: remittances.Rows, Orders: n,
		Unclaimed: int(unclaimed.lines), UnclaimedPaid: unclaimed.remitted}
	r.decisions = slices.Grow(r.decisions[:0], n)[:n]
	for i := range r.decisions {
		c := &r.matching.claims[i]
		d := r.policy.decide(&orders.list[i], c)
		r.decisions[i] = d
		r.Tally.add(&d, c.remitted)
	}
	r.Guidance = r.policy.guidance
	r.Guidance.AwaitingNextCycle = r.Tally.Flags[AwaitingNextCycle]
	return nil
}

func (t *Tally) add(d *decision, remitted Paise) {
	t.Flags[d.flag]++
	t.Due += d.due
	t.Remitted += remitted
	t.Shortfall += d.shortfall
	if !d.flag.Settled() && d.shortfall > 0 {
		t.AtRisk += d.shortfall
	}
}

// Len is how many orders there are.
func (r *Reconciliation) Len() int { return len(r.decisions) }

// Result is the finding on the i-th order, in the export's order. Its AWB is
// good until the next call.
func (r *Reconciliation) Result(i int) Result {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decisions[i]
	mode := MatchOrderID
	if o.knowsAWB() && (c.byAWB || c.lines == 0) {
		mode = MatchAWB
	}
	return Result{
		AWB:         r.awbOf(o, c),
		OrderID:     o.Name,
		Due:         d.due,
		Remitted:    c.remitted,
		Shortfall:   d.shortfall,
		DaysOverdue: int(d.overdue),
		Flag:        d.flag,
		Status:      o.Status(),
		MatchMode:   mode,
		OrderedOn:   o.OrderedOn(),
		DueBy:       d.lastDay,
	}
}

// Reason is why the i-th order bears its flag. Its texts are good until the next
// call.
func (r *Reconciliation) Reason(i int) Reason {
	o, c, d := &r.orders.list[i], &r.matching.claims[i], &r.decisions[i]
	return Reason{
		Flag: d.flag, Cause: d.cause, Due: d.due, Remitted: c.remitted, Collected: c.collected, Shortfall: d.shortfall,
		MinorGap: r.policy.terms.MinorGap, RemittedOn: c.remittedOn, DueBy: d.lastDay,
		AsOf: r.policy.guidance.BatchAsOf, DataThrough: r.policy.guidance.DataThrough, DaysOverdue: int(d.overdue),
		Method: o.Method,
	}
}

// Warnings are the doubts about the whole run, in the order of WarningCodes.
func (r *Reconciliation) Warnings() []Warning { return nil }

// awbOf is the tracking number to show: the storefront's where it knows one,
// else the courier's, else whatever stands in the storefront's cell.
func (r *Reconciliation) awbOf(o *Order, c *claim) []byte {
	switch {
	case o.awbs == 1:
		return r.orders.noted[o.first].key
	case o.knowsAWB():
		r.awb = r.orders.AWBs(r.awb[:0], o)
		return r.awb
	case c.lines > 0 && r.matching.next[c.first] == noLine && !r.remittances.list[c.first].AWBRounded && len(r.remittances.list[c.first].AWB) > 0:
		return r.remittances.list[c.first].AWB
	case c.lines > 0:
		if awbs := r.courierAWBs(c); len(awbs) > 0 {
			r.awb = append(r.awb[:0], awbs[0]...)
			for _, awb := range awbs[1:] {
				r.awb = append(append(r.awb, listSeparator...), awb...)
			}
			return r.awb
		}
	}
	return trimmed(o.tracking)
}

// courierAWBs lists the AWBs of a claim's lines, each once, sorted so that the
// order of the courier's lines does not show.
func (r *Reconciliation) courierAWBs(c *claim) [][]byte {
	awbs := r.awbs[:0]
	for i := c.first; i != noLine; i = r.matching.next[i] {
		if line := &r.remittances.list[i]; len(line.AWB) > 0 && !line.AWBRounded {
			awbs = append(awbs, line.AWB)
		}
	}
	r.awbs = awbs
	slices.SortFunc(awbs, func(a, b []byte) int {
		if c := compareFold(a, b); c != 0 {
			return c
		}
		return bytes.Compare(a, b)
	})
	return slices.CompactFunc(awbs, sameKey)
}
