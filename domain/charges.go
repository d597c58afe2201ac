package domain

import "slices"

// Charge is what a courier says on a line that it has deducted, such as freight. It
// changes no amount of the line.
type Charge struct {
	Column uint8 // index of the column's name in ReadReport.Charges
	Amount Paise // not 0, and with the sign that the report has
}

// MaxCharges is how many columns of charges a report may have.
const MaxCharges = 32

// chargeMemory is how many bytes a Charge needs.
const chargeMemory = 16

// AddCharge adds a charge to the line that was added last. A charge of 0 is none.
func (r *Remittances) AddCharge(column uint8, amount Paise) {
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
