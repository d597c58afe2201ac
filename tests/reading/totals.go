package reading

import "strings"

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
	for at := range r.given.Lines {
		l := counted[at]
		dated := l != nil && (l.UTR != "" || l.RemittanceDate != "")
		if l == nil || l.own == 0 && (!dated || readMoneyStatus(l.RemittanceStatus) == unpaid) {
			continue
		}
		same := -1
		for i, p := range payouts {
			byUTR := l.UTR != "" && strings.EqualFold(p.UTR, l.UTR)
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
		own := *l
		own.remitted = l.own
		p.Lines++
		p.Paid += l.own
		p.Collected += r.collectedOf(&own)
		p.Date = later(p.Date, l.RemittanceDate)
	}
	return all, payouts
}
