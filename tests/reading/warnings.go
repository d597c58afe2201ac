package reading

import "slices"

// Warning is what the plain reading knows of a warning: whether it is due, how many it
// counts and their sum, or that it does not say.
type Warning struct {
	Is    bool
	Open  bool // the rules leave room
	Count int
	Paise int64
}

// warn says which of the warnings are due that hang on what is read here.
func (r *run) warn(verdicts []Verdict) {
	var prepaid, anomalies Warning
	paid, short, explained := 0, 0, 0
	same := map[int64]int{}
	for i, o := range r.orders {
		if !o.isCOD() && o.cameAfter && slices.ContainsFunc(o.parcels, func(p parcel) bool { return p.onItsWay }) {
			prepaid.Open = true // repeats paid for a parcel on its way back
		}
		if !o.isCOD() && o.collected > 0 {
			prepaid.Is = true
			prepaid.Count++
			prepaid.Paise += o.collected
			for _, l := range o.lines {
				if _, shared := o.shares[l]; shared {
					continue
				}
				own, cameBack := *l, false // without what the repeats have paid
				own.remitted = l.base
				for _, repeat := range l.repeats {
					if repeat.cameBack {
						prepaid.Paise += r.collectedOf(repeat)
						cameBack = true
					}
				}
				if cameBack {
					prepaid.Paise += r.collectedOf(&own) - r.collectedOf(l)
				}
			}
		}
		deducted := o.remitted < 0 && o.due > 0 && o.returned && o.evidence // a charge for the return, for example
		if (deducted || verdicts[i].Flag == "RTO_ANOMALY") && !o.saysCollected() {
			anomalies.Is = true
		}
		missing := o.due - o.remitted - o.accepted
		if o.due <= 0 || o.remitted <= 0 {
			continue
		}
		paid++
		if missing <= 0 {
			continue
		}
		short++
		same[missing]++
		var charges int64
		for _, l := range o.lines {
			if _, shared := o.shares[l]; !shared {
				part, _ := r.explained(l)
				charges += part
			}
		}
		if charges-o.accepted == missing {
			explained++
		}
	}
	enough := func(n int) bool { return n >= 5 && n*5 >= paid*4 }
	deductions := Warning{Open: enough(short), Is: enough(explained)}
	if deductions.Is {
		r.hit("deductions by stated charges")
	}
	for _, n := range same {
		deductions.Is = deductions.Is || enough(n)
	}
	r.warnings["prepaid_collected"], r.warnings["returned_with_amount"], r.warnings["deductions"] = prepaid, anomalies, deductions
	r.warnings["reversed_payments"] = r.reversed()
	if prepaid.Is {
		r.hit("prepaid_collected")
	}
}

// reversed says whether money counts though a line says that it did not stay. It is sure that it does where all lines are one order's
// and of one run, nothing is taken back, and the line is not dated before the first payment; and that it does not if no line says so.
func (r *run) reversed() Warning {
	says := func(l *line) bool { return saysReversed(l.RemittanceStatus) }
	if !slices.ContainsFunc(r.given.Lines, func(l Line) bool { return saysReversed(l.RemittanceStatus) }) {
		return Warning{}
	}
	w := Warning{Open: true}
	for _, o := range r.orders {
		if o.remitted <= 0 || len(o.shares) > 0 || len(r.given.Runs) > 0 || len(r.corrected) > 0 || len(r.again) > 0 {
			continue
		}
		var all []*line
		for _, l := range o.lines {
			all = append(append(all, l), l.again...)
		}
		if slices.ContainsFunc(all, func(l *line) bool { return l.own < 0 }) {
			continue
		}
		for _, l := range all {
			if says(l) && l.own == 0 && slices.ContainsFunc(all, func(p *line) bool {
				return p.own > 0 && (l.RemittanceDate == "" || p.RemittanceDate == "" || p.RemittanceDate == l.RemittanceDate)
			}) {
				r.hit("reversed_payments")
				return Warning{Is: true}
			}
		}
	}
	return w
}
