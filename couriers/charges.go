package couriers

import (
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
)

// findCharges returns the columns of charges in the order of the header: those that the
// request or a saved mapping names or, if none of them is there, those whose names say it.
// No column that has another role is among them. Whether they are columns of amounts is known only when all lines have been read.
func (h *header) findCharges(named []string, proposals []proposal, taken columns) (charges []int) {
	var stated []int
	for _, name := range named {
		stated = append(stated, h.find(name)...)
	}
	for i := range h.words {
		is := slices.Contains(stated, i)
		if len(stated) == 0 {
			is = h.isCharge(i, best(proposals))
		}
		if _, other := taken.roleAt(i); is && !other && len(charges) < verdict.MaxCharges {
			charges = append(charges, i)
		}
	}
	return charges
}

// reserve keeps columns that are named as charges from being detected in another role.
func (h *header) reserve(charges []string) {
	for _, name := range charges {
		for _, i := range h.find(name) {
			delete(h.at, h.keys[i])
		}
	}
}

// firstLacking returns the first of some joined names that no column has; blank: there is
// none.
func (h *header) firstLacking(joined string) string {
	for _, name := range domain.SplitColumns(joined) {
		if len(h.find(name)) == 0 {
			return name
		}
	}
	return ""
}

// chargeWithRole returns a column that is named as charges and for another role too.
func (h *header) chargeWithRole(joined string, at columns) (column int, role domain.Role, found bool) {
	for _, name := range domain.SplitColumns(joined) {
		for _, column := range h.find(name) {
			if role, found := at.roleAt(column); found {
				return column, role, true
			}
		}
	}
	return 0, 0, false
}

// isCharge says that the vocabulary or one of some couriers has the name for charges or that its words say so, and
// none of these couriers has it for something else. A rate is no charge.
func (h *header) isCharge(column int, best []proposal) bool {
	key, is := h.keys[column], false
	if key == "" || namesRate(h.words[column]) {
		return false
	}
	for i := range best {
		c := best[i].courier
		if c.noCharges[key] {
			return false
		}
		is = is || slices.Contains(c.own[domain.RoleCharges], key) || slices.Contains(c.lastResort[domain.RoleCharges], key)
	}
	return is || slices.Contains(vocabularyKeys[domain.RoleCharges], key) || readChargeName(h.words[column]).is
}

// chargeReader reads the columns of charges.
type chargeReader struct {
	cells   [][]byte // of the current line
	columns []int
	not     []bool // which of them have a cell that is no amount
}

// addCharges adds the charges of the current line, which was added last. A column with a
// cell that is no amount is none of charges: it may have the numbers of registrations.
func (r *lineReader) addCharges() {
	for i, cell := range r.charges.cells {
		if len(cell) == 0 || r.charges.not[i] {
			continue
		}
		amount, reading := domain.ReadPaise(cell)
		if r.charges.not[i] = reading == domain.Unreadable; reading == domain.Given {
			r.remittances.AddCharge(uint8(i), amount)
		}
	}
}

// nameCharges leaves out the columns that are none of charges after all, says what the
// others are called, and returns these. Columns of totals are none beside others. Of several totals that
// stand alone the first is used. A charge with its GST is none beside a column of GST, which has its parts.
func (r *lineReader) nameCharges() (used []int) {
	c := &r.charges
	if len(c.columns) == 0 {
		return nil
	}
	names, read := make([]string, len(c.columns)), make([]chargeName, len(c.columns))
	single, tax, totals := false, false, 0
	for i, column := range c.columns {
		read[i] = readChargeName(r.header.words[column])
		read[i].total = read[i].is && read[i].total || totalCharges[r.header.keys[column]]
		single = single || !c.not[i] && !read[i].total
		tax = tax || !c.not[i] && read[i].tax && !read[i].total
	}
	for i, column := range c.columns {
		if c.not[i] || tax && read[i].withTax {
			continue
		}
		if read[i].total {
			if totals++; single || totals > 1 {
				continue
			}
		}
		names[i], used = r.header.words[column], append(used, column)
	}
	r.remittances.SetCharges(names)
	return used
}
