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
	stated  bool   // a person has named them
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
// others are called, and returns these. Of columns of totals the first is used if it stands alone, and beside others where
// these lack something that it states. A charge with its GST is none beside a column of GST, which has its parts.
func (r *lineReader) nameCharges() (used []int) {
	c := &r.charges
	if len(c.columns) == 0 {
		return nil
	}
	names := make([]string, len(c.columns))
	is := c.readNames(r.header)
	single := slices.ContainsFunc(is, func(n chargeName) bool { return n.is && !n.total })
	tax := slices.ContainsFunc(is, func(n chargeName) bool { return n.tax && !n.total })
	total := slices.IndexFunc(is, func(n chargeName) bool { return n.total })
	for i, column := range c.columns {
		if is[i].is && (!is[i].total || !single && i == total) && !(tax && is[i].withTax) {
			names[i], used = r.header.words[column], append(used, column)
		}
	}
	if single && total >= 0 && r.hasCollected && r.hasRemitted && r.remittances.KeepRest(uint8(total), names) {
		names[total], used = "Rest of "+r.header.words[c.columns[total]], append(used, c.columns[total])
		slices.Sort(used)
	}
	r.remittances.SetCharges(names)
	return used
}

// readNames says what each column is by its name, and nothing of those that are none of charges after all. A charge with its
// tax that a person has named counts.
func (c *chargeReader) readNames(h *header) []chargeName {
	all := make([]chargeName, len(c.columns))
	for i, column := range c.columns {
		if !c.not[i] {
			all[i] = readChargeName(h.words[column])
			all[i].is, all[i].total = true, all[i].total || totalCharges[h.keys[column]]
			all[i].withTax = all[i].withTax && !c.stated
		}
	}
	return all
}
