package verdict

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"milaan/domain"
)

// Charge is what a courier says on a line that it has deducted, such as freight. It
// changes no amount of the line.
type Charge struct {
	Column uint8        // index of the column's name in ReadReport.Charges
	Amount domain.Paise // not 0, and with the sign that the report has
}

// MaxCharges is how many columns of charges a report may have.
const MaxCharges = 32

// chargeMemory is how many bytes a Charge needs.
const chargeMemory = 16

// AddCharge adds a charge to the line that was added last. A charge of 0 is none.
func (r *Remittances) AddCharge(column uint8, amount domain.Paise) {
	if amount == 0 {
		return
	}
	line := &r.list[len(r.list)-1]
	if line.charges == 0 {
		line.charged = int32(len(r.charges))
	}
	line.charges++
	r.charges = append(r.charges, Charge{Column: column, Amount: amount})
}

// ChargesOf returns the charges of a line of these reports, in the order of the report's
// columns. They are valid until Reset; the caller must not change them.
func (r *Remittances) ChargesOf(line *Remittance) []Charge {
	end := line.charged + int32(line.charges)
	return r.charges[line.charged:end:end]
}

// SetCharges stores the names of the columns by which AddCharge has numbered the charges
// of the report that is being read. A column with a blank name is none of charges after
// all: what was added of it is removed, and the columns behind it move up.
func (r *Remittances) SetCharges(names []string) {
	c := r.current()
	c.Charges = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	if len(c.Charges) == len(names) {
		return
	}
	place := make([]uint8, len(names))
	for column, used := 0, uint8(0); column < len(names); column++ {
		if place[column] = used; names[column] != "" {
			used++
		}
	}
	kept := int32(c.before.charges)
	for i := range r.Lines() {
		line := &r.Lines()[i]
		of := r.ChargesOf(line)
		line.charged, line.charges = 0, 0
		for _, charge := range of {
			if names[charge.Column] != "" {
				if line.charges == 0 {
					line.charged = kept
				}
				charge.Column = place[charge.Column]
				r.charges[kept] = charge
				kept++
				line.charges++
			}
		}
	}
	r.charges = r.charges[:kept]
}

// explainedWithin is how far charges may be from the difference that they explain.
const explainedWithin = domain.Rupee

// explain returns by how much less was remitted on a line than collected, and the charges
// of the line that explain it: all of them, or one alone that has the others in it, as a
// tax may be. It returns none if nothing explains the line (guide: verdict 1).
func (r *Remittances) explain(line *Remittance) (difference domain.Paise, by []Charge) {
	charges := r.ChargesOf(line)
	if len(charges) == 0 || line.Remitted == 0 || !r.reports[line.Report].bothAmounts() {
		return 0, nil
	}
	difference = line.Listed - line.Stated
	if by = explaining(difference, charges); by == nil {
		return 0, nil
	}
	return difference, by
}

// explaining returns those of charges that come to a difference: all of them, or one alone; nil if neither does.
func explaining(difference domain.Paise, charges []Charge) []Charge {
	if (difference - sumOf(charges)).Abs() <= explainedWithin {
		return charges
	}
	for i, c := range charges {
		if (difference - c.Amount.Abs()).Abs() <= explainedWithin {
			return charges[i : i+1]
		}
	}
	return nil
}

// sumOf adds up charges without their signs, which reports write either way.
func sumOf(charges []Charge) (sum domain.Paise) {
	for _, c := range charges {
		sum += c.Amount.Abs()
	}
	return sum
}

// DeductedCharges yields what of a line's charges was deducted from what counts as collected on it, by the names of their
// columns: the charges that come to the difference, or all if they come to less. Charges of more than the difference were
// not deducted there, so that none is yielded. Of a line on which more was paid than collected they were given back, and are
// below 0.
func (r *Reconciliation) DeductedCharges(line *Remittance) iter.Seq2[string, domain.Paise] {
	return func(yield func(string, domain.Paise) bool) {
		for column, amount := range r.deducted(line, r.differenceOn(line)) {
			if !yield(r.remittances.reports[line.Report].Charges[column], amount) {
				return
			}
		}
	}
}

// deducted yields the charges of a line that come to a difference, by their columns.
func (r *Reconciliation) deducted(line *Remittance, difference domain.Paise) iter.Seq2[uint8, domain.Paise] {
	return func(yield func(uint8, domain.Paise) bool) {
		charges := r.remittances.ChargesOf(line)
		if difference == 0 || len(charges) == 0 {
			return
		}
		if by := explaining(difference.Abs(), charges); by != nil {
			charges = by
		} else if sumOf(charges) > difference.Abs() {
			return
		}
		for _, c := range charges {
			amount := c.Amount.Abs()
			if difference < 0 {
				amount = -amount
			}
			if !yield(c.Column, amount) {
				return
			}
		}
	}
}

// undeducted is how much of a line's charges it was not paid less by. What is not paid at all is no deduction.
func (r *Reconciliation) undeducted(line *Remittance) domain.Paise {
	difference, charges := r.differenceOn(line), r.remittances.ChargesOf(line)
	if explaining(difference, charges) != nil {
		return 0
	}
	if line.Remitted == 0 {
		difference = 0
	}
	return max(0, sumOf(charges)-max(0, difference))
}

// explained returns by how much less was remitted on the lines of an order than collected,
// as far as charges explain it. Lines that are left out or set aside do not count.
func (m *matching) explained(order int32) (sum domain.Paise) {
	if len(m.remittances.charges) == 0 {
		return 0
	}
	for _, s := range m.sharesOf(order) {
		sum += s.explained
	}
	return sum + m.explainedAlone(&m.claims[order], lineMark.counts)
}

// explainedAlone is explained for those lines that are the order's alone and have such marks.
func (m *matching) explainedAlone(c *claim, are func(lineMark) bool) (sum domain.Paise) {
	for i := c.first; i != noLine; i = m.next[i] {
		if are(m.repeats.marks[i]) {
			difference, _ := m.remittances.explain(&m.lines[i])
			sum += difference
		}
	}
	return sum
}

// StateCharges says whether some report of the run has a column of charges.
func (r *Reconciliation) StateCharges() bool {
	return slices.ContainsFunc(r.remittances.all(), func(report ReadReport) bool { return len(report.Charges) > 0 })
}

// charged adds up the charges of a line, whether or not they explain it.
func (r *Remittances) charged(line *Remittance) domain.Paise { return sumOf(r.ChargesOf(line)) }

// chargeSums are the charges of an order, added up.
type chargeSums struct {
	stated   domain.Paise
	accepted domain.Paise // the part of stated that explains lines and counts as paid
}

func (s chargeSums) leave(d *decision) domain.Paise { return max(d.shortfall-(s.stated-s.accepted), 0) }

// statedCharges adds up the charges of an order by their names, the largest first. Of a
// line that one charge explains alone it takes that one, because it has the others in it. The
// list is valid until the next call.
func (r *Reconciliation) statedCharges(order int) (stated []domain.StatedCharge, sums chargeSums) {
	stated = r.scratch.stated[:0]
	if len(r.remittances.charges) == 0 {
		return stated, sums
	}
	accepts := r.decided[order].accepted != 0 // none counts as paid if all that was paid was taken back
	lines := r.matching.linesOf(&r.matching.claims[order])
	var paid map[domain.Paise]*Remittance // the lines with charges by their amounts, as soon as one takes back
	for _, i := range lines {
		line := &r.remittances.list[i]
		if !r.matching.repeats.marks[i].counts() || line.Remitted == 0 {
			continue
		}
		_, charges := r.remittances.explain(line)
		accepted := accepts && charges != nil
		var givenBack *Remittance // the line whose charges this one states again
		if charges == nil {
			charges = r.remittances.ChargesOf(line)
			if line.Stated < 0 {
				if paid == nil {
					paid = r.remittances.chargedByStated(lines)
				}
				givenBack = paid[-line.Stated]
			}
			if back := line.Stated - line.Listed; givenBack == nil && back > 0 && explaining(back, charges) != nil {
				continue // they are given back
			}
		}
		beyond := sumOf(charges)
		if givenBack != nil {
			beyond -= r.remittances.charged(givenBack) // another report may have other names for them
		}
		for _, c := range charges {
			name := r.remittances.reports[line.Report].Charges[c.Column]
			amount := max(0, min(beyond, c.Amount.Abs()-r.chargeOf(givenBack, name)))
			if amount == 0 {
				continue
			}
			beyond -= amount
			sums.stated += amount
			if accepted {
				sums.accepted += amount
			}
			stated = addCharge(stated, name, amount)
		}
	}
	for _, s := range r.matching.sharesOf(int32(order)) {
		if s.explained > 0 {
			sums.stated += s.explained
			if accepts {
				sums.accepted += s.explained
			}
			stated = append(stated, domain.StatedCharge{Name: r.sharedCharges(s.parcel), Amount: s.explained})
		}
	}
	slices.SortFunc(stated, func(a, b domain.StatedCharge) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Name, b.Name))
	})
	r.scratch.stated = stated
	return stated, sums
}

// chargedByStated returns those of some lines that have charges, by the amounts that they state.
func (r *Remittances) chargedByStated(lines []int32) map[domain.Paise]*Remittance {
	charged := map[domain.Paise]*Remittance{}
	for _, i := range lines {
		if line := &r.list[i]; line.charges > 0 {
			charged[line.Stated] = line
		}
	}
	return charged
}

func addCharge(stated []domain.StatedCharge, name string, amount domain.Paise) []domain.StatedCharge {
	at := slices.IndexFunc(stated, func(s domain.StatedCharge) bool { return s.Name == name })
	if at < 0 {
		return append(stated, domain.StatedCharge{Name: name, Amount: amount})
	}
	stated[at].Amount += amount
	return stated
}

// chargeOf returns what a line states under a name of charges; line may be nil.
func (r *Reconciliation) chargeOf(line *Remittance, name string) (sum domain.Paise) {
	if line == nil {
		return 0
	}
	for _, c := range r.remittances.ChargesOf(line) {
		if r.remittances.reports[line.Report].Charges[c.Column] == name {
			sum += c.Amount.Abs()
		}
	}
	return sum
}

// sharedCharges names the charges of the first line of a shared AWB that charges explain.
func (r *Reconciliation) sharedCharges(parcel int32) string {
	line := &r.remittances.list[r.matching.sharedParcels[parcel].explainedBy]
	_, charges := r.remittances.explain(line)
	var names []string
	for _, c := range charges {
		names = append(names, r.remittances.reports[line.Report].Charges[c.Column])
	}
	return strings.Join(names, " + ")
}
