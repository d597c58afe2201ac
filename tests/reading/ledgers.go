package reading

import (
	"cmp"
	"slices"
)

// AtOnce is one run over everything that some runs were given, the oldest first. What the newest export says of an
// order holds, but its AWBs are those of all. Lines stand in the reports in which they were given.
func AtOnce(runs []Case) Case {
	all := runs[len(runs)-1]
	all.Orders, all.Lines, all.Reports, all.Runs = nil, nil, nil, nil
	at := map[string]int{}
	for _, run := range slices.Backward(runs) {
		for _, o := range run.Orders {
			key := heldAs(o)
			o.Tracking = number(o.Tracking, shownAWB)
			if known, is := at[key]; is {
				all.Orders[known].Tracking += " " + o.Tracking
				continue
			}
			at[key] = len(all.Orders)
			all.Orders = append(all.Orders, o)
		}
	}
	for _, run := range runs {
		all.Lines = append(all.Lines, run.Lines...)
		all.Reports = append(all.Reports, run.Reports...)
		all.Runs = append(all.Runs, len(run.Lines))
	}
	return all
}

// heldAs tells orders of several runs apart.
func heldAs(o Order) string { return orderKey(o.Name) + " of " + o.CreatedAt }

// after is an order of an export with the balance that the run before has it with, if the shop now has it as paid, or refunded, with
// nothing outstanding. It is no balance if the total is another one, or if it may be what is left of what was remitted until then.
func (o Order) after(was Held) Order {
	settled := sameWord(o.Financial, "paid") || sameWord(o.Financial, "refunded") || sameWord(o.Financial, "partially_refunded")
	balance := was.Outstanding
	if settled && o.Outstanding.Paise <= 0 && o.Total.Stated && was.Total == o.Total && 0 < balance.Paise && balance.Paise < o.Total.Paise &&
		was.Remitted <= balance.Paise && was.Remitted != o.Total.Paise-balance.Paise {
		o.Balance = balance.Paise
	}
	return o
}

// runOf is the run, from 0, that was given a line.
func (r *run) runOf(at int) int {
	for i, lines := range r.given.Runs {
		if at -= lines; at < 0 {
			return i
		}
	}
	return 0
}

// joinRuns leaves one of the lines that are the same money, listed by two runs: one of those with a reliable AWB, of others as
// many as the one of them has that has more. The later run's stands, unless only the earlier one says that it is paid.
func (r *run) joinRuns() string {
	gone := map[*line]bool{}
	for last := 1; last < len(r.given.Runs); last++ {
		earlier := map[string][]*line{}
		for _, l := range r.lines {
			if r.runOf(l.at) < last && !gone[l] {
				earlier[l.money()] = append(earlier[l.money()], l)
			}
		}
		for _, l := range slices.Backward(r.lines) { // the last status of equal lines holds
			if r.runOf(l.at) != last {
				continue
			}
			for len(earlier[l.money()]) > 0 {
				r.hit("runs: listed again")
				same := earlier[l.money()]
				old := same[len(same)-1]
				earlier[l.money()] = same[:len(same)-1]
				status, delivered := cmp.Or(l.Status, old.Status), later(l.DeliveredDate, old.DeliveredDate)
				stands, goes := l, old
				if l.own == 0 && old.own != 0 {
					stands, goes = old, l
					r.hit("runs: only the earlier one says paid")
				}
				stands.Status, stands.DeliveredDate = status, delivered
				gone[goes] = true
				if goes == l || !r.hasReliable(l) {
					break
				}
			}
		}
	}
	r.lines = slices.DeleteFunc(r.lines, func(l *line) bool { return gone[l] })
	return ""
}

// Noted is what a person has noted on an order.
type Noted struct {
	WrittenOff    bool
	PromisedUntil string
}

// Held is an order with what a run has found on it, and what is noted on it.
type Held struct {
	Verdict
	Noted

	Courier            string
	Total, Outstanding Amount
}

// CarriedOn is what of a note still holds after the run that has found is: what is said of a claim ends with it, and a
// write-off ends if money was taken back.
func (n Noted) CarriedOn(was, is *Held) Noted {
	over := is.Flag == "RECONCILED" || is.Flag == "AWAITING_NEXT_CYCLE" && is.Due == 0
	if over || is.Flag == "OVERPAID" && was.Flag != "OVERPAID" || n.WrittenOff && is.Remitted < was.Remitted {
		return Noted{}
	}
	return n
}

// claim is what is claimed for an order.
func (h *Held) claim() int64 {
	if h.WrittenOff {
		return 0
	}
	return h.short()
}

// short is what would be claimed for an order that is not written off.
func (h *Held) short() int64 {
	if h.Flag == "RECONCILED" || h.Flag == "AWAITING_NEXT_CYCLE" {
		return 0
	}
	return max(0, h.Shortfall)
}

// Movement is how the claims on a courier have changed between two runs. The sums count orders, and paise.
type Movement struct {
	Before, New, Changed, PartlyPaid, Cleared, WrittenOff, Reopened, Now Sum
	Recovered, Awaited, Overpaid, Promises                               Sum
}

// Moved says how claims have changed, by courier and in all, at "all". Before has what the run before has found on the
// orders that it knew, with what it was told of them.
func Moved(before, now map[string]Held, asOf string) map[string]*Movement {
	moved := map[string]*Movement{"all": {}}
	for name, is := range now {
		was, known := before[name]
		var of Movement
		of.compare(&was, &is, known, asOf)
		if moved[is.Courier] == nil {
			moved[is.Courier] = &Movement{}
		}
		for _, m := range []*Movement{moved["all"], moved[is.Courier]} {
			sums := of.sums()
			for i, sum := range m.sums() {
				sum.Lines += sums[i].Lines
				sum.Remitted += sums[i].Remitted
			}
		}
	}
	return moved
}

func (m *Movement) sums() []*Sum {
	return []*Sum{&m.Before, &m.New, &m.Changed, &m.PartlyPaid, &m.Cleared, &m.WrittenOff, &m.Reopened, &m.Now,
		&m.Recovered, &m.Awaited, &m.Overpaid, &m.Promises}
}

// compare goes through the table of what becomes of a claim.
func (m *Movement) compare(was, is *Held, known bool, asOf string) {
	put := func(sum *Sum, amount int64) {
		if amount != 0 {
			sum.add(amount)
		}
	}
	claimed, claims := was.claim(), is.claim()
	paid := is.Remitted - was.Remitted
	if paid > 0 && is.Accepted > was.Accepted { // charges alone pay nothing
		paid += is.Accepted - was.Accepted
	}
	put(&m.Before, claimed)
	put(&m.Now, claims)
	begun := claims
	if was.short() == 0 && is.short() > 0 { // though it may be written off at once
		begun = is.short()
		put(&m.WrittenOff, begun-claims)
	}
	switch {
	case claimed == 0 && begun > 0 && (!known || was.Flag == "AWAITING_NEXT_CYCLE"):
		put(&m.New, begun)
	case claimed == 0 && begun > 0:
		put(&m.Reopened, begun)
	case claimed == 0:
		if was.WrittenOff && paid > 0 {
			put(&m.Recovered, min(paid, was.short())) // the rest is too much
		}
	case claims > 0:
		if paid > 0 {
			put(&m.PartlyPaid, paid)
			put(&m.Changed, claims-claimed+paid)
		} else {
			put(&m.Changed, claims-claimed)
		}
	case is.short() > 0: // a person has written it off
		paid = max(0, paid)
		put(&m.PartlyPaid, paid)
		put(&m.WrittenOff, is.short())
		put(&m.Changed, is.short()-claimed+paid)
	case paid > 0 && is.Flag != "AWAITING_NEXT_CYCLE" && claimed+is.Due-was.Due > 0:
		put(&m.Changed, is.Due-was.Due)
		put(&m.Cleared, claimed+is.Due-was.Due)
	default:
		put(&m.Changed, -claimed)
	}
	switch {
	case is.Flag == "AWAITING_NEXT_CYCLE":
		put(&m.Awaited, is.Due)
	case is.Shortfall < 0:
		put(&m.Overpaid, -is.Shortfall)
	}
	if is.PromisedUntil != "" && is.PromisedUntil < asOf {
		put(&m.Promises, claims)
	}
}
