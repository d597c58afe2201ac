package reading

import (
	"slices"
	"strconv"
)

// chargeOf reads a cell of charges: paise, and whether it is money or blank.
func chargeOf(cell string) (paise int64, is bool) {
	if cell == "" {
		return 0, true
	}
	rupees, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return 0, false
	}
	if rupees < 0 {
		return int64(rupees*100 - 0.5), true
	}
	return int64(rupees*100 + 0.5), true
}

// isTotalOfCharges reports whether a column has the total of all charges.
func isTotalOfCharges(header string) bool {
	return header == "Total Charges" || header == "Total Deduction"
}

// noteTotalOfCharges counts the cases in which the total stands beside its parts.
func (r *run) noteTotalOfCharges() {
	for _, header := range r.given.Columns.Charges {
		if isTotalOfCharges(header) {
			r.hit("total of charges, alone: " + strconv.FormatBool(r.totalStandsAlone()))
		}
	}
}

// totalStandsAlone reports whether the report has no other column of charges.
func (r *run) totalStandsAlone() bool {
	return !slices.ContainsFunc(r.given.Columns.Charges[:], func(header string) bool { return header != "" && !isTotalOfCharges(header) })
}

// chargesOf gives the charges of a line that are not 0, as absolute values.
func (r *run) chargesOf(l *line) (charges []int64) {
	for i, header := range r.given.Columns.Charges {
		if header == "" || isTotalOfCharges(header) && !r.totalStandsAlone() {
			continue
		}
		isCharge := true
		for _, other := range r.lines {
			if _, is := chargeOf(other.Charges[i]); !is && other.report == l.report {
				isCharge = false
			}
		}
		if !isCharge {
			r.hit("column of charges with a cell that is no money")
			continue
		}
		if paise, _ := chargeOf(l.Charges[i]); paise != 0 {
			charges = append(charges, max(paise, -paise))
		}
	}
	return charges
}

// explained gives what the charges of a line explain, and whether they do.
func (r *run) explained(l *line) (paise int64, does bool) {
	has := r.given.Columns
	if has.CODAmount == "" || has.RemittedAmount == "" || l.remitted == 0 || len(l.charges) == 0 {
		return 0, false
	}
	short := l.CODAmount.Paise - l.RemittedAmount.Paise
	var sum int64
	for _, charge := range l.charges {
		sum += charge
	}
	if near(short, sum) {
		r.hit("charges explain by their sum")
		return short, true
	}
	for _, charge := range l.charges {
		if near(short, charge) {
			r.hit("charges explain by one of them")
			return short, true
		}
	}
	r.hit("charges explain nothing")
	return 0, false
}

func near(a, b int64) bool { return a-b <= 100 && b-a <= 100 }

// acceptedOf gives what of a line's charges counts as paid.
func (r *run) acceptedOf(l *line) int64 {
	if !r.given.Accept {
		return 0
	}
	paise, _ := r.explained(l)
	return paise
}

// sums adds up the columns of amounts.
type sums struct{ collected, remitted int64 }

func (s *sums) add(l *line) {
	s.collected += l.CODAmount.Paise
	s.remitted += l.RemittedAmount.Paise
}

// isFooter reports whether a line without ids is a footer.
func (r *run) isFooter(l *line, above *[2]sums) bool {
	if slices.ContainsFunc([]string{l.AWB, l.OrderID, l.RemittanceDate, l.DeliveredDate, l.Status, l.RemittanceStatus, l.UTR}, hasTotal) {
		r.hit("footer with the word")
		return true
	}
	if l.CODAmount.Paise == 0 && l.RemittedAmount.Paise == 0 {
		return false
	}
	r.openTotals = r.openTotals || r.unidentifiedAbove
	r.unidentifiedAbove = true
	for _, sum := range above {
		if (!l.CODAmount.Stated || l.CODAmount.Paise == sum.collected) && (!l.RemittedAmount.Stated || l.RemittedAmount.Paise == sum.remitted) {
			r.hit("footer without the word")
			return true
		}
	}
	return false
}
