package reading

import (
	"cmp"
	"fmt"
	"slices"
)

// lineAgain is a line that another report lists too. Of both the one that says more stands.
type lineAgain struct{ line, stands *line }

// money is equal for lines that repeat each other.
func (l *line) money() string {
	return fmt.Sprint(l.awb, "|", l.orderID, "|", l.CODAmount.Paise, "|", l.RemittedAmount.Paise, "|", l.RemittanceDate, "|", utrKey(l.UTR))
}

// listedAgain finds the lines of two listings that are the same money, though one of them does not say all of it, and settles the parcels
// of which nothing else is left in one of the two.
func (r *run) listedAgain(earlier, later map[string]*listed, known bool) (again []lineAgain) {
	for parcel, x := range earlier {
		x.settled = false
		y := later[parcel]
		if !known || y == nil || len(x.all) > 8 || len(y.all) > 8 || fmt.Sprint(x.lines) == fmt.Sprint(y.lines) {
			continue
		}
		together := x.remitted + y.remitted
		inBoth, done := map[string]bool{}, map[string]bool{}
		for _, l := range x.all {
			if y.lines[l.money()] && !inBoth[l.money()] {
				inBoth[l.money()] = true
				together -= l.own
			}
		}
		due := max(r.storefrontDueOf(x.first), r.storefrontDueOf(y.first))
		if due > 0 || x.largest > 0 && y.largest > 0 {
			due = max(due, x.largest, y.largest)
		}
		if due <= 0 || together <= due+100 {
			continue
		}
		done = inBoth
		for _, a := range x.all {
			for _, b := range y.all {
				if done[a.money()] || done[b.money()] || !alike(a, b) {
					continue
				}
				r.hit("a line is listed again")
				goes, stands, of := a, b, x.all
				if a.says() > b.says() {
					goes, stands, of = b, a, y.all
				}
				for _, l := range of {
					if l.money() == goes.money() {
						again = append(again, lineAgain{l, stands})
					}
				}
				done[a.money()], done[b.money()] = true, true
			}
		}
		notDone := func(l *line) bool { return !done[l.money()] }
		x.settled = !slices.ContainsFunc(x.all, notDone) || !slices.ContainsFunc(y.all, notDone)
	}
	return again
}

// alike says whether two lines of one parcel agree in all that both of them say, and can be one payment.
func alike(a, b *line) bool {
	for _, both := range [...][2]string{{a.orderID, b.orderID}, {utrKey(a.UTR), utrKey(b.UTR)}, {a.RemittanceDate, b.RemittanceDate}} {
		if both[0] != "" && both[1] != "" && both[0] != both[1] {
			return false
		}
	}
	if (a.UTR == "" || b.UTR == "") && (a.RemittanceDate == "" || b.RemittanceDate == "") {
		return false
	}
	return a.awb == b.awb && paysLike(a, b)
}

// paysLike says whether two lines pay alike, as far as both say what was collected and what was remitted.
func paysLike(a, b *line) bool {
	if a.own <= 0 || b.own <= 0 {
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
		if a.line.listedAgain {
			continue
		}
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
				if a.report != b.report && a.awb == b.awb && paysLike(a, b) && a.RemittanceDate == b.RemittanceDate && a.RemittanceDate != "" &&
					a.UTR != "" && b.UTR != "" && utrKey(a.UTR) != utrKey(b.UTR) {
					w.Is = w.Is || lines <= 8
					w.Open = w.Open || lines > 8 || 0 < named && named < len(own)
					r.hit("a payout has two UTRs")
				}
			}
		}
	}
	r.warnings["payout_listed_twice"] = w
}
