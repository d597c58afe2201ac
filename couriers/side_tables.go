package couriers

import (
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// Some sheets have a summary beside the lines, behind a blank column. Its header stands in the line of the report's own,
// so what it calls Amount Payable would be what was paid on the first lines. Many reports part their own columns by
// blank ones as well, so only the cells tell.

// part is a run of columns that have a name, up to a blank one.
type part struct{ from, end int }

func (p part) has(column int) bool { return p.from <= column && column < p.end }

func (h *header) parts() (parts []part) {
	for i, word := range h.words {
		switch {
		case word == "":
		case i > 0 && h.words[i-1] != "":
			parts[len(parts)-1].end = i + 1
		default:
			parts = append(parts, part{i, i + 1})
		}
	}
	return parts
}

// refuseSideTable returns an error if a column that detection has taken is of another table, beside the lines. A person
// may have named the column all the same.
func (f *finding) refuseSideTable(table peers.Table, registry *Registry, choice ports.MappingChoice) error {
	parts := f.header.parts()
	if len(parts) < 2 {
		return nil
	}
	main, own, whole := f.mainPart(table, registry, parts)
	if !whole {
		return nil
	}
	for _, other := range parts {
		for _, role := range f.rolesOfPaid() {
			column := f.columns[role]
			_, named := choice.Columns[role]
			if other == main || !other.has(column) || named || f.remembered[role] != "" {
				continue
			}
			if line := lineBelow(table, own, other); line > 0 {
				return f.header.sideTable(line, role, column, other)
			}
			break
		}
	}
	return nil
}

// rolesOfPaid are the roles that say what was paid. Columns of others, such as the UTR, may be filled on the first lines alone.
func (f *finding) rolesOfPaid() []domain.Role {
	if f.columns[domain.RoleRemittedAmount] == absent {
		return []domain.Role{domain.RoleCODAmount, domain.RoleRemittanceDate}
	}
	return []domain.Role{domain.RoleRemittedAmount, domain.RoleCODAmount}
}

// mainPart returns the part of the header that is a report's by itself, and its columns. whole is false if there is none:
// then its parts are of one table.
func (f *finding) mainPart(table peers.Table, registry *Registry, parts []part) (main part, own columns, whole bool) {
	for _, p := range parts {
		own = f.columns
		for role, column := range own {
			if !p.has(column) {
				own[role] = absent
			}
		}
		if f.header.mapping(own).MissingRoles() == nil {
			return p, own, true
		}
	}
	for _, p := range parts { // of which another part may have taken a role
		if proposals := registry.ask(newHeader(table.Header()[p.from:p.end]), noColumns()); len(proposals) > 0 {
			own = proposals[0].columns
			for role, column := range own {
				if column != absent {
					own[role] += p.from
				}
			}
			return p, own, true
		}
	}
	return main, own, false
}

// lineBelow returns the first line below a table that stands beside the report's lines; 0: the other part of the header is no such
// table. Such a table begins beside the first line, and ends above a line that was paid. Where it has gaps, more
// lines than it has stand below it: else its cells may be those of some lines.
func lineBelow(table peers.Table, own columns, other part) (line int) {
	read := []int{own[domain.RoleAWB], own[domain.RoleOrderID], own[domain.RoleRemittanceDate], own[domain.RoleRemittedAmount]}
	for column := other.from; column < other.end; column++ {
		read = append(read, column)
	}
	rows, cells := table.Rows(read), make([][]byte, len(read))
	lines, end, filled := 0, 0, 0 // of the lines, the table has filled ones among those before the end
	for rows.Next(cells) {
		awb, orderID, date, amount := cells[0], cells[1], cells[2], cells[3]
		if !isSurelyID(awb) || !isSurelyID(orderID) || len(awb)+len(orderID) == 0 {
			continue
		}
		isFilled := slices.ContainsFunc(cells[4:], func(cell []byte) bool { return !domain.IsBlank(cell) })
		switch lines++; {
		case isFilled:
			filled++
			end, line = lines, 0
		case lines == 1:
			return 0
		case line == 0 && isPaid(own, date, amount):
			line = rows.Line()
		}
	}
	if below := lines - end; filled < end && below <= end {
		return 0
	}
	return line
}

// isPaid says that the cells of a line's date and of what is remitted on it, as far as the report has them, say that it was paid.
func isPaid(own columns, date, amount []byte) bool {
	remitted, _ := domain.ReadPaise(amount)
	return (own[domain.RoleRemittanceDate] == absent || verdict.HasDigit(date)) &&
		(own[domain.RoleRemittedAmount] == absent || remitted != 0)
}
