package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// listed is what one report says of one parcel in one payout, repeats aside.
type listed struct {
	first                  *line
	remitted, cod, charges int64
	largest                int64
	lines                  map[string]bool
	all                    []*line
	settled                bool // the other one lists it again
	elsewhere              bool // all its lines have a UTR, in a payout of a day
}

// dropCorrected leaves out the lines of payouts that a later report lists again with other
// amounts. It comes after step 3.
func (r *run) dropCorrected() string {
	payouts := map[string][]*line{}
	withUTR := map[string]bool{} // report and payout of those without a UTR, of which some line has one
	var paidOut []*line
	var names []string
	dayOf := func(l *line) string { return "day " + l.RemittanceDate + " of " + r.courierOf(l.report) }
	for _, l := range r.lines {
		dated := l.UTR != "" || l.RemittanceDate != ""
		if l.own == 0 && (!dated || readMoneyStatus(l.RemittanceStatus) == unpaid) {
			continue
		}
		paidOut = append(paidOut, l)
		name := "utr " + utrKey(l.UTR)
		if l.UTR == "" {
			name = dayOf(l)
		}
		if payouts[name] == nil {
			names = append(names, name)
			payouts[name] = []*line{}
		}
	}
	for _, l := range paidOut {
		if l.UTR != "" {
			name := "utr " + utrKey(l.UTR)
			payouts[name] = append(payouts[name], l)
		}
		if name := dayOf(l); payouts[name] != nil && (l.UTR == "" || l.RemittanceDate != "") { // the UTR may be known only later
			payouts[name] = append(payouts[name], l)
			withUTR[fmt.Sprint(l.report, name)] = withUTR[fmt.Sprint(l.report, name)] || l.UTR != ""
		}
	}
	if r.by == nil {
		r.by = map[*line]int{}
	}
	by, lines := r.by, map[string][]*line{}
	var standing []lineAgain
	for _, l := range paidOut {
		lines[l.money()] = append(lines[l.money()], l)
	}
	for _, name := range names {
		known := !strings.HasPrefix(name, "day  of")
		for earlier := range r.given.Reports {
			corrected := !slices.ContainsFunc(payouts[name], func(l *line) bool { _, is := by[l]; return l.report == earlier && !is })
			for later := earlier + 1; known && later < len(r.given.Reports); later++ {
				older, newer := r.listing(payouts[name], earlier, name), r.listing(payouts[name], later, name)
				corrects, _ := r.comparePayout(older, newer, known)
				if corrected || !corrects || withUTR[fmt.Sprint(earlier, name)] || r.courierOf(earlier) != r.courierOf(later) {
					continue
				}
				corrected = true
				for _, l := range payouts[name] {
					if l.report == earlier {
						by[l] = later
					}
				}
				for parcel, x := range older {
					if y := newer[parcel]; y != nil && len(x.all) <= 8 && len(y.all) <= 8 {
						standing = append(standing, standFor(y.all, x.all)...)
					}
				}
				r.hit("a payout is corrected")
				if withUTR[fmt.Sprint(later, name)] {
					r.hit("a payout gets its UTR")
				}
			}
		}
	}
	pairs := r.pairs(payouts, names, nil)
	paid := r.joinPayments(pairs, lines, by)
	one := r.joinPayments(append(pairs, r.pairs(payouts, names, paid)...), lines, by)
	again, more := r.listedAgain(one, lines, by)
	if r.learnOrders(append(standing, more...)) {
		return r.dropCorrected() // what is due for more lines is known now
	}
	if len(by) > 0 {
		r.warnings["corrected_payout"] = Warning{Is: true}
	}
	gone := map[*line]bool{}
	for l := range by {
		gone[l] = true
	}
	for _, a := range again {
		gone[a.line] = true
	}
	for _, name := range names {
		known := !strings.HasPrefix(name, "day  of")
		for earlier := range r.given.Reports {
			for later := earlier + 1; later < len(r.given.Reports); later++ {
				older, newer := r.listing(payouts[name], earlier, name), r.listing(payouts[name], later, name)
				r.settle(older, newer, one, gone)
				if _, doubtful := r.comparePayout(older, newer, known); doubtful {
					r.warnings["payout_listed_twice"] = Warning{Is: true}
					r.hit("a payout is listed twice")
				}
			}
		}
	}
	r.joinAgain(again)
	r.corrected = nil
	r.lines = slices.DeleteFunc(r.lines, func(l *line) bool {
		if gone[l] && !l.listedAgain {
			r.corrected = append(r.corrected, l)
		}
		return gone[l]
	})
	return ""
}

func (r *run) courierOf(report int) string {
	if len(r.given.Reports) == 0 {
		return ""
	}
	return r.given.Reports[report].Courier
}

// listing gives, by parcel, what a report lists of a payout.
func (r *run) listing(lines []*line, report int, payout string) map[string]*listed {
	parcels := map[string]*listed{}
	for _, l := range lines {
		if l.report != report {
			continue
		}
		parcel := "id " + l.orderID
		if r.hasReliable(l) {
			parcel = "awb " + l.awb
		} else if l.orderID == "" {
			parcel = fmt.Sprint("line ", l.at)
		}
		p := parcels[parcel]
		if p == nil {
			p = &listed{first: l, lines: map[string]bool{}, elsewhere: strings.HasPrefix(payout, "day ")}
			parcels[parcel] = p
		}
		p.elsewhere = p.elsewhere && l.UTR != ""
		p.all = append(p.all, l)
		text := l.money()
		if p.lines[text] {
			continue
		}
		p.lines[text] = true
		p.remitted += l.own
		p.cod += l.CODAmount.Paise
		p.largest = max(p.largest, l.CODAmount.Paise)
		for _, c := range l.charges {
			p.charges += c
		}
	}
	return parcels
}

// comparePayout says whether the later listing of a payout corrects the earlier one, and whether
// it may do so.
func (r *run) comparePayout(earlier, later map[string]*listed, known bool) (corrects, doubtful bool) {
	both, lacking, small, more, exactly, less := 0, 0, 0, 0, 0, 0
	differs, sameCollected := false, r.given.Columns.CODAmount != ""
	for parcel, x := range earlier {
		y := later[parcel]
		if y == nil {
			lacking++
			continue
		}
		if both++; x.settled || x.elsewhere && y.elsewhere {
			continue
		}
		differs = differs || x.charges != y.charges || fmt.Sprint(x.lines) != fmt.Sprint(y.lines)
		sameCollected = sameCollected && x.cod == y.cod
		if y.remitted*2 < x.remitted {
			small++
		}
		due := r.storefrontDueOf(x.first)
		if x.remitted <= 0 || y.remitted <= 0 || due <= 0 || r.storefrontDueOf(y.first) <= 0 {
			continue
		}
		due = max(due, x.largest, y.largest)
		switch together := x.remitted + y.remitted; {
		case together > due+100:
			more++
		case together >= due-100:
			exactly++
		default:
			less++
		}
	}
	overpaid := differs && more > exactly+less
	corrects = overpaid && lacking == 0 && 2*both >= len(later) && small*2 < both && (both > 1 || sameCollected)
	return corrects, overpaid || differs && known && lacking == 0 && both > 1 && less > more+exactly
}

// storefrontDueOf gives what the storefront says is due for the parcel of a line; 0 if it is not known.
func (r *run) storefrontDueOf(l *line) (due int64) {
	found := r.ordersOf(l)
	if len(found) > 1 && len(r.bearersOf(l)) == 0 {
		return 0 // orders of one name
	}
	inCash := int64(0)
	for _, o := range found {
		due += o.owesAlone()
		inCash += o.owesInCash()
	}
	return cmp.Or(due, inCash)
}
