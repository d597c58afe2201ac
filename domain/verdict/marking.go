package verdict

import (
	"slices"

	"milaan/domain"
)

// MarkOf is what a person notes on an order. What the ledger says of a claim ends when the order becomes overpaid. A write-off of
// the ledger also ends if money was taken back since, because it was of less.
func (r *Reconciliation) MarkOf(order int) domain.Mark {
	if mark, given := r.marks[order]; given {
		return mark
	}
	f, flag := r.orders.foundOn(int32(order)), r.decided[order].flag
	if f == nil {
		return domain.Mark{}
	}
	mark := f.Mark
	switch {
	case flag == domain.Overpaid && f.Flag != domain.Overpaid:
		mark.State, mark.PromisedUntil = domain.Unmarked, domain.NoDay
	case mark.State == domain.WrittenOff && r.isOpen(order) && r.matching.claims[order].remitted < f.Remitted:
		mark.State = domain.Unmarked
	}
	return mark
}

// Mark notes on orders of the export or of the ledger what a person says of them. Each mark stands in place of the
// ledger's. Orders that have one name and no AWB get the same mark, because nothing tells them apart. It returns the fault
// of the first mark that cannot be noted.
func (r *Reconciliation) Mark(marks []domain.MarkedOrder) (faults domain.Faults) {
	if len(marks) > 0 {
		r.marks = make(map[int]domain.Mark, len(marks))
	}
	for i := range marks {
		m := &marks[i]
		fault := domain.Fault{Field: domain.FieldMarks, Entry: i + 1, Value: domain.Shortened(m.OrderID)}
		found, alike := r.named(r.ordersCalled(m.OrderID), m.AWB)
		switch {
		case len(found) == 0:
			fault.Rule = domain.RuleUnknownOrder
		case !alike:
			fault.Rule = domain.RuleSeveral
		}
		for _, order := range found {
			if fault.Rule != "" {
				break
			}
			if _, twice := r.marks[order]; twice {
				fault.Rule = domain.RuleTwice
			}
			r.marks[order] = m.Mark
		}
		faults.Add(fault.Rule != "", fault)
	}
	return faults
}

// MarkKept notes what people have said of orders of a kept ledger.
func (r *Reconciliation) MarkKept(marks []domain.KeptMark) {
	r.marks = make(map[int]domain.Mark, len(marks))
	for i := range marks {
		for _, order := range r.MarkedBy(&marks[i]) {
			r.marks[order] = marks[i].Mark
		}
	}
}

// MarkedBy is the order that a mark of a kept ledger is for: the one of the ledger that was created then. If the mark does not say
// when, it may be several that nothing tells apart.
func (r *Reconciliation) MarkedBy(mark *domain.KeptMark) []int {
	dated := mark.Created.Day != domain.NoDay
	orders := slices.DeleteFunc(r.ordersCalled(mark.OrderID), func(order int) bool {
		return r.orders.foundOn(int32(order)) == nil || dated && mark.Created.Differs(r.CreatedAt(order))
	})
	alike := len(orders) < 2
	if !dated {
		orders, alike = r.named(orders, mark.AWB)
	}
	if !alike {
		return nil
	}
	return orders
}

// CreatedAt is when an order was created, as the storefront says.
func (r *Reconciliation) CreatedAt(order int) domain.Moment { return r.orders.list[order].created() }

// named are those of the orders of one name that a mark may be for. alike says that there is one, or that nothing tells them apart:
// they are those that have no AWB.
func (r *Reconciliation) named(orders []int, awb string) (_ []int, alike bool) {
	if len(orders) < 2 {
		return orders, true
	}
	if awb != "" {
		orders = r.withAWB(orders, awb)
		return orders, len(orders) < 2
	}
	var bare []int
	for _, order := range orders {
		if r.shownAWBs(order) == "" {
			bare = append(bare, order)
		}
	}
	if len(bare) == 0 {
		return orders, false
	}
	return bare, true
}

// Choose leaves only the disputes of these orders: of all that have the name, unless an AWB tells them apart. It returns the
// fault of the first one for which nothing is asked.
func (r *Reconciliation) Choose(orders []domain.ChosenOrder) (faults domain.Faults) {
	if orders == nil {
		return nil
	}
	r.chosen = make(map[int]bool, len(orders))
	for i, chosen := range orders {
		disputed := false
		for _, order := range r.withAWB(r.ordersCalled(chosen.OrderID), chosen.AWB) {
			if _, named := r.chosen[order]; !named {
				r.chosen[order] = r.Asked(order) > 0
			}
			disputed = disputed || r.chosen[order]
		}
		faults.Add(!disputed, domain.Fault{Field: domain.FieldOnly, Rule: domain.RuleUnknownOrder, Entry: i + 1,
			Value: domain.Shortened(chosen.OrderID)})
	}
	return faults
}

// ChooseOrders is Choose by the numbers of orders.
func (r *Reconciliation) ChooseOrders(orders []int) {
	r.chosen = make(map[int]bool, len(orders))
	for _, order := range orders {
		r.chosen[order] = true
	}
}

// HasChosen says whether only chosen orders are disputed.
func (r *Reconciliation) HasChosen() bool { return r.chosen != nil }

// OrdersOf finds an order of the export or of the ledger, or those open items that nothing tells apart. It returns
// domain.RuleUnknownOrder, or RuleSeveral if the AWB does not tell which of several orders is meant.
func (r *Reconciliation) OrdersOf(chosen domain.ChosenOrder) (orders []int, rule domain.Rule) {
	found, alike := r.named(r.ordersCalled(chosen.OrderID), chosen.AWB)
	switch {
	case len(found) == 0:
		return nil, domain.RuleUnknownOrder
	case !alike:
		return nil, domain.RuleSeveral
	case len(found) > 1:
		found = slices.DeleteFunc(found, func(order int) bool { return !r.IsItem(order) })
	}
	return found, ""
}

// IsDisputed says whether something is asked for an order, and disputes are for it.
func (r *Reconciliation) IsDisputed(order int) bool {
	return (r.chosen == nil || r.chosen[order]) && r.Asked(order) > 0
}

func (r *Reconciliation) ordersCalled(name string) (orders []int) {
	key := OrderKey([]byte(name))
	if len(key) == 0 {
		return nil
	}
	for at := r.orders.findName(key); at >= 0; {
		orders = append(orders, at)
		if at = int(r.orders.list[at].namesake); at == 0 {
			break
		}
	}
	return orders
}

// withAWB are those of the orders that have an AWB, or show this text as theirs; all if it is blank.
func (r *Reconciliation) withAWB(orders []int, awb string) (with []int) {
	if awb == "" {
		return orders
	}
	at := -1
	if key, _ := AWBKey([]byte(awb)); len(key) > 0 {
		at = r.orders.awbs.find(key)
	}
	for _, order := range orders {
		if awb == r.shownAWBs(order) || at >= 0 && r.orders.bears(order, int32(at)) {
			with = append(with, order)
		}
	}
	return with
}

// shownAWBs are the AWBs of an order as its result shows them. Thousands of marks may ask for those of one order, which are as many.
func (r *Reconciliation) shownAWBs(order int) string {
	text, known := r.shown[order]
	if !known {
		if r.shown == nil {
			r.shown = map[int]string{}
		}
		text = string(r.Result(order).AWB)
		r.shown[order] = text
	}
	return text
}
