package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Sum counts lines and adds up what was remitted on them.
type Sum struct {
	Lines    int
	Remitted int64
}

func (s *Sum) add(remitted int64) {
	s.Lines++
	s.Remitted += remitted
}

// Totals is what became of the lines of one report.
type Totals struct{ Read, Matched, Unclaimed, Repeated, Corrected, Unidentified Sum }

// Payout is what was paid out at once: the lines of one UTR, else of one day of a report.
type Payout struct {
	Report          int // from 1
	UTR, Date       string
	Lines           int
	Collected, Paid int64
}

// reportOf gives the report, from 0, that a line stands in.
func (r *run) reportOf(at int) int {
	for i, report := range r.given.Reports {
		if at -= report.Lines; at < 0 {
			return i
		}
	}
	return 0
}

// readReach is the end of step 2: per courier the latest date of its reports, and of these
// the earliest; a courier without dates makes it blank.
func (r *run) readReach() string {
	couriers := map[string]string{}
	reports := r.given.Reports
	if len(reports) == 0 {
		reports = make([]Report, 1)
	}
	for i, report := range reports {
		var remittance, delivered []string
		latest := couriers[report.Courier]
		for _, l := range r.lines {
			if l.report == i {
				remittance = append(remittance, l.RemittanceDate)
				delivered = append(delivered, l.DeliveredDate)
				latest = later(latest, later(l.RemittanceDate, l.DeliveredDate))
			}
		}
		couriers[report.Courier] = latest
		if slipped(remittance) || slipped(delivered) {
			return "a date of the report is far in the future"
		}
	}
	first := true
	for _, latest := range couriers {
		if first || latest < r.through {
			r.through = latest
		}
		first = false
	}
	return ""
}

// noteUnidentified notes the money of a line that names no parcel.
func (r *run) noteUnidentified(l *line) {
	for len(r.unidentified) <= l.report {
		r.unidentified = append(r.unidentified, Sum{})
	}
	if l.CODAmount.Paise == 0 && l.RemittedAmount.Paise == 0 {
		return
	}
	money := l.CODAmount.Paise
	if r.given.Columns.RemittedAmount != "" {
		money = l.RemittedAmount.Paise
	}
	r.unidentified[l.report].add(money)
}

// totals says what became of every line, and which were paid out together.
func (r *run) totals() ([]Totals, []Payout) {
	all := make([]Totals, len(r.given.Reports))
	for i, sum := range r.unidentified {
		all[i].Unidentified, all[i].Read = sum, sum
	}
	for _, l := range r.again {
		all[l.report].Read.add(l.own)
		all[l.report].Repeated.add(l.own)
	}
	for _, l := range r.corrected {
		all[l.report].Read.add(l.own)
		all[l.report].Corrected.add(l.own)
	}
	counted := map[int]*line{} // by where they stand
	for _, l := range r.lines {
		group := append([]*line{l}, l.again...)
		kept := l
		for _, repeat := range group {
			if kept.own == 0 && repeat.own != 0 && !repeat.cameBack {
				kept = repeat
			}
		}
		for _, repeat := range group {
			of := &all[repeat.report]
			of.Read.add(repeat.own)
			switch {
			case repeat != kept && !repeat.cameBack:
				of.Repeated.add(repeat.own)
				continue
			case l.used:
				of.Matched.add(repeat.own)
			default:
				of.Unclaimed.add(repeat.own)
			}
			counted[repeat.at] = repeat
		}
	}
	var payouts []Payout
	var paidOut []*line
	for at := range r.given.Lines {
		l := counted[at]
		dated := l != nil && (l.UTR != "" || l.RemittanceDate != "")
		if l == nil || l.own == 0 && (!dated || readMoneyStatus(l.RemittanceStatus) == unpaid) {
			continue
		}
		paidOut = append(paidOut, l)
	}
	collected := r.collectedOnce(paidOut)
	for _, l := range paidOut {
		same := -1
		for i, p := range payouts {
			byUTR := l.UTR != "" && utrKey(p.UTR) == utrKey(l.UTR)
			byDay := l.UTR == "" && p.UTR == "" && p.Report == l.report+1 && p.Date == l.RemittanceDate
			if byUTR || byDay {
				same = i
			}
		}
		if same < 0 {
			same = len(payouts)
			payouts = append(payouts, Payout{Report: l.report + 1, UTR: l.UTR})
		}
		p := &payouts[same]
		p.Lines++
		p.Paid += l.own
		p.Collected += collected[l]
		p.Date = later(p.Date, l.RemittanceDate)
	}
	return all, payouts
}

// collectedOnce says what of each line counts as collected: of a parcel that is paid in parts the amount of the first, and of one that is
// taken back its amount below zero.
func (r *run) collectedOnce(lines []*line) map[*line]int64 {
	once, amounts := map[*line]int64{}, map[*line]int64{}
	for _, l := range lines {
		own := *l
		own.remitted = l.own
		once[l] = r.collectedOf(&own)
		if amounts[l] = max(once[l], -once[l]); once[l] == 0 && l.own < 0 {
			amounts[l] = max(l.CODAmount.Paise, -l.CODAmount.Paise)
		}
	}
	if r.given.Columns.CODAmount == "" || r.given.Columns.RemittedAmount == "" {
		return once
	}
	type parcel struct {
		orderID    string
		told, held bool
		alone      bool    // told by a line alone that takes back what it lists
		later      []int64 // parts after the first
		paid       int64
	}
	of := map[string][]*parcel{}
	inTime := slices.Clone(lines)
	slices.SortStableFunc(inTime, func(a, b *line) int {
		never := func(l *line) bool { return l.RemittanceDate == "" && l.own < 0 }
		return cmp.Or(cmp.Compare(bit(never(a)), bit(never(b))), cmp.Compare(a.RemittanceDate, b.RemittanceDate),
			cmp.Compare(b.own, a.own), cmp.Compare(a.UTR, b.UTR))
	})
	for _, l := range inTime {
		amount := amounts[l]
		name := fmt.Sprint("AWB ", l.awb, " ", amount)
		if !r.hasReliable(l) {
			name = fmt.Sprint("order ", l.orderID, " ", amount)
		}
		if amount == 0 || strings.HasPrefix(name, "order  ") {
			continue
		}
		takesBackItsOwn := l.own < 0 && l.own == once[l]
		var fits []*parcel
		for _, p := range of[name] {
			if (p.orderID == "" || l.orderID == "" || p.orderID == l.orderID) && !(p.alone && takesBackItsOwn) {
				fits = append(fits, p)
			}
		}
		var p *parcel
		if l.own < 0 {
			undone := slices.IndexFunc(fits, func(p *parcel) bool { return p.held && p.paid == -l.own })
			for i, one := range fits {
				if i == undone || undone < 0 && (p == nil || one.held || !p.held) {
					p = one
				}
			}
		} else if i := slices.IndexFunc(fits, func(p *parcel) bool { return !p.held || p.paid+l.own <= amount+100 }); i >= 0 {
			p = fits[i]
		}
		if p == nil && slices.ContainsFunc(fits, func(p *parcel) bool { return slices.Contains(p.later, l.own) }) {
			once[l] = 0 // sent again
			continue
		}
		if p == nil {
			p = &parcel{}
			of[name] = append(of[name], p)
		}
		p.orderID = cmp.Or(p.orderID, l.orderID)
		p.paid += l.own
		gone := l.own < 0 && p.told && p.held && (p.paid <= 0 || -l.own+100 >= amount)
		before := l.own < 0 && !p.told && (once[l] < 0 || -2*p.paid > amount)
		below := l.own >= 0 && once[l] < 0
		switch {
		case gone, before, below:
			once[l] = -amount
			*p = parcel{orderID: p.orderID, told: true, later: p.later, alone: before && takesBackItsOwn}
		case l.own < 0, p.held:
			if once[l] = 0; l.own > 0 {
				p.later = append(p.later, l.own)
			}
		default:
			once[l] = amount
			*p = parcel{orderID: p.orderID, told: true, held: true, paid: l.own, later: p.later}
		}
	}
	return once
}
