package couriers

import (
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
)

// findCharges returns the columns of charges in the order of the header: those that the
// request or a saved mapping names or, if none of them is there, those whose names say it.
// No column that has another role is among them. Whether they are columns of amounts is known only when all lines have been read.
// stated says that they are those that are named.
func (h *header) findCharges(named []string, proposals []proposal, taken columns) (charges []int, stated bool) {
	var there []int
	for _, name := range named {
		there = append(there, h.find(name)...)
	}
	stated = len(there) > 0
	for i := range h.words {
		is := slices.Contains(there, i)
		if !stated {
			is = h.isCharge(i, best(proposals))
		}
		if _, other := taken.roleAt(i); is && !other && len(charges) < verdict.MaxCharges {
			charges = append(charges, i)
		}
	}
	return charges, stated
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
		is = is || c.hasName(domain.RoleCharges, key)
	}
	return is || slices.Contains(vocabularyKeys[domain.RoleCharges], key) || readChargeName(h.words[column]).is
}

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
// others are called, and returns these. Of columns of totals one is used, and only if it stands alone. A charge with its GST is
// none beside a column of GST, which has its parts.
func (r *lineReader) nameCharges() (used []int) {
	c := &r.charges
	if len(c.columns) == 0 {
		return nil
	}
	names := make([]string, len(c.columns))
	is := c.readNames(r.header)
	total := totalAlone(is)
	tax := slices.ContainsFunc(is, func(n chargeName) bool { return n.tax && !n.total })
	for i, column := range c.columns {
		if i == total || total < 0 && is[i].is && !is[i].total && !(tax && is[i].withTax) {
			names[i], used = r.header.words[column], append(used, column)
		}
	}
	r.remittances.SetCharges(names)
	return used
}

// totalAlone returns which of some columns has the total and is used: a known one rather than one by its words, and the first of
// several. Beside a single charge it counts for nothing; but a name that is known by its words alone does not stand beside a known
// total. -1: none is used.
func totalAlone(is []chargeName) int {
	total := slices.IndexFunc(is, func(n chargeName) bool { return n.total && n.known })
	known := total >= 0
	if !known {
		total = slices.IndexFunc(is, func(n chargeName) bool { return n.total })
	}
	if slices.ContainsFunc(is, func(n chargeName) bool { return n.is && !n.total && (n.known || !known) }) {
		return -1
	}
	return total
}

// readNames says what each column is by its name, and nothing of those that are none of charges after all. No word of a name that
// a person has given counts: it may be a total for them, or have its tax.
func (c *chargeReader) readNames(h *header) []chargeName {
	all := make([]chargeName, len(c.columns))
	for i, column := range c.columns {
		if c.not[i] {
			continue
		}
		key, read := h.keys[column], readChargeName(h.words[column])
		if c.stated {
			read = chargeName{}
		}
		read.known = !read.is || slices.Contains(vocabularyKeys[domain.RoleCharges], key)
		read.is, read.total = true, read.total || totalCharges[key]
		all[i] = read
	}
	return all
}
