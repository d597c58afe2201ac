package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// lineAgain is a line that another report lists too. Of both the one that says more stands.
type lineAgain struct{ line, stands *line }

// money is equal for lines that repeat each other.
func (l *line) money() string {
	return fmt.Sprint(l.awb, "|", l.orderID, "|", l.CODAmount.Paise, "|", l.RemittedAmount.Paise, "|", l.RemittanceDate, "|", utrKey(l.UTR))
}

// pairs pairs the lines of two reports that may be the same money, though one of them does not say all of it: those that pay, or, if it is
// known which of these are one, those that take money back.
func (r *run) pairs(payouts map[string][]*line, names []string, paid map[string][]string) (pairs [][2]*line) {
	for _, name := range names {
		for earlier := range r.given.Reports {
			for later := earlier + 1; later < len(r.given.Reports) && !strings.HasPrefix(name, "day  of"); later++ {
				pairs = append(pairs, r.alikeIn(r.listing(payouts[name], earlier, name), r.listing(payouts[name], later, name), paid)...)
			}
		}
	}
	return pairs
}

// alikeIn pairs the lines of two listings of a payout.
func (r *run) alikeIn(earlier, later map[string]*listed, paid map[string][]string) (pairs [][2]*line) {
	for parcel, x := range earlier {
		y := later[parcel]
		if y == nil || fmt.Sprint(x.lines) == fmt.Sprint(y.lines) || len(x.all) > 8 || len(y.all) > 8 || paid == nil && !r.payTooMuch(x, y) {
			continue
		}
		for _, a := range x.all {
			for _, b := range y.all {
				if !y.lines[a.money()] && !x.lines[b.money()] && alike(a, b) &&
					(paid == nil && a.own > 0 || paid != nil && a.own < 0 && r.takeBackTooMuch(x, y, a, b, paid)) {
					pairs = append(pairs, [2]*line{a, b})
				}
			}
		}
	}
	return pairs
}

// payTooMuch says whether more is paid than is due: by two listings of a parcel, or by all reports for the order if these count as they
// stand. Of an order that was sent in several parcels the storefront does not know what is due for one, but the lines do.
// Of many lines nothing is said.
func (r *run) payTooMuch(x, y *listed) bool {
	both := map[string]*line{}
	for _, l := range slices.Concat(x.all, y.all) {
		if both[l.money()] == nil {
			both[l.money()] = l
		}
	}
	due := max(r.storefrontDueOf(x.first), r.storefrontDueOf(y.first))
	if due > 0 || x.largest > 0 && y.largest > 0 {
		due = max(due, x.largest, y.largest)
	}
	switch together := sumOf(both); {
	case len(x.all) > 8 || len(y.all) > 8 || due <= 0:
		return false
	case together > due+100:
		return true
	default:
		of := r.orderOfBoth(x, y)
		others, few := r.linesOf(of, r.by)
		if of == nil || !few {
			return false
		}
		several := slices.ContainsFunc(of.awbs, func(awb string) bool { return awb != x.first.awb && !r.unreliable[awb] })
		for _, l := range others {
			if same := both[l.money()]; same == nil || same.own == 0 {
				both[l.money()] = l
			}
			several = several || r.hasReliable(l) && l.awb != x.first.awb
		}
		if sumOf(both) > due+100 {
			r.hit("the order is paid too much with a line that is listed again")
			return true
		}
		if several && r.hasReliable(x.first) && x.largest > 0 && y.largest > 0 && together > max(x.largest, y.largest)+100 {
			r.hit("one of several parcels is paid too much")
			return true
		}
		return false
	}
}

func sumOf(lines map[string]*line) (sum int64) {
	for _, l := range lines {
		sum += l.own
	}
	return sum
}

// takeBackTooMuch says whether two lines take back more than was paid for their parcel, each payment once.
func (r *run) takeBackTooMuch(x, y *listed, a, b *line, one map[string][]string) bool {
	lines, few := r.linesOf(r.orderOfBoth(x, y), nil)
	paid, counted := int64(0), map[string]bool{}
	for _, l := range lines {
		if otherParcel := r.hasReliable(a) && r.hasReliable(l) && a.awb != l.awb; l.own <= 0 || otherParcel || counted[l.money()] {
			continue
		}
		paid += l.own
		for _, payment := range one[l.money()] {
			counted[payment] = true
		}
	}
	if !few || paid == 0 || paid+a.own+b.own >= -100 {
		return false
	}
	r.hit("money is taken back once")
	return true
}

// orderOfBoth is the one order to which what two listings have of a parcel belongs, if it is known.
func (r *run) orderOfBoth(x, y *listed) *order {
	a, b := r.orderOf(x.first), r.orderOf(y.first)
	if a == nil || b == a {
		return b
	}
	if b == nil {
		return a
	}
	return nil
}

// orderOf is the only order with a line's AWB, or that it names if none has it.
func (r *run) orderOf(l *line) *order {
	if found := r.ordersOf(l); len(found) == 1 {
		return found[0]
	}
	return nil
}

// ordersOf are the orders with a line's AWB, or else those that it names.
func (r *run) ordersOf(l *line) []*order {
	if bearers := r.bearersOf(l); len(bearers) > 0 {
		return bearers
	}
	id := cmp.Or(l.orderID, l.told)
	return r.ordersThat(func(o *order) bool { return id != "" && o.key == id })
}

func (r *run) bearersOf(l *line) []*order {
	return r.ordersThat(func(o *order) bool { return r.hasReliable(l) && slices.Contains(o.awbs, l.awb) })
}

// linesOf lists what the reports have of an order, each payment once, but for some: by its AWBs if a line has one of them, else by its
// name. few is whether these are few.
func (r *run) linesOf(of *order, without map[*line]int) (lines []*line, few bool) {
	if of == nil {
		return nil, true
	}
	byAWB := slices.ContainsFunc(r.lines, func(l *line) bool { return slices.Contains(r.bearersOf(l), of) })
	known, all := map[string]*line{}, 0
	for _, l := range r.lines {
		if bearers := r.bearersOf(l); byAWB && (len(bearers) != 1 || bearers[0] != of) || !byAWB && (len(bearers) > 0 || l.orderID != of.key) {
			continue
		}
		all++
		if _, is := without[l]; is {
			continue
		}
		switch same := known[l.money()]; {
		case same == nil:
			known[l.money()] = l
			lines = append(lines, l)
		case same.own == 0: // it counts as paid if one of both is
			known[l.money()] = l
			lines[slices.Index(lines, same)] = l
		}
	}
	return lines, all <= 16
}

// joinPayments puts the payments of pairs together that are one, those that count before those that are corrected, and of these those first
// that say more. It gives, by what a line says of its payment, all that is one with it.
func (r *run) joinPayments(pairs [][2]*line, lines map[string][]*line, by map[*line]int) map[string][]string {
	counts := func(payment string) bool {
		return slices.ContainsFunc(lines[payment], func(l *line) bool { _, gone := by[l]; return !gone })
	}
	compare := func(a, b *line) int {
		return cmp.Or(cmp.Compare(bit(counts(a.money())), bit(counts(b.money()))), compareSaid(a, b))
	}
	for i, p := range pairs {
		if compare(p[0], p[1]) < 0 {
			pairs[i] = [2]*line{p[1], p[0]}
		}
	}
	slices.SortStableFunc(pairs, func(a, b [2]*line) int { return cmp.Or(compare(b[0], a[0]), compare(b[1], a[1])) })
	one := map[string][]string{}
	for _, p := range pairs {
		for _, l := range p {
			if one[l.money()] == nil {
				one[l.money()] = []string{l.money()}
			}
		}
		all := slices.Concat(one[p[0].money()], one[p[1].money()])
		most := slices.MaxFunc(all, func(a, b string) int { return compare(lines[a][0], lines[b][0]) })
		if slices.Contains(one[p[0].money()], p[1].money()) || !mayBeOne(all, lines, lines[most][0]) {
			continue
		}
		for _, payment := range all {
			one[payment] = all
		}
	}
	return one
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// mayBeOne says whether some payments may be one: no report has two of them, and none says otherwise than the one that counts.
func mayBeOne(payments []string, lines map[string][]*line, most *line) bool {
	in := map[int]string{}
	for _, payment := range payments {
		for _, l := range lines[payment] {
			if other, has := in[l.report]; has && other != payment {
				return false
			}
			in[l.report] = payment
		}
		if !agree(lines[payment][0], most) {
			return false
		}
	}
	return true
}

// listedAgain finds the lines for which others of the same payment stand. A line that says less than an earlier one is corrected with that
// one if the correcting report comes later than both.
func (r *run) listedAgain(one map[string][]string, lines map[string][]*line, by map[*line]int) (again, standing []lineAgain) {
	for payment, all := range one {
		if len(all) < 2 || payment != all[0] {
			continue
		}
		r.hit("a line is listed again")
		var own, stand []*line
		for _, of := range all {
			own = append(own, lines[of]...)
		}
		for _, l := range own {
			_, gone := by[l]
			for _, other := range own {
				if corrector, corrected := by[other]; corrected && l.report < corrector && l.says() < other.says() {
					if !gone {
						r.hit("a line is corrected with another one")
					}
					gone = true
				}
			}
			if !gone {
				stand = append(stand, l)
			}
		}
		if len(stand) == 0 {
			stand = own
		}
		stands := slices.MaxFunc(stand, compareSaid)
		for _, l := range own {
			if _, gone := by[l]; !gone && l.money() != stands.money() {
				again = append(again, lineAgain{l, stands})
			}
		}
		others := slices.DeleteFunc(slices.Clone(own), func(l *line) bool { return l.money() == stands.money() })
		standing = append(standing, standFor(lines[stands.money()], others)...)
		if len(all) > 2 {
			r.hit("a third report lists a line again")
		}
	}
	return again, standing
}

// standFor says that some lines stand for others.
func standFor(lines, others []*line) (all []lineAgain) {
	for _, l := range lines {
		for _, other := range others {
			all = append(all, lineAgain{other, l})
		}
	}
	return all
}

// learnOrders gives lines without an order id, with an AWB that no order has, the ids of those for which they stand, unless these differ. It
// says whether it has learned any.
func (r *run) learnOrders(standing []lineAgain) (more bool) {
	if r.told == nil {
		r.told = map[string][]string{}
	}
	for learned := true; learned; more = more || learned {
		learned = false
		for _, s := range standing {
			l := s.stands
			if l.orderID != "" || !r.hasReliable(l) || slices.ContainsFunc(r.orders, func(o *order) bool { return slices.Contains(o.awbs, l.awb) }) {
				continue
			}
			ids := r.told[s.line.money()]
			if s.line.orderID != "" {
				ids = []string{s.line.orderID}
			}
			for _, id := range ids {
				if !slices.Contains(r.told[l.money()], id) {
					r.told[l.money()] = append(r.told[l.money()], id)
					learned = true
				}
			}
		}
	}
	for _, l := range r.lines {
		if l.told = ""; len(r.told[l.money()]) == 1 {
			l.told = r.told[l.money()][0]
			r.hit("the order is known by the id of another line")
		}
	}
	return more
}

// settle settles the parcels of which one of two listings has nothing that counts, or nothing that the other has not.
func (r *run) settle(earlier, later map[string]*listed, one map[string][]string, gone map[*line]bool) {
	among := func(lines, others []*line) bool {
		for _, l := range lines {
			has := func(other *line) bool {
				return other.money() == l.money() || slices.Contains(one[l.money()], other.money())
			}
			if !gone[l] && !slices.ContainsFunc(others, has) {
				return false
			}
		}
		return true
	}
	for parcel, x := range earlier {
		if y := later[parcel]; y != nil {
			x.settled = among(x.all, nil) || among(y.all, nil) ||
				fmt.Sprint(x.lines) != fmt.Sprint(y.lines) && r.payTooMuch(x, y) && (among(x.all, y.all) || among(y.all, x.all))
		}
	}
}

// alike says whether two lines of one parcel agree in all that both of them say, and can be one payment.
func alike(a, b *line) bool {
	told := a.UTR != "" && b.UTR != "" || a.RemittanceDate != "" && b.RemittanceDate != ""
	return told && a.awb == b.awb && agree(a, b) && paysLike(a, b)
}

// agree says whether two lines say nothing of their payments that differs.
func agree(a, b *line) bool {
	amount := func(of Amount) string {
		if of.Paise == 0 {
			return ""
		}
		return fmt.Sprint(of.Paise)
	}
	for _, both := range [...][2]string{
		{a.orderID, b.orderID}, {utrKey(a.UTR), utrKey(b.UTR)}, {a.RemittanceDate, b.RemittanceDate},
		{amount(a.CODAmount), amount(b.CODAmount)}, {amount(a.RemittedAmount), amount(b.RemittedAmount)},
	} {
		if both[0] != "" && both[1] != "" && both[0] != both[1] {
			return false
		}
	}
	return true
}

// compareSaid orders lines by how much they say of a payment, and those that say as much by what they say.
func compareSaid(a, b *line) int {
	return cmp.Or(cmp.Compare(a.says(), b.says()), cmp.Compare(a.RemittedAmount.Paise, b.RemittedAmount.Paise),
		cmp.Compare(a.CODAmount.Paise, b.CODAmount.Paise), cmp.Compare(a.RemittanceDate, b.RemittanceDate), cmp.Compare(a.orderID, b.orderID),
		cmp.Compare(a.UTR, b.UTR))
}

// paysLike says whether two lines pay alike, or take back, as far as both say what was collected and what was remitted.
func paysLike(a, b *line) bool {
	if min(a.own, b.own) <= 0 && max(a.own, b.own) >= 0 {
		return false
	}
	said := 0
	for _, both := range [...][2]int64{{a.CODAmount.Paise, b.CODAmount.Paise}, {a.RemittedAmount.Paise, b.RemittedAmount.Paise}} {
		if both[0] == 0 || both[1] == 0 {
			continue
		}
		if said++; both[0] != both[1] {
			return false
		}
	}
	return said > 0
}

// says is greater for a line that says more.
func (l *line) says() (says int) {
	for _, has := range [...]bool{l.UTR != "", l.RemittanceDate != "", l.orderID != "", l.CODAmount.Paise != 0 && l.RemittedAmount.Paise != 0} {
		if says *= 2; has {
			says++
		}
	}
	return says
}

// joinAgain leaves out the lines that are listed again. Those that stand have the later status and delivery.
func (r *run) joinAgain(again []lineAgain) {
	slices.SortStableFunc(again, func(a, b lineAgain) int { return cmp.Compare(a.line.at, b.line.at) })
	r.again = nil
	for _, a := range again {
		a.line.listedAgain = true
		r.again = append(r.again, a.line)
		if a.line.Status != "" && (a.line.at > a.stands.at || a.stands.Status == "") {
			a.stands.Status, a.stands.statusAt = a.line.Status, a.stands.at
		}
		a.stands.DeliveredDate = later(a.stands.DeliveredDate, a.line.DeliveredDate)
	}
}

// doubtOtherUTRs warns of overpaid orders that two reports pay alike under different UTRs.
func (r *run) doubtOtherUTRs(verdicts []Verdict) {
	w := r.warnings["payout_listed_twice"]
	for i, o := range r.orders {
		if verdicts[i].Flag != "OVERPAID" {
			continue
		}
		var own []*line
		lines, named := 0, 0
		for _, l := range o.lines {
			if _, shared := o.shares[l]; !shared {
				paid := l
				if at := slices.IndexFunc(l.again, func(repeat *line) bool { return repeat.own != 0 }); l.own == 0 && at >= 0 {
					paid = l.again[at]
				}
				own = append(own, paid)
				lines += 1 + len(l.again)
				if !slices.Contains(o.awbs, l.awb) {
					named++
				}
			}
		}
		for k, b := range own {
			for _, a := range own[:k] {
				if a.report != b.report && a.own > 0 && a.awb == b.awb && paysLike(a, b) &&
					a.RemittanceDate == b.RemittanceDate && a.RemittanceDate != "" && a.UTR != "" && b.UTR != "" && utrKey(a.UTR) != utrKey(b.UTR) {
					w.Is = w.Is || lines <= 8
					w.Open = w.Open || lines > 8 || 0 < named && named < len(own)
					r.hit("a payout has two UTRs")
				}
			}
		}
	}
	r.warnings["payout_listed_twice"] = w
}
