package verdict

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"milaan/domain"
)

// Open items are the orders that are flagged or whose money may still come, those of the export and those
// that only a ledger has (guide: verdict 10).

// All is the number of orders of the export and of those that only a ledger has, which come after them.
func (r *Reconciliation) All() int { return len(r.decided) }

// Remembers says whether a ledger with orders was given.
func (r *Reconciliation) Remembers() bool { return r.orders.remembers }

// DispatchedOn is the day on which the parcel of an order left, as far as the storefront knows.
func (r *Reconciliation) DispatchedOn(order int) domain.Day {
	return r.orders.list[order].dispatchedOn()
}

func (r *Reconciliation) isOpen(order int) bool {
	d := &r.decided[order]
	return d.flag.IsFlagged() || d.flag == domain.AwaitingNextCycle && d.due != 0
}

// IsItem says whether an order is an open item, or was one that is flagged in the run before.
func (r *Reconciliation) IsItem(order int) bool {
	f := r.orders.foundOn(int32(order))
	return r.isOpen(order) || f != nil && f.Flag.IsFlagged()
}

// leaveOutRemembered takes the lines of a ledger out of the tally of unclaimed lines: an earlier run has told of
// them.
func (r *Reconciliation) leaveOutRemembered() {
	remembered, m := int32(r.remittances.Remembered()), &r.matching
	if remembered == 0 {
		return
	}
	for l := m.claims[len(m.claims)-1].first; l != noLine; l = m.next[l] {
		if l < remembered && m.repeats.marks[l].counts() {
			r.Tally.Unclaimed--
			r.Tally.UnclaimedPaid -= m.lines[l].Remitted
		}
	}
}

// reviewRemembered decides whether an order that only a ledger has is MISSING. Its neighbours are not in the
// export, so only an earlier run can have found it MISSING. In a run of a ledger alone, no report says how far the reports
// reached by which an earlier run has found that the window is over, and what it has found holds.
func (r *Reconciliation) reviewRemembered(d *decision, order int32) {
	before := r.orders.foundOn(order).Flag
	if d.flag == domain.AwaitingNextCycle && r.orders.Exported() == 0 && (before == domain.Missing || before == domain.Overdue) {
		d.flag, d.shortfall, d.cause = domain.Overdue, d.due, domain.CauseNotCovered
		if c := &r.matching.claims[order]; c.has(markListed) {
			d.cause = c.listedCause()
		}
	}
	switch {
	case d.flag != domain.Missing && d.cause != domain.CauseNotCovered:
	case before == domain.Missing:
		d.flag, d.cause = domain.Missing, domain.CauseFoundMissing
	default:
		d.flag, d.cause = domain.Overdue, domain.CauseLedgerAlone
		if o := &r.orders.list[order]; !o.shipped() && !o.tracked() && r.policy.shopFulfils {
			d.cause = domain.CauseWasNotShipped
		}
	}
}

// Change is what has become of an open item since the run before.
type Change uint8

// The changes.
const (
	Unchanged  Change = iota
	New               // it was not flagged before
	Reopened          // it was settled or written off before
	PartlyPaid        // and still open
	Cleared           // it is paid
	Ceased            // nothing is due for it any more, or its money may still come
	NowWrittenOff
	Recovered // it was written off, and is paid
	Changed   // more or less is due, or money was taken back; it is still open
)

// OpenItem is an order that is open, or was in the run before.
type OpenItem struct {
	Order    int     // for Result, Details, Explain
	Exported bool    // the export has it
	Open     bool    // it is flagged, or its money may still come
	Now      Finding // with the mark of the run before, or the one that was given in its place
	Before   Finding // the zero value: the ledger does not have it
	Change   Change
	// PromisePassed says that the item is promised until a day before batch_as_of.
	PromisePassed bool
}

func (r *Reconciliation) finding(order int) (now, before Finding) {
	d, c := &r.decided[order], &r.matching.claims[order]
	now = Finding{Flag: d.flag, Due: d.due, Remitted: c.remitted, Accepted: d.accepted, Shortfall: d.shortfall, Seen: r.Guidance.BatchAsOf}
	now.LastSeen = r.lastSeenOn(order)
	if f := r.orders.foundOn(int32(order)); f != nil {
		before = *f
		now.Seen, now.Courier = cmp.Or(f.Seen, now.Seen), f.Courier
		if now.Flag.IsFlagged() && f.Flag.IsFlagged() {
			now.Since = f.Since
		}
	}
	now.Mark = r.MarkOf(order)
	if now.Flag.IsFlagged() && now.Since == domain.NoDay {
		now.Since = r.Guidance.BatchAsOf
	}
	if report := r.CourierReport(order); report > 0 {
		if id := r.remittances.all()[r.remittances.place(report)].Courier; id != "" {
			now.Courier = id
		}
	}
	return now, before
}

// OpenItems yields the open items, and those that were open in the run before: first those of the export.
func (r *Reconciliation) OpenItems() iter.Seq[OpenItem] {
	return func(yield func(OpenItem) bool) {
		for i := range r.decided {
			if r.IsItem(i) && !yield(r.Item(i)) {
				return
			}
		}
	}
}

// Item is an order as an open item, also if it is none.
func (r *Reconciliation) Item(i int) OpenItem {
	now, before := r.finding(i)
	item := OpenItem{Order: i, Exported: i < len(r.decisions), Open: r.isOpen(i), Now: now, Before: before, Change: changeOf(&now, &before)}
	until := now.Mark.PromisedUntil
	item.PromisePassed = now.Mark.State == domain.Promised && now.open(now.Mark.State) > 0 &&
		until != domain.NoDay && until < r.Guidance.BatchAsOf
	return item
}

func changeOf(now, before *Finding) Change {
	was, is, paid := before.open(before.Carried), now.open(now.Mark.State), now.paidSince(before)
	switch {
	case was == 0 && is == 0 && recovered(now, before) > 0:
		return Recovered
	case is == 0 && now.open(domain.Unmarked) > 0 && (was > 0 || before.open(domain.Unmarked) == 0 || paid < 0):
		return NowWrittenOff
	case was > 0 && is > 0 && paid > 0:
		return PartlyPaid
	case was > 0 && is == 0 && paid > 0 && now.Flag != domain.AwaitingNextCycle:
		return Cleared
	case was > 0 && is == 0:
		return Ceased
	case was == 0 && is > 0 && before.wasSettled():
		return Reopened
	case was == 0 && is > 0:
		return New
	case was > 0 && is > 0 && is != was:
		return Changed
	}
	return Unchanged
}

// wasSettled says of an order without a claim that one which it has now is reopened: the run before knew it, and did not await its money.
func (f *Finding) wasSettled() bool {
	return f.Seen != domain.NoDay && f.Flag != domain.AwaitingNextCycle
}

// recovered is what was paid of what had been written off.
func recovered(now, before *Finding) domain.Paise {
	if before.Carried != domain.WrittenOff {
		return 0
	}
	return max(0, min(now.paidSince(before), before.open(domain.Unmarked)))
}

// ItemSum counts open items and adds up what is claimed for them.
type ItemSum struct {
	Items  int
	Amount domain.Paise
}

func (s *ItemSum) add(amount domain.Paise) {
	if amount != 0 {
		s.Items++
		s.Amount += amount
	}
}

// Movement is how what is claimed from a courier has changed since the run before, to the paisa:
// Before + New + Changed - PartlyPaid - Cleared - WrittenOff + Reopened = Now. Recovered, Awaited, Overpaid and Promises
// are sums of their own.
type Movement struct {
	Courier    string // id; blank: not known, or of all
	Before     ItemSum
	New        ItemSum
	Changed    ItemSum // what is due has become more, or less
	PartlyPaid ItemSum
	Cleared    ItemSum
	WrittenOff ItemSum // by a person, since the run before
	Reopened   ItemSum
	Now        ItemSum

	Recovered ItemSum // was written off before, and is paid
	Awaited   ItemSum // may still come in time
	Overpaid  ItemSum
	Promises  ItemSum // promised until a day that has passed
}

// Movements adds up the changes of open items, per courier in the order of their ids, and of all.
func (r *Reconciliation) Movements() (couriers []Movement, all Movement) {
	places := map[string]int{} // a ledger may name as many couriers as it has orders
	for item := range r.OpenItems() {
		at, known := places[item.Now.Courier]
		if !known {
			at = len(couriers)
			places[item.Now.Courier] = at
			couriers = append(couriers, Movement{Courier: item.Now.Courier})
		}
		couriers[at].add(&item)
		all.add(&item)
	}
	slices.SortFunc(couriers, func(a, b Movement) int { return cmp.Compare(a.Courier, b.Courier) })
	return couriers, all
}

func (m *Movement) add(item *OpenItem) {
	now, before := &item.Now, &item.Before
	was, is := before.open(before.Carried), now.open(now.Mark.State)
	paid := now.paidSince(before)
	m.Before.add(was)
	m.Now.add(is)
	switch item.Change {
	case New:
		m.New.add(is)
	case Reopened:
		m.Reopened.add(is)
	case Cleared, Ceased:
		// Of what was paid, only what was claimed clears it. The rest is too much.
		due := now.Due - before.Due
		if item.Change == Ceased || was+due <= 0 {
			due = -was
		}
		m.Changed.add(due)
		m.Cleared.add(was + due)
	case PartlyPaid:
		m.PartlyPaid.add(paid)
		m.Changed.add(is - was + paid)
	case NowWrittenOff:
		if was == 0 { // it is claimed and written off at once
			if before.wasSettled() {
				m.Reopened.add(now.Shortfall)
			} else {
				m.New.add(now.Shortfall)
			}
			m.WrittenOff.add(now.Shortfall)
			break
		}
		paid = max(paid, 0)
		m.PartlyPaid.add(paid)
		m.Changed.add(now.Shortfall - was + paid)
		m.WrittenOff.add(now.Shortfall)
	case Changed:
		m.Changed.add(is - was)
	case Recovered:
		m.Recovered.add(recovered(now, before))
	}
	switch {
	case now.Flag == domain.AwaitingNextCycle:
		m.Awaited.add(now.Due)
	case now.Shortfall < 0:
		m.Overpaid.add(-now.Shortfall)
	}
	if item.PromisePassed {
		m.Promises.add(is)
	}
}

func (r *Reconciliation) ledgerDoubts() (doubts []domain.Warning) {
	apart := domain.Warning{Code: domain.WarnLedgerApart, Count: len(r.orders.findings)}
	if of := r.orders.Ledger.Brand; !strings.EqualFold(of, r.Brand) && namesShop(of) && namesShop(r.Brand) {
		apart.Examples = []string{domain.Shortened(of), domain.Shortened(r.Brand)}
	}
	if len(apart.Examples) > 0 || r.isApart() {
		doubts = append(doubts, apart)
	}
	rounded := domain.Warning{Code: domain.WarnRoundedAWBs, File: domain.LedgerFile}
	isAlone := func(order int) bool { return order >= r.orders.Exported() && r.isOpen(order) }
	rounded.Count, rounded.Examples = r.orders.roundedAWBs(func(c *roundedCell) bool { return isAlone(int(c.order)) })
	if rounded.Count > 0 {
		for i := range r.decided {
			if isAlone(i) && r.orders.list[i].tracked() {
				rounded.Of++
			}
		}
		doubts = append(doubts, rounded)
	}
	weak := domain.Warning{Code: domain.WarnWeakLines, HasAmount: true}
	for i := r.remittances.Remembered(); i < len(r.remittances.list); i++ {
		if l := &r.remittances.list[i]; l.Remitted != 0 && (!l.tellsParcel() || len(l.UTR) == 0 && l.RemittedOn == domain.NoDay) {
			weak.Count++
			weak.Amount += l.Remitted
		}
	}
	if weak.Count > 0 {
		doubts = append(doubts, weak)
	}
	if _, all := r.Movements(); all.Promises.Items > 0 {
		doubts = append(doubts, domain.Warning{Code: domain.WarnPromisesPassed, Count: all.Promises.Items,
			Amount: all.Promises.Amount, HasAmount: true})
	}
	return doubts
}

func namesShop(brand string) bool { return brand != "" && brand != domain.DefaultBrand }

// isApart says whether the ledger seems to be of another shop: this run has none of its orders and lines, and the reports of a courier
// do not list what it awaited from this one, or other orders of the export have the names of its own. That nothing meets
// alone says nothing, because months need not overlap.
func (r *Reconciliation) isApart() bool {
	if len(r.remittances.again) > 0 {
		return false
	}
	apart := false
	for i, finding := range r.orders.findingOf {
		if finding > 0 && (i < len(r.decisions) || r.isListed(i)) {
			return false
		}
		apart = apart || finding > 0 && r.wasAwaitedInVain(i)
	}
	for i := 0; i < len(r.decisions) && !apart; i++ {
		for at := r.orders.list[i].namesake; at != 0 && !apart; at = r.orders.list[at].namesake {
			apart = r.orders.foundOn(at) != nil
		}
	}
	return apart
}

// wasAwaitedInVain says whether the ledger awaited the money of an order, which is claimed now, and this run has a report that may be of
// its courier.
func (r *Reconciliation) wasAwaitedInVain(order int) bool {
	now, before := r.finding(order)
	return before.Flag == domain.AwaitingNextCycle && before.Due > 0 && now.Flag.IsFlagged() &&
		slices.ContainsFunc(r.remittances.all()[r.remittances.remembered:], func(report ReadReport) bool {
			return now.Courier == "" || report.Courier == "" || now.Courier == report.Courier
		})
}

// isListed says whether the run's own reports have an order.
func (r *Reconciliation) isListed(order int) bool {
	m := &r.matching
	for l := m.claims[order].first; l != noLine; l = m.next[l] {
		if r.isGiven(l) {
			return true
		}
	}
	return m.claims[order].has(markShared) && slices.ContainsFunc(m.sharesOf(int32(order)), func(s share) bool {
		return r.isGiven(m.shared[m.sharedParcels[s.parcel].to-1].line) // the last line of the parcel
	})
}

// isGiven says whether a line is of one of the run's own reports.
func (r *Reconciliation) isGiven(line int32) bool { return int(line) >= r.remittances.Remembered() }
