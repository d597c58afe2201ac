package couriers

import (
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports/peers"
)

// orderIDs are the columns of a header that could be the order id: the one that
// is agreed on, those that other couriers would take, and those that the vocabulary
// or these couriers have a name for; the best name first. There are none if there
// is no choice, or if a person has made it.
func (h *header) orderIDs(proposals []proposal, agreed, given columns) []int {
	chosen := agreed[domain.RoleOrderID]
	if chosen == absent || given[domain.RoleOrderID] != absent {
		return nil
	}
	best := best(proposals)
	others := candidates(best, domain.RoleOrderID)
	for column, key := range h.keys {
		if !slices.Contains(others, column) && couldBeOrderID(key, best) && len(h.namedLike(column)) == 1 {
			others = append(others, column)
		}
	}
	others = slices.DeleteFunc(others, func(column int) bool {
		role, taken := agreed.roleAt(column)
		return column == chosen || taken && role != domain.RoleOrderID
	})
	if len(others) == 0 {
		return nil
	}
	slices.SortFunc(others, func(a, b int) int { return h.compareNames(domain.RoleOrderID, a, b) })
	return slices.Insert(others, 0, chosen)
}

// couldBeOrderID says that the vocabulary or one of some couriers has a name for
// the order id.
func couldBeOrderID(key string, best []proposal) bool {
	return slices.Contains(vocabularyKeys[domain.RoleOrderID], key) ||
		slices.ContainsFunc(best, func(p proposal) bool { return p.courier.hasName(domain.RoleOrderID, key) })
}

// chooseOrderID takes the column that names more orders of the export, and the
// better name where they name as many. The warning says that it is not the one of
// the better name (guide: verdict 1).
func (f *finding) chooseOrderID(table peers.Table, orders func() *verdict.Orders) (w domain.Warning, doubted bool) {
	if len(f.orderIDs) < 2 {
		return w, false
	}
	export := orders()
	if export == nil {
		return w, false
	}
	named := ordersNamed(table, f.orderIDs, export)
	most := slices.Index(named, slices.Max(named))
	if most == 0 {
		return w, false
	}
	f.columns[domain.RoleOrderID] = f.orderIDs[most]
	return domain.Warning{Code: domain.WarnOrderIDColumn, Column: f.header.words[f.orderIDs[most]],
		OtherColumn: f.header.words[f.orderIDs[0]]}, true
}

// ordersNamed counts, per column, the orders of the export that its cells name,
// each once. A record that cannot be read ends it: the reading proper says so.
func ordersNamed(table peers.Table, columns []int, export *verdict.Orders) []int {
	named, seen := make([]int, len(columns)), make([][]uint64, len(columns))
	for i := range seen {
		seen[i] = make([]uint64, (export.Len()+63)/64) // a bit per order
	}
	rows, cells := table.Rows(columns), make([][]byte, len(columns))
	for rows.Next(cells) {
		for i, cell := range cells {
			at := export.FindAsked(verdict.OrderKey(cell))
			if at < 0 {
				continue
			}
			if word, bit := &seen[i][at/64], uint64(1)<<(at%64); *word&bit == 0 {
				*word |= bit
				named[i]++
			}
		}
	}
	return named
}
