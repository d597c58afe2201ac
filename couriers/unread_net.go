package couriers

import (
	"slices"
	"strings"

	"milaan/domain"
	"milaan/ports/peers"
)

const (
	sampledLines = 200 // so many lines show what a column has
	fewestLines  = 3   // of fewer, an amount may be smaller by chance
)

// goods are words in the names of amounts that are no payout: what was bought may cost less than what is collected.
var goods = []string{"value", "price", "invoice", "product", "item", "taxable", "sub", "mrp"}

// unreadNet returns a column that is not read and may state what was paid out, where only what was collected is read; absent if there is
// none. Nine in ten dated lines have at least half of what was collected there, none has more, and some have less.
func (f *finding) unreadNet(table peers.Table) int {
	gross, date := f.columns[domain.RoleCODAmount], f.columns[domain.RoleRemittanceDate]
	if gross == absent || date == absent || f.columns[domain.RoleRemittedAmount] != absent {
		return absent
	}
	read := []int{gross, date}
	for column, key := range f.header.keys {
		isRead := slices.Contains(f.columns[:], column) || slices.Contains(f.charges, column)
		isGoods := slices.ContainsFunc(goods, func(word string) bool { return strings.Contains(key, word) })
		if f.header.words[column] != "" && !isRead && !isGoods {
			read = append(read, column)
		}
	}
	type found struct {
		near    int // lines with at least half of the gross amount
		smaller int // those of them with less than all
		more    bool
	}
	of, lines := make([]found, len(read)), 0
	for rows, cells := table.Rows(read), make([][]byte, len(read)); rows.Count() < sampledLines && rows.Next(cells); {
		collected, _ := domain.ReadPaise(cells[0])
		if collected <= 0 || domain.IsBlank(cells[1]) {
			continue
		}
		lines++
		for i, cell := range cells[2:] {
			paid, _ := domain.ReadPaise(cell)
			c := &of[2+i]
			if c.more = c.more || paid > collected; paid >= collected/2 {
				c.near++
				if paid < collected {
					c.smaller++
				}
			}
		}
	}
	for i, c := range of {
		if lines >= fewestLines && !c.more && c.smaller > 0 && 10*c.near >= 9*lines {
			return read[i]
		}
	}
	return absent
}
